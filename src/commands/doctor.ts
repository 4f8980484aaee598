/**
 * `edgewise doctor`: one page on the machine, the connection to the API, the safeguards and the clients, with what to
 * fix.
 */
import { realpathSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { type Config, isEmulated } from "../config.js";
import { loadCatalogue } from "../engine/catalogue.js";
import { reasonForEmulator } from "../engine/create-surface.js";
import { type ConfiguredProfiles, configuredProfiles, type Profile } from "../profiles/index.js";
import { type Command, flagValue, print, printJson } from "./command.js";
import { clientFindings } from "./doctor/clients.js";
import { type DoctorFinding, findingsOf, forRealCalls, notSet, pass } from "./doctor/finding.js";
import {
  apisFinding,
  approvalFinding,
  approversFinding,
  engineFindings,
  httpFinding,
  importsFinding,
  permissionFindings,
  policyFinding,
  recordFinding,
  stateFinding,
} from "./doctor/machine.js";
import { storeFindings } from "./doctor/store.js";
import { accountsFinding, profileFindings, settingsFindings, signatureFindings } from "./doctor/upstream.js";
import { columnsOfTerminal, inRed, wrapText } from "./terminal.js";

/** Node and the program; too old versions of Node do not get this far. */
const program = (): readonly DoctorFinding[] => [
  pass(
    "Node",
    `${process.versions.node} on ${process.platform} ${process.arch}; ${manifest.engines.node.replace(">=", "")} or newer is needed.`,
  ),
  pass("Edgewise", `${manifest.version}, ${realpathSync(process.argv[1] ?? "")}`),
];

/** The finding for the emulator, which does not claim that real calls would work. */
const emulatorFinding = (config: Config): DoctorFinding =>
  notSet(
    "Credential",
    `The embedded emulator serves every call: ${reasonForEmulator(config)}.`,
    config.values.emulator ? undefined : forRealCalls,
  );

const isFault = ({ state }: DoctorFinding): boolean => state === "FAIL";

/** The connection to the API, and signed reads if nothing prevents them. */
async function connectionFindings(
  config: Config,
  first: () => Promise<readonly DoctorFinding[]>,
  canRead = true,
): Promise<readonly DoctorFinding[]> {
  const found = await findingsOf("Credential", first);
  const isCut = !canRead || found.some((one) => isFault(one) && one.subject !== "Clock");
  return isCut ? found : [...found, ...(await findingsOf("Signature", () => signatureFindings(config)))];
}

/** The configuration with only one of its profiles, so that mistakes in others do not affect it. */
const withOnlyProfile = (config: Config, { name }: Profile): Config => ({
  ...config,
  values: { ...config.values, profiles: name, profile: name },
});

/** A section of the page: for all calls, or for those of one profile. */
interface PageSection {
  readonly profile?: string;
  readonly findings: readonly DoctorFinding[];
}

/** A section for each profile that the line does not leave out. */
async function examineProfiles(
  config: Config,
  configured: ConfiguredProfiles | undefined,
  find: (config: Config, profile: Profile) => Promise<readonly DoctorFinding[]>,
): Promise<readonly PageSection[]> {
  const { profile: chosen } = config.values;
  const parts: PageSection[] = [];
  for (const profile of configured?.profiles ?? [])
    if (chosen === undefined || profile.name === chosen)
      parts.push({ profile: profile.name, findings: await find(withOnlyProfile(config, profile), profile) });
  return parts;
}

async function examine(config: Config): Promise<readonly PageSection[]> {
  let configured: ConfiguredProfiles | undefined;
  const profiles = await findingsOf("Profiles", async () => {
    configured = await configuredProfiles(config.values);
    if (configured === undefined) return [];
    const names = configured.profiles.map(({ name }) => name);
    return [pass("Profiles", `${names.join(", ")}${isEmulated(config) ? "" : "; each is examined below"}.`)];
  });
  const rules = [
    ...(await findingsOf("Policy", () => policyFinding(config, loadCatalogue))),
    ...(await findingsOf("Approval", () => approvalFinding(config, loadCatalogue))),
  ];
  // Problems are reported once, and do not prevent the check of the credential.
  const reading: Config = rules.some(isFault)
    ? { ...config, values: { ...config.values, policy: undefined, approval: "auto" } }
    : config;
  const isAlone = profiles.length === 0;
  const common: readonly DoctorFinding[] = [
    ...program(),
    ...(await findingsOf("State", () => stateFinding(config))),
    ...(await findingsOf("Store", () => storeFindings(config))),
    ...(await engineFindings()),
    ...profiles,
    ...(isEmulated(config)
      ? [emulatorFinding(config)]
      : isAlone
        ? await connectionFindings(reading, () => settingsFindings(config))
        : []),
    ...rules,
    ...(await findingsOf("APIs", async () => [apisFinding(config, loadCatalogue)])),
    ...(await findingsOf("Imports", () => importsFinding(config))),
    ...permissionFindings(config),
    ...(await findingsOf("Approvers", () => approversFinding(config))),
    ...(await findingsOf("HTTP", () => httpFinding(config))),
    ...(await findingsOf("Record", () => recordFinding(config))),
    ...(await clientFindings(config, loadCatalogue)),
  ];
  const parts = await examineProfiles(reading, isEmulated(config) ? undefined : configured, (one, profile) =>
    // A credential of one subject signs for no one else.
    connectionFindings(one, () => profileFindings(config, profile), profile.credential !== undefined),
  );
  return [{ findings: common }, ...parts];
}

/** The findings of one kind of read in each profile, or with the settings. */
async function examineBy(
  config: Config,
  subject: string,
  find: (config: Config) => Promise<DoctorFinding | readonly DoctorFinding[]>,
): Promise<readonly PageSection[]> {
  const common = { findings: [pass("Edgewise", `${manifest.version}.`), apisFinding(config, loadCatalogue)] };
  const configured = isEmulated(config) ? undefined : await configuredProfiles(config.values);
  const foundIn = (one: Config) => findingsOf(subject, () => find(one));
  return [
    common,
    ...(configured ? await examineProfiles(config, configured, foundIn) : [{ findings: await foundIn(config) }]),
  ];
}

const widths = { state: "warning".length, subject: "Credential".length };
const indent = " ".repeat(widths.state + widths.subject + 2);
// Sentences are not readable in fewer columns.
const leastColumns = 60;

/**
 * The lines of a finding, wrapped to the terminal; without a terminal they are not wrapped, so that they can be
 * searched.
 */
function linesOf({ state, subject, what, next }: DoctorFinding, isColoured: boolean): readonly string[] {
  const columns = columnsOfTerminal(process.stdout);
  const width = columns === undefined ? undefined : Math.max(columns, leastColumns);
  const [first = "", ...rest] = wrapText(
    `${state.padEnd(widths.state)} ${subject.padEnd(widths.subject)} ${what}`,
    width,
    indent,
  );
  return [
    isColoured && state === "FAIL" ? first.replace(state, inRed) : first,
    ...rest,
    ...(next === undefined ? [] : wrapText(indent + next, width, indent)),
  ];
}

async function sectionsOf(config: Config, flags: readonly string[]): Promise<readonly PageSection[]> {
  const name = flagValue(flags, "--account");
  if (name !== undefined) return examineBy(config, "Accounts", (one) => accountsFinding(one, name));
  if (!flags.includes("--live")) return examine(config);
  const { liveFindings } = await import("./doctor/live.js");
  return examineBy(config, "Live", liveFindings);
}

export const doctorCommand: Command = async (config, _, flags) => {
  const parts = await sectionsOf(config, flags);
  const isColoured = process.stdout.isTTY === true && !config.isColourless;
  if (flags.includes("--json"))
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
