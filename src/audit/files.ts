/** The files of an audit directory: their names, their lines, and the last line of each without reading the rest. */
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { accessTo, makeDirectory, type ProcessUser } from "../system/file-access.js";
import { type Head, readLine } from "./line.js";

const fileName = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-\d+-[0-9a-f]{12}\.jsonl$/;

/** The name of a new file; names sort by the time at which their files were begun. */
export const newName = (atMs: number): string =>
  `${new Date(atMs).toISOString().replace(/[-:.]/g, "")}-${process.pid}-${randomBytes(6).toString("hex")}.jsonl`;

function begunAtMs(name: string): number {
  const [, year, month, day, hour, minute, second, ms] = fileName.exec(name) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}

export const isAuditFile = (name: string): boolean => fileName.test(name);

/** The names of the audit files of a directory, oldest first; none where the directory is not there. */
export async function auditFiles(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter(isAuditFile).sort();
}

/** Why a directory cannot hold audit lines, in words that are ours. */
export class UnusableDirectory extends Error {}

/** Makes the directory of the audit files, and refuses one in which somebody else could change them. */
export async function makeAuditDirectory(dir: string, user: ProcessUser): Promise<void> {
  try {
    makeDirectory(dir, 0o700);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw isMissing ? new UnusableDirectory("the system makes no directory there") : error;
  }
  const found = await lstat(dir);
  if (!found.isDirectory()) throw new UnusableDirectory("it is a link");
  const access = accessTo(found, user);
  if (access === undefined) return;
  if (access.owner !== "self") throw new UnusableDirectory("it belongs to another user");
  if (access.canWrite) throw new UnusableDirectory("other users can write to it");
}

// No line of a call is longer than a few thousand bytes; the first line of a file grows with the files that it names.
const maxLineBytes = 16 * 1024 * 1024;

/** A line of a file, one character a byte, without its line feed. */
export interface Line {
  readonly number: number;
  readonly text: string;
  /** Whether a line feed ended it. */
  readonly isComplete: boolean;
}

/** The lines of a file, one at a time; a line longer than any that is written ends the reading, as incomplete. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  let number = 1;
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "latin1" }) as AsyncIterable<string>) {
    const text = rest + chunk;
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      yield { number, text: text.slice(from, end), isComplete: true };
      number += 1;
      from = end + 1;
    }
    rest = text.slice(from);
    if (rest.length > maxLineBytes) break;
  }
  if (rest !== "") yield { number, text: rest, isComplete: false };
}

/** A line of a named file, as another file names it. */
export interface NamedHead extends Head {
  readonly file: string;
}

/** The last complete line of a file; undefined when it has none, or none that can be read. */
async function headOf(dir: string, file: string): Promise<NamedHead | undefined> {
  const handle = await open(join(dir, file), "r").catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    // What is named must not be lost in a power failure, or the loss would look like tampering.
    await handle.datasync().catch(() => undefined);
    const { size } = await handle.stat();
    for (let window = 4096; ; window *= 8) {
      const bytes = Buffer.alloc(Math.min(window, size));
      await handle.read(bytes, 0, bytes.length, size - bytes.length);
      const end = bytes.lastIndexOf(10);
      const before = end <= 0 ? -1 : bytes.lastIndexOf(10, end - 1);
      if (before === -1 && bytes.length < size && window < maxLineBytes) continue;
      const entry = end <= 0 ? undefined : readLine(bytes.toString("latin1", before + 1, end));
      return entry?.isIntact ? { file, seq: entry.seq, hash: entry.hash } : undefined;
    }
  } finally {
    await handle.close();
  }
}

/** By how much the clock of a file system may differ from that of the process. */
const clockToleranceMs = 5_000;

/**
 * The heads that a new file has to name so that each line written so far is named by some file. The newest file names
 * what had been written before it was begun, so only what was written since is read: the cost is that of listing.
 */
export async function headsToName(dir: string, nowMs: number): Promise<NamedHead[]> {
  const newestFirst = (await auditFiles(dir)).reverse();
  // A file that is removed in the meantime has no head to name.
  const writtenAt = await Promise.all(newestFirst.map((file) => stat(join(dir, file)).catch(() => undefined)));
  const heads: NamedHead[] = [];
  let coveredUntilMs = Number.NEGATIVE_INFINITY;
  for (const [at, file] of newestFirst.entries()) {
    const head = (writtenAt[at]?.mtimeMs ?? 0) >= coveredUntilMs ? await headOf(dir, file) : undefined;
    if (head === undefined) continue;
    heads.push(head);
    // With a clock that was set back, the newest name says nothing about what its file could see.
    if (heads.length === 1 && begunAtMs(file) <= nowMs) coveredUntilMs = begunAtMs(file) - clockToleranceMs;
  }
  return heads;
}
