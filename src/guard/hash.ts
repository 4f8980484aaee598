/** By what a value and a request are known again: one text whatever the order of keys, its hash for plans, and its keyed digest for previews. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { ResolvedRequest } from "../wire/index.js";

/** Appends the text of a value; members without one are left out, as JSON leaves them out. */
function append(value: unknown, parts: string[]): void {
  if (typeof value !== "object" || value === null) {
    parts.push(JSON.stringify(value) ?? "null");
    return;
  }
  const isList = Array.isArray(value);
  parts.push(isList ? "[" : "{");
  let count = 0;
  const next = (label: string, member: unknown) => {
    parts.push(count > 0 ? `,${label}` : label);
    count += 1;
    append(member, parts);
  };
  if (isList) for (const item of value) next("", item);
  else
    for (const key of Object.keys(value).sort()) {
      const member = (value as Readonly<Record<string, unknown>>)[key];
      if (member !== undefined) next(`${JSON.stringify(key)}:`, member);
    }
  parts.push(isList ? "]" : "}");
}

/** The text of a value as JSON has it, the keys of every object in one order. */
export function canonical(value: unknown): string {
  if (value === undefined) return "";
  const parts: string[] = [];
  append(value, parts);
  return parts.join("");
}

// A digest without a key would let a short secret be guessed from it. Nobody compares digests of two processes.
const key = randomBytes(32);
const length = 12;

const digestOf = (text: string): string => createHmac("sha256", key).update(text).digest("base64url").slice(0, length);

/** The digest of any value, its secrets included. */
export const digestOfValue = (value: unknown): string => digestOf(canonical(value));

/** The digest of a whole request: method, address, headers and body. */
export const digestOfRequest = (request: ResolvedRequest): string => digestOf(requestHash(request));

/** The hash of everything that decides what a request does: method, origin, path, query, headers and body. */
export function requestHash({ method, url, headers, body }: ResolvedRequest): string {
  const hash = createHash("sha256");
  // Stryker disable next-line EqualityOperator: two headers never have one name, and any fixed order will do.
  const named = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  // The number of headers comes first, so that a body can never pass for one of them.
  for (const part of [String(named.length), method, url.href, ...named.flat()]) hash.update(`${part.length}:${part}\n`);
  if (body) hash.update(body);
  return hash.digest("base64url");
}

/** The hash of a JSON value, the same whatever the order of its keys. */
export const stateHash = (state: unknown): string => createHash("sha256").update(canonical(state)).digest("base64url");
