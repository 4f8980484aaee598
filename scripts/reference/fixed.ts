/** A clock that stands still and chance that repeats, so that what is generated is the same wherever and whenever it is made. */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** The moment of every example, in milliseconds since 1970. */
export const exampleNowMs = Date.UTC(2026, 4, 20, 12, 10);

const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [exampleNowMs] : given) as [number]));
  }
  static override now(): number {
    return exampleNowMs;
  }
} as DateConstructor;

let drawn = 0;

/** Bytes that depend only on how many were drawn since the last `startOver`. */
function repeatedBytes(size: number): Buffer {
  drawn += 1;
  return crypto.createHash("shake256", { outputLength: size }).update(`example ${drawn}`).digest();
}

/** Lets chance begin anew, so that one example does not depend on those before it. */
export function startOver(): void {
  drawn = 0;
}

// The program draws ids and keys by this function; what it imported by name is brought up to date below.
crypto.randomBytes = repeatedBytes as typeof crypto.randomBytes;
syncBuiltinESMExports();
