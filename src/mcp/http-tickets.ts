/** Tickets: a person who has shown their secret may read what waits for ten minutes, and decides once on the very preview that they were shown, within five. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** What a ticket is for: to read all that waits, or to decide on one plan. */
type Purpose =
  | "reading"
  | {
      readonly plan: string;
      /** The digest of the preview that was shown. */
      readonly digest: string;
    };

const minuteMs = 60_000;
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
