/** Tickets: a person who has shown their secret may decide once, on the very preview that they were shown, for five minutes. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const validMs = 5 * 60_000;

/** What a ticket is for. */
interface TicketFor {
  readonly plan: string;
  /** The digest of the preview that was shown. */
  readonly digest: string;
}

export interface Tickets {
  issue(by: string, what: TicketFor): string;
  /** Who a ticket was issued to; undefined when it was not issued for this, was altered, or has expired. */
  holder(ticket: string, what: TicketFor): string | undefined;
  /** Uses a ticket up; false when it has been used before. */
  use(ticket: string): boolean;
}

/** Makes tickets under a key of their own, so that they end with the process. */
export function createTickets(now: () => number): Tickets {
  const key = randomBytes(32);
  const used = new Map<string, number>();
  const sealed = (by: string, expiresAtMs: string, nonce: string, { plan, digest }: TicketFor): string => {
    const mac = createHmac("sha256", key).update(JSON.stringify([by, expiresAtMs, nonce, plan, digest]));
    return [by, expiresAtMs, nonce, mac.digest("base64url")].join(":");
  };
  return {
    issue: (by, what) => sealed(by, String(now() + validMs), randomBytes(12).toString("base64url"), what),
    holder(ticket, what) {
      const [by = "", expiresAtMs = "", nonce = ""] = ticket.split(":");
      const [given, right] = [Buffer.from(ticket), Buffer.from(sealed(by, expiresAtMs, nonce, what))];
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return Number(expiresAtMs) > now() ? by : undefined;
    },
    use(ticket) {
      for (const [one, expiresAtMs] of used) if (expiresAtMs <= now()) used.delete(one);
      if (used.has(ticket)) return false;
      used.set(ticket, now() + validMs);
      return true;
    },
  };
}
