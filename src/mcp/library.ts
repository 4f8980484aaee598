/** Where the resources of a process are read from: its catalogue, its readings, and the engine when one asks the API. */
import type { Library } from "../resources/index.js";
import type { Readings } from "./catalogue.js";
import type { Menu } from "./menu.js";
import type { Surface } from "./surface.js";

/**
 * The libraries of a menu, one for each profile, so that what one has kept of live ids serves no other: the pages of its
 * tools, and what its services declare.
 */
export function librariesOf(surface: Surface, menu: Menu, { resources }: Readings): (profile?: string) => Library {
  const made = new Map<string | undefined, Library>();
  const libraryIn = (profile: string | undefined): Library => ({
    tools: menu.tools,
    declared: resources,
    // Not kept: a credential that could not be read may be there for the next one.
    api: async () => {
      const { within } = await surface.engine();
      const { calls, presentation, results, plan: found } = await within(profile);
      const plan = async (owner: string, id: string) => (await found(owner, id))?.plan.preview.lines;
      return { invoke: calls.invoke, kept: results.get, plan, secrets: presentation.secrets };
    },
  });
  return (profile) => {
    const library = made.get(profile) ?? libraryIn(profile);
    made.set(profile, library);
    return library;
  };
}
