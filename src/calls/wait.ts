/** Waits for a launch: polls its status at the interval that the API sets, and fetches the result. */
import type { Answered, Arguments, Awaits } from "../language/conduct.js";
import { type Deadline, pause } from "../language/durations.js";
import { Failure } from "../language/failure.js";
import { NextCall } from "../language/next-call.js";
import type { Reply } from "../wire/index.js";
import type { Invoke, Progress } from "./context.js";

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

/** Arguments in words, for a sentence that names them. */
const inWords = (args: Arguments): string =>
  Object.entries(args)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(", ");

/** How a launch is followed from here, in a sentence. */
const nextPoll = ({ status, result }: Awaits, shown: string): string =>
  `Poll ${status} with ${shown}${result === undefined ? "" : `, and when it is ready call ${result}`}.`;

/** Reports how far a launch is: by the fraction that the API tells, which never shrinks, or else by the time that it has taken. */
function reporting({ fraction }: Awaits, progress: Progress, elapsedSeconds: () => number) {
  let farthest = 0;
  return async (polled: Reply | undefined, message: string): Promise<void> => {
    if (fraction === undefined) return progress(elapsedSeconds(), message);
    farthest = Math.max(farthest, (polled && fraction(polled)) ?? 0);
    return progress(farthest, message, 1);
  };
}

/**
 * Asks once how a launch stands, and for its result where it is ready.
 * @throws Failure `failed` when the API says that the launched job has failed permanently.
 */
async function poll(
  invoke: Invoke,
  awaits: Awaits,
  names: Arguments,
  given: Arguments,
): Promise<{ readonly latest: Reply; readonly reply?: Reply }> {
  const latest = await invoke(awaits.status, names);
  const failure = awaits.failure?.(latest, given);
  if (failure !== undefined) throw failedLaunch(awaits, failure, latest);
  if (!awaits.isReady(latest, given)) return { latest };
  return { latest, reply: awaits.result === undefined ? latest : await invoke(awaits.result, names) };
}

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
  const { status } = awaits;
  const begun = performance.now();
  const elapsedSeconds = () => (performance.now() - begun) / 1000;
  const withNote = (note: string): Reply => ({ ...launch, notes: [...launch.notes, note] });
  const names = awaits.follow(launch, given);
  const cannotFollow = () =>
    withNote(`The response to the launch lacks what ${status} needs, so its result cannot be fetched.`);
  if (names === undefined) return cannotFollow();
  const shown = inWords(names);
  const unfinished = (why: string): Reply => ({
    ...withNote(`${why} ${nextPoll(awaits, shown)}`),
    offers: { ...launch.offers, ...callsAfter(awaits, names) },
  });
  /** What the launch is answered with where a poll fails, but for a job that has failed itself. */
  const interrupted = (error: unknown): Reply => {
    if (!(error instanceof Failure) || error.code === "failed") throw error;
    return error.code === "invalid_input" ? cannotFollow() : unfinished(error.message);
  };
  const report = reporting(awaits, progress, elapsedSeconds);
  let latest = launch;
  for (let polls = 1; ; polls += 1) {
    const pauseMs = pauseMsAfter(latest, awaits);
    if (pauseMs + reserveMs > deadline.timeLeftMs())
      return unfinished(
        `Not ready within ${Math.round(elapsedSeconds())} s, and the call's timeout leaves no time for another poll.`,
      );
    await report(latest === launch ? undefined : latest, `Not ready; polling again in ${pauseMs / 1000} s`);
    // An abort ends the pause early; the next call then ends in a failure of its own.
    await pause(pauseMs, deadline);
    try {
      const polled = await poll(invoke, awaits, names, given);
      latest = polled.latest;
      if (polled.reply === undefined) continue;
      const note = `Ready after ${Math.round(elapsedSeconds())} s; ${status} was polled ${polls} time(s) with ${shown}.`;
      return { ...polled.reply, notes: [...launch.notes, ...polled.reply.notes, note] };
    } catch (error) {
      return interrupted(error);
    }
  }
}
