/** What the vendor publishes about how often an API may be called, and what processes know of each other. */
import { hourMs } from "./durations.js";

/** The longest time that an API is closed for, whatever a response or another process says, in milliseconds. */
export const maxClosedMs = hourMs;

/** The requests that may be made at once, and how many are added each minute: a token bucket. */
export interface Bucket {
  readonly burst: number;
  readonly perMinute: number;
}

export interface RateLimit {
  /** The API's name in a sentence; the operations of services with the same one are counted together. */
  readonly api: string;
  /** Whether the upstream counts each operation separately. */
  readonly isPerOperation?: true;
  /** Absent if no figures are published; the headers of responses are obeyed in any case. */
  readonly bucket?: Bucket;
  /** The page that publishes it. */
  readonly source: string;
}

/** What the processes that share an upstream's limits know of each other, without asking for each request. */
export interface SharedLimits {
  /** How many there are, this one included. */
  processes(): number;
  /** How long another one has found an API closed for, in milliseconds: `maxClosedMs` at most, zero or less if it is open. */
  closedMs(api: string): number;
  /** Has the others know that an API accepts no request for a time, in milliseconds. */
  close(api: string, ms: number): void;
}
