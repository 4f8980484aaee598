/** What the protocol's handlers use: the catalogue from the build, the engine that the first call creates, and what is read by way of both. */
import type { Catalogue, Readings } from "../engine/catalogue.js";
import type { Engine } from "../engine/index.js";
import type { Library } from "../resources/index.js";
import { type Menu, type MenuChoice, readingsFor } from "./menu.js";

export interface Surface {
  readonly catalogue: Catalogue;
  readonly readings: Readings;
  readonly version: string;
  /** Says when every call goes to the emulator. */
  readonly isEmulated: boolean;
  readonly isReadOnly: boolean;
  /** What it offers of the catalogue; all of it where this is absent. */
  readonly choice?: MenuChoice;
  engine(): Promise<Engine>;
}

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
