/** The note that a change uses an API that the vendor has retired or replaced: once per session, if it still helps. */
import type { AnyOperation } from "../language/define.js";
import { effectOf, guardOf } from "../language/effect.js";
import { type ApiStanding, standingNote } from "../language/hint.js";
import { hourMs } from "../time/durations.js";
import type { ResolvedCall } from "./context.js";
import type { CallOrigin } from "./origin.js";
import { type Outcome, withNote } from "./outcome.js";

/** Without protocol sessions, a caller who has made no change with an API for this long starts a new one. */
const sessionMs = hourMs;
const maxRemembered = 10_000;

/** Whether an operation changes the account's state, unlike one that only runs a test or query. */
const isWrite = (operation: AnyOperation): boolean =>
  guardOf(operation) !== undefined || !["read", "launch"].includes(effectOf(operation));

/** Adds notes on deprecated APIs to the outcome of a call; a question to the user is followed by an outcome that has it. */
export type StandingNotes = (outcome: Outcome, call: Pick<ResolvedCall, "declared">, caller: CallOrigin) => Outcome;

/** Creates the notes of a process, which remembers those that each owner has received. */
export function createStandingNotes(now: () => number = Date.now): StandingNotes {
  const noteTimes = new Map<string, number>();
  const isKnown = (owner: string, note: string): boolean => {
    const key = JSON.stringify([owner, note]);
    const before = noteTimes.get(key);
    // The keys are in order of their last use, so that the first is the oldest.
    noteTimes.delete(key);
    noteTimes.set(key, now());
    const [oldest] = noteTimes.keys();
    if (noteTimes.size > maxRemembered && oldest !== undefined) noteTimes.delete(oldest);
    return before !== undefined && now() - before < sessionMs;
  };
  return (outcome, { declared }, caller) => {
    const standing: ApiStanding | undefined = isWrite(declared) ? declared.service?.standing : undefined;
    const note = standing && standingNote(standing);
    if (note === undefined || outcome.kind === "question" || outcome.kind === "failure") return outcome;
    return isKnown(caller.owner, note) ? outcome : withNote(outcome, note);
  };
}
