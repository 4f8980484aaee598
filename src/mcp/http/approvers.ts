/** How approvers are known: by secrets, whose guessing is slowed down, and from then on by tickets that expire and decide once. */
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
  /** The end of the last turn that was given out. */
  lastTurn: Promise<void>;
}

export interface Turns {
  /**
   * Waits until a secret from an address may be compared; a turn of whoever has left by then takes no time.
   * @param hasLeft Whether nobody waits for the answer any more.
   */
  turn(address: string, hasLeft: () => boolean): Promise<void>;
  /** Counts a wrong secret. */
  failed(address: string): void;
}

/**
 * Makes the turns of a page. A right secret cannot be told from a wrong one before it is compared, so that refusing an
 * address would let anybody who shares it lock the approver out; one after the other, they cost the approver a wait.
 * @param pause Waits for a time.
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

/** What a ticket is for: to read all that waits, or to decide on one plan. */
type Purpose =
  | "reading"
  | {
      readonly plan: string;
      /** The digest of the preview that was shown. */
      readonly digest: string;
    };

// A ticket for reading is never renewed: a page that somebody left open does not keep the secret's place for longer.
const validMs = (purpose: Purpose): number => (purpose === "reading" ? 10 : 5) * minuteMs;

const wordsOf = (purpose: Purpose): readonly string[] =>
  purpose === "reading" ? ["reading"] : ["deciding", purpose.plan, purpose.digest];

export interface Tickets {
  issue(by: string, purpose: Purpose): string;
  /** Who a ticket was issued to; undefined when it was not issued for this, was altered, or has expired. */
  holder(ticket: string, purpose: Purpose): string | undefined;
  /** Uses a ticket up; false when it has been used before. */
  use(ticket: string): boolean;
}

/** Makes tickets under a key of their own, so that they end with the process. */
export function createTickets(now: () => number): Tickets {
  const key = randomBytes(32);
  const used = new Map<string, number>();
  const sealed = (by: string, expiresAtMs: string, nonce: string, purpose: Purpose): string => {
    const mac = createHmac("sha256", key).update(JSON.stringify([by, expiresAtMs, nonce, ...wordsOf(purpose)]));
    return [by, expiresAtMs, nonce, mac.digest("base64url")].join(":");
  };
  return {
    issue: (by, purpose) =>
      sealed(by, String(now() + validMs(purpose)), randomBytes(12).toString("base64url"), purpose),
    holder(ticket, purpose) {
      const [by = "", expiresAtMs = "", nonce = ""] = ticket.split(":");
      const [given, right] = [Buffer.from(ticket), Buffer.from(sealed(by, expiresAtMs, nonce, purpose))];
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return Number(expiresAtMs) > now() ? by : undefined;
    },
    use(ticket) {
      for (const [one, forgottenAtMs] of used) if (forgottenAtMs <= now()) used.delete(one);
      if (used.has(ticket)) return false;
      // No ticket is valid for longer than this.
      used.set(ticket, now() + validMs("reading"));
      return true;
    },
  };
}
