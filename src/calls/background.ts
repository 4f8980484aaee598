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
  /** Ends all work. */
  close(): void;
}

/** The time without any call after which nobody is expected to ask for what the work prepares. */
const idleMs = 10 * minuteMs;

const ended = (): Failure =>
  new Failure("cancelled", "The work in the background has ended.", { next: "Call the tool again." });

/**
 * Creates the background of a profile's calls.
 * @param lastCallMs When the last call began, by the clock of `performance`: work ends when there has been none for a while.
 * @param onFault Called with an error that is not a Failure.
 */
export function createBackground(
  lastCallMs: () => number,
  onFault: (error: unknown, name: string) => void,
): Background {
  const inProgress = new Map<string, AbortController>();
  let isClosed = false;
  const invokeFor = (from: InvocationRun, signal: AbortSignal): Invoke => {
    // The caller's own signal ends with the call.
    const caller = { ...from.caller, signal };
    return withMaskedReplies(from.context, async (tool, args) => {
      if (signal.aborted || performance.now() - lastCallMs() > idleMs) throw ended();
      const deadline = deadlineIn(idleMs, signal);
      return createInvoke({ ...from, caller, deadline, waiting: undefined, isSpare: true })("step")(tool, args);
    });
  };
  return {
    start(name, run, work) {
      const key = JSON.stringify([name, run.caller.owner]);
      const isUnwanted = run.caller.endsWithCall === true || run.context.policy.quotas.length > 0;
      if (isUnwanted || isClosed || inProgress.has(key)) return;
      const ending = new AbortController();
      inProgress.set(key, ending);
      work(invokeFor(run, ending.signal))
        .catch((error: unknown) => {
          if (!(error instanceof Failure)) onFault(error, name);
        })
        .finally(() => inProgress.delete(key));
    },
    close() {
      isClosed = true;
      for (const ending of inProgress.values()) ending.abort();
    },
  };
}
