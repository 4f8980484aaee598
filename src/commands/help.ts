/** Help texts made from the tables of commands and settings: for `--help`, and for terminals without a client. */
import { type SettingName, settings } from "../config.js";
import type { Catalogue } from "../engine/catalogue.js";
import { boxedCatalogue } from "../engine/imported.js";
import { type CommandFlag, misuseExitCode, type Positional, type Usage } from "./command.js";
import { findCommand } from "./command-line.js";
import { commands } from "./table.js";
import { alignedLines, helpLines } from "./terminal.js";

/** All settings, grouped by subject, in the order in which they are shown. */
const grouped: Readonly<Record<string, readonly SettingName[]>> = {
  Accounts: ["edgerc", "section", "account-switch-key", "config", "profiles", "profile", "auth"],
  Upstream: [
    ...(["upstream", "upstream-concurrency", "upstream-queue", "vendor", "vendor-words"] as const),
    ...(["emulator", "emulator-seed", "emulator-clock"] as const),
  ],
  Tools: ["surface", "services", "tools", "exclude-tools", "read-only", "apis", "imported"],
  Approval: ["policy", "approval", "plan-seconds"],
  State: ["state-dir", "store", "store-key-file", "instance-url", "secret-dir", "imports-dir"],
  Retention: ["keep-plans-days", "keep-results-minutes", "keep-audit-days"],
  HTTP: [
    "host",
    "port",
    "token-file",
    "allow-writes",
    "approver-token-file",
    "allowed-hosts",
    "drain-seconds",
    "metrics-address",
  ],
  "Sign-in": [
    ...(["oauth-issuer", "oauth-resource", "oauth-audience", "oauth-typ", "oauth-claims"] as const),
    ...(["oauth-scope-prefix", "desk-client-id"] as const),
  ],
  Limits: [
    ...(["connect-timeout-ms", "first-byte-timeout-ms", "idle-timeout-ms", "call-timeout-ms"] as const),
    ...(["max-response-bytes", "max-csv-bytes", "max-result-tokens", "structured", "log"] as const),
  ],
};

/** The lines of words, each with its description. */
function aboutLines(rows: readonly (readonly [word: string, about: string])[]): string[] {
  const width = Math.max(...rows.map(([word]) => word.length));
  return rows.flatMap(([word, about]) => helpLines(about, `  ${word.padEnd(width)}  `, " ".repeat(width + 4)));
}

/** The lines of settings, each with its meaning and default. */
const settingLines = (some: readonly SettingName[]): string[] =>
  aboutLines(
    some.map((name) => {
      const setting = settings[name];
      return [`--${name}`, `${setting.help}${"default" in setting ? ` [${setting.default}]` : ""}`];
    }),
  );

/** The names of all settings, a line or two per subject. */
const settingNames = (): string[] =>
  Object.entries(grouped).flatMap(([title, some]) =>
    helpLines(some.map((name) => `--${name}`).join(" "), `  ${title.padEnd(10)}`, " ".repeat(12)),
  );

const settingsHelp = (): string =>
  [
    "The settings. Each is a flag of every command, --name, and a variable, EDGEWISE_NAME; the flag takes precedence.",
    ...Object.entries(grouped).flatMap(([title, some]) => ["", `${title}:`, ...settingLines(some)]),
  ].join("\n");

function placeOf({ name, isRepeated, isOptional }: Positional): string {
  const word = `${name}${isRepeated ? "…" : ""}`;
  return isOptional ? `[${word}]` : word;
}

const flagWord = ([flag, { takes }]: readonly [string, CommandFlag]): string =>
  takes === undefined ? flag : `${flag} ${takes}`;

/** The usage of a command or action, such as `audit verify [PATH] [--head FILE]`. */
const usageLine = (name: string, { positionals = [], flags = {} }: Usage): string =>
  [name, ...positionals.map(placeOf), ...Object.entries(flags).map((flag) => `[${flagWord(flag)}]`)].join(" ");

/** The same without the flags. */
const shortUsage = (name: string, usage: Usage): string => usageLine(name, { ...usage, flags: {} });

/** The commands and actions, each with its usage and description. */
export const usages = (): (readonly [name: string, usage: Usage])[] =>
  Object.entries(commands).flatMap(([name, entry]): (readonly [string, Usage])[] =>
    entry.actions
      ? Object.entries(entry.actions).map(([action, usage]) => [`${name} ${action}`, usage])
      : [[name, entry]],
  );

/** The list of commands: the usage of each without its flags, and its description. */
export function commandList(): string[] {
  return alignedLines(usages().map(([name, usage]) => [shortUsage(name, usage), usage.does]));
}

const exits = {
  0: "success, or a server was asked to stop",
  1: "failed: a call failed or was not approved, nothing was found, a check found a problem, or Edgewise itself failed",
  [misuseExitCode]: "nothing was done: a command, an argument, a flag or the configuration is invalid",
} as const;

const general = (): string =>
  [
    "edgewise: an MCP server for Akamai's management APIs; not affiliated with Akamai",
    "",
    "Usage: edgewise [COMMAND] [FLAGS]",
    "",
    "Commands:",
    ...commandList().map((line) => `  ${line}`),
    "",
    "`edgewise COMMAND --help` describes a command and its flags, `edgewise call TOOL --help` a tool.",
    "",
    "Settings, which every command takes (`edgewise help settings` describes each; --NAME is also EDGEWISE_NAME):",
    ...settingNames(),
    "",
    ...helpLines(
      "Credentials come from AKAMAI_HOST, AKAMAI_CLIENT_TOKEN, AKAMAI_CLIENT_SECRET and AKAMAI_ACCESS_TOKEN, or from the section of an .edgerc file. Without any, every call goes to the embedded emulator.",
      "",
    ),
    "",
    "Exit codes:",
    ...aboutLines(Object.entries(exits)),
  ].join("\n");

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function helpOfUsage(name: string, usage: Usage): string {
  const { does, more = "", positionals = [], flags = {}, settings = [], examples, failsWhen } = usage;
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ["", title, ...lines]);
  const whenExiting = { ...exits, 0: "success", 1: failsWhen ?? "" };
  return [
    ...helpLines(usageLine(name, usage), "edgewise ", "  "),
    "",
    ...helpLines(`${sentence(does)} ${more}`.trim(), ""),
    ...section("Arguments:", aboutLines(positionals.map((one) => [placeOf(one), one.about]))),
    ...section("Flags:", aboutLines(Object.entries(flags).map((flag) => [flagWord(flag), flag[1].about]))),
    ...section("Most relevant settings:", settingLines(settings)),
    ...section(
      "Examples:",
      examples.map((line) => `  edgewise ${line}`),
    ),
    ...section("Exit codes:", failsWhen === undefined ? [] : aboutLines(Object.entries(whenExiting))),
    "",
    "It takes all settings; `edgewise help settings` describes them.",
  ].join("\n");
}

const helpOfActions = (name: string, does: string, actions: Readonly<Record<string, Usage>>): string =>
  [
    `edgewise ${name} ${Object.keys(actions).join("|")}`,
    "",
    ...helpLines(sentence(does), ""),
    "",
    "Actions:",
    ...aboutLines(Object.entries(actions).map(([action, usage]) => [usageLine(action, usage), usage.does])),
    "",
    `\`edgewise ${name} ${Object.keys(actions)[0]} --help\` describes ${Object.keys(actions).length > 1 ? "one of them" : "it"}.`,
  ].join("\n");

/**
 * The help that a line asks for.
 * @param words Its words without flags: none, a command with an action or a tool, or a tool.
 * @throws Failure `bad_configuration` or `unknown_tool` if there is no such command or tool.
 */
export async function help(
  [name, about]: readonly string[],
  catalogue: () => Catalogue = () => boxedCatalogue("documents"),
): Promise<string> {
  if (name === undefined || name === "help") return general();
  if (name === "settings") return settingsHelp();
  const isTool = !Object.hasOwn(commands, name) && catalogue().has(name);
  const tool = isTool ? name : name === "call" ? about : undefined;
  if (tool !== undefined) return (await import("./tool-help.js")).toolHelp(tool, catalogue());
  const found = findCommand(name, about, catalogue);
  return "usage" in found ? helpOfUsage(found.name, found.usage) : helpOfActions(name, found.does, found.actions);
}

/** Commands for newcomers to try. */
const toTry = ["demo", "search", "call", "setup", "doctor"];

/** The message for users who start the server at a terminal, where no client will connect. */
export function linesAtStart(): string[] {
  const known = usages().filter(([name]) => toTry.includes(name));
  const rows = known.map(([name, usage]) => [`edgewise ${shortUsage(name, usage)}`, usage.does]);
  return [
    "edgewise: waiting for an MCP client to speak JSON-RPC on stdin, which is this terminal",
    "MCP clients start Edgewise themselves. Here, press Ctrl-C and try one of these:",
    ...alignedLines([...rows, ["edgewise --help", "list the commands and the settings"]]).map((line) => `  ${line}`),
  ];
}
