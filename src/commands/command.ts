/** What a command is, and the two places where it may write: results on stdout, everything else on stderr. */
import type { Failure } from "../api/failure.js";
import type { Config } from "../config.js";

/** Runs until its work is done and returns the exit code; a stdio server returns at once, and its handles keep the process alive. */
export type Command = (config: Config, words: readonly string[]) => Promise<number>;

/** A command of the command line, as the table of commands declares it. */
export interface Entry {
  load(): Promise<Command>;
  /** How many positional arguments it takes; none when left out. */
  readonly maxPositionals?: number;
  /** Its flags besides the settings, which every command takes; one that ends in `=` takes a value. */
  readonly flags?: readonly string[];
  /** The only values that a flag of its own takes, by its name, for completion. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /**
   * What its positional arguments are, for completion: one of some words, a tool, the tool's arguments, the address of a
   * resource, or a client that can be set up.
   */
  readonly words?: readonly (readonly string[] | "tool" | "arguments" | "address" | "client")[];
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** Says in two lines what failed and why, and what to do next. */
export const logFailure = ({ message, detail }: Failure): void =>
  log(`edgewise: ${message}${detail.why ? ` ${detail.why}` : ""}\n${detail.next}`);
