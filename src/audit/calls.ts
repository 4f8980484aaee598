/** The recorded calls of a log: the intent and the outcome of a call are combined. */
import { type AuditEntry, type AuditSource, readEntry } from "./files.js";

/** A recorded call, according to its last line. */
export interface RecordedCall {
  readonly time: string;
  readonly tool: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether it was to be sent and no line has its outcome. */
  readonly isUnfinished: boolean;
  /** Its depth within other calls of the same listing. */
  readonly depth: number;
}

type FoundCall = Omit<RecordedCall, "depth">;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The process that wrote a file, identified by the name of its first file. */
function processOf(file: string, { members }: AuditEntry, firstOf: Map<string, string>): string {
  const { continues } = members;
  const before = (continues as { readonly file?: unknown } | undefined)?.file;
  const first = (typeof before === "string" && firstOf.get(before)) || file;
  firstOf.set(file, first);
  return first;
}

/** Calls in order of their times, each followed by its inner calls. */
function inTree(calls: readonly FoundCall[]): RecordedCall[] {
  const sorted = calls.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  const known = new Set(sorted.map(({ members }) => members["call"]));
  const within = new Map<unknown, FoundCall[]>();
  const first: FoundCall[] = [];
  for (const record of sorted) {
    const { call, parent } = record.members;
    if (parent === undefined || parent === call || !known.has(parent)) first.push(record);
    else within.set(parent, [...(within.get(parent) ?? []), record]);
  }
  const tree: RecordedCall[] = [];
  const add = (record: FoundCall, depth: number): void => {
    tree.push({ ...record, depth });
    const { call } = record.members;
    const inner = call === undefined ? [] : (within.get(call) ?? []);
    within.delete(call);
    for (const child of inner) add(child, depth + 1);
  };
  for (const record of first) add(record, 0);
  // No process writes cyclic calls, but a file can contain anything.
  for (const record of [...within.values()].flat()) tree.push({ ...record, depth: 0 });
  return tree;
}

/**
 * Reads the calls of a log that a filter accepts, in order of their times and each followed by its inner calls,
 * and counts unreadable lines. Accepted calls are held in memory to be sorted, because the files of several processes
 * overlap in time.
 */
export async function readCalls(
  source: AuditSource,
  isKept: (call: FoundCall) => boolean,
): Promise<{ readonly calls: readonly RecordedCall[]; readonly unreadable: number }> {
  const firstOf = new Map<string, string>();
  const calls: FoundCall[] = [];
  // An intent and its outcome are one call.
  const pending = new Map<string, FoundCall>();
  let unreadable = 0;
  const take = ({ event, members, time, seq }: AuditEntry, process: string): void => {
    if (event === "opened" || event === "rotated" || event === "closed") return;
    const call = { time, tool: textOf(members["tool"]), members, isUnfinished: event === "intent" };
    if (event === "intent") return void pending.set(`${process} ${seq}`, call);
    if (event === "outcome") pending.delete(`${process} ${members["of"]}`);
    if (isKept(call)) calls.push(call);
  };
  for (const file of await source.files()) {
    let process = file;
    for await (const { text, isComplete } of source.lines(file)) {
      const entry = readEntry(text);
      if (entry?.isIntact) {
        if (entry.event === "opened") process = processOf(file, entry, firstOf);
        take(entry, process);
      } else if (isComplete) unreadable += 1;
    }
  }
  return { calls: inTree([...calls, ...[...pending.values()].filter(isKept)]), unreadable };
}
