/** The calls that a result offers, taken out of it, so that each is a line below it and no cell of a table. */
import { isRecord, omitted, withEach } from "../api/member.js";
import { NextCall } from "../api/next-call.js";
import type { Outcome } from "../calls/index.js";

type Ended = Exclude<Outcome, { kind: "question" }>;

/** A call, and the member that has it: `readMore`, or `changes.readMore` for one of the rows of `changes`. */
export interface OfferedCall {
  readonly at: string;
  readonly call: NextCall;
}

function without(value: unknown, at: readonly string[], found: OfferedCall[]): unknown {
  if (value instanceof NextCall) {
    found.push({ at: at.join("."), call: value });
    return omitted;
  }
  if (!Array.isArray(value) && !isRecord(value)) return value;
  const rest = withEach(value, (member, key) =>
    without(member, typeof key === "number" ? at : [...at, key], found),
  ) as object;
  // A list of nothing but calls has nothing left to show.
  return Array.isArray(value) && value.length > 0 && (rest as unknown[]).length === 0 ? omitted : rest;
}

/** An outcome without the calls that it offers, and these in the order in which they stand in it. */
export function withoutOffers(outcome: Ended): { readonly outcome: Ended; readonly offered: readonly OfferedCall[] } {
  const offered: OfferedCall[] = [];
  if (outcome.kind === "answer") {
    const { offers: given = {}, ...reply } = outcome.reply;
    const offers = without(given, [], offered) as Readonly<Record<string, unknown>>;
    return { outcome: { ...outcome, reply: { ...reply, offers } as typeof outcome.reply }, offered };
  }
  if (outcome.kind !== "workflow") return { outcome, offered };
  const result = without(outcome.result, [], offered) as typeof outcome.result;
  return { outcome: { ...outcome, result }, offered };
}
