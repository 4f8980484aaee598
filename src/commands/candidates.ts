/**
 * Completion candidates for the last word of a command line, from the generated catalogue, so that a shell need not
 * wait.
 */
import { settings } from "../config.js";
import { type Catalogue, loadCatalogue, loadReadings } from "../engine/catalogue.js";
import { isRecord } from "../language/member.js";
import type { Apis } from "../language/service.js";
import { onOneLine } from "../text/marks.js";
import { flagsOf } from "./arguments.js";
import type { CommandEntry, Positional, Usage } from "./command.js";
import { bareWords } from "./command-line.js";
import { setupClients } from "./setup/clients.js";
import { commands } from "./table.js";

interface Candidate {
  readonly word: string;
  readonly about?: string;
  /** The closed set of values of a flag, if it has one. */
  readonly values?: readonly string[];
  /** Whether a flag can be repeated. */
  readonly isRepeated?: boolean;
  /** Whether a flag takes no value. */
  readonly isSwitch?: boolean;
}

const maxAbout = 72;

/** Words that `edgewise` accepts in place of a command, and `edgewise help` in addition to commands. */
const helpWords: readonly Candidate[] = [{ word: "help", about: "describe a command, or the settings" }];
const helpTopics: readonly Candidate[] = [{ word: "settings", about: "the settings, which every command takes" }];

/** The flags of a tool, from its listed schema; a switch also has the flag that turns it off. */
const flagsOfTool = (catalogue: Catalogue, tool: string): Candidate[] =>
  flagsOf(catalogue.get(tool)?.tool.inputSchema ?? {}).map(({ flag, schema }) => {
    const { enum: values } = isRecord(schema["items"]) ? schema["items"] : schema;
    return {
      word: flag,
      about: String(schema["description"] ?? ""),
      values: Array.isArray(values) ? values.map(String) : [],
      isRepeated: schema["type"] === "array",
      isSwitch: schema["type"] === "boolean",
    };
  });

/** Edgewise's own flags, and those of a command or its action. */
const programFlags = ({ flags = {} }: Pick<Usage, "flags">): Candidate[] => [
  ...Object.entries(flags).map(([word, { takes, ...flag }]) => ({ word, ...flag, isSwitch: takes === undefined })),
  ...Object.entries(settings).map(([name, setting]) => ({
    word: `--${name}`,
    about: setting.help,
    isSwitch: setting.kind === "flag",
    values: setting.kind === "choice" ? setting.choices : [],
  })),
  { word: "--help", isSwitch: true },
  { word: "--version", isSwitch: true },
];

/** Concrete resource URIs: resources that are not templates, and the pages of the tools. */
const addresses = (catalogue: Catalogue, apis: Apis): Candidate[] => [
  ...loadReadings(apis)
    .resources.filter(({ address }) => !address.includes("{"))
    .map(({ address, title }) => ({ word: address, about: title })),
  ...[...catalogue].map(([name, { tool }]) => ({ word: `operation://${name}`, about: tool.title })),
];

function wordsFor({ kind = [] }: Partial<Pick<Positional, "kind">>, catalogue: Catalogue, apis: Apis): Candidate[] {
  if (kind === "tool") return [...catalogue].map(([word, { tool }]) => ({ word, about: tool.title }));
  if (kind === "address") return addresses(catalogue, apis);
  if (kind === "client") return Object.entries(setupClients).map(([word, { title }]) => ({ word, about: title }));
  return typeof kind === "object" ? kind.map((word) => ({ word })) : [];
}

/** Commands or actions with their descriptions. */
const namesOf = (all: Readonly<Record<string, { readonly does: string }>>): Candidate[] =>
  Object.entries(all).map(([word, { does }]) => ({ word, about: does }));

/** The usage selected by the words before the cursor; undefined if there is none. */
function usageAt(entry: CommandEntry | undefined, [, action]: readonly string[]): Usage | undefined {
  if (!entry?.actions) return entry;
  return action !== undefined && Object.hasOwn(entry.actions, action) ? entry.actions[action] : undefined;
}

const textOf = ({ word, about = "" }: Candidate): string => {
  const short = onOneLine(about).slice(0, maxAbout);
  return short === "" ? word : `${word}\t${short}`;
};

/** The context at the cursor, from the words before it. */
function lineOf(before: readonly string[], catalogue: Catalogue) {
  const bare = bareWords(before);
  const [name, tool] = bare;
  const entry = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  const usage = usageAt(entry, bare);
  const takesArguments = usage?.positionals?.some(({ kind }) => kind === "arguments") === true;
  const toolFlags = takesArguments && tool !== undefined ? flagsOfTool(catalogue, tool) : [];
  // After a tool, a name that one of its arguments has is that argument.
  const areTools = new Set(toolFlags.map(({ word }) => word));
  const flags = [...toolFlags, ...programFlags(usage ?? {}).filter(({ word }) => !areTools.has(word))];
  return { before, bare, entry, usage, toolFlags, flags };
}
type CursorLine = ReturnType<typeof lineOf>;

const takesValue = ({ flags }: CursorLine, flag: string): boolean =>
  flags.some(({ word, isSwitch }) => word === flag && isSwitch !== true);

const isUnused = ({ before }: CursorLine, { word, isRepeated }: Candidate): boolean =>
  isRepeated === true || !before.includes(word);

const valuesOf = ({ flags }: CursorLine, flag: string, prefix: string): Candidate[] =>
  (flags.find(({ word }) => word === flag)?.values ?? []).map((value) => ({ word: prefix + value }));

/** The flags that can still be written, with the opposites of the tool's switches. */
function flagsLeft(line: CursorLine): Candidate[] {
  const switches = line.toolFlags.filter(({ isSwitch }) => isSwitch === true);
  const negated = switches.map(({ word, about = "" }) => ({ word: `--no-${word.slice(2)}`, about: `not: ${about}` }));
  return [...line.flags.filter((one) => isUnused(line, one)), ...negated];
}

/** Candidates for words that are not flags; if there are none, the flags of the tool. */
function wordsAt(line: CursorLine, catalogue: Catalogue, apis: Apis): Candidate[] {
  const { before, bare, entry, usage, toolFlags } = line;
  const [name] = bare;
  if (name === undefined) return [...namesOf(commands), ...helpWords];
  if (name === "help" && bare.length === 1) return [...namesOf(commands), ...helpTopics];
  if (entry?.actions && !usage) return bare.length === 1 ? namesOf(entry.actions) : [];
  const positionals = bareWords(before, (flag) => takesValue(line, flag)).slice(entry?.actions ? 2 : 1);
  const found = wordsFor(usage?.positionals?.[positionals.length] ?? {}, catalogue, apis);
  return found.length > 0 ? found : toolFlags.filter((one) => isUnused(line, one));
}

/** The candidates for a word of which a beginning was typed. */
function candidatesAt(current: string, before: readonly string[], apis: Apis): Candidate[] {
  const catalogue = loadCatalogue(apis);
  const line = lineOf(before, catalogue);
  const [inline] = /^--[^=]+=/.exec(current) ?? [];
  if (inline !== undefined) return valuesOf(line, inline.slice(0, -1), inline);
  const last = before.at(-1) ?? "";
  if (takesValue(line, last)) return valuesOf(line, last, "");
  return current.startsWith("-") ? flagsLeft(line) : wordsAt(line, catalogue, apis);
}

/**
 * The candidates for the last word.
 * @param words The line after the program's name; the last word is the part typed so far.
 * @returns A line for each: the word and, after a tab, its meaning if known.
 */
export function completionCandidates(words: readonly string[], apis: Apis): string[] {
  const current = words.at(-1) ?? "";
  return candidatesAt(current, words.slice(0, -1), apis)
    .filter(({ word }) => word.startsWith(current))
    .map(textOf);
}
