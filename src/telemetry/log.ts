/** What is written to the log, which is never where protocol messages are written. */

type Level = "info" | "warn" | "error";

/** Facts of an entry for programs that read the log: never an argument, and nothing that a client chose freely. */
type LogFields = Readonly<Record<string, string | number | undefined>>;

/** Writes an entry to the log; `info` by default. */
export type Log = (message: string, level?: Level, fields?: LogFields) => void;
