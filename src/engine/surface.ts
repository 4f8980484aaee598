/** The dependencies of the protocol's handlers: the generated catalogue, and the engine, which the first call creates. */
import type { ResourceLibrary } from "../resources/index.js";
import type { Telemetry } from "../telemetry/index.js";
import type { Catalogue, ReadingListings } from "./catalogue.js";
import type { Engine } from "./index.js";
import { type Menu, type MenuChoice, readingsFor } from "./menu.js";

export interface Surface {
  readonly catalogue: Catalogue;
  readonly readings: ReadingListings;
  readonly version: string;
  /** Whether every call goes to the emulator. */
  readonly isEmulated: boolean;
  readonly isReadOnly: boolean;
  /** The offered part of the catalogue; all of it by default. */
  readonly choice?: MenuChoice;
  /** Observes requests; absent if no metrics, log or traces are configured. */
  readonly telemetry?: Telemetry | undefined;
  engine(): Promise<Engine>;
}

/**
 * The resource libraries of a menu, one for each profile, so that cached live ids are not shared between accounts: the
 * pages of its tools, and the services' resources. Resources are listed even if the tool that reads them is left out,
 * because reading them returns the reason.
 */
export function librariesOf(surface: Surface, menu: Menu): (profile?: string) => ResourceLibrary {
  const libraries = new Map<string | undefined, ResourceLibrary>();
  const { resources } = surface.readings;
  const offered = new Set(readingsFor(surface.readings, menu).resources);
  const declared = resources.filter((one) => one.tool !== undefined || offered.has(one));
  const libraryIn = (profile: string | undefined): ResourceLibrary => ({
    catalogue: surface.catalogue,
    offer: menu,
    declared,
    // Not cached: a credential that could not be read may be available for the next call.
    api: async (origin, purpose) => {
      const { runtimeFor: within } = await surface.engine();
      const { calls, presentation, results, plan: planLookup } = await within(profile, origin);
      const plan = async (owner: string, id: string) => (await planLookup(owner, id))?.plan.preview.lines;
      return {
        invoke: (tool, args) => calls.invoke(tool, args, { ...origin, purpose }),
        storedResult: results.get,
        plan,
        secrets: presentation.secrets,
      };
    },
  });
  return (profile) => {
    const library = libraries.get(profile) ?? libraryIn(profile);
    libraries.set(profile, library);
    return library;
  };
}
