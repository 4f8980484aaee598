/** Where the resources of a process are read from: its catalogue, its readings, and the engine when one asks the API. */
import type { Library } from "../resources/index.js";
import { type Menu, readingsFor } from "./menu.js";
import type { Surface } from "./surface.js";

/**
 * The libraries of a menu, one for each profile, so that what one has kept of live ids serves no other: the pages of its
 * tools, and what services declare. What is read by a tool is there whether that is left out or not, because whoever reads
 * it then is told so.
 */
export function librariesOf(surface: Surface, menu: Menu): (profile?: string) => Library {
  const made = new Map<string | undefined, Library>();
  const { resources } = surface.readings;
  const offered = new Set(readingsFor(surface.readings, menu).resources);
  const declared = resources.filter((one) => one.tool !== undefined || offered.has(one));
  const libraryIn = (profile: string | undefined): Library => ({
    catalogue: surface.catalogue,
    offer: menu,
    declared,
    // Not kept: a credential that could not be read may be there for the next one.
    api: async (reader, purpose) => {
      const { within } = await surface.engine();
      const { calls, presentation, results, plan: found } = await within(profile);
      const plan = async (owner: string, id: string) => (await found(owner, id))?.plan.preview.lines;
      return {
        invoke: (tool, args) => calls.invoke(tool, args, { ...reader, purpose }),
        kept: results.get,
        plan,
        secrets: presentation.secrets,
      };
    },
  });
  return (profile) => {
    const library = made.get(profile) ?? libraryIn(profile);
    made.set(profile, library);
    return library;
  };
}
