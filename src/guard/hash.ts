/** The hashes that a plan is bound to, of a request as it goes out and of a JSON value. They are kept under a key alone. */
import { createHash } from "node:crypto";
import type { ResolvedRequest } from "../client/index.js";
import { canonical } from "./canonical.js";

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
