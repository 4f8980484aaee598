/** Waits for a launch: polls its status at the interval that the API sets, and fetches the result. */
import type { Answered, Arguments, Awaits } from "../api/conduct.js";
import { type Deadline, pause } from "../api/deadline.js";
import { Failure } from "../api/failure.js";
import { NextCall } from "../api/next-call.js";
import type { Reply } from "../client/index.js";
import type { Invoke } from "./context.js";
import type { Progress } from "./progress.js";

export interface WaitOptions {
  readonly deadline: Deadline;
  readonly progress: Progress;
}

const shortestPauseMs = 500;
const usualPauseMs = 5_000;
/** Time reserved for the last poll. */
const reserveMs = 250;

/** The pause before the next poll: never shorter than the API asks for. */
function pauseMsAfter(answer: Answered, { pauseSeconds }: Awaits): number {
  const seconds = pauseSeconds?.(answer);
  return seconds === undefined ? usualPauseMs : Math.max(shortestPauseMs, seconds * 1000);
}

/** The failure of a launch that was accepted. */
function failedLaunch({ status }: Awaits, why: string, latest: Reply): Failure {
  return new Failure("failed", "The launched job has failed.", {
    why,
    next: `${status} shows it; correct the cause before launching it again.`,
    upstream: latest.body,
  });
}

/** The calls that follow a launch to its result. */
export const callsAfter = (
  { status, result }: Awaits,
  names: Arguments,
): { readonly askAgainWith: NextCall; readonly resultWith?: NextCall } => ({
  askAgainWith: new NextCall(status, names),
  ...(result === undefined ? {} : { resultWith: new NextCall(result, names) }),
});

/**
 * Waits until the result of a launch is ready.
 * @returns the result; or, when it is not ready in time or cannot be fetched, the launch with a note that says what
 * to call. A launch is never lost: whatever goes wrong after it, its answer is returned.
 * @throws Failure `failed` when the API says that the launched job has failed permanently.
 */
export async function awaitResult(
  invoke: Invoke,
  awaits: Awaits,
  launch: Reply,
  given: Arguments,
  { deadline, progress }: WaitOptions,
): Promise<Reply> {
  const { status, result } = awaits;
  const begun = performance.now();
  const elapsedSeconds = () => (performance.now() - begun) / 1000;
  const withNote = (note: string): Reply => ({ ...launch, notes: [...launch.notes, note] });
  const names = awaits.follow(launch, given);
  const cannotFollow = () =>
    withNote(`The response to the launch lacks what ${status} needs, so its result cannot be fetched.`);
  if (names === undefined) return cannotFollow();
  const shown = Object.entries(names)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(", ");
  const unfinished = (why: string): Reply => ({
    ...withNote(
      `${why} Poll ${status} with ${shown}${result === undefined ? "" : `, and when it is ready call ${result}`}.`,
    ),
    offers: { ...launch.offers, ...callsAfter(awaits, names) },
  });
  let latest = launch;
  let farthest = 0;
  for (let polls = 1; ; polls += 1) {
    const pauseMs = pauseMsAfter(latest, awaits);
    if (pauseMs + reserveMs > deadline.timeLeftMs())
      return unfinished(
        `Not ready within ${Math.round(elapsedSeconds())} s, and the call's timeout leaves no time for another poll.`,
      );
    const fraction = latest === launch ? undefined : awaits.fraction?.(latest);
    farthest = Math.max(farthest, fraction ?? 0);
    const message = `Not ready; polling again in ${pauseMs / 1000} s`;
    if (awaits.fraction) await progress(farthest, message, 1);
    else await progress(elapsedSeconds(), message);
    // An abort ends the pause early; the next call then ends in a failure of its own.
    await pause(pauseMs, deadline);
    try {
      latest = await invoke(status, names);
      const failure = awaits.failure?.(latest, given);
      if (failure !== undefined) throw failedLaunch(awaits, failure, latest);
      if (!awaits.isReady(latest, given)) continue;
      const reply = result === undefined ? latest : await invoke(result, names);
      const note = `Ready after ${Math.round(elapsedSeconds())} s; ${status} was polled ${polls} time(s) with ${shown}.`;
      return { ...reply, notes: [...launch.notes, ...reply.notes, note] };
    } catch (error) {
      if (!(error instanceof Failure) || error.code === "failed") throw error;
      return error.code === "invalid_input" ? cannotFollow() : unfinished(error.message);
    }
  }
}
