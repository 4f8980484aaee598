/** The note that a write is of an API which the vendor has given up or replaced: once a session, where it still helps. */
import type { AnyOperation } from "../language/define.js";
import { hourMs } from "../language/durations.js";
import { effectOf, guardOf } from "../language/effect.js";
import { type Standing, standingNote } from "../language/hint.js";
import type { Caller } from "./caller.js";
import type { Prepared } from "./context.js";
import type { Outcome } from "./outcome.js";

/** A caller who has written nothing to an API for so long has begun another session, where the protocol has none. */
const sessionMs = hourMs;
const maxRemembered = 10_000;

/** Adds a note to an outcome that a caller sees; a question is put to a person, and is followed by one that has it. */
function withNote(outcome: Outcome, note: string): Outcome {
  switch (outcome.kind) {
    case "answer":
      return { ...outcome, reply: { ...outcome.reply, notes: [...outcome.reply.notes, note] } };
    case "workflow":
    case "preview":
      return { ...outcome, notes: [...(outcome.notes ?? []), note] };
    default:
      return outcome;
  }
}

/** Whether an operation changes something of the account's; what only runs a test or a query does not. */
const isWrite = (operation: AnyOperation): boolean =>
  guardOf(operation) !== undefined || !["read", "launch"].includes(effectOf(operation));

/** Adds to the outcome of a call what there is to know of the API's future. */
export type StandingNotes = (outcome: Outcome, prepared: Pick<Prepared, "declared">, caller: Caller) => Outcome;

/** Makes the notes of a process, which remembers the notes that each owner has had. */
export function createStandingNotes(now: () => number = Date.now): StandingNotes {
  const told = new Map<string, number>();
  const isKnown = (owner: string, note: string): boolean => {
    const key = JSON.stringify([owner, note]);
    const before = told.get(key);
    // The keys are in the order of their last use, so that the first is the oldest.
    told.delete(key);
    told.set(key, now());
    const [oldest] = told.keys();
    if (told.size > maxRemembered && oldest !== undefined) told.delete(oldest);
    return before !== undefined && now() - before < sessionMs;
  };
  return (outcome, { declared }, caller) => {
    const standing: Standing | undefined = isWrite(declared) ? declared.service?.standing : undefined;
    const note = standing && standingNote(standing);
    if (note === undefined || outcome.kind === "question" || outcome.kind === "failure") return outcome;
    return isKnown(caller.owner, note) ? outcome : withNote(outcome, note);
  };
}
