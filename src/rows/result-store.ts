/** Stores results, and pictures with them, for a limited time, each for the owner and the account of the call. */
import { randomBytes } from "node:crypto";
import type { Arguments } from "../language/conduct.js";
import { lazily, onceFor } from "../language/once-for.js";
import { resultTool, viewTool } from "../language/server-tools.js";
import type { RowsDeclaration } from "./index.js";
import { RowFile } from "./row-file.js";
import type { PeriodStarts } from "./view/group.js";

/** The call that reads the previous period of a result, and when both periods begin. */
export interface PreviousPeriodCall {
  readonly tool: string;
  readonly args: Arguments;
  readonly starts: PeriodStarts;
}

/** The context that is needed to find the rows of a result again. */
export interface RowContext {
  /** How its rows are found. */
  readonly shows?: RowsDeclaration | undefined;
  /** Absent if the result has no period. */
  readonly previous?: PreviousPeriodCall | undefined;
}

export interface StoredResult extends RowContext {
  readonly content: unknown;
}

export interface ResultStoreOptions {
  /**
   * Memory for the results of one owner, in bytes; a result that does not fit after evicting its oldest is not stored.
   */
  readonly maxBytesPerOwner: number;
  /** Memory for all results together, in bytes; an owner can only evict its own results. */
  readonly maxBytes: number;
  /** Disk space for the row files of one owner, and of all owners together, in bytes, with the same rules. */
  readonly maxDiskBytesPerOwner?: number;
  readonly maxDiskBytes?: number;
  readonly ttlMs: number;
  readonly now?: () => number;
}

export interface ResultStore {
  /**
   * Stores a result: its bytes, or a value that is not modified afterwards. It is stored without a copy, so its reader
   * must sanitize it like any result. A row file then belongs to the store, which drops it with the result, or if there
   * is no room for it.
   * @param handle From `newHandle`.
   * @param context What is needed to find its rows again.
   * @returns whether there is room for it.
   */
  keep(owner: string, account: string, handle: string, content: unknown, context?: RowContext): Promise<boolean>;
  /** The result with a handle; undefined if it belongs to another owner or account, has expired, or was evicted. */
  get(owner: string, account: string, handle: string): Promise<StoredResult | undefined>;
  /** Stores a value under a name instead of a handle, in place of the former one. */
  remember(owner: string, account: string, name: string, value: unknown): Promise<void>;
  /** The value with a name; undefined under the same conditions as for a handle. */
  recall(owner: string, account: string, name: string): Promise<unknown>;
}

/** A handle is only valid with its owner, and every small result has one, so it is short. */
export const newHandle = (): string => randomBytes(9).toString("base64url");

/** The stored results of one account, by owner; the members are those of `ResultStore`. */
export interface AccountResults {
  keep(owner: string, handle: string, content: unknown, context?: RowContext): Promise<boolean>;
  get(owner: string, handle: string): Promise<StoredResult | undefined>;
  remember(owner: string, name: string, value: unknown): Promise<void>;
  recall(owner: string, name: string): Promise<unknown>;
}

/** The part of a store for one account. */
export const resultsFor = (store: ResultStore, account: string): AccountResults => ({
  keep: (owner, handle, content, context) => store.keep(owner, account, handle, content, context),
  get: (owner, handle) => store.get(owner, account, handle),
  remember: (owner, name, value) => store.remember(owner, account, name, value),
  recall: (owner, name) => store.recall(owner, account, name),
});

/** Stores nothing. */
export const noResultStore: AccountResults = {
  keep: async () => false,
  get: async () => undefined,
  remember: async () => undefined,
  recall: async () => undefined,
};

/** The size of a result, in bytes. */
interface Size {
  readonly memory: number;
  readonly disk: number;
}

interface StoreEntry {
  readonly owner: string;
  readonly account: string;
  readonly result: StoredResult;
  readonly size: Size;
  readonly expiresAtMs: number;
  /** The key of its name, if it has one. */
  readonly nameKey?: string | undefined;
}

/** The size of a value without nested values: two bytes per character, and the slots and headers of V8 on 64 bits. */
function ownMemoryOf(value: unknown): number {
  if (typeof value === "string") return 32 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 16;
  if (Array.isArray(value)) return 32 + 8 * value.length;
  let size = 56;
  for (const name of Object.keys(value)) size += 24 + name.length;
  return size;
}

/**
 * An upper estimate of a value's size in memory, because objects take several times the size of their JSON. Counting
 * stops beyond `max`.
 */
function memoryOf(root: unknown, max: number): number {
  if (root instanceof Uint8Array) return root.byteLength;
  const stack: unknown[] = [root];
  let size = 0;
  while (stack.length > 0 && size <= max) {
    const value = stack.pop();
    size += ownMemoryOf(value);
    // A list whose length exceeds the limit is not walked.
    if (typeof value !== "object" || value === null || size > max) continue;
    for (const item of Array.isArray(value) ? value : Object.values(value)) stack.push(item);
  }
  return size;
}

/** The metadata of a row file is small: the offset of a row in every 64 KiB of it, and the fields around the rows. */
function sizeOf(content: unknown, max: number): Size {
  if (!(content instanceof RowFile)) return { memory: memoryOf(content, max), disk: 0 };
  const { places, value, columns, bytes } = content;
  return { memory: 64 * places.length + memoryOf([value, columns], max), disk: bytes };
}

const none: Size = { memory: 0, disk: 0 };
const plus = (a: Size, b: Size): Size => ({ memory: a.memory + b.memory, disk: a.disk + b.disk });
const minus = (a: Size, b: Size): Size => ({ memory: a.memory - b.memory, disk: a.disk - b.disk });
const isWithin = (size: Size, bounds: Size): boolean => size.memory <= bounds.memory && size.disk <= bounds.disk;

/** Creates the store of a process. */
export function createResultStore({
  maxBytesPerOwner,
  maxBytes,
  maxDiskBytesPerOwner = 0,
  maxDiskBytes = 0,
  ttlMs,
  now = Date.now,
}: ResultStoreOptions): ResultStore {
  // In order of storage, which is also the order of expiry.
  const entries = new Map<string, StoreEntry>();
  const handlesByName = new Map<string, string>();
  const sizes = new Map<string, Size>();
  const ofOwner: Size = { memory: maxBytesPerOwner, disk: maxDiskBytesPerOwner };
  const ofAll: Size = { memory: maxBytes, disk: maxDiskBytes };
  let total = none;

  const drop = (handle: string, { owner, size, result, nameKey }: StoreEntry): void => {
    entries.delete(handle);
    if (nameKey !== undefined) handlesByName.delete(nameKey);
    total = minus(total, size);
    const rest = minus(sizeKept(owner), size);
    if (rest.memory > 0) sizes.set(owner, rest);
    else sizes.delete(owner);
    if (result.content instanceof RowFile) result.content.drop();
  };
  const dropExpired = (): void => {
    const nowMs = now();
    for (const [handle, entry] of entries) {
      if (entry.expiresAtMs > nowMs) return;
      drop(handle, entry);
    }
  };
  const sizeKept = (owner: string): Size => sizes.get(owner) ?? none;
  const hasRoom = (owner: string, size: Size): boolean =>
    isWithin(plus(sizeKept(owner), size), ofOwner) && isWithin(plus(total, size), ofAll);
  /**
   * Evicts the oldest results of an owner until there is room;
   * @returns whether there can be.
   */
  const makeRoom = (owner: string, size: Size): boolean => {
    // Other owners' results stay, so the room is the free memory plus this owner's results.
    if (!isWithin(size, ofOwner) || !isWithin(plus(minus(total, sizeKept(owner)), size), ofAll)) return false;
    for (const [handle, entry] of entries) {
      if (hasRoom(owner, size)) break;
      if (entry.owner === owner) drop(handle, entry);
    }
    return true;
  };

  const store = (handle: string, entry: Omit<StoreEntry, "size" | "expiresAtMs">): boolean => {
    dropExpired();
    const { owner, result, nameKey } = entry;
    const size = sizeOf(result.content, maxBytesPerOwner);
    if (!makeRoom(owner, size)) {
      if (result.content instanceof RowFile) result.content.drop();
      return false;
    }
    entries.set(handle, { ...entry, size, expiresAtMs: now() + ttlMs });
    if (nameKey !== undefined) handlesByName.set(nameKey, handle);
    sizes.set(owner, plus(sizeKept(owner), size));
    total = plus(total, size);
    // A file is removed when its time is up, whether or not it is read again.
    if (result.content instanceof RowFile) setTimeout(dropExpired, ttlMs + 1_000).unref();
    return true;
  };
  const nameKeyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

  return {
    keep: async (owner, account, handle, content, context = {}) =>
      store(handle, { owner, account, result: { ...context, content } }),
    async get(owner, account, handle) {
      dropExpired();
      const entry = entries.get(handle);
      return entry?.owner === owner && entry.account === account ? entry.result : undefined;
    },
    async remember(owner, account, name, content) {
      const nameKey = nameKeyOf(owner, account, name);
      const former = handlesByName.get(nameKey);
      const entry = former === undefined ? undefined : entries.get(former);
      if (former !== undefined && entry) drop(former, entry);
      store(newHandle(), { owner, account, result: { content }, nameKey });
    },
    async recall(owner, account, name) {
      dropExpired();
      return entries.get(handlesByName.get(nameKeyOf(owner, account, name)) ?? "")?.result.content;
    },
  };
}

/** Names a result that is to be stored: the handle under which the whole can be read; undefined if it has no room. */
export type KeepResult = (whole: unknown, context?: RowContext) => string | undefined;

/** A result that a text names. */
interface NamedResult {
  readonly handle: string;
  readonly whole: unknown;
  readonly context: RowContext | undefined;
}

/**
 * Makes a text that names results by their handles, and stores these results; if one of them cannot be stored, the text
 * is made again without its handle.
 * @param store Stores a result, and returns whether there was room for it.
 */
export async function storeNamedResults<T>(
  make: (keep: KeepResult) => T,
  store: (named: NamedResult) => Promise<boolean>,
): Promise<T> {
  const named: NamedResult[] = [];
  const text = make((whole, context) => {
    const handle = newHandle();
    named.push({ handle, whole, context });
    return handle;
  });
  const handles = new Map<unknown, string>();
  for (const one of named) if (await store(one)) handles.set(one.whole, one.handle);
  return handles.size === named.length ? text : make((whole) => handles.get(whole));
}

interface ResultReference {
  /** The field with the handle of a complete result; none if it is not stored. */
  readonly handle: () => { readonly handle?: string };
  /** Where the whole of a truncated result is, if it can be stored, and the columns of its rows. */
  readonly note: (columns?: readonly string[]) => readonly string[];
}

const maxColumns = 15;

/** Where the whole of a result with a handle can be read, and what a view of its rows can name. */
export function noteOnWhole(handle: string, columns: readonly string[] = []): string {
  const rest = columns.length - maxColumns;
  const names = `${columns.slice(0, maxColumns).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const view = names === "" ? "" : `; ${viewTool} computes with its columns ${names}`;
  return `The whole result can be read at result://${handle} or with ${resultTool}${view}.`;
}

/** A result that is named when its handle is first requested, once. */
export function referenceTo(whole: unknown, keep: KeepResult | undefined): ResultReference {
  const keptHandle = lazily(() => keep?.(whole));
  return {
    handle: () => {
      const handle = keptHandle();
      return handle === undefined ? {} : { handle };
    },
    note: (columns) => {
      const handle = keptHandle();
      return handle === undefined ? [] : [noteOnWhole(handle, columns)];
    },
  };
}

/** A text that is stored unchanged, and read with its own media type instead of as JSON. */
export class TextDocument {
  constructor(
    readonly mimeType: string,
    readonly text: string,
  ) {}
}

/** A picture: as SVG, as PNG if possible, and in characters. */
export interface Picture {
  /** The noun for it in the sentence about its SVG: `chart`. */
  readonly what: string;
  readonly svg: string;
  readonly png?: Uint8Array | undefined;
  /** The same in characters, for a terminal of the given width. */
  inBlocks(columns: number): readonly string[];
}

/** An image in the protocol's form. */
export type ImageContent = { type: "image"; data: string; mimeType: string };

export const imagesOf = (pictures: readonly Picture[]): ImageContent[] =>
  pictures.flatMap(({ png }) =>
    png === undefined
      ? []
      : [{ type: "image" as const, data: Buffer.from(png).toString("base64"), mimeType: "image/png" }],
  );

const documentOf = onceFor(({ svg }: Picture) => new TextDocument("image/svg+xml", svg));

/** Where each picture is, if it was stored. */
export const notesOfPictures = (
  pictures: readonly Picture[],
  keep: ((document: TextDocument) => string | undefined) | undefined,
): string[] =>
  pictures.flatMap((picture) => {
    const handle = keep?.(documentOf(picture));
    return handle === undefined ? [] : [`The ${picture.what} as SVG can be read at result://${handle}.`];
  });
