/** Tickets for decisions: each is for one session and one plan as it was shown, and is used once. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { ShownPlan } from "./review.js";
import type { DeskSession } from "./session.js";

type TicketPlan = Pick<ShownPlan, "id"> & { readonly preview: Pick<ShownPlan["preview"], "digest"> };

/** What tickets need of the state: keys, and the memory of those that were used. */
export interface TicketState {
  /** The present key and former ones. */
  readonly keys: readonly [Buffer, ...Buffer[]];
  /** Marks a ticket as used until a time in milliseconds; false if it has been used before. */
  useTicket(ticket: string, forgottenAtMs: number): Promise<boolean>;
}

export interface Tickets {
  issue(session: DeskSession, plan: TicketPlan): string;
  /** Whether a ticket was issued to this session for this plan as it is now. */
  isFor(ticket: string, session: DeskSession, plan: TicketPlan): boolean;
  /** Marks a ticket as used; false if it has been used before. */
  use(ticket: string, session: DeskSession): Promise<boolean>;
}

export function createTickets({ keys, useTicket }: TicketState): Tickets {
  const signed = (key: Buffer, nonce: string, session: DeskSession, { id, preview }: TicketPlan): string => {
    const words = ["deciding", nonce, session.id, id, preview.digest];
    return `${nonce}:${createHmac("sha256", key).update(JSON.stringify(words)).digest("base64url")}`;
  };
  return {
    issue: (session, plan) => signed(keys[0], randomBytes(12).toString("base64url"), session, plan),
    isFor(ticket, session, plan) {
      const [nonce = ""] = ticket.split(":", 1);
      const given = Buffer.from(ticket);
      return keys.some((key) => {
        const right = Buffer.from(signed(key, nonce, session, plan));
        return given.length === right.length && timingSafeEqual(given, right);
      });
    },
    // It is worth nothing without its session.
    use: (ticket, { expiresAtMs }) => useTicket(ticket, expiresAtMs),
  };
}
