/** One frozen configuration from flags and environment variables; nothing else in the project reads the environment. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { parseArgs } from "node:util";
import { Failure } from "./language/failure.js";
import type { Apis } from "./language/service.js";
import { readVendorWords, usualVendorWords } from "./language/vendor-words.js";
import { claimsText, usualClaims } from "./policy/claims.js";
import { didYouMean } from "./text/nearest.js";
import { hourMs } from "./time/durations.js";
import { isOnThisMachine, urlWithoutUser } from "./wire/origin.js";

type Setting =
  | { readonly kind: "text"; readonly help: string; readonly default?: string }
  | { readonly kind: "instant"; readonly help: string; readonly default?: string }
  | { readonly kind: "words"; readonly help: string; readonly default: string }
  | { readonly kind: "choice"; readonly help: string; readonly choices: readonly string[]; readonly default: string }
  | { readonly kind: "flag"; readonly help: string }
  | {
      readonly kind: "number";
      readonly help: string;
      readonly default: number;
      readonly min: number;
      readonly max: number;
    };

/** Every setting: the flag `--name` and the variable `EDGEWISE_NAME`, the flag taking precedence. */
export const settings = {
  edgerc: { kind: "text", help: "File with credentials (~/.edgerc)" },
  section: { kind: "text", help: "Section of that file, or infix of the AKAMAI_* variables (default)" },
  "account-switch-key": { kind: "text", help: "Account that every call acts on" },
  config: { kind: "text", help: "JSON file of profiles: credentials, accounts and their limits" },
  profiles: { kind: "text", help: "Profiles, comma-separated: of that file, or sections of the .edgerc" },
  profile: { kind: "text", help: "Profile of calls that do not name one" },
  auth: {
    kind: "text",
    help: "Authentication by service, such as events=basic,dns=none (edgegrid, basic, bearer, none)",
  },
  upstream: { kind: "text", help: "URL to call instead of the credential's host; http only on loopback" },
  vendor: { kind: "text", help: "Word for <vendor> in media types and paths", default: "akamai" },
  "vendor-words": {
    kind: "words",
    help: "Vendor terms for the words of the documents",
    default: Object.entries(usualVendorWords)
      .map((pair) => pair.join("="))
      .join(","),
  },
  emulator: { kind: "flag", help: "Use the embedded emulator even when credentials are configured" },
  "emulator-seed": {
    kind: "number",
    help: "Seed for the emulator's generated data",
    default: 1,
    min: 0,
    max: 2 ** 31,
  },
  "emulator-clock": { kind: "instant", help: "Time (ISO 8601) at which to freeze the emulator's clock" },
  surface: {
    kind: "choice",
    help: "Tools listed: all, core (most used), or catalogue (to find and call the others)",
    choices: ["all", "core", "catalogue"],
    default: "all",
  },
  services: { kind: "text", help: "Services to offer, comma-separated, such as purge,dns; workflows is one of them" },
  tools: { kind: "text", help: "Tools to offer, comma-separated patterns such as dns_*,purge_status" },
  "exclude-tools": { kind: "text", help: "Tools to leave out, comma-separated patterns such as *_delete" },
  apis: {
    kind: "choice",
    help: "APIs offered: documents (all), today (without what the vendor has retired), or auto (today with a live account)",
    choices: ["auto", "documents", "today"],
    default: "auto",
  },
  imported: {
    kind: "choice",
    help: "Operations of imported definitions: auto (with a live account or the APIs of today), on or off",
    choices: ["auto", "on", "off"],
    default: "auto",
  },
  "imports-dir": {
    kind: "text",
    help: "Directory of the definitions that import has compiled (imports in the state directory)",
  },
  "read-only": { kind: "flag", help: "Offer only the tools that read, and refuse all others" },
  "state-dir": { kind: "text", help: "Directory for plans and audit lines, or memory (~/.local/state/edgewise)" },
  store: {
    kind: "text",
    help: "URL of the PostgreSQL database in which the instances of one server share plans, results and audit lines",
  },
  "store-key-file": {
    kind: "text",
    help: "File with the keys that these instances share, one per line, the current one first (store)",
  },
  "instance-url": {
    kind: "text",
    help: "URL at which the other instances reach this one (http, with store)",
  },
  "keep-plans-days": {
    kind: "number",
    help: "Days for which a plan is kept after it has expired",
    default: 7,
    min: 1,
    max: 36_500,
  },
  "keep-results-minutes": {
    kind: "number",
    help: "Minutes for which a result can be read again",
    default: 30,
    min: 1,
    max: 10_080,
  },
  "keep-audit-days": {
    kind: "number",
    help: "Days for which audit lines are kept; 0 keeps them permanently",
    default: 0,
    min: 0,
    max: 36_500,
  },
  "secret-dir": {
    kind: "text",
    help: "Directory of the files that secrets come from and go to (secrets in the state directory)",
  },
  policy: { kind: "text", help: "YAML file with rules on what is allowed and what needs an approval" },
  approval: {
    kind: "choice",
    help: "Who approves: auto (the user, or confirm), confirm, human, or off (only the policy)",
    choices: ["auto", "confirm", "human", "off"],
    default: "auto",
  },
  "plan-seconds": {
    kind: "number",
    help: "Seconds for which a preview can be confirmed",
    default: 600,
    min: 1,
    max: 86_400,
  },
  host: { kind: "text", help: "Address to listen on (http, emulator)", default: "127.0.0.1" },
  port: { kind: "number", help: "Port to listen on (http, emulator)", default: 3940, min: 0, max: 65_535 },
  "token-file": {
    kind: "text",
    help: "File with a bearer token per line, [NAME] TOKEN, for HTTP clients or the emulator's controls",
  },
  "allow-writes": { kind: "flag", help: "Let HTTP clients with a token make changes" },
  "approver-token-file": {
    kind: "text",
    help: "File with a secret per line, [NAME] SECRET, one for each approver (http)",
  },
  "allowed-hosts": {
    kind: "text",
    help: "Hosts and origins accepted over HTTP, comma-separated, in addition to its own",
  },
  log: {
    kind: "choice",
    help: "Lines on stderr: text, or json, with one for each request",
    choices: ["text", "json"],
    default: "text",
  },
  "metrics-address": {
    kind: "text",
    help: "Port or HOST:PORT at which Prometheus reads /metrics, a port being one of loopback (http)",
  },
  "drain-seconds": {
    kind: "number",
    help: "Seconds for which a stopping server waits for calls in progress (http)",
    default: 10,
    min: 0,
    max: 86_400,
  },
  "upstream-concurrency": {
    kind: "number",
    help: "Most requests made of one API at a time, by all instances together",
    default: 16,
    min: 1,
    max: 10_000,
  },
  "upstream-queue": {
    kind: "number",
    help: "Most requests that wait for one API; further ones are refused",
    default: 256,
    min: 0,
    max: 100_000,
  },
  "oauth-issuer": {
    kind: "text",
    help: "URLs of the identity providers whose access tokens HTTP clients sign in with, comma-separated",
  },
  "oauth-resource": {
    kind: "text",
    help: "URL of /mcp as people type it into their clients, if a proxy is in between",
  },
  "oauth-audience": {
    kind: "text",
    help: "Audiences accepted in access tokens, comma-separated (the URL that the client has typed)",
  },
  "oauth-typ": {
    kind: "text",
    help: "Types of access tokens accepted, comma-separated; none for those without one",
    default: "at+jwt",
  },
  "oauth-claims": {
    kind: "text",
    help: "Claims of access tokens, such as subject=oid,groups=roles",
    default: claimsText(usualClaims),
  },
  "oauth-scope-prefix": {
    kind: "text",
    help: "What the identity provider writes before the names of scopes, such as api://ID/",
  },
  "desk-client-id": {
    kind: "text",
    help: "Client id of the approvals desk at the first identity provider, for approvers to sign in with",
  },
  "connect-timeout-ms": {
    kind: "number",
    help: "Timeout for connecting to the upstream",
    default: 5_000,
    min: 1,
    max: 120_000,
  },
  "first-byte-timeout-ms": {
    kind: "number",
    help: "Timeout from the request to the first byte of the response",
    default: 15_000,
    min: 1,
    max: 600_000,
  },
  "idle-timeout-ms": {
    kind: "number",
    help: "Timeout between two chunks of a response",
    default: 10_000,
    min: 1,
    max: 600_000,
  },
  "call-timeout-ms": {
    kind: "number",
    help: "Timeout for a whole tool call, not counting the time the user takes to approve it",
    default: 50_000,
    min: 1,
    max: hourMs,
  },
  "max-response-bytes": {
    kind: "number",
    help: "Largest response accepted from the upstream",
    default: 16_777_216,
    min: 1_024,
    max: 268_435_456,
  },
  "max-csv-bytes": {
    kind: "number",
    help: "Largest CSV report accepted; a long one goes to a temporary file",
    default: 268_435_456,
    min: 1_024,
    max: 8_589_934_592,
  },
  "max-result-tokens": {
    kind: "number",
    help: "Largest result returned to the assistant, in tokens; max_tokens on a call lowers it",
    default: 8_000,
    min: 500,
    max: 1_000_000,
  },
  structured: {
    kind: "choice",
    help: "Structured content of results: off for clients that show it next to the text",
    choices: ["on", "off"],
    default: "on",
  },
} as const satisfies Record<string, Setting>;

type Variables = Readonly<Record<string, string | undefined>>;
export type SettingName = keyof typeof settings;
type ValueOfSetting<S> = S extends { kind: "flag" }
  ? boolean
  : S extends { kind: "number" }
    ? number
    : S extends { kind: "choice"; choices: readonly (infer C)[] }
      ? C
      : S extends { default: string }
        ? string
        : string | undefined;

export interface Config {
  readonly values: { readonly [K in SettingName]: ValueOfSetting<(typeof settings)[K]> };
  /** The positional arguments of the command line. */
  readonly positionals: readonly string[];
  /** The settings that were set explicitly, and where: on the line, or in a variable. */
  readonly given: ReadonlyMap<SettingName, "line" | "environment">;
  /** The non-empty AKAMAI_* variables, from which credentials are read. */
  readonly credentialVariables: Readonly<Record<string, string>>;
  /** The variables for the locations of other programs' files. */
  readonly placeVariables: Readonly<Record<string, string>>;
  /** The variables that name a proxy, by their names in capitals; their values may contain a password. */
  readonly proxyVariables: Readonly<Record<(typeof proxyNames)[number], string>>;
  /** Whether the user wants no colours (NO_COLOR), or the terminal has none. */
  readonly isColourless: boolean;
  readonly defaultEdgercPath: string;
  /** The default location of state: the user's directory for it (XDG Base Directory). */
  readonly defaultStateDir: string;
  /** Whether credentials are configured, valid or not: if so, the emulator is never a fallback. */
  readonly hasCredentials: boolean;
}

/** The variables of a proxy, which most programs take in capitals or in small letters. */
export const proxyNames = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] as const;

const settingNames = Object.keys(settings) as SettingName[];
const flags = [...settingNames, "help", "version"].map((name) => `--${name}`);
const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings, name);
/** The variable of a setting. */
export const variableOf = (name: SettingName): string => `EDGEWISE_${name.toUpperCase().replaceAll("-", "_")}`;
const options = Object.fromEntries(
  settingNames.map((name) => [name, { type: settings[name].kind === "flag" ? "boolean" : "string" } as const]),
);
/** The words of a command line, parsed by Node: settings with their values, and all others. */
export const commandLineTokens = (args: readonly string[]) =>
  parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
const refuse = (what: string, next: string): never => {
  throw new Failure("bad_configuration", what, { next });
};

function readFlag(text: string, from: string): boolean {
  if (/^(1|true|yes)$/i.test(text)) return true;
  if (/^(0|false|no|)$/i.test(text)) return false;
  return refuse(`${from} takes true or false.`, `Set ${from} to true or false.`);
}

function readNumber({ min, max }: Extract<Setting, { kind: "number" }>, text: string, from: string): number {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max
    ? value
    : refuse(`${from} takes a whole number.`, `Set ${from} between ${min} and ${max}.`);
}

/** Rejects invalid values of text settings. */
function checkText(setting: Exclude<Setting, { kind: "flag" | "number" }>, text: string, from: string): void {
  const { kind } = setting;
  if (kind === "instant" && Number.isNaN(Date.parse(text)))
    refuse(`${from} takes an ISO 8601 time.`, `Write ${from} as 2026-05-01T12:00:00Z, or leave it out.`);
  if (kind === "choice" && !setting.choices.includes(text))
    refuse(
      `${from} takes ${setting.choices.join(", ")}.`,
      `Write ${from} as one of them, or leave it out for ${setting.default}.`,
    );
  if (kind === "words" && readVendorWords(text) === undefined)
    refuse(
      `${from} takes WORD=TERM pairs, each with a different vendor term.`,
      `Write ${from} as ${setting.default}, or leave out the pairs that keep their default.`,
    );
  if (kind === "text" && text === "") refuse(`${from} is empty.`, `Give ${from} a value or leave it out.`);
}

type SettingValue = string | number | boolean;

function readSetting(name: SettingName, text: string, from: string): SettingValue {
  const setting: Setting = settings[name];
  if (setting.kind === "flag") return readFlag(text, from);
  if (setting.kind === "number") return readNumber(setting, text, from);
  checkText(setting, text, from);
  return text;
}

/** Whether a form field was left empty: Claude Desktop then passes on the placeholder of the bundle's manifest. */
const isLeftEmpty = (text: string): boolean => text === "" || /^\$\{user_config\.\w+\}$/.test(text);

// These count as unset. Restricting settings reject it, because it may be an operator's variable that was not set.
const mayBeLeftEmpty: readonly SettingName[] = ["edgerc", "section", "account-switch-key", "surface"];

type ReadSetting = readonly [name: SettingName, value: SettingValue];

/** The settings in variables. */
function readVariables(environment: Variables): ReadSetting[] {
  const found: ReadSetting[] = [];
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith("EDGEWISE_") || text === undefined) continue;
    const name = variable.slice("EDGEWISE_".length).toLowerCase().replaceAll("_", "-");
    if (!isSettingName(name) || variableOf(name) !== variable)
      return refuse(
        `There is no variable ${variable}${didYouMean(variable, settingNames.map(variableOf))}.`,
        "Unset it, or correct its name; `edgewise --help` lists all.",
      );
    if (!isLeftEmpty(text) || !mayBeLeftEmpty.includes(name)) found.push([name, readSetting(name, text, variable)]);
  }
  return found;
}

/** The settings on a command line, and its other words. */
function readLine(args: readonly string[], others: readonly string[]) {
  const positionals: string[] = [];
  const found: ReadSetting[] = [];
  for (const token of commandLineTokens(args)) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (!isSettingName(name))
      return refuse(
        `There is no flag ${rawName}${didYouMean(rawName, [...flags, ...others])}.`,
        "`edgewise --help` lists the settings, and `edgewise COMMAND --help` the flags of a command.",
      );
    if (value === undefined && settings[name].kind !== "flag")
      return refuse(`${rawName} needs a value.`, `Write ${rawName} VALUE.`);
    found.push([name, readSetting(name, value ?? "true", rawName)]);
  }
  return { positionals, found };
}

/**
 * Reads the configuration of a process.
 * @param others Flags that are not settings, to suggest for a mistyped one.
 * @throws Failure `bad_configuration` for an unknown flag or EDGEWISE_* variable, or an invalid value.
 */
export function readConfig(args: readonly string[], environment: Variables, others: readonly string[] = []): Config {
  // The signature does not cover the bodies of most changes, so that only TLS protects them.
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
    refuse(
      "NODE_TLS_REJECT_UNAUTHORIZED is 0, which accepts any certificate.",
      "Unset it, and put your own certificate authority into NODE_EXTRA_CA_CERTS.",
    );
  const inVariables = readVariables(environment);
  const { positionals, found: onLine } = readLine(args, others);
  const defaults = settingNames.map((name) => {
    const setting: Setting = settings[name];
    return [name, setting.kind === "flag" ? false : setting.default] as const;
  });
  const given = new Map<SettingName, "line" | "environment">();
  for (const [name] of inVariables) given.set(name, "environment");
  for (const [name] of onLine) given.set(name, "line");
  const credentialVariables = Object.fromEntries(
    Object.entries(environment).flatMap(([variable, text = ""]) =>
      variable.startsWith("AKAMAI_") && !isLeftEmpty(text) ? [[variable, text]] : [],
    ),
  );
  const places = ["APPDATA", "XDG_CONFIG_HOME", "CODEX_HOME"].map((name) => [name, environment[name] ?? ""] as const);
  const defaultEdgercPath = join(homedir(), ".edgerc");
  const stateHome = environment["XDG_STATE_HOME"];
  // The specification requires relative paths to be ignored.
  const defaultStateDir = join(
    stateHome !== undefined && isAbsolute(stateHome) ? stateHome : join(homedir(), ".local", "state"),
    "edgewise",
  );
  return Object.freeze({
    values: Object.freeze(Object.fromEntries([...defaults, ...inVariables, ...onLine])) as Config["values"],
    positionals: Object.freeze(positionals),
    given,
    credentialVariables: Object.freeze(credentialVariables),
    placeVariables: Object.freeze(Object.fromEntries(places.filter(([, place]) => place !== ""))),
    proxyVariables: Object.freeze(
      Object.fromEntries(
        proxyNames.map((name) => [name, environment[name.toLowerCase()] || environment[name] || ""]),
      ) as Config["proxyVariables"],
    ),
    isColourless: (environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb",
    defaultEdgercPath,
    defaultStateDir,
    hasCredentials:
      Object.keys(credentialVariables).length > 0 ||
      (["edgerc", "section", "config", "profiles"] as const).some((name) => given.has(name)) ||
      existsSync(defaultEdgercPath),
  });
}

/** Whether every call goes to the emulator: because it was requested, or because nothing else is configured. */
export const isEmulated = ({ values, hasCredentials }: Config): boolean =>
  values.emulator || (values.upstream === undefined && !hasCredentials);

/** Which APIs are offered, and why. */
export interface OfferedApis {
  readonly apis: Apis;
  readonly because: string;
}

/** The APIs of a process: what the vendor runs today with a live account, all of the documents with an emulator. */
export function apisOf(config: Config): OfferedApis {
  const { apis, upstream } = config.values;
  if (apis !== "auto") return { apis, because: `--apis ${apis} is set` };
  if (isEmulated(config)) return { apis: "documents", because: "the emulator answers" };
  if (upstream !== undefined && isOnThisMachine(upstream))
    return { apis: "documents", because: "the upstream is a program on this machine" };
  return { apis: "today", because: "calls go to a live account" };
}

/** The APIs set by a command line and the environment, before it is parsed as a whole; the documents' if invalid. */
export function apisOfLine(args: readonly string[], environment: Variables): Apis {
  const own = commandLineTokens(args).flatMap((token) =>
    token.kind === "option" && isSettingName(token.name)
      ? [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`]
      : [],
  );
  try {
    return apisOf(readConfig(own, environment)).apis;
  } catch (error) {
    if (error instanceof Failure) return "documents";
    throw error;
  }
}

/** The settings of a menu. */
export const menuSettingsOf = (config: Config): Config["values"] & { readonly isOfToday: boolean } => ({
  ...config.values,
  isOfToday: apisOf(config).apis === "today",
});

/** Whether imported operations are offered: with a live account or the APIs of today, or if the operator asks for them. */
export const areImportsOffered = (config: Config): boolean =>
  config.values.imported === "on" ||
  (config.values.imported === "auto" && (!isEmulated(config) || apisOf(config).apis === "today"));

/** @throws Failure `bad_configuration` if changes are allowed to HTTP clients with a token, but none can have one. */
export function checkWriters({ values }: Config): void {
  if (values["allow-writes"] && values["token-file"] === undefined && values["oauth-issuer"] === undefined)
    throw new Failure("bad_configuration", "--allow-writes has no effect without --token-file or --oauth-issuer.", {
      why: "Over HTTP only clients with a token can make changes.",
      next: "Set --token-file FILE or --oauth-issuer URL, or leave --allow-writes out; edgewise setup http says how to make a token.",
    });
}

/**
 * The URL at which the other instances reach this one, if it is set.
 * @throws Failure `bad_configuration` if it is none, or has a user or a password.
 */
export function instanceUrlOf({ values: { "instance-url": text } }: Config): URL | undefined {
  const url = text === undefined ? undefined : urlWithoutUser(text);
  if (text !== undefined && url === undefined)
    throw new Failure("bad_configuration", "--instance-url takes a URL without a user and a password.", {
      why: "Clients of the other instances are shown it if a secret file that they name is on this one.",
      next: "Write --instance-url http://HOST:PORT, as the other instances reach this one.",
    });
  return url;
}

/** The directory for plans and audit lines, or the word `memory`. */
export const stateDirOf = ({ values, defaultStateDir }: Config): string => values["state-dir"] ?? defaultStateDir;
