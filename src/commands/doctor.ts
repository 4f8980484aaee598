/** `edgewise doctor`: one page on the machine, the way to the API, the safeguards and the clients, with what to fix. */
import { type Config, isEmulated } from "../config.js";
import { loadCatalogue } from "../mcp/catalogue.js";
import { type ConfiguredProfiles, configuredProfiles, type Profile } from "../profiles/index.js";
import { type Command, print } from "./command.js";
import { identity } from "./doctor/account.js";
import { configuredClients } from "./doctor/clients.js";
import { checked, type Finding, notSet, ok } from "./doctor/finding.js";
import { engines, stateDirectory } from "./doctor/machine.js";
import { permissions } from "./doctor/permissions.js";
import { program } from "./doctor/program.js";
import { approval, approversOverHttp, clientsOverHttp, policy, record } from "./doctor/safety.js";
import { fromProfile, fromSettings } from "./doctor/upstream.js";
import { emulatedBecause } from "./surface.js";

/** Where calls go when they go to the emulator: nothing that is not there is called good. */
const emulated = (config: Config): readonly Finding[] => [
  notSet(
    "Credential",
    `The embedded emulator serves every call: ${emulatedBecause(config)}.`,
    config.values.emulator
      ? undefined
      : "For real calls, put an API client's host and three tokens into ~/.edgerc, under [default].",
  ),
];

const isFault = ({ state }: Finding): boolean => state === "FAIL";

/** The way to the API, and the signed reads where nothing is in their way. */
async function way(config: Config, first: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  const found = await checked("Credential", first);
  const isCut = found.some((one) => isFault(one) && one.subject !== "Clock");
  return isCut ? found : [...found, ...(await checked("Signature", () => identity(config)))];
}

/** The configuration with one of its profiles, so that a mistake in another says nothing of this one. */
const onlyIn = (config: Config, { name }: Profile): Config => ({
  ...config,
  values: { ...config.values, profiles: name, profile: name },
});

/** A part of the page: what concerns all calls, or those of one profile. */
interface Part {
  readonly profile?: string;
  readonly findings: readonly Finding[];
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
  // What is wrong with them is said once, and keeps nobody from finding out about the credential.
  const reading: Config = rules.some(isFault)
    ? { ...config, values: { ...config.values, policy: undefined, approval: "auto" } }
    : config;
  const isAlone = profiles.length === 0;
  const common: readonly Finding[] = [
    ...program(),
    ...(await checked("State", () => stateDirectory(config))),
    ...(await engines()),
    ...profiles,
    ...(isEmulated(config) ? emulated(config) : isAlone ? await way(reading, () => fromSettings(config)) : []),
    ...rules,
    ...permissions(config),
    ...(await checked("Approvers", () => approversOverHttp(config))),
    ...(await checked("HTTP", () => clientsOverHttp(config))),
    ...(await checked("Record", () => record(config))),
    ...(await configuredClients(config, loadCatalogue)),
  ];
  const parts: Part[] = [{ findings: common }];
  const chosen = config.values.profile;
  if (configured && !isEmulated(config))
    for (const profile of configured.profiles.filter(({ name }) => chosen === undefined || name === chosen))
      parts.push({
        profile: profile.name,
        findings: await way(onlyIn(reading, profile), () => fromProfile(config, profile)),
      });
  return parts;
}

const widths = { state: "warning".length, subject: "Credential".length };
const indent = " ".repeat(widths.state + widths.subject + 2);

/** A text in lines that fit a terminal; one line where there is none, so that it can be searched. */
function wrapped(text: string): string {
  const width = Math.max(
    40,
    (process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY) - indent.length,
  );
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join(`\n${indent}`);
}

const lineOf = ({ state, subject, what, next }: Finding): string => {
  const line = `${state.padEnd(widths.state)} ${subject.padEnd(widths.subject)} ${wrapped(what)}`;
  return next === undefined ? line : `${line}\n${indent}${wrapped(next)}`;
};

export const doctor: Command = async (config, words) => {
  const parts = await examined(config);
  if (words.includes("--json"))
    print(
      JSON.stringify(
        parts.flatMap(({ profile, findings }) =>
          findings.map((one) => (profile === undefined ? one : { profile, ...one })),
        ),
        null,
        2,
      ),
    );
  else
    for (const { profile, findings } of parts) {
      if (profile !== undefined) print(`\nProfile ${profile}`);
      findings.map(lineOf).forEach(print);
    }
  return parts.some(({ findings }) => findings.some(isFault)) ? 1 : 0;
};
