/** How much of the endpoint one client, and all clients together, can hold at a time. */
import type { Rejection } from "./http-guard.js";

/** A bound for one client and a bound for all of them. */
export interface Share {
  readonly client: number;
  readonly all: number;
}

export interface HttpBounds {
  /** Messages whose bodies are being read. */
  readonly readings: Share;
  /** Bytes of bodies, from their reading to the end of the answer; the first 64 KiB of each body are free. */
  readonly bytes: Share;
  /** Calls that have not been answered. */
  readonly calls: Share;
  /** Streams on which clients only listen. */
  readonly streams: Share;
  readonly sessions: Share;
  readonly connections: number;
  readonly maxBodyBytes: number;
  /** The time in which a body must have arrived. */
  readonly bodyMs: number;
  /** The time after which a session that nobody uses ends. */
  readonly sessionMs: number;
  /** The same for a session that was opened and then never used. */
  readonly unusedSessionMs: number;
}

const mebibyte = 1024 * 1024;

export const usualBounds: HttpBounds = {
  readings: { client: 32, all: 256 },
  bytes: { client: 16 * mebibyte, all: 64 * mebibyte },
  calls: { client: 64, all: 256 },
  streams: { client: 64, all: 512 },
  sessions: { client: 64, all: 1_000 },
  connections: 1_000,
  maxBodyBytes: 4 * mebibyte,
  bodyMs: 15_000,
  sessionMs: 30 * 60_000,
  unusedSessionMs: 60_000,
};

/** The answer to a client that holds its whole share of something. */
const tooMuch = (what: string): Rejection => ({
  status: 429,
  message: `Too many ${what} of this client are open; wait for one to end, then try again.`,
  headers: { "retry-after": "1" },
});

/** The answer to a client that asks for more than its share at once, for which nothing has to end first. */
const tooMuchAtOnce = (what: string, share: number): Rejection => ({
  status: 429,
  message: `A client can have ${share} ${what} open at a time; ask for fewer at once.`,
});

/** The answer when all clients together hold everything. */
const tooBusy = (what: string): Rejection => ({
  status: 503,
  message: `Too many ${what} are open on this server; try again later.`,
  headers: { "retry-after": "5" },
});

/** Counts what clients hold of one thing. */
export class Tally {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly share: Share,
    private readonly what: string,
  ) {}

  of = (client: string): number => this.held.get(client) ?? 0;

  /**
   * Why a client cannot hold this much more. One that holds nothing always can have its share, so that others cannot lock
   * it out.
   */
  refusal(client: string, more: number): Rejection | undefined {
    const own = this.of(client);
    if (more > this.share.client) return tooMuchAtOnce(this.what, this.share.client);
    if (own === 0) return undefined;
    if (own + more > this.share.client) return tooMuch(this.what);
    return this.total + more > this.share.all ? tooBusy(this.what) : undefined;
  }

  add(client: string, more: number): void {
    const own = this.of(client) + more;
    this.total += more;
    if (own === 0) this.held.delete(client);
    else this.held.set(client, own);
  }

  /** Holds this much for a client until the function that comes back is called; or says why it cannot. */
  take(client: string, amount: number): Rejection | (() => void) {
    const refusal = this.refusal(client, amount);
    if (refusal) return refusal;
    this.add(client, amount);
    return () => this.add(client, -amount);
  }

  /** The client that holds most. */
  biggest(): string | undefined {
    let most: [string, number] | undefined;
    for (const entry of this.held) if (most === undefined || entry[1] > most[1]) most = entry;
    return most?.[0];
  }
}
