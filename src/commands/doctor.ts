/**
 * `edgewise doctor`: one page on the machine, the connection to the API, the safeguards and the clients, with what to
 * fix.
 */
import { realpathSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { type Config, isEmulated } from "../config.js";
import { loadCatalogue } from "../engine/catalogue.js";
import { type ConfiguredProfiles, configuredProfiles, type Profile } from "../profiles/index.js";
import { type Command, flagValue, print, printJson } from "./command.js";
import { configuredClients } from "./doctor/clients.js";
import { checked, type Finding, forRealCalls, notSet, ok } from "./doctor/finding.js";
import {
  apis,
  approval,
  approversOverHttp,
  clientsOverHttp,
  engines,
  imports,
  permissions,
  policy,
  record,
  stateDirectory,
} from "./doctor/machine.js";
import { store } from "./doctor/store.js";
import { accountsFor, fromProfile, fromSettings, identity } from "./doctor/upstream.js";
import { emulatedBecause } from "./surface.js";
import { columnsOfTerminal, inRed, wrapped } from "./terminal.js";

/** Node and the program; too old versions of Node do not get this far. */
const program = (): readonly Finding[] => [
  ok(
    "Node",
    `${process.versions.node} on ${process.platform} ${process.arch}; ${manifest.engines.node.replace(">=", "")} or newer is needed.`,
  ),
  ok("Edgewise", `${manifest.version}, ${realpathSync(process.argv[1] ?? "")}`),
];

/** The finding for the emulator, which does not claim that real calls would work. */
const emulated = (config: Config): Finding =>
  notSet(
    "Credential",
    `The embedded emulator serves every call: ${emulatedBecause(config)}.`,
    config.values.emulator ? undefined : forRealCalls,
  );

const isFault = ({ state }: Finding): boolean => state === "FAIL";

/** The connection to the API, and signed reads if nothing prevents them. */
async function way(
  config: Config,
  first: () => Promise<readonly Finding[]>,
  canRead = true,
): Promise<readonly Finding[]> {
  const found = await checked("Credential", first);
  const isCut = !canRead || found.some((one) => isFault(one) && one.subject !== "Clock");
  return isCut ? found : [...found, ...(await checked("Signature", () => identity(config)))];
}

/** The configuration with only one of its profiles, so that mistakes in others do not affect it. */
const onlyIn = (config: Config, { name }: Profile): Config => ({
  ...config,
  values: { ...config.values, profiles: name, profile: name },
});

/** A section of the page: for all calls, or for those of one profile. */
interface Part {
  readonly profile?: string;
  readonly findings: readonly Finding[];
}

/** A section for each profile that the line does not leave out. */
async function inEach(
  config: Config,
  configured: ConfiguredProfiles | undefined,
  find: (config: Config, profile: Profile) => Promise<readonly Finding[]>,
): Promise<readonly Part[]> {
  const { profile: chosen } = config.values;
  const parts: Part[] = [];
  for (const profile of configured?.profiles ?? [])
    if (chosen === undefined || profile.name === chosen)
      parts.push({ profile: profile.name, findings: await find(onlyIn(config, profile), profile) });
  return parts;
}

async function examined(config: Config): Promise<readonly Part[]> {
  let configured: ConfiguredProfiles | undefined;
  const profiles = await checked("Profiles", async () => {
    configured = await configuredProfiles(config.values);
    if (configured === undefined) return [];
    const names = configured.profiles.map(({ name }) => name);
    return [ok("Profiles", `${names.join(", ")}${isEmulated(config) ? "" : "; each is examined below"}.`)];
  });
  const rules = [
    ...(await checked("Policy", () => policy(config, loadCatalogue))),
    ...(await checked("Approval", () => approval(config, loadCatalogue))),
  ];
  // Problems are reported once, and do not prevent the check of the credential.
  const reading: Config = rules.some(isFault)
    ? { ...config, values: { ...config.values, policy: undefined, approval: "auto" } }
    : config;
  const isAlone = profiles.length === 0;
  const common: readonly Finding[] = [
    ...program(),
    ...(await checked("State", () => stateDirectory(config))),
    ...(await checked("Store", () => store(config))),
    ...(await engines()),
    ...profiles,
    ...(isEmulated(config) ? [emulated(config)] : isAlone ? await way(reading, () => fromSettings(config)) : []),
    ...rules,
    ...(await checked("APIs", async () => [apis(config, loadCatalogue)])),
    ...(await checked("Imports", () => imports(config))),
    ...permissions(config),
    ...(await checked("Approvers", () => approversOverHttp(config))),
    ...(await checked("HTTP", () => clientsOverHttp(config))),
    ...(await checked("Record", () => record(config))),
    ...(await configuredClients(config, loadCatalogue)),
  ];
  const parts = await inEach(reading, isEmulated(config) ? undefined : configured, (one, profile) =>
    // A credential of one subject signs for no one else.
    way(one, () => fromProfile(config, profile), profile.credential !== undefined),
  );
  return [{ findings: common }, ...parts];
}

/** The findings of one kind of read in each profile, or with the settings. */
async function read(
  config: Config,
  subject: string,
  find: (config: Config) => Promise<Finding | readonly Finding[]>,
): Promise<readonly Part[]> {
  const common = { findings: [ok("Edgewise", `${manifest.version}.`), apis(config, loadCatalogue)] };
  const configured = isEmulated(config) ? undefined : await configuredProfiles(config.values);
  const foundIn = (one: Config) => checked(subject, () => find(one));
  return [common, ...(configured ? await inEach(config, configured, foundIn) : [{ findings: await foundIn(config) }])];
}

const widths = { state: "warning".length, subject: "Credential".length };
const indent = " ".repeat(widths.state + widths.subject + 2);
// Sentences are not readable in fewer columns.
const leastColumns = 60;

/**
 * The lines of a finding, wrapped to the terminal; without a terminal they are not wrapped, so that they can be
 * searched.
 */
function linesOf({ state, subject, what, next }: Finding, isColoured: boolean): readonly string[] {
  const columns = columnsOfTerminal(process.stdout);
  const width = columns === undefined ? undefined : Math.max(columns, leastColumns);
  const [first = "", ...rest] = wrapped(
    `${state.padEnd(widths.state)} ${subject.padEnd(widths.subject)} ${what}`,
    width,
    indent,
  );
  return [
    isColoured && state === "FAIL" ? first.replace(state, inRed) : first,
    ...rest,
    ...(next === undefined ? [] : wrapped(indent + next, width, indent)),
  ];
}

async function partsOf(config: Config, words: readonly string[]): Promise<readonly Part[]> {
  const name = flagValue(words, "--account");
  if (name !== undefined) return read(config, "Accounts", (one) => accountsFor(one, name));
  if (!words.includes("--live")) return examined(config);
  const { live } = await import("./doctor/live.js");
  return read(config, "Live", live);
}

export const doctor: Command = async (config, words) => {
  const parts = await partsOf(config, words);
  const isColoured = process.stdout.isTTY === true && !config.isColourless;
  if (words.includes("--json"))
    printJson(
      parts.flatMap(({ profile, findings }) =>
        findings.map((one) => (profile === undefined ? one : { profile, ...one })),
      ),
    );
  else
    for (const { profile, findings } of parts) {
      if (profile !== undefined) print(`\nProfile ${profile}`);
      findings.flatMap((one) => linesOf(one, isColoured)).forEach(print);
    }
  return parts.some(({ findings }) => findings.some(isFault)) ? 1 : 0;
};
