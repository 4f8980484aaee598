/** Work that goes on after the call which began it: by reads that take what the limits of the APIs leave. */
import { Failure } from "../language/failure.js";
import { deadlineIn, minuteMs } from "../time/durations.js";
import type { BackgroundWork, Invoke } from "./context.js";
import { createInvoke, type InvocationRun } from "./invoke.js";
import { withMaskedReplies } from "./mask.js";

export interface Background {
  /**
   * Starts work under a name, unless the caller's work of that name is in progress. Its reads are steps of the call on
   * the record; none are made where the process ends with the call, or where the policy counts what the user may read.
   */
  start(name: string, run: InvocationRun, work: BackgroundWork): void;
  /** Notes that a caller has made a call: work for a caller ends when there has been none of theirs for a while. */
  noteCall(owner: string): void;
  /** Ends all work. */
  close(): void;
}

/** The time without a call of the caller after which they are not expected to ask for what the work prepares. */
const idleMs = 10 * minuteMs;

interface WorkInProgress {
  readonly owner: string;
  readonly ending: AbortController;
  /** When the caller's last call began, by the clock of `performance`. */
  lastCallMs: number;
}

const ended = (): Failure =>
  new Failure("cancelled", "The work in the background has ended.", { next: "Call the tool again." });

/**
 * Creates the background of a profile's calls.
 * @param onFault Called with an error that is not a Failure.
 */
export function createBackground(onFault: (error: unknown, name: string) => void): Background {
  const inProgress = new Map<string, WorkInProgress>();
  let isClosed = false;
  const invokeFor = (from: InvocationRun, inWork: WorkInProgress): Invoke => {
    const { signal } = inWork.ending;
    // The caller's own signal ends with the call.
    const caller = { ...from.caller, signal };
    return withMaskedReplies(from.context, async (tool, args) => {
      if (signal.aborted || performance.now() - inWork.lastCallMs > idleMs) throw ended();
      const deadline = deadlineIn(idleMs, signal);
      return createInvoke({ ...from, caller, deadline, waiting: undefined, isSpare: true })("step")(tool, args);
    });
  };
  return {
    start(name, run, work) {
      const { owner } = run.caller;
      const key = JSON.stringify([name, owner]);
      const isUnwanted = run.caller.endsWithCall === true || run.context.policy.quotas.length > 0;
      if (isUnwanted || isClosed || inProgress.has(key)) return;
      const inWork = { owner, ending: new AbortController(), lastCallMs: performance.now() };
      inProgress.set(key, inWork);
      work(invokeFor(run, inWork))
        .catch((error: unknown) => {
          if (!(error instanceof Failure)) onFault(error, name);
        })
        .finally(() => inProgress.delete(key));
    },
    noteCall(owner) {
      for (const inWork of inProgress.values()) if (inWork.owner === owner) inWork.lastCallMs = performance.now();
    },
    close() {
      isClosed = true;
      for (const { ending } of inProgress.values()) ending.abort();
    },
  };
}
