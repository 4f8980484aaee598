/** What a command is, the forms in which it can be asked to write, and the two places where it may: results on stdout, everything else on stderr. */
import type { Config, SettingName } from "../config.js";
import { Failure } from "../language/failure.js";

/** Runs until its work is done and returns the exit code; a stdio server returns at once, and its handles keep the process alive. */
export type Command = (config: Config, words: readonly string[]) => Promise<number>;

/** A word of a command line that is no flag. */
export interface Positional {
  /** The word in capitals that stands for it in a usage line. */
  readonly name: string;
  /** What it takes. */
  readonly about: string;
  readonly isOptional?: true;
  /** Whether it takes all the words that are left. */
  readonly isRepeated?: true;
  /**
   * What it can be, for completion: one of some words, a tool, the address of a resource, a client that can be set up, or
   * the arguments of the tool before it, which `edgewise call` reads by itself.
   */
  readonly kind?: readonly string[] | "tool" | "arguments" | "address" | "client";
}

/** A flag that is no setting. */
export interface OwnFlag {
  readonly about: string;
  /** The word in capitals that stands for its value; a switch takes none. */
  readonly takes?: string;
  /** The only values that it takes. */
  readonly values?: readonly string[];
}

/** What a command, or one of its actions, takes and does. */
export interface Usage {
  /** What it does, in one line of the list of commands. */
  readonly does: string;
  /** What else to know before it is used, in a sentence or two. */
  readonly more?: string;
  readonly positionals?: readonly Positional[];
  /** Its flags besides the settings, which every command takes, by their names. */
  readonly flags?: Readonly<Record<string, OwnFlag>>;
  /** The settings that matter to it. */
  readonly settings?: readonly SettingName[];
  /** Command lines that can be typed, without the name of the program. */
  readonly examples: readonly string[];
  /** When it leaves with 1, where that is not plain. */
  readonly failsWhen?: string;
}

/** A command of the command line, as the table of commands declares it: by itself, or with actions that its first word chooses. */
export type Entry = { load(): Promise<Command> } & (
  | (Usage & { readonly actions?: never })
  | { readonly does: string; readonly actions: Readonly<Record<string, Usage>> }
);

/** The flags of a command and its actions, as a line is read by them: a name, and `=` after it when it takes a value. */
export const flagForms = (entry: Entry): string[] => {
  const usages = entry.actions ? Object.values(entry.actions) : [entry];
  const forms = usages.flatMap(({ flags = {} }) =>
    Object.entries(flags).map(([name, { takes }]) => (takes === undefined ? name : `${name}=`)),
  );
  return [...new Set(forms)];
};

/**
 * The value of a command's own flag in its words, in which each is one word, `--name=VALUE`.
 * @returns The last one; undefined where the flag is not there.
 */
export const flagValue = (words: readonly string[], flag: string): string | undefined =>
  words.findLast((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));
export const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** So many of something, with its plural. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Says in two lines what failed and why, and what to do next. */
export const logFailure = ({ message, detail }: Failure): void =>
  log(`edgewise: ${message}${detail.why ? ` ${detail.why}` : ""}\n${detail.next}`);

/**
 * Refuses what cannot be used as it was typed or configured.
 * @param what What is wrong, as a sentence.
 * @param next What to do about it.
 * @param why What is behind it, where that is not plain.
 * @throws Failure `bad_configuration`, always.
 */
export function refuse(what: string, next: string, why?: string): never {
  throw new Failure("bad_configuration", what, why === undefined ? { next } : { why, next });
}

/** Exit code for what cannot be used as it was typed or configured, so that nothing was done; as in sysexits. */
export const unusable = 78;

/**
 * The exit code for a failure. Arguments that Edgewise itself refused are part of the line that was typed, and so is the
 * name of a tool; an answer of the upstream is not, whatever it says.
 */
export const exitCodeOf = ({ code, detail }: Failure): number =>
  ["bad_configuration", "invalid_input", "unknown_tool"].includes(code) && detail.status === undefined ? unusable : 1;

export const outputs = ["table", "json", "csv", "ndjson"] as const;
/** How much of a preview a terminal shows at once: what has room and every change, or all of it. */
export const previews = ["short", "full"] as const;

const mostWords = 8;

/** The search that a name stands for, as a command line. */
export const searchFor = (name: string): string =>
  `\`edgewise search ${(name.match(/[A-Za-z0-9]+/g) ?? ["WORDS"]).slice(0, mostWords).join(" ")}\``;
