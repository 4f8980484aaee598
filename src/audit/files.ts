/**
 * The files of an audit directory: the chained lines of each, the names of the files, and the last line of each without
 * reading the rest.
 */
import { hash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, open, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, listAt } from "../language/member.js";
import { fileAccessOf, makeDirectory, type ProcessUser } from "../system/file-access.js";
import { parsedJson } from "../text/parsed-json.js";

/** The last line of a chain, which the next one continues. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** The head of a chain without lines. */
export const emptyChainHead: ChainHead = { seq: 0, hash: "" };

/** A parsed line. */
export interface AuditEntry extends ChainHead {
  readonly time: string;
  readonly event: string;
  readonly prev: string;
  /** All members of the line, as they were written. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether the line's hash is the hash of its bytes. */
  readonly isIntact: boolean;
}

const ending = /,"hash":"([0-9a-f]{64})"\}$/;

/** Parses a line; undefined if it is not an audit line. */
export function readEntry(text: string): AuditEntry | undefined {
  const [end, lineHash = ""] = ending.exec(text) ?? [];
  if (end === undefined) return undefined;
  const members = parsedJson(text);
  if (!isRecord(members)) return undefined;
  const { seq, time, event, prev } = members;
  const isEntry =
    Number.isSafeInteger(seq) && typeof time === "string" && typeof event === "string" && typeof prev === "string";
  if (!isEntry) return undefined;
  // Read as Latin-1, each byte is a character, so that the hash covers the bytes whatever was inserted.
  const body = Buffer.from(`${text.slice(0, -end.length)}}`, "latin1");
  return {
    seq: seq as number,
    hash: lineHash,
    time,
    event,
    prev,
    members,
    isIntact: hash("sha256", body) === lineHash,
  };
}

const fileName = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-\d+-[0-9a-f]{12}\.jsonl$/;

/** The name of a new file; names sort by the time when the files were started. */
export const newName = (atMs: number): string =>
  `${new Date(atMs).toISOString().replace(/[-:.]/g, "")}-${process.pid}-${randomBytes(6).toString("hex")}.jsonl`;

function begunAtMs(name: string): number {
  const [, year, month, day, hour, minute, second, ms] = fileName.exec(name) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}

/** Whether a text can be the name of a file of lines, or of the chain of an instance. */
export const isAuditFile = (name: string): boolean => fileName.test(name) || /^[0-9a-f]{12}$/.test(name);

/** The names of the audit files of a directory, oldest first; none if the directory does not exist. */
async function auditFiles(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => fileName.test(name)).sort();
}

/** Why a directory cannot contain audit lines, in our own words. */
export class UnusableDirectory extends Error {}

/** Creates the directory of the audit files, and rejects one in which other users could change them. */
export async function makeAuditDirectory(dir: string, user: ProcessUser): Promise<void> {
  try {
    makeDirectory(dir, 0o700);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw isMissing ? new UnusableDirectory("the system does not allow a directory there") : error;
  }
  const found = await lstat(dir);
  if (!found.isDirectory()) throw new UnusableDirectory("it is a link");
  const access = fileAccessOf(found, user);
  if (access === undefined) return;
  if (access.owner !== "self") throw new UnusableDirectory("it belongs to another user");
  if (access.canWrite) throw new UnusableDirectory("other users can write to it");
}

// The lines of calls have at most a few thousand bytes; the first line of a file grows with the files that it names.
const maxLineBytes = 16 * 1024 * 1024;

/** A line of a file, one character per byte, without its line feed. */
interface StoredLine {
  readonly number: number;
  readonly text: string;
  /** Whether a line feed ended it. */
  readonly isComplete: boolean;
}

/** The lines of a file, one at a time; reading stops at a line that is longer than any written one, as incomplete. */
async function* linesOf(path: string): AsyncGenerator<StoredLine> {
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

/** Where chains of lines are stored, each under the name of its file. */
export interface AuditSource {
  /** Oldest first. */
  files(): Promise<string[]>;
  lines(file: string): AsyncIterable<StoredLine>;
  /** The last lines that were removed because they were kept for long enough, at most one of each file. */
  retired(): Promise<readonly NamedHead[]>;
}

/** The chains in a directory of audit files. */
export const directorySource = (dir: string): AuditSource => ({
  files: () => auditFiles(dir),
  lines: (file) => linesOf(join(dir, file)),
  retired: async () => [...(await retiredIn(dir)).values()],
});

/** Whether a value names a line of a file. */
export const isNamedHead = (value: unknown): value is NamedHead & Record<string, unknown> =>
  isRecord(value) &&
  typeof value["file"] === "string" &&
  typeof value["hash"] === "string" &&
  Number.isSafeInteger(value["seq"]);

/** The lines of other files that the first line of a file names. */
export function headsNamedBy({ event, members }: AuditEntry): NamedHead[] {
  return event === "opened" ? [...listAt(members, "heads"), members["continues"]].filter(isNamedHead) : [];
}

/** The first line of a file, if it is intact. */
async function firstOf(dir: string, file: string): Promise<AuditEntry | undefined> {
  for await (const { text } of linesOf(join(dir, file))) {
    const entry = readEntry(text);
    return entry?.isIntact ? entry : undefined;
  }
  return undefined;
}

/** The last lines of files that were removed, as the first lines of those that are left have them on record. */
async function retiredIn(dir: string): Promise<Map<string, NamedHead>> {
  const retired = new Map<string, NamedHead>();
  for (const file of await auditFiles(dir)) {
    const named = listAt((await firstOf(dir, file))?.members, "retired").filter(isNamedHead);
    for (const { file: gone, seq, hash } of named) retired.set(gone, { file: gone, seq, hash });
  }
  return retired;
}

/** Whether the process that wrote a file has ended, as far as its pid shows. */
function hasEnded(file: string, last: AuditEntry | undefined): boolean {
  if (last?.event === "closed" || last?.event === "rotated") return true;
  try {
    process.kill(Number(/Z-(\d+)-/.exec(file)?.[1]), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/**
 * Removes the files of ended processes that were last written before a time.
 * @returns the last lines of all files that were ever removed and are still named by others, for the first line of a
 * new file.
 */
export async function retireFiles(dir: string, beforeMs: number): Promise<readonly NamedHead[]> {
  const retired = await retiredIn(dir);
  for (const file of await auditFiles(dir)) {
    const found = await stat(join(dir, file)).catch(() => undefined);
    if (found === undefined || found.mtimeMs >= beforeMs) continue;
    const head = await headOf(dir, file);
    if (head === undefined || !hasEnded(file, head.entry)) continue;
    await unlink(join(dir, file));
    retired.set(file, { file, seq: head.seq, hash: head.hash });
  }
  const named = new Set<string>();
  for (const file of await auditFiles(dir)) {
    const first = await firstOf(dir, file);
    for (const one of first ? headsNamedBy(first) : []) named.add(one.file);
  }
  return [...retired.values()].filter(({ file }) => named.has(file));
}

/** A line of a named file, as another file names it. */
export interface NamedHead extends ChainHead {
  readonly file: string;
}

/** The last complete line of a file; undefined if it has none, or none that can be read. */
async function headOf(dir: string, file: string): Promise<(NamedHead & { readonly entry: AuditEntry }) | undefined> {
  const handle = await open(join(dir, file), "r").catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    // Named lines must not be lost in a power failure, because the loss would look like tampering.
    await handle.datasync().catch(() => undefined);
    const { size } = await handle.stat();
    for (let window = 4096; ; window *= 8) {
      const bytes = Buffer.alloc(Math.min(window, size));
      await handle.read(bytes, 0, bytes.length, size - bytes.length);
      const end = bytes.lastIndexOf(10);
      const before = end <= 0 ? -1 : bytes.lastIndexOf(10, end - 1);
      if (before === -1 && bytes.length < size && window < maxLineBytes) continue;
      const entry = end <= 0 ? undefined : readEntry(bytes.toString("latin1", before + 1, end));
      return entry?.isIntact ? { file, seq: entry.seq, hash: entry.hash, entry } : undefined;
    }
  } finally {
    await handle.close();
  }
}

/** The maximum difference between the clocks of a file system and the process. */
const clockToleranceMs = 5_000;

/**
 * The heads that a new file has to name so that each line written so far is named by some file. The newest file names
 * those written before it was started, so only later ones have to be read: the cost is that of a directory listing.
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
    heads.push({ file, seq: head.seq, hash: head.hash });
    // If the clock was set back, the newest name does not tell what its file could see.
    if (heads.length === 1 && begunAtMs(file) <= nowMs) coveredUntilMs = begunAtMs(file) - clockToleranceMs;
  }
  return heads;
}
