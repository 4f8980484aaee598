/** Assembles a process: configuration, catalogue, and the engine, which the first call creates. */
import manifest from "../../package.json" with { type: "json" };
import { apisOf, areImportsOffered, type Config, isEmulated, menuSettingsOf } from "../config.js";
import type { ImportedTool } from "../definitions/library.js";
import { lazily } from "../language/once-for.js";
import { type ConfiguredProfiles, configuredProfiles } from "../profiles/index.js";
import type { Telemetry } from "../telemetry/index.js";
import type { Log } from "../telemetry/log.js";
import { isTraced } from "../telemetry/traced.js";
import { quantity } from "../text/quantity.js";
import { loadCatalogue, loadReadings, withImported, withTool } from "./catalogue.js";
import { readMenuChoice } from "./menu.js";
import type { Surface } from "./surface.js";

/** Why calls go to the emulator: it was requested, or nothing else is configured. */
export const reasonForEmulator = ({ values }: Config): string =>
  values.emulator ? "--emulator is set" : "no credentials are configured";

interface ProcessSurface extends Surface {
  /** Reports at the start where calls go. */
  readonly notice: string;
  /** Closes the engine, if a call has created one. */
  close(): Promise<void>;
}

/**
 * Creates the engine, and the profiles whose credentials can be read without a command: a command may prompt the user,
 * so none is run before a call needs it.
 * @returns The account that calls act on, or the profiles, in words.
 */
async function checkEngine(surface: Surface, configured: ConfiguredProfiles | undefined): Promise<string> {
  const engine = await surface.engine();
  await engine.check();
  const profiles = configured?.profiles ?? [];
  return profiles.length === 0 ? engine.account : `the profiles ${profiles.map(({ name }) => name).join(", ")}`;
}

/** The telemetry of a process; undefined, and not loaded, if no metrics, log or traces are configured. */
async function telemetryOf({ values }: Config, write: Log): Promise<Telemetry | undefined> {
  const [hasMeters, isLogged] = [values["metrics-address"] !== undefined, values.log === "json"];
  if (!hasMeters && !isLogged && !isTraced()) return undefined;
  const { createTelemetry } = await import("../telemetry/index.js");
  return createTelemetry(manifest.version, { hasMeters, log: isLogged ? write : undefined });
}

/**
 * The surface of a process.
 * @param write Writes lines to a stream that carries no protocol messages.
 * @param extraTool An operation that only this process has.
 * @throws Failure `bad_configuration` if credentials are configured but cannot be used: there is no fallback.
 */
export async function createSurface(config: Config, write: Log, extraTool?: ImportedTool): Promise<ProcessSurface> {
  const isEmulator = isEmulated(config);
  const profiles = await configuredProfiles(config.values);
  // Nothing of imported operations is loaded if none are offered.
  const imported = areImportsOffered(config) ? (await import("./imported.js")).openImported(config) : undefined;
  const { apis, because } = apisOf(config);
  const library = extraTool ? withTool(imported?.library, extraTool) : imported?.library;
  const catalogue = lazily(() => (library ? withImported(loadCatalogue(apis), library) : loadCatalogue(apis)));
  const readings = lazily(() => loadReadings(apis));
  const telemetry = await telemetryOf(config, write);
  const engine = lazily(async () => {
    const { createEngine } = await import("./index.js");
    return createEngine(config, surface.catalogue, write, profiles, telemetry?.meters);
  });
  const surface: Surface = {
    get catalogue() {
      return catalogue();
    },
    get readings() {
      return readings();
    },
    version: manifest.version,
    isEmulated: isEmulator,
    isReadOnly: config.values["read-only"],
    telemetry,
    choice: {
      ...readMenuChoice(menuSettingsOf(config), catalogue, profiles),
      ...(imported ? { hasImported: true } : {}),
    },
    engine,
  };
  // Invalid credentials, policies and names must fail at startup, not at the first call; the emulator's are always
  // valid.
  const { policy, approval, store } = config.values;
  const mustBeChecked = policy !== undefined || approval === "off" || store !== undefined;
  const account = isEmulator && !mustBeChecked ? undefined : await checkEngine(surface, profiles);
  const lowered = Object.keys(imported?.overrides ?? {}).length;
  const where = isEmulator
    ? `edgewise: ${reasonForEmulator(config)}: every call goes to the embedded emulator; nothing real is changed`
    : `edgewise: calls go to ${account}`;
  const which = `the APIs are those of ${apis === "today" ? "today" : "the documents"}, because ${because}`;
  const notice =
    lowered === 0
      ? `${where}; ${which}`
      : `${where}; ${which}; overrides.json lowers ${quantity(lowered, "guard")} of imported operations`;
  return Object.assign(surface, { notice, close: async () => (await engine.peek())?.close() });
}
