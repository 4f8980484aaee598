/** The chain of a process's lines in its files: each line names the hash of the one before it, also in another file. */
import { ftruncateSync, writeSync } from "node:fs";
import { type Head, lineAfter, noLine } from "./files.js";

export type Members = Readonly<Record<string, unknown>>;

/** A line whose members are only asked for when its place in the chain is known, because they may name other lines. */
export interface Line {
  readonly membersOf: () => Members;
  /** Its sequence number, set by the journal; undefined until it is written, or if it cannot be. */
  seq: number | undefined;
}

export interface ChainFile {
  readonly fd: number;
  /**
   * The references to other files in its first line, which is written with the next one if it could not be written
   * immediately.
   */
  first: Members;
  bytes: number;
  /** Whether a partial line is left at its end, so that nothing can be appended. */
  isBroken: boolean;
}

/** Lines that are written with one system call, all of them or none. */
interface Batch {
  text: string;
  readonly file: ChainFile;
  readonly lines: { readonly line: Line; written(): void; failed(error: unknown): void }[];
  /** The end of the chain without them. */
  readonly before: Head;
}

/** Writes a text whole or not at all. */
function append(file: ChainFile, text: string): void {
  const written = writeSync(file.fd, text, null, "latin1");
  if (written !== text.length) {
    try {
      ftruncateSync(file.fd, file.bytes);
    } catch {
      file.isBroken = true;
    }
    throw Object.assign(new Error("A line was written in part."), { code: "ENOSPC" });
  }
  file.bytes += written;
}

/** Every method that writes throws the system's error; the chain only continues from lines that were written. */
export class Chain {
  readonly #now: () => number;
  #head: Head = noLine;
  #batch: Batch | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  get head(): Head {
    return this.#head;
  }

  /** The size of the lines that were added and not written. */
  get waitingBytes(): number {
    return this.#batch?.text.length ?? 0;
  }

  /** Writes a line at once, after the first line of an empty file. @returns its sequence number. */
  write(file: ChainFile, members: Members): number {
    if (file.bytes === 0) this.#writeOne(file, { event: "opened", version: 1, ...file.first });
    this.#writeOne(file, members);
    return this.#head.seq;
  }

  /** Adds a line to those that are written together when this turn ends. Resolves when it is written. */
  add(file: ChainFile, line: Line, members: Members): Promise<void> {
    if (this.#batch === undefined) {
      this.#batch = { text: "", file, lines: [], before: this.#head };
      queueMicrotask(() => this.writeWaiting());
    }
    const batch = this.#batch;
    const { text, head } = lineAfter(this.#head, this.#now(), members);
    this.#head = head;
    line.seq = head.seq;
    batch.text += `${text}\n`;
    return new Promise((written, failed) => batch.lines.push({ line, written, failed }));
  }

  /** Writes the lines that were added. Never throws: those who added them get the error. */
  writeWaiting(): void {
    if (this.#batch === undefined) return;
    const { file, text, lines, before } = this.#batch;
    this.#batch = undefined;
    try {
      append(file, text);
      for (const { written } of lines) written();
    } catch (error) {
      this.#head = before;
      for (const { line, failed } of lines) {
        line.seq = undefined;
        failed(error);
      }
    }
  }

  #writeOne(file: ChainFile, members: Members): void {
    const { text, head } = lineAfter(this.#head, this.#now(), members);
    append(file, `${text}\n`);
    this.#head = head;
  }
}
