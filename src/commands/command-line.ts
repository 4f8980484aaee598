/** A command line: the command and the action that its words name, its flags with their values, and of `edgewise call` the words that are the tool's. */
import { settings } from "../config.js";
import { type Catalogue, loadCatalogue } from "../engine/catalogue.js";
import { Failure } from "../language/failure.js";
import { didYouMean } from "../language/nearest.js";
import { type Entry, flagForms, refuse, searchFor, type Usage } from "./command.js";
import { commands } from "./table.js";

/** A command without actions, or an action; else a command whose action the line does not name. */
type Named =
  | { readonly entry: Entry; readonly name: string; readonly usage: Usage }
  | { readonly entry: Entry; readonly does: string; readonly actions: Readonly<Record<string, Usage>> };

const isIn = (all: object, name: string): boolean => Object.hasOwn(all, name);

/** The failure for a word in a command's place: one like it, a tool, or what a search might find. */
function noCommand(name: string, catalogue: typeof loadCatalogue): Failure {
  const guess = didYouMean(name, Object.keys(commands));
  const isTool = guess === "" && catalogue().has(name);
  return new Failure(
    "bad_configuration",
    `There is no command ${JSON.stringify(name)}${guess}${isTool ? "; it is a tool" : ""}.`,
    {
      next: isTool
        ? `Write: edgewise call ${name}.`
        : `\`edgewise --help\` lists the commands${guess === "" ? `, and ${searchFor(name)} finds tools by what they do` : ""}.`,
    },
  );
}

/**
 * What a command's name and the word after it name.
 * @throws Failure `bad_configuration` where there is no such command or action.
 */
export function namedBy(name: string, word: string | undefined, catalogue = loadCatalogue): Named {
  const entry = isIn(commands, name) ? commands[name] : undefined;
  if (!entry) throw noCommand(name, catalogue);
  if (!entry.actions) return { entry, name, usage: entry };
  const { does, actions } = entry;
  if (word === undefined) return { entry, does, actions };
  const usage = isIn(actions, word) ? actions[word] : undefined;
  if (usage) return { entry, name: `${name} ${word}`, usage };
  const guess = didYouMean(word, Object.keys(actions));
  refuse(
    `${name} has no action ${JSON.stringify(word)}${guess}.`,
    `\`edgewise ${name} --help\` describes what it takes.`,
  );
}

/** Flags that every command line takes, besides the settings. */
const always = ["--help", "-h", "--version"];

/** What a flag is called, without its dashes, its value, and the members of a body that it names. */
const rootOf = (flag: string): string => /^--([^=.]*)/.exec(flag)?.[1] ?? "";

/** Whether a word is a flag of Edgewise's own: a setting, or one of the command, as its entry declares them. */
const isOwn = (word: string, flags: readonly string[]): boolean =>
  always.includes(word) || Object.hasOwn(settings, rootOf(word)) || flags.includes(`--${rootOf(word)}=`);

/** Whether the word after one of Edgewise's own flags is its value. */
function takesNext(word: string, flags: readonly string[]): boolean {
  const setting = Object.entries(settings).find(([name]) => `--${name}` === word)?.[1];
  return setting === undefined ? flags.includes(`${word}=`) : setting.kind !== "flag";
}

/** The places of the words that are neither flags nor their values. */
function barePlaces(words: readonly string[], takesValue: (flag: string) => boolean): number[] {
  const found: number[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) found.push(at);
    else if (takesValue(word)) at += 1;
  }
  return found;
}

/** The forms of the flags of all commands: a flag may stand before the name of its command. */
export const allFlagForms = (): string[] => Object.values(commands).flatMap(flagForms);

/**
 * The words of a line of ours that are neither flags nor their values, before it is known which command it names.
 * @param takesAlso Whether the word after a flag of a tool is its value.
 */
export function bareWords(words: readonly string[], takesAlso = (_flag: string): boolean => false): string[] {
  const forms = allFlagForms();
  return barePlaces(words, (flag) => takesNext(flag, forms) || takesAlso(flag)).map((at) => words[at] ?? "");
}

/**
 * Tells the words of `edgewise call` apart. After the tool, a flag with the name of one of its arguments is the tool's, and
 * so is one that nobody knows; the others are Edgewise's own. No argument has the name of a setting; where one has
 * that of a flag of the command, the flag is written before the tool.
 * @param flags The command's flags besides the settings; one that ends in `=` takes a value.
 * @returns The tool's words, and the line without them; undefined where the line calls no tool.
 */
export function splitCall(
  args: readonly string[],
  flags: readonly string[],
  catalogue: () => Catalogue,
): { readonly tool: string; readonly own: readonly string[]; readonly words: readonly string[] } | undefined {
  const [first = -1, at = -1] = barePlaces(args, (flag) => takesNext(flag, flags));
  const tool = args[at];
  if (args[first] !== "call" || tool === undefined) return undefined;
  const properties = catalogue().get(tool)?.tool.inputSchema["properties"];
  const names = new Set(Object.keys(properties ?? {}));
  const own: string[] = [];
  const words: string[] = [];
  const rest = args.slice(at + 1).values();
  for (const word of rest) {
    const isTools = names.has(rootOf(word)) || !isOwn(word, flags);
    (isTools ? words : own).push(word);
    const value = !isTools && takesNext(word, flags) ? rest.next().value : undefined;
    if (value !== undefined) own.push(value);
  }
  return { tool, own: [...args.slice(0, at + 1), ...own], words };
}
