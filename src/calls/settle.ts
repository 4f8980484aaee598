/** The settlement of a call: its outcome for the plan and the audit log, and what its undo needs. */
import { createdObjectOf, type Settlement } from "../guard/index.js";
import { Failure } from "../language/failure.js";
import type { Submission } from "./approve.js";
import { isOutcomeUnknown } from "./outcome.js";
import type { SendResult } from "./send.js";

/** The settlement before the first request: whatever happens then, nothing was sent. */
export const unsentSettlement: Settlement = { state: "not_sent", says: "it was stopped before anything was sent" };

/** The settlement once requests are being sent, until more is known. */
export const unknownSettlement: Settlement = { state: "unknown", says: "it failed inside this server" };

/** The settlement of a call that threw once its first request was about to be sent. */
export function settlementOfError(error: unknown): Settlement {
  if (!(error instanceof Failure)) return unknownSettlement;
  const says = `it ended with ${error.code}`;
  if (error.code === "outcome_unknown" || error.code === "cancelled") return { state: "unknown", says };
  return { state: error.code === "network" ? "not_sent" : "failed", says };
}

/** The number of requests by outcome; the others were not made. */
export function countResults(all: number, sendResults: readonly SendResult[]) {
  const failures = sendResults.flatMap(({ failure }) => failure ?? []);
  const unknown = failures.filter(isOutcomeUnknown).length;
  const failed = failures.length - unknown;
  return { done: sendResults.length - failures.length, failed, unknown, notAttempted: all - sendResults.length };
}

/** The settlement of a call whose requests were made, with the created objects for its undo. */
export function settlementOf(
  { all, isBatch }: Pick<Submission, "all" | "isBatch">,
  sendResults: readonly SendResult[],
): Settlement {
  const createdObjects = all.slice(0, sendResults.length).map(({ declared }, at) => {
    const sendResult = sendResults[at];
    return (
      (sendResult === undefined || sendResult.failure ? undefined : createdObjectOf(declared, sendResult.reply)) ?? null
    );
  });
  const withMade = createdObjects.every((one) => one === null) ? {} : { made: createdObjects };
  const [first] = sendResults;
  if (!isBatch && first && !first.failure)
    return { state: "done", says: `it answered ${first.reply.status}`, ...withMade };
  const { done, failed, unknown, notAttempted } = countResults(all.length, sendResults);
  const isUnmade = (sendResult: SendResult | undefined) =>
    sendResult === undefined || (sendResult.failure && !isOutcomeUnknown(sendResult.failure));
  const unmade = [...all.keys()].filter((at) => isUnmade(sendResults[at]));
  return {
    state: unknown > 0 ? "unknown" : done > 0 ? "done" : "failed",
    says: `of ${all.length} calls ${done} succeeded, ${failed} failed, ${unknown} have an unknown outcome, and ${notAttempted} were not made`,
    ...(unmade.length === 0 ? {} : { unmade }),
    ...withMade,
  };
}
