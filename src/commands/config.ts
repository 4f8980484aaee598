/** `edgewise config`: each setting with its value and where it comes from; secrets are masked. */
import { type Config, isEmulated, proxyNames, type SettingName, settings, stateDirOf, variableOf } from "../config.js";
import { configuredCredentials } from "../engine/upstream.js";
import { Failure } from "../language/failure.js";
import { type Command, print, printJson } from "./command.js";
import { columnsOfTerminal, terminalTable } from "./terminal.js";

type Row = Readonly<Record<"setting" | "value" | "from", string>>;

/** A URL without its name and password, and without those among its parameters; a proxy may have no scheme. */
const withoutPassword = (text: string): string =>
  text
    .trim()
    .replace(/^([\w+.-]+:\/\/)?.*@/s, "$1[secret]@")
    .replace(/(\bpass\w*\s*=\s*)\S+/gi, "$1[secret]")
    .replace(/([?&][^?=&]*(?:pass|secret|token|key)[^=&]*=)[^&]*/gi, "$1[secret]");

/** Whether a text is a URL, or the settings of a connection in words. */
const isAddress = (text: string): boolean => /:\/\/|\bpass\w*\s*=/i.test(text);

/** The values of settings that are a default only where the program finds them out. */
const defaults: Partial<Record<SettingName, (config: Config) => string>> = {
  edgerc: ({ defaultEdgercPath }) => defaultEdgercPath,
  "state-dir": stateDirOf,
};

function rowOf(name: SettingName, config: Config): Row {
  const { values, given } = config;
  const value = values[name] ?? defaults[name]?.(config) ?? "";
  const place = given.get(name);
  const from = place === "line" ? `--${name}` : place === "environment" ? variableOf(name) : "default";
  return { setting: name, value: isAddress(String(value)) ? withoutPassword(String(value)) : String(value), from };
}

/** Where the credentials of calls come from; their values are secrets. */
function credentialRow(config: Config): Row {
  if (isEmulated(config)) return { setting: "credentials", value: "the emulator's", from: "default" };
  if (config.given.has("config") || config.given.has("profiles"))
    return { setting: "credentials", value: "of each profile; `edgewise profiles` lists them", from: "profiles" };
  try {
    const { host, place } = configuredCredentials(config) ?? {};
    return host === undefined
      ? { setting: "credentials", value: "none", from: "default" }
      : { setting: "credentials", value: `${host}, [secret]`, from: place ?? "" };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { setting: "credentials", value: `cannot be used: ${error.message}`, from: "`edgewise doctor` has more" };
  }
}

/** All settings in their order, then the credentials, and the proxies that are set. */
export const configRows = (config: Config): readonly Row[] => [
  ...(Object.keys(settings) as SettingName[]).map((name) => rowOf(name, config)),
  credentialRow(config),
  ...proxyNames.flatMap((name) => {
    const value = config.proxyVariables[name];
    return value === "" ? [] : [{ setting: "proxy", value: withoutPassword(value), from: name }];
  }),
];

export const configCommand: Command = async (given, _, flags) => {
  const rows = configRows(given);
  if (flags.includes("--json")) printJson(rows);
  else terminalTable(rows, columnsOfTerminal(process.stdout)).lines.forEach(print);
  return 0;
};
