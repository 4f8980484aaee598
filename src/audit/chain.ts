/** The chain of a process's lines in its files: each line names the hash of the one before it, also in another file. */
import { hash } from "node:crypto";
import { ftruncateSync, writeSync } from "node:fs";
import { type ChainHead, emptyChainHead } from "./files.js";

export type LineMembers = Readonly<Record<string, unknown>>;

/** A line whose members are only computed once its place in the chain is known, because they may name other lines. */
export interface AuditLine {
  readonly membersOf: () => LineMembers;
  /** Its sequence number, set by the journal; undefined until it is written, or if it cannot be. */
  seq: number | undefined;
  /** How many lines before it were lost. */
  lost?: number;
}

/** A line whose members are known. */
export const auditLine = (members: LineMembers): AuditLine => ({ membersOf: () => members, seq: undefined });

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * The next line of a chain, without its line feed. A line is plain ASCII: JSON escapes control characters, and all
 * others are escaped here, because some readers also end a line at U+0085 or U+2028. So no value can forge a line. The
 * hash is SHA-256 of the line without its `hash` member.
 */
export function lineAfter(
  head: ChainHead,
  atMs: number,
  members: Readonly<Record<string, unknown>>,
): { readonly text: string; readonly head: ChainHead } {
  const seq = head.seq + 1;
  const rest = JSON.stringify({ ...members, prev: head.hash });
  const json = `{"seq":${seq},"time":"${new Date(atMs).toISOString()}",${rest.slice(1)}`;
  const body = /[^\x20-\x7e]/.test(json) ? json.replace(/[^\x20-\x7e]/g, escaped) : json;
  const own = hash("sha256", body);
  return { text: `${body.slice(0, -1)},"hash":"${own}"}`, head: { seq, hash: own } };
}

/** Chains a line behind the end of a chain. @returns its text and the new end, which is not written yet. */
export function chainLine(line: AuditLine, head: ChainHead, atMs: number): ReturnType<typeof lineAfter> {
  const { lost } = line;
  line.seq = head.seq + 1;
  const members = line.membersOf();
  return lineAfter(head, atMs, lost === undefined ? members : { ...members, lost });
}

export interface ChainFile {
  readonly fd: number;
  /**
   * The references to other files in its first line, which is written with the next one if it could not be written
   * immediately.
   */
  first: LineMembers;
  bytes: number;
  /** Whether a partial line is left at its end, so that nothing can be appended. */
  isBroken: boolean;
}

/** Writes a text whole or not at all. */
function append(file: ChainFile, text: string): void {
  const bytesWritten = writeSync(file.fd, text, null, "latin1");
  if (bytesWritten !== text.length) {
    try {
      ftruncateSync(file.fd, file.bytes);
    } catch {
      file.isBroken = true;
    }
    throw Object.assign(new Error("A line was written in part."), { code: "ENOSPC" });
  }
  file.bytes += bytesWritten;
}

export class AuditChain {
  readonly #now: () => number;
  #head: ChainHead = emptyChainHead;

  constructor(now: () => number) {
    this.#now = now;
  }

  get head(): ChainHead {
    return this.#head;
  }

  /**
   * Writes lines with one system call, all of them or none, after the first line of an empty file.
   * @throws the system's error; the chain only continues from lines that were written.
   */
  write(file: ChainFile, lines: readonly AuditLine[]): void {
    if (file.bytes === 0) this.#append(file, [auditLine({ event: "opened", version: 1, ...file.first })]);
    this.#append(file, lines);
  }

  #append(file: ChainFile, lines: readonly AuditLine[]): void {
    const before = this.#head;
    let text = "";
    try {
      for (const line of lines) {
        const next = chainLine(line, this.#head, this.#now());
        this.#head = next.head;
        text += `${next.text}\n`;
      }
      append(file, text);
    } catch (error) {
      this.#head = before;
      for (const line of lines) line.seq = undefined;
      throw error;
    }
  }
}
