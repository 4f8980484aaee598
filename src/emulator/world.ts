/** The emulator's world: the clock, the seed, and each service's state, created on that service's first request. */
import { usualVendorWords, type VendorWords } from "../language/vendor-words.js";

type Words = readonly (string | number)[];

/** The state and time that behaviours use: deterministic, never directly from randomness or the machine's clock. */
export interface World {
  /** Now, in milliseconds since 1970, by the emulator's own clock. */
  now(): number;
  /** When the world started, by the same clock: initial data is dated relative to it. */
  readonly startedAtMs: number;
  readonly seed: number;
  /** The replacement for `<vendor>`, also in the vendor's host names. */
  readonly vendor: string;
  /** The vendor's terms for those of the documents. */
  readonly vendorWords: VendorWords;
  /** The state stored under a name, created by `make` on first use and again after `reset`. */
  state<T>(service: string, make: () => T): T;
  /** The next number of a named sequence that starts at `from`: ids are the same in every run. */
  next(series: string, from: number): number;
  /** A number in [0, 1) that depends only on the seed and the words. */
  noise(...words: Words): number;
}

/** A rate limit for each service, which a test has set; it goes with a reset. */
export const rateLimitOf = (world: World): { requestsPerMinute?: number } => world.state("rate limit", () => ({}));

/** A world that can be reset: `reset` discards every change, including the clock's, and can set a new seed. */
export interface ControlledWorld extends World {
  reset(seed?: number): void;
  /** Moves the clock forward. */
  advance(milliseconds: number): void;
}

export interface WorldOptions {
  readonly seed?: number;
  /** Freezes the clock at this instant (milliseconds since 1970); only `advance` moves it then. */
  readonly frozenAt?: number;
  readonly vendor?: string;
  readonly vendorWords?: VendorWords;
  /** Another world, whose clock and vendor this one shares. */
  readonly beside?: World;
}

export function createWorld({
  seed = 1,
  frozenAt,
  beside,
  vendor = beside?.vendor ?? "akamai",
  vendorWords = beside?.vendorWords ?? usualVendorWords,
}: WorldOptions = {}): ControlledWorld {
  let currentSeed = seed;
  let offset = 0;
  const now = (): number => (beside?.now() ?? frozenAt ?? Date.now()) + offset;
  let startedAtMs = beside?.startedAtMs ?? now();
  const states = new Map<string, unknown>();
  const series = new Map<string, number>();
  return {
    now,
    get startedAtMs() {
      return startedAtMs;
    },
    get seed() {
      return currentSeed;
    },
    vendor,
    vendorWords,
    state<T>(service: string, make: () => T): T {
      if (!states.has(service)) states.set(service, make());
      return states.get(service) as T;
    },
    next(name, from) {
      const value = series.get(name) ?? from;
      series.set(name, value + 1);
      return value;
    },
    noise(...words) {
      // FNV-1a over the words, then one round of avalanche: cheap, and the same on every machine.
      const text = words.join("\u0000");
      let hash = 0x811c9dc5 ^ currentSeed;
      // By index: an iterator makes a string of each character, and a month of alerts asks for tens of thousands.
      for (let at = 0; at < text.length; at += 1) {
        const point = text.codePointAt(at) ?? 0;
        hash = Math.imul(hash ^ point, 0x01000193);
        if (point > 0xffff) at += 1;
      }
      hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
      hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
      return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
    },
    reset(newSeed = currentSeed) {
      currentSeed = newSeed;
      offset = 0;
      startedAtMs = now();
      states.clear();
      series.clear();
    },
    advance(milliseconds) {
      offset += milliseconds;
    },
  };
}

/** Letters of an alphabet that the noise picks: ids and secrets that are the same in every run. */
export const noiseText = (world: World, alphabet: string, length: number, ...words: Words): string =>
  Array.from({ length }, (_, at) => alphabet[Math.floor(world.noise(...words, at) * alphabet.length)]).join("");

export const hexDigits = "0123456789abcdef";

/** One number of so many hexadecimal digits. */
export const noiseNumber = (world: World, length: number, ...words: Words): string =>
  Math.floor(world.noise(...words) * 16 ** length)
    .toString(16)
    .padStart(length, "0");
