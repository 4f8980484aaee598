/** Hashes as they are kept: under a key, so that no password can be guessed from the hash of a request that has one. */
import { createHmac } from "node:crypto";
import type { Binding } from "../plan.js";

/** A binding whose hashes say nothing to whoever does not have the key. */
export function keyed(binding: Binding, key: string): Binding {
  const under = (hash: string): string => createHmac("sha256", key).update(hash).digest("base64url");
  const { requestHash, requests, stateHash } = binding;
  return {
    ...binding,
    requestHash: under(requestHash),
    ...(requests === undefined ? {} : { requests: requests.map(under) }),
    stateHash: stateHash === undefined ? undefined : under(stateHash),
  };
}
