/** Where the resources of a process are read from: its catalogue, its readings, and the engine when one asks the API. */
import { lazily } from "../api/lazily.js";
import type { Library } from "../resources/index.js";
import type { Readings } from "./catalogue.js";
import type { Menu } from "./menu.js";
import type { Surface } from "./surface.js";

/** The library of a menu: the pages of its tools, and what its services declare. */
export const libraryOf = (surface: Surface, menu: Menu, { resources }: Readings): Library => ({
  tools: menu.tools,
  declared: resources,
  api: lazily(async () => {
    const { calls, plans, presentation, results } = await surface.engine();
    const plan = async (owner: string, id: string) => (await plans.find(id, owner))?.plan.preview.lines;
    return { invoke: calls.invoke, kept: results.get, plan, secrets: presentation.secrets };
  }),
});
