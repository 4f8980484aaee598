/** The limits of an upstream that several processes share. */
import { hourMs } from "../time/durations.js";

/** The longest time that an API is closed for, whatever a response or another process says, in milliseconds. */
export const maxClosedMs = hourMs;

/** What the processes that share an upstream's limits know of each other, without asking for each request. */
export interface SharedLimits {
  /** How many there are, this one included. */
  processes(): number;
  /** How long another one has found an API closed for, in milliseconds: `maxClosedMs` at most, zero or less if it is open. */
  closedMs(api: string): number;
  /** Tells the others that an API accepts no request for a time, in milliseconds. */
  close(api: string, ms: number): void;
}
