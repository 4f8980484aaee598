/** Lines to paste: quoting words for a shell, the way this program was started, its settings, and calls. */
import { basename, isAbsolute, relative, resolve } from "node:path";
import { type Config, type SettingName, settings } from "../config.js";
import type { Menu } from "../engine/menu.js";
import type { WholeCall } from "../language/next-call.js";
import { scrub, showHidden } from "../secrets/held-secrets.js";
import { argumentWords, declaredTool } from "./arguments.js";

/** A word, quoted for the shells of a platform. */
export function shellWord(word: string, platform: string = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // A program on Windows reads \" inside quotes as a quotation mark, whichever shell has started it.
  return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command as a user types it. */
export const shellWords = (words: readonly string[], platform?: string): string =>
  words.map((word) => shellWord(word, platform)).join(" ");

/**
 * @param script The file that Node was started with.
 * @returns The words in front of a command: `edgewise` if it is installed, else Node with the file.
 */
export function programWords(script = process.argv[1] ?? "", directory = process.cwd()): readonly string[] {
  if (basename(script) === "edgewise" || script.split(/[\\/]/).includes("node_modules")) return ["edgewise"];
  const path = relative(directory, script);
  return ["node", path.startsWith("..") || isAbsolute(path) ? script : path];
}

/** A command of this program, as a user types it. */
export const programLine = (...words: readonly string[]): string => shellWords([...programWords(), ...words]);

/** Settings that only matter to a listening server. */
export const httpSettings: readonly SettingName[] = [
  "host",
  "port",
  "token-file",
  "allow-writes",
  "approver-token-file",
  "allowed-hosts",
];
/** Paths are made absolute, because the line may be pasted in another directory. */
const pathSettings: readonly SettingName[] = [
  "edgerc",
  "config",
  "state-dir",
  "secret-dir",
  "store-key-file",
  "policy",
  "token-file",
  "approver-token-file",
];

/** The given settings, each as the words of a command line; empty for a flag that is turned off. */
export function givenSettings(
  { values, given }: Config,
  isLeftOut: (name: SettingName) => boolean,
): ReadonlyMap<SettingName, readonly string[]> {
  const wordsOf = (name: SettingName): readonly string[] => {
    const value = values[name];
    if (settings[name].kind === "flag") return value === true ? [`--${name}`] : [];
    const isPath = pathSettings.includes(name) && !(name === "state-dir" && value === "memory");
    return [`--${name}`, isPath ? resolve(String(value)) : String(value)];
  };
  return new Map([...given.keys()].filter((name) => !isLeftOut(name)).map((name) => [name, wordsOf(name)]));
}

/** The same as one line of words. */
export const givenWords = (config: Config, isLeftOut: (name: SettingName) => boolean): string[] =>
  [...givenSettings(config, isLeftOut).values()].flat();

/** Settings that change how a result is written, but not the call. */
const formSettings: readonly SettingName[] = ["max-result-tokens", "structured", "surface"];

/** The settings of the current line, as words, with the profile of the call. */
function settingWords(config: Config, profile: string | undefined): string[] {
  const isLeftOut = (name: SettingName) =>
    config.given.get(name) !== "line" ||
    httpSettings.includes(name) ||
    formSettings.includes(name) ||
    name === "profile";
  return [...givenWords(config, isLeftOut), ...(profile === undefined ? [] : ["--profile", profile])];
}

/**
 * Creates the renderer of calls as lines; undefined for a call that cannot be made on a command line here.
 * @param secrets The encoded forms of the process's own secrets; calls that contain one are not rendered.
 */
export function pasteLines(config: Config, menu: Menu, profile: string | undefined, secrets: readonly string[]) {
  const words = [...programWords(), ...settingWords(config, profile), "call"];
  return async (call: WholeCall): Promise<string | undefined> => {
    // With marks in place of invisible characters it would be a different call.
    if (menu.clientCall(call, {}) === undefined || showHidden(call.arguments).count > 0) return undefined;
    const declared = await declaredTool(call.tool, menu.tools);
    if (!declared) return undefined;
    const flags = argumentWords(call.arguments, declared.schema);
    // A line end in a word would split the line; JSON writes it as text.
    const args = flags.some((word) => /\s/.test(word.replaceAll(" ", ""))) ? [JSON.stringify(call.arguments)] : flags;
    const line = shellWords([...words, call.tool, ...args]);
    return scrub(line, secrets) === line ? line : undefined;
  };
}
