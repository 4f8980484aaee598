/** Renews how a client starts the server: this program and the settings given now, with every other flag that the entry has. */
import { isRecord } from "../../api/member.js";
import { type SettingName, settings, tokensOf } from "../../config.js";
import type { Launch } from "./clients.js";
import type { Fields } from "./edit.js";

export interface Renewed extends Launch {
  /** The words of the entry that were kept although nothing given now says them. */
  readonly kept: readonly string[];
}

/** How an entry starts a server, in its parts. */
export interface Started {
  readonly command: string | undefined;
  /** The program that the command runs; undefined where the command is the program. */
  readonly program: string | undefined;
  /** What Node is told before the program; nothing of another command's. */
  readonly nodeOptions: readonly string[];
  /** The words that the program takes. */
  readonly words: readonly string[];
}

/** The name of a program, whatever platform its path is of. */
const nameOf = (path: string): string => (path.split(/[\\/]/).at(-1) ?? "").replace(/\.(exe|cmd)$/i, "");
const isOurs = (word: string): boolean => /^(server\.js|edgewise(@.*)?)$/.test(nameOf(word));
const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name);
const isWord = (value: unknown): value is string => typeof value === "string";

/** The parts of an entry; a list that holds anything but text starts nothing, so that nothing of it is taken over. */
export function startedBy({ command, args }: Fields): Started {
  const words = Array.isArray(args) && args.every(isWord) ? args : [];
  const name = isWord(command) ? command : undefined;
  if (name !== undefined && isOurs(name)) return { command: name, program: undefined, nodeOptions: [], words };
  // What comes after a setting may be the value of one.
  const setting = words.findIndex((word) => isSetting(word.replace(/^--([^=]*).*/s, "$1")));
  const known = words.slice(0, setting < 0 ? undefined : setting).findIndex(isOurs);
  const at = known < 0 ? words.findIndex((word) => !word.startsWith("-")) : known;
  const isNode = name !== undefined && nameOf(name) === "node";
  return {
    command: name,
    program: words[at],
    nodeOptions: isNode ? words.slice(0, Math.max(at, 0)) : [],
    words: words.slice(at + 1),
  };
}

/** A flag with its value, or a word that is none. */
interface Part {
  readonly name: SettingName | undefined;
  readonly words: readonly string[];
}

function partsOf(words: readonly string[]): readonly Part[] {
  return tokensOf(words).map((token, at, tokens) => ({
    name: token.kind === "option" && isSetting(token.name) ? token.name : undefined,
    words: words.slice(token.index, tokens[at + 1]?.index),
  }));
}

/** The settings among the words of an entry, which hold no secret; what else is there may. */
export const settingsIn = (words: readonly string[]): readonly string[] =>
  partsOf(words).flatMap(({ name, words: own }) => (name === undefined ? [] : own));

/** Whether the words of a flag say the same, with `=` or without. */
const isSame = (some: readonly string[], others: readonly string[]): boolean => some.join("=") === others.join("=");

/**
 * @param entry The entry as the client has it; empty for a new one.
 * @param own This program.
 * @param given The settings that were given now, each with its words; they replace what the entry says of them.
 * @param surface The surface where neither the entry nor a setting chooses one.
 */
export function renewed(
  entry: Fields,
  own: Launch,
  given: ReadonlyMap<SettingName, readonly string[]>,
  surface: (typeof settings.surface.choices)[number],
): Renewed {
  const { nodeOptions, words } = startedBy(entry);
  const parts = partsOf(words);
  const lastOf = (name: SettingName): Part | undefined => parts.findLast((part) => part.name === name);
  const inPlace = parts.flatMap((part) => {
    const now = part.name && given.get(part.name);
    if (now === undefined || isSame(now, part.words)) return part.words;
    return part.name !== undefined && lastOf(part.name) === part ? now : [];
  });
  const added = [...given].flatMap(([name, now]) => (lastOf(name) === undefined ? now : []));
  const isChosen =
    given.has("surface") ||
    lastOf("surface") !== undefined ||
    (isRecord(entry["env"]) && Object.hasOwn(entry["env"], "EDGEWISE_SURFACE"));
  return {
    command: own.command,
    args: [...nodeOptions, ...own.args, ...(isChosen ? [] : ["--surface", surface]), ...inPlace, ...added],
    kept: [...nodeOptions, ...parts.flatMap(({ name, words: own }) => (name && given.has(name) ? [] : own))],
  };
}
