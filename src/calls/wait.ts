/** Waits for a launched job: polls its status at the API's interval, and fetches the result. */
import type { Arguments, JobPolling, UpstreamAnswer } from "../language/conduct.js";
import { Failure } from "../language/failure.js";
import { NextCall } from "../language/next-call.js";
import { type Deadline, pause } from "../time/durations.js";
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
function pauseMsAfter(answer: UpstreamAnswer, { pauseSeconds }: JobPolling): number {
  const seconds = pauseSeconds?.(answer);
  return seconds === undefined ? usualPauseMs : Math.max(shortestPauseMs, seconds * 1000);
}

/** The failure of a job that was launched. */
function launchFailure({ status }: JobPolling, why: string, latest: Reply): Failure {
  return new Failure("failed", "The launched job has failed.", {
    why,
    next: `${status} shows it; correct the cause before launching it again.`,
    upstream: latest.body,
  });
}

/** The calls that follow a launch to its result. */
export const followUpCalls = (
  { status, result }: JobPolling,
  names: Arguments,
): { readonly askAgainWith: NextCall; readonly resultWith?: NextCall } => ({
  askAgainWith: new NextCall(status, names),
  ...(result === undefined ? {} : { resultWith: new NextCall(result, names) }),
});

/** Arguments in words, for a sentence. */
const argumentsText = (args: Arguments): string =>
  Object.entries(args)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(", ");

/** A sentence on how to follow a launch. */
const nextPoll = ({ status, result }: JobPolling, shown: string): string =>
  `Poll ${status} with ${shown}${result === undefined ? "" : `, and when it is ready call ${result}`}.`;

/** Reports the progress of a launch: by the API's fraction, which never decreases here, or else by the elapsed time. */
function createReport({ fraction }: JobPolling, progress: Progress, elapsedSeconds: () => number) {
  let farthest = 0;
  return async (polled: Reply | undefined, message: string): Promise<void> => {
    if (fraction === undefined) return progress(elapsedSeconds(), message);
    farthest = Math.max(farthest, (polled && fraction(polled)) ?? 0);
    return progress(farthest, message, 1);
  };
}

/**
 * Polls the status of a launch once, and fetches its result if it is ready.
 * @throws Failure `failed` if the API reports that the job has failed permanently.
 */
async function poll(
  invoke: Invoke,
  awaits: JobPolling,
  names: Arguments,
  launchArgs: Arguments,
): Promise<{ readonly latest: Reply; readonly reply?: Reply }> {
  const latest = await invoke(awaits.status, names);
  const failure = awaits.failure?.(latest, launchArgs);
  if (failure !== undefined) throw launchFailure(awaits, failure, latest);
  if (!awaits.isReady(latest, launchArgs)) return { latest };
  return { latest, reply: awaits.result === undefined ? latest : await invoke(awaits.result, names) };
}

/**
 * Waits until the result of a launch is ready.
 * @returns the result; or, if it is not ready in time or cannot be fetched, the response to the launch with a note on
 * what to call. That response is never lost, whatever happens later.
 * @throws Failure `failed` if the API reports that the job has failed permanently.
 */
export async function awaitResult(
  invoke: Invoke,
  awaits: JobPolling,
  launch: Reply,
  launchArgs: Arguments,
  { deadline, progress }: WaitOptions,
): Promise<Reply> {
  const { status } = awaits;
  const begun = performance.now();
  const elapsedSeconds = () => (performance.now() - begun) / 1000;
  const withNote = (note: string): Reply => ({ ...launch, notes: [...launch.notes, note] });
  const names = awaits.follow(launch, launchArgs);
  const cannotFollow = () =>
    withNote(`The response to the launch lacks what ${status} needs, so its result cannot be fetched.`);
  if (names === undefined) return cannotFollow();
  const shown = argumentsText(names);
  const unfinished = (why: string): Reply => ({
    ...withNote(`${why} ${nextPoll(awaits, shown)}`),
    offers: { ...launch.offers, ...followUpCalls(awaits, names) },
  });
  /** The result if a poll fails, unless the job itself has failed. */
  const interrupted = (error: unknown): Reply => {
    if (!(error instanceof Failure) || error.code === "failed") throw error;
    return error.code === "invalid_input" ? cannotFollow() : unfinished(error.message);
  };
  const report = createReport(awaits, progress, elapsedSeconds);
  let latest = launch;
  for (let polls = 1; ; polls += 1) {
    const pauseMs = pauseMsAfter(latest, awaits);
    if (pauseMs + reserveMs > deadline.timeLeftMs())
      return unfinished(
        `Not ready within ${Math.round(elapsedSeconds())} s, and the call's timeout leaves no time for another poll.`,
      );
    await report(latest === launch ? undefined : latest, `Not ready; polling again in ${pauseMs / 1000} s`);
    // An abort ends the pause early; the next call then fails by itself.
    await pause(pauseMs, deadline);
    try {
      const polled = await poll(invoke, awaits, names, launchArgs);
      latest = polled.latest;
      if (polled.reply === undefined) continue;
      const note = `Ready after ${Math.round(elapsedSeconds())} s; ${status} was polled ${polls} time(s) with ${shown}.`;
      return { ...polled.reply, notes: [...launch.notes, ...polled.reply.notes, note] };
    } catch (error) {
      return interrupted(error);
    }
  }
}
