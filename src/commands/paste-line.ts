/** Lines to paste: how a shell reads a word, how this program is started here, with which settings, and the call that a line makes. */
import { basename, isAbsolute, relative, resolve } from "node:path";
import { type Config, type SettingName, settings } from "../config.js";
import type { WholeCall } from "../language/next-call.js";
import type { Menu } from "../mcp/menu.js";
import { scrubbed, visible } from "../secrets/held-secrets.js";
import { declaredTool, wordsOf } from "./arguments.js";

/** A word as the shells of a platform take it. */
export function shellWord(word: string, platform: string = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // A program on Windows reads \" inside quotes as a quotation mark, whichever shell has started it.
  return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command as a person types it. */
export const shellWords = (words: readonly string[], platform?: string): string =>
  words.map((word) => shellWord(word, platform)).join(" ");

/**
 * @param script The file that Node was given.
 * @returns The words in front of a command: `edgewise` where it is installed, and Node with the file where it is not.
 */
export function programWords(script = process.argv[1] ?? "", directory = process.cwd()): readonly string[] {
  if (basename(script) === "edgewise" || script.split(/[\\/]/).includes("node_modules")) return ["edgewise"];
  const path = relative(directory, script);
  return ["node", path.startsWith("..") || isAbsolute(path) ? script : path];
}

/** They matter to a server that listens and to no other. */
export const ofHttp: readonly SettingName[] = [
  "host",
  "port",
  "token-file",
  "allow-writes",
  "approver-token-file",
  "allowed-hosts",
];
/** What reads the words may run in another directory, so these are made absolute. */
const paths: readonly SettingName[] = [
  "edgerc",
  "config",
  "state-dir",
  "secret-dir",
  "policy",
  "token-file",
  "approver-token-file",
];

/** The settings that were given, each as the words of a command line; none for a flag that is turned off. */
export function givenSettings(
  { values, given }: Config,
  isLeftOut: (name: SettingName) => boolean,
): ReadonlyMap<SettingName, readonly string[]> {
  const wordsOf = (name: SettingName): readonly string[] => {
    const value = values[name];
    if (settings[name].kind === "flag") return value === true ? [`--${name}`] : [];
    const isPath = paths.includes(name) && !(name === "state-dir" && value === "memory");
    return [`--${name}`, isPath ? resolve(String(value)) : String(value)];
  };
  return new Map([...given.keys()].filter((name) => !isLeftOut(name)).map((name) => [name, wordsOf(name)]));
}

/** The same as one line of words. */
export const givenWords = (config: Config, isLeftOut: (name: SettingName) => boolean): string[] =>
  [...givenSettings(config, isLeftOut).values()].flat();

/** They change how a result is written, and nothing about what a call does. */
const ofForm: readonly SettingName[] = ["max-result-tokens", "structured", "surface"];

/** Writes calls as lines. */
export interface PasteLines {
  /** A whole call; undefined where no line makes it from here. */
  lineOf(call: WholeCall): Promise<string | undefined>;
  /** A call whose arguments are still to be given. */
  begin(tool: string): string;
}

/** The settings of the line that was run, as words; the profile is the one that was meant, wherever it was named. */
function settingWords(config: Config, profile: string | undefined): string[] {
  const isLeftOut = (name: SettingName) =>
    config.given.get(name) !== "line" || ofHttp.includes(name) || ofForm.includes(name) || name === "profile";
  return [...givenWords(config, isLeftOut), ...(profile === undefined ? [] : ["--profile", profile])];
}

/**
 * Makes what writes calls as lines.
 * @param secrets The forms of the process's own secrets; a call that holds one is not written.
 */
export function pasteLines(
  config: Config,
  menu: Menu,
  profile: string | undefined,
  secrets: readonly string[],
): PasteLines {
  const words = (tool: string) => [...programWords(), ...settingWords(config, profile), "call", tool];
  const lineOf = async (call: WholeCall) => {
    // With marks in the place of what is invisible it would be another call.
    if (menu.written(call, {}) === undefined || visible(call.arguments).count > 0) return undefined;
    const declared = await declaredTool(call.tool, menu.tools);
    if (!declared) return undefined;
    const flags = wordsOf(call.arguments, declared.schema);
    // A line end in a word would be two lines to paste; JSON writes it as text.
    const args = flags.some((word) => /\s/.test(word.replaceAll(" ", ""))) ? [JSON.stringify(call.arguments)] : flags;
    const line = shellWords([...words(call.tool), ...args]);
    return scrubbed(line, secrets) === line ? line : undefined;
  };
  return { lineOf, begin: (tool) => shellWords(words(tool)) };
}
