/** Waits for a launched request: asks after it at the pace that the API names, and fetches the result. */
import { setTimeout } from "node:timers/promises";
import { Failure } from "../api/failure.js";
import type { Invoke, Reply } from "../client/index.js";
import { inTime } from "./in-time.js";
import type { Progress } from "./progress.js";

/** The operations that follow a launch, by their tools' names. */
export interface Awaits {
  readonly status: string;
  readonly result: string;
}

export interface WaitOptions {
  readonly limitMs: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

const paceMs = { least: 500, most: 30_000, usual: 5_000 };

/** The pause that an answer asks for, in milliseconds and within reason. */
function pauseOf(body: unknown): number {
  const seconds = (body as { readonly retryAfter?: unknown } | undefined)?.retryAfter;
  const asked = typeof seconds === "number" ? seconds * 1000 : paceMs.usual;
  return Math.min(paceMs.most, Math.max(paceMs.least, asked));
}

/** Whether an answer about a request says that its result is there (document A: 303, as public facts have it). */
const isReady = (reply: Reply): boolean => reply.status === 303;

/**
 * Waits until the result of a launch is there.
 * @returns the result; or, when it does not come in time or cannot be asked for, the launch with a note that says what
 * to call. A launch is never lost: whatever goes wrong after it, its request id is in the answer.
 */
export async function awaitResult(
  invoke: Invoke,
  { status, result }: Awaits,
  launch: Reply,
  { limitMs, progress, signal }: WaitOptions,
): Promise<Reply> {
  const { requestId } = (launch.body ?? {}) as { readonly requestId?: unknown };
  const begun = performance.now();
  const elapsedMs = () => performance.now() - begun;
  const late = `Not ready within ${Math.round(limitMs / 1000)} s.`;
  const withNote = (note: string): Reply => ({ ...launch, notes: [...launch.notes, note] });
  const unfinished = (why: string): Reply =>
    withNote(`${why} Ask ${status} with this requestId, and when it is ready ${result}.`);
  const unanswerable = () =>
    withNote(`The launch answered no requestId that ${status} takes, so its result cannot be asked for.`);
  if (typeof requestId !== "string") return unanswerable();
  // The pauses alone do not keep the limit: a question can hang, too.
  return inTime(limitMs, signal, async (timed) => {
    let latest = launch;
    for (let polls = 1; ; polls += 1) {
      const pauseMs = pauseOf(latest.body);
      if (elapsedMs() + pauseMs > limitMs) return unfinished(late);
      await progress(elapsedMs() / 1000, `The request is not ready; asking again in ${pauseMs / 1000} s`);
      // An abort ends the pause early; the next call then ends in a failure of its own.
      await setTimeout(pauseMs, undefined, { signal: timed }).catch(() => undefined);
      try {
        latest = await invoke(status, { requestId }, timed);
        if (!isReady(latest)) continue;
        const reply = await invoke(result, { requestId }, timed);
        const note = `Request ${requestId} was ready after ${Math.round(elapsedMs() / 1000)} s and ${polls} question(s).`;
        return { ...reply, notes: [...launch.notes, ...reply.notes, note] };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.code === "invalid_input") return unanswerable();
        return unfinished(timed.aborted && !signal.aborted ? late : error.message);
      }
    }
  });
}
