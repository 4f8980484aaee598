/** One link of the chain: a line of JSON that names the hash of the line before it and ends with its own. */
import { hash } from "node:crypto";
import { isRecord } from "../language/member.js";

/** The last line of a chain, which the next one continues. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** The head of a chain without lines. */
export const noLine: Head = { seq: 0, hash: "" };

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * The next line of a chain, without its line feed.
 *
 * A line is plain ASCII: JSON escapes the control characters, and here the rest is escaped, since some readers also end
 * a line at U+0085 or U+2028. So no value can forge a line. The hash is SHA-256 of the line without its `hash` member.
 */
export function lineAfter(
  head: Head,
  atMs: number,
  members: Readonly<Record<string, unknown>>,
): { readonly text: string; readonly head: Head } {
  const seq = head.seq + 1;
  const json = JSON.stringify({ seq, time: new Date(atMs).toISOString(), ...members, prev: head.hash });
  const body = /[^\x20-\x7e]/.test(json) ? json.replace(/[^\x20-\x7e]/g, escaped) : json;
  const own = hash("sha256", body);
  return { text: `${body.slice(0, -1)},"hash":"${own}"}`, head: { seq, hash: own } };
}

/** A line that was read. */
export interface Entry extends Head {
  readonly time: string;
  readonly event: string;
  readonly prev: string;
  /** All members of the line, as they were written. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether the line's hash is the hash of its bytes. */
  readonly isIntact: boolean;
}

const ending = /,"hash":"([0-9a-f]{64})"\}$/;

/** Reads a line; undefined when it is not one of an audit file. */
export function readLine(text: string): Entry | undefined {
  const [end, own = ""] = ending.exec(text) ?? [];
  if (end === undefined) return undefined;
  let members: unknown;
  try {
    members = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(members)) return undefined;
  const { seq, time, event, prev } = members;
  const isEntry =
    Number.isSafeInteger(seq) && typeof time === "string" && typeof event === "string" && typeof prev === "string";
  if (!isEntry) return undefined;
  // Read as Latin-1, a byte is a character, so that the hash is that of the bytes whatever was put among them.
  const body = Buffer.from(`${text.slice(0, -end.length)}}`, "latin1");
  return { seq: seq as number, hash: own, time, event, prev, members, isIntact: hash("sha256", body) === own };
}
