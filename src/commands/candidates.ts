/** What completes the last word of a command line, from the catalogue that the build left, so that a shell need not wait. */
import { onOneLine } from "../api/marks.js";
import { isRecord } from "../api/member.js";
import { settings } from "../config.js";
import { type Catalogue, type JsonSchema, loadCatalogue, loadReadings } from "../mcp/catalogue.js";
import { takesNext } from "./call-line.js";
import type { Entry } from "./command.js";
import { flagsOf } from "./flag-schema.js";
import { clients } from "./setup/clients.js";

/** A word and what it means. */
interface Candidate {
  readonly word: string;
  readonly about?: string;
  /** Of a flag that takes a value: the only ones that it takes, if it has such. */
  readonly values?: readonly string[];
  /** Whether a flag can be written again. */
  readonly isRepeated?: boolean;
  /** Whether a flag stands alone. */
  readonly isSwitch?: boolean;
}

const maxAbout = 72;

const enumerated = ({ enum: values }: JsonSchema): readonly string[] =>
  Array.isArray(values) ? values.map(String) : [];

/** The flags of a tool, as far as its listed schema goes; a switch also has the flag that turns it off. */
const flagsOfTool = (catalogue: Catalogue, tool: string): Candidate[] =>
  flagsOf(catalogue.get(tool)?.tool.inputSchema ?? {}).map(({ flag, schema }) => ({
    word: flag,
    about: String(schema["description"] ?? ""),
    values: enumerated(isRecord(schema["items"]) ? schema["items"] : schema),
    isRepeated: schema["type"] === "array",
    isSwitch: schema["type"] === "boolean",
  }));

/** The flags of Edgewise's own, and of a command. */
function ownFlags(command: Entry | undefined): Candidate[] {
  const ofCommand = (command?.flags ?? []).map((flag): Candidate => {
    const word = flag.replace("=", "");
    return { word, isSwitch: word === flag, values: command?.values?.[word] ?? [] };
  });
  const general = Object.entries(settings).map(
    ([name, setting]): Candidate => ({
      word: `--${name}`,
      about: setting.help,
      isSwitch: setting.kind === "flag",
      values: setting.kind === "choice" ? setting.choices : [],
    }),
  );
  return [...ofCommand, ...general, { word: "--help", isSwitch: true }, { word: "--version", isSwitch: true }];
}

/** The words of a line that are neither flags nor their values. */
function positionalsOf(words: readonly string[], commandFlags: readonly string[], flags: readonly Candidate[]) {
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) found.push(word);
    else if (takesNext(word, commandFlags) || flags.some((one) => one.word === word && one.isSwitch !== true)) at += 1;
  }
  return found;
}

/** The addresses that can be read as they stand: resources that are no templates, and the pages of the tools. */
const addresses = (catalogue: Catalogue): Candidate[] => [
  ...loadReadings()
    .resources.filter(({ address }) => !address.includes("{"))
    .map(({ address, title }) => ({ word: address, about: title })),
  ...[...catalogue].map(([name, { tool }]) => ({ word: `operation://${name}`, about: tool.title })),
];

/** What a command's positional argument at a place can be. */
function wordsAt(command: Entry, at: number, catalogue: Catalogue): Candidate[] {
  const words = command.words?.[at];
  if (words === "tool") return [...catalogue].map(([word, { tool }]) => ({ word, about: tool.title }));
  if (words === "address") return addresses(catalogue);
  if (words === "client") return Object.entries(clients).map(([word, { title }]) => ({ word, about: title }));
  return typeof words === "object" ? words.map((word) => ({ word })) : [];
}

const textOf = ({ word, about = "" }: Candidate): string => {
  const short = onOneLine(about).slice(0, maxAbout);
  return short === "" ? word : `${word}\t${short}`;
};

/**
 * The words that can stand in the place of the last one.
 * @param words The line after the program's name; the last word is what was typed of it so far.
 * @returns A line for each: the word, and behind a tab what it means where that is known.
 */
export function candidates(commands: Readonly<Record<string, Entry>>, words: readonly string[]): string[] {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  // A flag of the command may stand before its name, so that at first any command's may have a value.
  const [name] = positionalsOf(
    before,
    Object.values(commands).flatMap(({ flags = [] }) => flags),
    [],
  );
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  const commandFlags = command?.flags ?? [];
  const [, tool] = positionalsOf(before, commandFlags, []);
  const catalogue = loadCatalogue();
  const toolFlags = command?.words?.[1] === "arguments" && tool !== undefined ? flagsOfTool(catalogue, tool) : [];
  // After a tool, what has the name of one of its arguments is that argument.
  const areTools = new Set(toolFlags.map(({ word }) => word));
  const flags = [...toolFlags, ...ownFlags(command).filter(({ word }) => !areTools.has(word))];
  const starting = (found: readonly Candidate[]): string[] =>
    found.filter(({ word }) => word.startsWith(current)).map(textOf);
  const valuesOf = (flag: string, prefix: string): string[] =>
    starting((flags.find(({ word }) => word === flag)?.values ?? []).map((value) => ({ word: prefix + value })));

  const [inline] = /^--[^=]+=/.exec(current) ?? [];
  if (inline !== undefined) return valuesOf(inline.slice(0, -1), inline);
  const last = before.at(-1) ?? "";
  if (flags.some(({ word, isSwitch }) => word === last && isSwitch !== true)) return valuesOf(last, "");
  const unused = flags.filter(({ word, isRepeated }) => isRepeated === true || !before.includes(word));
  const switches = toolFlags.filter(({ isSwitch }) => isSwitch === true);
  const negated = switches.map(({ word, about = "" }) => ({ word: `--no-${word.slice(2)}`, about: `not: ${about}` }));
  if (current.startsWith("-")) return starting([...unused, ...negated]);
  if (!command) return name === undefined ? starting(Object.keys(commands).map((word) => ({ word }))) : [];
  const positionals = positionalsOf(before, commandFlags, toolFlags);
  const found = wordsAt(command, positionals.length - 1, catalogue);
  return starting(found.length > 0 ? found : toolFlags.filter((one) => unused.includes(one)));
}
