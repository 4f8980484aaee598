/** The settlement of a call: its outcome for the plan and the audit log, and what its undo needs. */
import { madeBy, type Settlement } from "../guard/index.js";
import { Failure } from "../language/failure.js";
import type { Submission } from "./approve.js";
import { isUnknown } from "./outcome.js";
import type { End } from "./send.js";

/** The settlement before the first request: whatever happens then, nothing was sent. */
export const nothingSent: Settlement = { state: "not_sent", says: "it was stopped before anything was sent" };

/** The settlement once requests are being sent, until more is known. */
export const unfinished: Settlement = { state: "unknown", says: "it failed inside this server" };

/** The settlement of a call that threw once its first request was about to be sent. */
export function settledBy(error: unknown): Settlement {
  if (!(error instanceof Failure)) return unfinished;
  const says = `it ended with ${error.code}`;
  if (error.code === "outcome_unknown" || error.code === "cancelled") return { state: "unknown", says };
  return { state: error.code === "network" ? "not_sent" : "failed", says };
}

/** The number of requests by outcome; the others were not made. */
export function counted(all: number, ends: readonly End[]) {
  const failures = ends.flatMap(({ failure }) => failure ?? []);
  const unknown = failures.filter(isUnknown).length;
  const failed = failures.length - unknown;
  return { done: ends.length - failures.length, failed, unknown, notAttempted: all - ends.length };
}

/** The settlement of a call whose requests were made, with the created objects for its undo. */
export function settled({ all, isBatch }: Pick<Submission, "all" | "isBatch">, ends: readonly End[]): Settlement {
  const made = all.slice(0, ends.length).map(({ declared }, at) => {
    const end = ends[at];
    return (end === undefined || end.failure ? undefined : madeBy(declared, end.reply)) ?? null;
  });
  const withMade = made.every((one) => one === null) ? {} : { made };
  const [first] = ends;
  if (!isBatch && first && !first.failure)
    return { state: "done", says: `it answered ${first.reply.status}`, ...withMade };
  const { done, failed, unknown, notAttempted } = counted(all.length, ends);
  const isUnmade = (end: End | undefined) => end === undefined || (end.failure && !isUnknown(end.failure));
  const unmade = [...all.keys()].filter((at) => isUnmade(ends[at]));
  return {
    state: unknown > 0 ? "unknown" : done > 0 ? "done" : "failed",
    says: `of ${all.length} calls ${done} succeeded, ${failed} failed, ${unknown} have an unknown outcome, and ${notAttempted} were not made`,
    ...(unmade.length === 0 ? {} : { unmade }),
    ...withMade,
  };
}
