/**
 * The definition of commands, their output formats, and their two streams: results on stdout, everything else on
 * stderr. This folder hides what is peculiar to a shell: flags, tables, questions at a terminal, lines to paste. A command
 * exits with 0, with 1 if it failed, or with 78 if its line or its configuration is invalid and nothing was done.
 */
import type { Config, SettingName } from "../config.js";
import { Failure } from "../language/failure.js";
import type { Log } from "../telemetry/log.js";

/**
 * Runs to completion and returns the exit code; a stdio server returns immediately, and its handles keep the process
 * alive.
 * @param words The line's words without its flags.
 * @param flags Its own flags, each in one word with its value.
 * @param toolWords The words that belong to the tool of `edgewise call`.
 */
export type Command = (
  config: Config,
  words: readonly string[],
  flags: readonly string[],
  toolWords?: readonly string[],
) => Promise<number>;

/** A positional argument of a command. */
export interface Positional {
  /** Its placeholder in capitals in a usage line. */
  readonly name: string;
  /** What it takes. */
  readonly about: string;
  readonly isOptional?: true;
  /** Whether it takes all remaining words. */
  readonly isRepeated?: true;
  /**
   * Its kind, for completion: a closed set of words, a tool, the URI of a resource, a client for setup, or the
   * arguments of the preceding tool, which `edgewise call` parses itself.
   */
  readonly kind?: readonly string[] | "tool" | "arguments" | "address" | "client";
}

/** A flag that is not a setting. */
export interface CommandFlag {
  readonly about: string;
  /** The placeholder in capitals for its value; a switch has none. */
  readonly takes?: string;
  /** The closed set of its values. */
  readonly values?: readonly string[];
}

/** The usage of a command or action. */
export interface Usage {
  /** Its description in the list of commands, one line. */
  readonly does: string;
  /** Further information, in a sentence or two. */
  readonly more?: string;
  readonly positionals?: readonly Positional[];
  /** Its flags by name, in addition to the settings, which every command takes. */
  readonly flags?: Readonly<Record<string, CommandFlag>>;
  /** The settings that are most relevant. */
  readonly settings?: readonly SettingName[];
  /** Example command lines, without the name of the program. */
  readonly examples: readonly string[];
  /** When it exits with 1, if that is not obvious. */
  readonly failsWhen?: string;
}

/** A command, as the table of commands declares it: with or without actions, which its first word chooses. */
export type CommandEntry = { load(): Promise<Command> } & (
  | (Usage & { readonly actions?: never })
  | { readonly does: string; readonly actions: Readonly<Record<string, Usage>> }
);

/** A flag for parsing: its name, followed by `=` if it takes a value. */
export const flagForm = ([name, { takes }]: readonly [string, CommandFlag]): string =>
  takes === undefined ? name : `${name}=`;

/** The flags of a command and its actions for parsing. */
export const flagForms = (entry: CommandEntry): string[] => {
  const usages = entry.actions ? Object.values(entry.actions) : [entry];
  return [...new Set(usages.flatMap(({ flags = {} }) => Object.entries(flags).map(flagForm)))];
};

/**
 * The value of a command's own flag, which is a single word `--name=VALUE`.
 * @returns The last one; undefined if the flag is absent.
 */
export const flagValue = (words: readonly string[], flag: string): string | undefined =>
  words.findLast((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);

/**
 * The value of a flag that takes one of several.
 * @returns undefined if the flag is absent.
 * @throws Failure `bad_configuration` for another value.
 */
export function choiceIn<T extends string>(
  words: readonly string[],
  flag: string,
  choices: readonly T[],
): T | undefined {
  const given = flagValue(words, flag);
  const found = choices.find((one) => one === given);
  if (given === undefined || found !== undefined) return found;
  refuse(
    `${flag} takes ${choices.join(choices.length === 2 ? " or " : ", ")}, not ${JSON.stringify(given)}.`,
    "Write it as one of them, or leave it out.",
  );
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

let isJson = false;
/** Sets the form of the log, which is that of the whole process. */
export const logAs = (form: Config["values"]["log"]): void => {
  isJson = form === "json";
};

/** An entry as one line of JSON, for programs that collect logs. */
const jsonLine: (...entry: Parameters<Log>) => string = (message, level = "info", fields = {}) =>
  JSON.stringify({ time: new Date().toISOString(), level, message: message.replace(/^edgewise: /, ""), ...fields });

export const log: Log = (...entry) => void process.stderr.write(`${isJson ? jsonLine(...entry) : entry[0]}\n`);

/** A failure as a person at a shell reads it. */
export const failureAtShell = ({ code, message, detail: { atShell, ...detail } }: Failure): Failure =>
  new Failure(code, message, { ...detail, ...atShell });

/** Reports in two lines what failed and why, and what to do next. */
export function logFailure(failure: Failure): void {
  const { message, detail } = failureAtShell(failure);
  log(`edgewise: ${message}${detail.why ? ` ${detail.why}` : ""}\n${detail.next}`, "error");
}

/**
 * Refuses invalid input or configuration.
 * @param what The problem, as a sentence.
 * @param next What to do about it.
 * @param why The reason, if it is not obvious.
 * @throws Failure `bad_configuration`, always.
 */
export function refuse(what: string, next: string, why?: string): never {
  throw new Failure("bad_configuration", what, why === undefined ? { next } : { why, next });
}

/** The exit code for invalid input or configuration, so that nothing was done; as in sysexits. */
export const misuseExitCode = 78;

/**
 * The exit code for a failure. Arguments that Edgewise refused are part of the typed line, and so is the name of a
 * tool; an upstream's response is not.
 */
export const exitCodeOf = ({ code, detail }: Failure): number =>
  ["bad_configuration", "invalid_input", "unknown_tool"].includes(code) && detail.status === undefined
    ? misuseExitCode
    : 1;

export const outputs = ["table", "json", "csv", "ndjson"] as const;
/** How much of a preview a terminal shows at once: every change and what fits, or all of it. */
export const previews = ["short", "full"] as const;

export const preview: CommandFlag = {
  takes: "FORM",
  values: previews,
  about:
    "How much of a preview is shown at once: short, the default, shows every change and what else fits; full shows all of it.",
};
/** The flags for the form of a result, and its file. */
export const resultFlags: Readonly<Record<string, CommandFlag>> = {
  "--output": {
    takes: "FORM",
    values: outputs,
    about: `The output format: ${outputs.join(", ")}. The default is a table at a terminal, else JSON.`,
  },
  "--json": { about: "The same as --output json." },
  "--quiet": { about: "Write only the result, and on stderr only failures, previews and questions." },
  "--to": { takes: "FILE", about: "Write the result to a file; its extension determines the format." },
  "--list": { takes: "NAME", about: "The list of the result of which CSV or NDJSON has the rows; a note names them." },
};
/** The ticket of a call, for a policy that asks for one. */
export const ticketFlag: CommandFlag = {
  takes: "ID",
  about: "The ticket of the change, if the policy asks for one; it is on record with the call.",
};
/** The flags of `edgewise call`. */
export const callFlags: Readonly<Record<string, CommandFlag>> = {
  ...resultFlags,
  "--preview": preview,
  "--ticket": ticketFlag,
};

const mostWords = 8;

/** The search for a name, as a command line. */
export const searchFor = (name: string): string =>
  `\`edgewise search ${(name.match(/[A-Za-z0-9]+/g) ?? ["WORDS"]).slice(0, mostWords).join(" ")}\``;
