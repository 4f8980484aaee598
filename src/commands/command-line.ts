/** Parses a command line: command, action, flags with their values and, for `edgewise call`, the words of the tool. */
import { settings } from "../config.js";
import type { Catalogue } from "../engine/catalogue.js";
import { Failure } from "../language/failure.js";
import { didYouMean } from "../text/nearest.js";
import { type CommandEntry, callFlags, flagForm, flagForms, refuse, searchFor, type Usage } from "./command.js";
import { commands } from "./table.js";

/** A command without actions, or an action; else a command without the required action. */
type FoundCommand =
  | { readonly entry: CommandEntry; readonly name: string; readonly usage: Usage }
  | { readonly entry: CommandEntry; readonly does: string; readonly actions: Readonly<Record<string, Usage>> };

const isIn = (all: object, name: string): boolean => Object.hasOwn(all, name);

/** The failure for an unknown command: suggests a similar one, a tool, or a search. */
function noCommand(name: string, catalogue: () => Catalogue): Failure {
  const guess = didYouMean(name, Object.keys(commands));
  const isTool = guess === "" && catalogue().has(name);
  return new Failure(
    "bad_configuration",
    `There is no command ${JSON.stringify(name)}${guess}${isTool ? "; it is a tool" : ""}.`,
    {
      next: isTool
        ? `Write: edgewise call ${name}.`
        : `\`edgewise --help\` lists the commands${guess === "" ? `, and ${searchFor(name)} searches tools` : ""}.`,
    },
  );
}

/**
 * The command and action that the first words name.
 * @throws Failure `bad_configuration` if there is no such command or action.
 */
export function findCommand(name: string, word: string | undefined, catalogue: () => Catalogue): FoundCommand {
  const entry = isIn(commands, name) ? commands[name] : undefined;
  if (!entry) throw noCommand(name, catalogue);
  if (!entry.actions) return { entry, name, usage: entry };
  const { does, actions } = entry;
  if (word === undefined) return { entry, does, actions };
  const usage = isIn(actions, word) ? actions[word] : undefined;
  if (usage) return { entry, name: `${name} ${word}`, usage };
  const guess = didYouMean(word, Object.keys(actions));
  refuse(`${name} has no action ${JSON.stringify(word)}${guess}.`, `\`edgewise ${name} --help\` describes its usage.`);
}

/** Flags that every command line takes, in addition to the settings. */
const always = ["--help", "-h", "--version"];

/** The name of a flag without its dashes, its value, and the path of members that it names. */
const rootOf = (flag: string): string => /^--([^=.]*)/.exec(flag)?.[1] ?? "";

/** Whether a word is one of Edgewise's own flags: a setting, or a declared flag of the command. */
const isProgramFlag = (word: string, flags: readonly string[]): boolean =>
  [...always, ...flags].includes(word) || Object.hasOwn(settings, rootOf(word)) || flags.includes(`--${rootOf(word)}=`);

/** Whether the word after one of Edgewise's own flags is its value. */
function takesNext(word: string, flags: readonly string[]): boolean {
  const setting = Object.entries(settings).find(([name]) => `--${name}` === word)?.[1];
  return setting === undefined ? flags.includes(`${word}=`) : setting.kind !== "flag";
}

/** Each word of a line, with the word after it if that is its value. */
export function* wordsWithValues(
  words: readonly string[],
  takesValue: (flag: string) => boolean,
): Generator<readonly [word: string, ...value: string[]]> {
  const rest = words.values();
  for (const word of rest) {
    const value = takesValue(word) ? rest.next().value : undefined;
    yield value === undefined ? [word] : [word, value];
  }
}

/** The forms of the flags of all commands, because a flag can precede the name of its command. */
export const allFlagForms = (): string[] => Object.values(commands).flatMap(flagForms);

/**
 * The words of a line that are neither flags nor their values, before its command is known.
 * @param takesAlso Whether the word after a flag of a tool is its value.
 */
export function bareWords(words: readonly string[], takesAlso = (_flag: string): boolean => false): string[] {
  const forms = allFlagForms();
  return [...wordsWithValues(words, (flag) => takesNext(flag, forms) || takesAlso(flag))].flatMap(([word]) =>
    word.startsWith("-") ? [] : [word],
  );
}

/**
 * Separates the words of `edgewise call`. After the tool, a flag with the name of one of its arguments belongs to the
 * tool, as does an unknown one; the others are Edgewise's own. No argument has the name of a setting; if one has that
 * of a flag of the command, the command's flag is written before the tool.
 * @returns The tool's words, and the line without them; undefined if the line calls no tool.
 */
export function splitCall(args: readonly string[], catalogue: () => Catalogue) {
  const flags = Object.entries(callFlags).map(flagForm);
  const parts = [...wordsWithValues(args, (flag) => takesNext(flag, flags))];
  const [command, called] = parts.filter(([word]) => !word.startsWith("-"));
  if (command?.[0] !== "call" || called === undefined) return undefined;
  const [tool] = called;
  const names = new Set(Object.keys(catalogue().get(tool)?.tool.inputSchema["properties"] ?? {}));
  const isOfTool = (word: string): boolean => names.has(rootOf(word)) || !isProgramFlag(word, flags);
  const start = parts.slice(0, parts.indexOf(called) + 1).flat();
  const rest = args.slice(start.length);
  const programArgs: string[] = [...start];
  const words: string[] = [];
  for (const part of wordsWithValues(rest, (word) => !isOfTool(word) && takesNext(word, flags)))
    (isOfTool(part[0]) ? words : programArgs).push(...part);
  return { tool, own: programArgs, words };
}
