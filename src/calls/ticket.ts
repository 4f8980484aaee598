/** The ticket of a call: an argument that every tool takes and none lists, where the policy asks for tickets. */
import type { Arguments } from "../language/conduct.js";
import { Failure, problemInWords, quoteValue } from "../language/failure.js";
import { isNothing } from "../language/member.js";
import { asksForTickets, type Policy } from "../policy/index.js";
import { ticketForm, ticketText } from "../policy/ticket.js";

/** The arguments of a call without its ticket, and the ticket; or the failure of what is none. */
interface SplitTicket {
  readonly args: Arguments;
  readonly ticket?: string;
  readonly refusal?: Failure;
}

/** @param given As the caller gave them; where the policy asks for no ticket, a tool may have an argument of that name. */
export function splitTicket(policy: Policy, given: Arguments): SplitTicket {
  if (!Object.hasOwn(given, "ticket") || !asksForTickets(policy)) return { args: given };
  const { ticket, ...args } = given;
  if (ticket === undefined || isNothing(ticket)) return { args };
  const text = typeof ticket === "number" ? String(ticket) : ticket;
  if (typeof text === "string" && ticketForm.test(text)) return { args, ticket: text };
  const problem = { field: "ticket", given: quoteValue(ticket), takes: ticketText };
  const refusal = new Failure("invalid_input", `${problemInWords(problem)}.`, {
    why: "The policy of this server asks for tickets, and they are on record. Nothing was sent.",
    next: "Give the id of the ticket as it stands in its tracker.",
    fields: [problem],
  });
  return { args, refusal };
}
