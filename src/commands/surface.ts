/** Puts the parts of a process together: configuration, catalogue, and the engine that the first call makes. */
import manifest from "../../package.json" with { type: "json" };
import { lazily } from "../api/lazily.js";
import { type Config, isEmulated } from "../config.js";
import { type Catalogue, loadCatalogue, loadReadings, type Readings } from "../mcp/catalogue.js";
import type { Engine, Surface } from "../mcp/surface.js";
import { log } from "./command.js";

/** Why calls go to the emulator: it was requested, or nothing else is configured. */
export const emulatedBecause = ({ values }: Config): string =>
  values.emulator ? "--emulator is set" : "no credentials are configured";

/**
 * The surface of a process.
 * @throws Failure `bad_configuration` when credentials are configured but cannot be used: there is no fallback.
 */
export async function createSurface(config: Config): Promise<Surface & { readonly notice: string }> {
  const isEmulator = isEmulated(config);
  let catalogue: Catalogue | undefined;
  let readings: Readings | undefined;
  const surface: Surface = {
    get catalogue() {
      catalogue ??= loadCatalogue();
      return catalogue;
    },
    get readings() {
      readings ??= loadReadings();
      return readings;
    },
    version: manifest.version,
    isEmulated: isEmulator,
    isReadOnly: config.values["read-only"],
    engine: lazily<Engine>(async () => (await import("../engine.js")).createEngine(config, surface.catalogue, log)),
  };
  // Invalid credentials and policies must fail at startup, not at the first call; the emulator's are always valid.
  const mustBeChecked = config.values.policy !== undefined || config.values.approval === "off";
  const account = isEmulator && !mustBeChecked ? undefined : (await surface.engine()).account;
  const notice = isEmulator
    ? `edgewise: ${emulatedBecause(config)}: every call goes to the embedded emulator; nothing real is read or changed`
    : `edgewise: calls go to ${account}`;
  return Object.assign(surface, { notice });
}
