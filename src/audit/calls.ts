/** The recorded calls of a directory, one for each call: an intent and its outcome are one. */
import { join } from "node:path";
import { auditFiles, linesOf } from "./files.js";
import { type Entry, readLine } from "./line.js";

/** A recorded call, as the last line about it tells. */
export interface RecordedCall {
  readonly time: string;
  readonly tool: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether it was to be sent and no line says what became of it. */
  readonly isUnfinished: boolean;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The process that wrote a file, by the name of its first file. */
function processOf(file: string, { members }: Entry, firstOf: Map<string, string>): string {
  const { continues } = members;
  const before = (continues as { readonly file?: unknown } | undefined)?.file;
  const first = (typeof before === "string" && firstOf.get(before)) || file;
  firstOf.set(file, first);
  return first;
}

/**
 * Reads the calls of a directory that a filter keeps, in the order of their times, and counts the lines that cannot be
 * read. What the filter keeps is held in memory, to be sorted: the files of several processes overlap in time.
 */
export async function readCalls(
  dir: string,
  isKept: (call: RecordedCall) => boolean,
): Promise<{ readonly calls: readonly RecordedCall[]; readonly unreadable: number }> {
  const calls: RecordedCall[] = [];
  const pending = new Map<string, RecordedCall>();
  const firstOf = new Map<string, string>();
  let unreadable = 0;
  const keep = (call: RecordedCall) => {
    if (isKept(call)) calls.push(call);
  };
  for (const file of await auditFiles(dir)) {
    let process = file;
    for await (const { text, isComplete } of linesOf(join(dir, file))) {
      const entry = readLine(text);
      if (!entry?.isIntact) {
        if (isComplete) unreadable += 1;
        continue;
      }
      const { event, members, time, seq } = entry;
      if (event === "opened") process = processOf(file, entry, firstOf);
      if (event === "opened" || event === "rotated" || event === "closed") continue;
      const call = { time, tool: textOf(members["tool"]), members, isUnfinished: event === "intent" };
      if (event === "intent") {
        pending.set(`${process} ${seq}`, call);
        continue;
      }
      if (event === "outcome") pending.delete(`${process} ${members["of"]}`);
      keep(call);
    }
  }
  for (const call of pending.values()) keep(call);
  return { calls: calls.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)), unreadable };
}
