/** Authentication of approvers: by secrets, with protection against guessing, and by tickets that expire. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as pauseFor } from "node:timers/promises";
import { minuteMs } from "../../language/durations.js";

const freeFailures = 10;
const failureMs = minuteMs;
const turnMs = 100;
const maxAddresses = 1_000;

interface Guesses {
  failures: number;
  readonly sinceMs: number;
  /** When the last scheduled turn ends. */
  lastTurn: Promise<void>;
}

export interface Turns {
  /**
   * Waits until a secret from an address may be compared; the turn of a disconnected client takes no time.
   * @param hasLeft Whether the client has disconnected.
   */
  turn(address: string, hasLeft: () => boolean): Promise<void>;
  /** Counts a wrong secret. */
  failed(address: string): void;
}

/**
 * Creates the turns of a page. Blocking an address after wrong secrets would let anyone who shares it lock the approver
 * out; attempts that are delayed one after another only cost the approver a wait.
 * @param pause Waits for the given time.
 */
export function createTurns(now: () => number, pause: (ms: number) => Promise<unknown> = pauseFor): Turns {
  const known = new Map<string, Guesses>();
  const of = (address: string): Guesses | undefined => {
    const found = known.get(address);
    return found && found.sinceMs + failureMs > now() ? found : undefined;
  };
  return {
    async turn(address, hasLeft) {
      const guesses = of(address);
      if (guesses === undefined || guesses.failures < freeFailures) return;
      guesses.lastTurn = guesses.lastTurn.then(async () => {
        if (!hasLeft()) await pause(turnMs);
      });
      await guesses.lastTurn;
    },
    failed(address) {
      const guesses = of(address) ?? { failures: 0, sinceMs: now(), lastTurn: Promise.resolve() };
      guesses.failures += 1;
      known.delete(address);
      known.set(address, guesses);
      const [longest] = known.keys();
      if (known.size > maxAddresses && longest !== undefined) known.delete(longest);
    },
  };
}

/** The purpose of a ticket: reading the waiting plans, or deciding on one. */
type Purpose =
  | "reading"
  | {
      readonly plan: string;
      /** The digest of the preview that was shown. */
      readonly digest: string;
    };

// A reading ticket is never renewed, so that a page left open does not stay signed in.
const validMs = (purpose: Purpose): number => (purpose === "reading" ? 10 : 5) * minuteMs;

const wordsOf = (purpose: Purpose): readonly string[] =>
  purpose === "reading" ? ["reading"] : ["deciding", purpose.plan, purpose.digest];

export interface Tickets {
  issue(by: string, purpose: Purpose): string;
  /** The approver to whom a ticket was issued; undefined if it is for another purpose, was altered, or has expired. */
  holder(ticket: string, purpose: Purpose): string | undefined;
  /** Marks a ticket as used; false if it has been used before. */
  use(ticket: string): Promise<boolean>;
}

/** What tickets need of the state: keys, and the memory of used tickets. */
export interface TicketState {
  /** The present key and former ones. */
  readonly keys: readonly [Buffer, ...Buffer[]];
  /** Marks a ticket as used until a time in milliseconds; false if it has been used before. */
  use(ticket: string, forgottenAtMs: number): Promise<boolean>;
}

/** Creates the tickets of a page. */
export function createTickets(now: () => number, { keys, use }: TicketState): Tickets {
  const sealed = (key: Buffer, by: string, expiresAtMs: string, nonce: string, purpose: Purpose): string => {
    const mac = createHmac("sha256", key).update(JSON.stringify([by, expiresAtMs, nonce, ...wordsOf(purpose)]));
    return [by, expiresAtMs, nonce, mac.digest("base64url")].join(":");
  };
  return {
    issue: (by, purpose) =>
      sealed(keys[0], by, String(now() + validMs(purpose)), randomBytes(12).toString("base64url"), purpose),
    holder(ticket, purpose) {
      const [by = "", expiresAtMs = "", nonce = ""] = ticket.split(":");
      const given = Buffer.from(ticket);
      const isRight = (right: Buffer) => given.length === right.length && timingSafeEqual(given, right);
      if (!keys.some((key) => isRight(Buffer.from(sealed(key, by, expiresAtMs, nonce, purpose))))) return undefined;
      return Number(expiresAtMs) > now() ? by : undefined;
    },
    // No ticket is valid for longer than this.
    use: (ticket) => use(ticket, now() + validMs("reading")),
  };
}
