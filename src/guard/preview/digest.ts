/** Keyed digests: what looks alike in a preview, such as two secrets behind one mask, still has two digests. */
import { createHmac, randomBytes } from "node:crypto";
import type { ResolvedRequest } from "../../client/index.js";
import { canonical } from "../canonical.js";
import { requestHash } from "../hash.js";

// A digest without a key would let a short secret be guessed from it. Nobody compares digests of two processes.
const key = randomBytes(32);
const length = 12;

const digestOf = (text: string): string => createHmac("sha256", key).update(text).digest("base64url").slice(0, length);

/** The digest of any value, its secrets included. */
export const digestOfValue = (value: unknown): string => digestOf(canonical(value));

/** The digest of a whole request: method, address, headers and body. */
export const digestOfRequest = (request: ResolvedRequest): string => digestOf(requestHash(request));
