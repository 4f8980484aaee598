/** The rows of a response that is too long for memory: private CSV files, and their summary. */
import { mkdtempSync, rmSync } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../language/failure.js";
import { fileAccessOf, type ProcessUser, processUser } from "../system/file-access.js";
import { dayMs } from "../time/durations.js";
import type { ColumnType } from "./cell-type.js";

/** The summary of a CSV column. */
export interface ColumnFigures {
  readonly type: ColumnType;
  /** How many rows have a number. */
  readonly numbers: number;
  /** The sum of its numbers, exact if all are integers, and otherwise without binary rounding noise. */
  readonly sum: string;
  /** The indexes of the first rows with its largest and its smallest number; -1 if it has no number. */
  readonly mostRow: number;
  readonly leastRow: number;
}

/** Where a row begins in a file. */
export interface RowPlace {
  readonly row: number;
  readonly offset: number;
}

/** The metadata of a row file. */
export interface RowFileContent {
  /** The columns with the names of the header. */
  readonly columns: readonly (ColumnFigures & { readonly name: string })[];
  /** The number of rows. */
  readonly count: number;
  readonly bytes: number;
  /** The offsets of some rows, in order. */
  readonly places: readonly RowPlace[];
  /** The path of the rows in the response. */
  readonly at: string;
  /** The response, with an empty list in place of the rows. */
  readonly value: unknown;
}

/**
 * Rows in a file: CSV without a header, in which every row has as many cells as there are columns and ends in a line
 * feed. It does not contain the process's own secrets, and its invisible characters are marks, so that other programs
 * may read it.
 */
export class RowFile implements RowFileContent {
  readonly columns: RowFileContent["columns"];
  readonly count: number;
  readonly bytes: number;
  readonly places: readonly RowPlace[];
  readonly at: string;
  readonly value: unknown;

  /** @param drop Removes the file; its metadata stays. */
  constructor(
    readonly path: string,
    { columns, count, bytes, places, at, value }: RowFileContent,
    readonly drop: () => void,
  ) {
    this.columns = columns;
    this.count = count;
    this.bytes = bytes;
    this.places = places;
    this.at = at;
    this.value = value;
  }
}

interface RowFileWriter {
  /** @throws Failure if the disk has no room for it. */
  write(rows: Uint8Array): Promise<void>;
  /** Ends the writing; the file then has the rows. */
  finish(content: Omit<RowFileContent, "bytes">): Promise<RowFile>;
  /** Ends the writing and removes the file. */
  readonly discard: () => Promise<void>;
}

/** Removes secrets from bytes, chunk by chunk. */
export interface ByteFilter {
  push(part: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** The destination of the rows of long responses. */
export interface RowFiles {
  /** The maximum size of a body that is written to a file. */
  readonly maxBytes: number;
  /** @throws Failure if no file can be created. */
  create(): Promise<RowFileWriter>;
  /** The filter of every body on its way to a file. */
  filter(): ByteFilter;
}

/** The tables for finding secrets with the Wu-Manber algorithm, which skips bytes that cannot end a prefix. */
interface SecretIndex {
  /** The compared prefix of each form: as long as the shortest form. */
  readonly length: number;
  readonly longest: number;
  /** For each pair of bytes, how far the search can advance. */
  readonly skips: Uint8Array;
  /** The forms by the last two bytes of their prefixes. */
  readonly forms: ReadonlyMap<number, readonly Buffer[]>;
}

const pairAt = (bytes: Uint8Array, at: number): number => ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0);

function indexOf(texts: readonly string[]): SecretIndex {
  const all = texts.map((text) => Buffer.from(text));
  const length = Math.min(...all.map((form) => form.length), 255);
  const skips = new Uint8Array(65_536).fill(length - 1);
  const forms = new Map<number, Buffer[]>();
  for (const form of all) {
    for (let at = 1; at < length; at += 1) {
      const pair = pairAt(form, at);
      skips[pair] = Math.min(skips[pair] ?? 0, length - 1 - at);
    }
    const last = pairAt(form, length - 1);
    forms.set(last, [...(forms.get(last) ?? []), form]);
  }
  return { length, longest: Math.max(...all.map((form) => form.length)), skips, forms };
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Adds the position of a form at the given bytes. */
function addPlace(found: ByteRange[], bytes: Buffer, start: number, form: Buffer): void {
  const end = start + form.length;
  if (end > bytes.length || bytes.compare(form, 0, form.length, start, end) !== 0) return;
  const last = found.at(-1);
  if (last && start < last.end) found[found.length - 1] = { start: last.start, end: Math.max(end, last.end) };
  else found.push({ start, end });
}

/** The positions of forms in bytes, in order; overlapping ones are merged. */
function placesIn(bytes: Buffer, { length, skips, forms }: SecretIndex): ByteRange[] {
  const ranges: ByteRange[] = [];
  for (let at = length - 1; at < bytes.length; ) {
    const pair = pairAt(bytes, at);
    const skip = skips[pair] ?? 0;
    at += skip || 1;
    if (skip > 0) continue;
    for (const form of forms.get(pair) ?? []) addPlace(ranges, bytes, at - length, form);
  }
  return ranges;
}

const mark = Buffer.from("[secret]");
const noBytes = Buffer.alloc(0);

/**
 * Creates filters that replace each form of a secret by a mark.
 * @param texts The forms, from `secretForms`; each has at least eight characters.
 */
export function secretFilters(texts: readonly string[]): () => ByteFilter {
  if (texts.length === 0) return () => ({ push: (part) => part, end: () => noBytes });
  const index = indexOf(texts);
  return () => {
    let rest: Buffer = noBytes;
    /** The bytes in which no incomplete form can begin, without complete forms. */
    const pass = (bytes: Buffer, isLast: boolean): Uint8Array => {
      const sure = isLast ? bytes.length : Math.max(0, bytes.length - index.longest + 1);
      const places = placesIn(bytes, index).filter(({ start }) => start < sure);
      // Another form may overlap the one that ends later, so both wait.
      const end = places.find((place) => place.end > sure)?.start ?? sure;
      rest = bytes.subarray(end);
      const whole = places.filter((place) => place.end <= end);
      if (whole.length === 0) return bytes.subarray(0, end);
      const pieces: Buffer[] = [];
      let from = 0;
      for (const place of whole) {
        pieces.push(bytes.subarray(from, place.start), mark);
        from = place.end;
      }
      return Buffer.concat([...pieces, bytes.subarray(from, end)]);
    };
    return {
      push: (part) => pass(rest.length === 0 ? Buffer.from(part) : Buffer.concat([rest, part]), false),
      end: () => pass(rest, true),
    };
  };
}

export interface RowFilesOptions {
  /** The maximum size of a body. */
  readonly maxBytes: number;
  /** The encoded forms of the process's own secrets, which can change. */
  readonly secrets: readonly string[];
  /** The parent of the directory. */
  readonly parent?: string;
  readonly user?: ProcessUser;
}

/** The prefix of the directories' names for one user, whose number may have no name in a container. */
const prefixOf = ({ uid }: ProcessUser): string => `edgewise-rows-${uid ?? "own"}-`;
// No result is stored for this long, so its owner is gone.
const abandonedMs = dayMs;

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

const noRoom = (): Failure =>
  new Failure("failed", "The rows of the result could not be written to a temporary file.", {
    why: "A long CSV result goes to a file in the directory for temporary files, which is not writable or full.",
    next: "Ask for less (a shorter period, fewer objects), or have the operator make room there.",
  });

const orNoRoom = <T>(write: Promise<T>): Promise<T> =>
  write.catch(() => {
    throw noRoom();
  });

/** Removes the files of killed processes. */
async function removeAbandoned(parent: string, user: ProcessUser): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const known = name.startsWith(prefixOf(user)) ? await stat(path).catch(() => undefined) : undefined;
    // Windows has a temporary directory per user, so all of its content is this user's.
    const isOwn = known && (fileAccessOf(known, user)?.owner ?? "self") === "self";
    if (isOwn && Date.now() - known.mtimeMs > abandonedMs) remove(path);
  }
}

/** Creates the files of a process; the directory is created with the first one. */
export function createRowFiles({
  maxBytes,
  secrets,
  parent = tmpdir(),
  user = processUser(),
}: RowFilesOptions): RowFiles & {
  /** Removes all files. */
  close(): void;
} {
  let filters: { readonly of: readonly string[]; readonly make: ReturnType<typeof secretFilters> } | undefined;
  let directoryPath: string | undefined;
  let count = 0;
  const close = (): void => {
    if (directoryPath !== undefined) remove(directoryPath);
    directoryPath = undefined;
    process.off("exit", close);
  };
  const directory = async (): Promise<string> => {
    if (directoryPath !== undefined) return directoryPath;
    // Other users can neither list it nor read files in it (mode 0700).
    directoryPath = mkdtempSync(join(parent, prefixOf(user)));
    process.once("exit", close);
    await removeAbandoned(parent, user).catch(() => undefined);
    return directoryPath;
  };
  // An unreachable file is removed as well, such as that of a call that failed after its response arrived.
  const unreachable = new FinalizationRegistry<string>(remove);
  return {
    maxBytes,
    filter() {
      const isSame = filters?.of.length === secrets.length && filters.of.every((form, at) => form === secrets[at]);
      if (!filters || !isSame) filters = { of: [...secrets], make: secretFilters(secrets) };
      return filters.make();
    },
    async create() {
      count += 1;
      const path = join(await orNoRoom(directory()), `${count}.csv`);
      const file: FileHandle = await orNoRoom(open(path, "wx", 0o600));
      let bytes = 0;
      const discard = async (): Promise<void> => {
        await file.close().catch(() => undefined);
        remove(path);
      };
      return {
        async write(rows) {
          if (rows.length === 0) return;
          const { bytesWritten } = await orNoRoom(file.write(rows));
          bytes += bytesWritten;
          if (bytesWritten < rows.length) throw noRoom();
        },
        async finish(content) {
          await orNoRoom(file.close());
          const rows = new RowFile(path, { ...content, bytes }, () => remove(path));
          unreachable.register(rows, path);
          return rows;
        },
        discard,
      };
    },
    close,
  };
}
