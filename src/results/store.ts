/** Keeps answers, and drawings beside them, for a limited time, each for the owner and the account that asked. */
import { randomBytes } from "node:crypto";
import type { Arguments } from "../language/conduct.js";
import { lazily } from "../language/once-for.js";
import { resultTool } from "../language/own-tools.js";
import type { Telling } from "../rows/index.js";
import { RowFile } from "../rows/row-file.js";
import type { Starts } from "../rows/view/group.js";

/** The call that reads the period before that of an answer, and when both periods begin. */
export interface Previous {
  readonly tool: string;
  readonly args: Arguments;
  readonly starts: Starts;
}

/** What has to be known of an answer to tell its rows later as they were told at first. */
export interface Told {
  /** How its rows are told. */
  readonly shows?: Telling | undefined;
  /** Absent where the answer is for no period. */
  readonly previous?: Previous | undefined;
}

/** An answer that is kept. */
export interface Kept extends Told {
  readonly content: unknown;
}

export interface ResultStoreOptions {
  /** Memory for the answers of one owner, in bytes; what still does not fit after evicting its oldest is not kept. */
  readonly maxBytesPerOwner: number;
  /** Memory for all answers together, in bytes; an owner can evict only its own answers. */
  readonly maxBytes: number;
  /** Room on disk for the files of one owner's rows, and for all of them together, in bytes; the same rules hold. */
  readonly maxDiskBytesPerOwner?: number;
  readonly maxDiskBytes?: number;
  readonly ttlMs: number;
  readonly now?: () => number;
}

export interface ResultStore {
  /**
   * Keeps an answer: its bytes, or a value that is not modified afterwards. It is stored without a copy, so its reader
   * must sanitize it as every answer is.
   * Rows in a file are the store's from then on: it drops them with the answer, or when there is no room for them.
   * @param told What its reader has to know beside it.
   * @returns the handle to read it by; undefined when there is no room for it.
   */
  keep(owner: string, account: string, content: unknown, told?: Told): string | undefined;
  /** What is kept under a handle; undefined when it belongs to another owner or account, has expired, or was evicted. */
  get(owner: string, account: string, handle: string): Kept | undefined;
}

/** What an answer takes, in bytes. */
interface Size {
  readonly memory: number;
  readonly disk: number;
}

interface Entry {
  readonly owner: string;
  readonly account: string;
  readonly kept: Kept;
  readonly size: Size;
  readonly expiresAtMs: number;
}

/** What a value takes without the values inside it: two bytes a character, the slots and headers of V8 on 64 bits. */
function ownMemoryOf(value: unknown): number {
  if (typeof value === "string") return 32 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 16;
  if (Array.isArray(value)) return 32 + 8 * value.length;
  let size = 56;
  for (const name of Object.keys(value)) size += 24 + name.length;
  return size;
}

/**
 * An upper estimate of a value's size in memory, because objects take several times the size of their JSON. Counting stops beyond `max`.
 */
function memoryOf(root: unknown, max: number): number {
  if (root instanceof Uint8Array) return root.byteLength;
  const stack: unknown[] = [root];
  let size = 0;
  while (stack.length > 0 && size <= max) {
    const value = stack.pop();
    size += ownMemoryOf(value);
    // A list whose length alone exceeds the bound need not be walked.
    if (typeof value !== "object" || value === null || size > max) continue;
    for (const item of Array.isArray(value) ? value : Object.values(value)) stack.push(item);
  }
  return size;
}

/** What is known of a file takes little: the place of a row in every 64 KiB of it, and the answer around the rows. */
function sizeOf(content: unknown, max: number): Size {
  if (!(content instanceof RowFile)) return { memory: memoryOf(content, max), disk: 0 };
  const { places, value, columns, bytes } = content;
  return { memory: 64 * places.length + memoryOf([value, columns], max), disk: bytes };
}

const none: Size = { memory: 0, disk: 0 };
const plus = (a: Size, b: Size): Size => ({ memory: a.memory + b.memory, disk: a.disk + b.disk });
const minus = (a: Size, b: Size): Size => ({ memory: a.memory - b.memory, disk: a.disk - b.disk });
const isWithin = (size: Size, bounds: Size): boolean => size.memory <= bounds.memory && size.disk <= bounds.disk;

/** Makes the store of a process. */
export function createResultStore({
  maxBytesPerOwner,
  maxBytes,
  maxDiskBytesPerOwner = 0,
  maxDiskBytes = 0,
  ttlMs,
  now = Date.now,
}: ResultStoreOptions): ResultStore {
  // In the order in which they were kept, which is also the order in which they expire.
  const entries = new Map<string, Entry>();
  const sizes = new Map<string, Size>();
  const ofOwner: Size = { memory: maxBytesPerOwner, disk: maxDiskBytesPerOwner };
  const ofAll: Size = { memory: maxBytes, disk: maxDiskBytes };
  let total = none;

  const drop = (handle: string, { owner, size, kept }: Entry): void => {
    entries.delete(handle);
    total = minus(total, size);
    const rest = minus(sizeKept(owner), size);
    if (rest.memory > 0) sizes.set(owner, rest);
    else sizes.delete(owner);
    if (kept.content instanceof RowFile) kept.content.drop();
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
  /** Drops the oldest answers of an owner until there is room; @returns whether there can be. */
  const makeRoom = (owner: string, size: Size): boolean => {
    // Other owners' answers stay, so the room is what is free plus what this owner can evict.
    if (!isWithin(size, ofOwner) || !isWithin(plus(minus(total, sizeKept(owner)), size), ofAll)) return false;
    for (const [handle, entry] of entries) {
      if (hasRoom(owner, size)) break;
      if (entry.owner === owner) drop(handle, entry);
    }
    return true;
  };

  return {
    keep(owner, account, content, told = {}) {
      dropExpired();
      const size = sizeOf(content, maxBytesPerOwner);
      if (!makeRoom(owner, size)) {
        if (content instanceof RowFile) content.drop();
        return undefined;
      }
      // It counts for nothing without its owner, and every small answer has one, so it is short.
      const handle = randomBytes(9).toString("base64url");
      entries.set(handle, { owner, account, kept: { ...told, content }, size, expiresAtMs: now() + ttlMs });
      sizes.set(owner, plus(sizeKept(owner), size));
      total = plus(total, size);
      // A file goes when its time is up, whether or not anybody asks for an answer then.
      if (content instanceof RowFile) setTimeout(dropExpired, ttlMs + 1_000).unref();
      return handle;
    },
    get(owner, account, handle) {
      dropExpired();
      const entry = entries.get(handle);
      return entry?.owner === owner && entry.account === account ? entry.kept : undefined;
    },
  };
}

/** Keeps an answer, and names the handle under which the whole can be read. */
export type Keep = (whole: unknown, told?: Told) => string | undefined;

interface KeptOnce {
  /** The member by which an answer that is shown whole is found again; none where it is not kept. */
  readonly handle: () => { readonly handle?: string };
  /** Where the whole of an answer is that is shown in part, if it can be kept. */
  readonly note: () => readonly string[];
}

/** An answer that is kept when its handle is first asked for, and then once. */
export function onceKept(whole: unknown, keep: Keep | undefined): KeptOnce {
  const kept = lazily(() => keep?.(whole));
  return {
    handle: () => {
      const handle = kept();
      return handle === undefined ? {} : { handle };
    },
    note: () => {
      const handle = kept();
      return handle === undefined ? [] : [`The whole answer can be read at result://${handle} or with ${resultTool}.`];
    },
  };
}

/** A text that is kept as it is, and read under its own media type instead of as JSON. */
export class TextDocument {
  constructor(
    readonly mimeType: string,
    readonly text: string,
  ) {}
}

/** A picture: its drawing as SVG, the same as PNG where it could be made, and in characters. */
export interface Picture {
  /** What it is, for the sentence that says where the drawing can be read: `chart`. */
  readonly what: string;
  readonly svg: string;
  readonly png?: Uint8Array | undefined;
  /** The same in characters, in lines for a terminal of so many columns. */
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

/** Where each drawing is, if it was kept. */
export const notesOfPictures = (
  pictures: readonly Picture[],
  keep: ((document: TextDocument) => string | undefined) | undefined,
): string[] =>
  pictures.flatMap(({ what, svg }) => {
    const handle = keep?.(new TextDocument("image/svg+xml", svg));
    return handle === undefined ? [] : [`The ${what} as SVG can be read at result://${handle}.`];
  });
