/** What a command is, and the two places where it may write: results on stdout, everything else on stderr. */
import type { Config } from "../config.js";

/** Runs until its work is done and returns the exit code; a stdio server returns at once, and its handles keep the process alive. */
export type Command = (config: Config, words: readonly string[]) => Promise<number>;

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const log = (text: string): void => void process.stderr.write(`${text}\n`);
