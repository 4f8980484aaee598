/** Lengths of time in milliseconds, waiting, and the deadline that all that is done for a call shares. */

// A day is one of 24 hours; the calendar's days, which may have 23 or 25, are of a zone.
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export interface Deadline {
  /** Aborted when the caller disconnects or cancels. Not aborted at the deadline: waits use `timeLeftMs` for that. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds until the deadline; zero or less after it. */
  timeLeftMs(): number;
}

/** A deadline so many milliseconds from now. */
export function deadlineIn(totalMs: number, signal?: AbortSignal): Deadline {
  const endMs = performance.now() + totalMs;
  return { signal, timeLeftMs: () => endMs - performance.now() };
}

/**
 * Waits for the given time, or until the signal is aborted.
 * @param isInBackground Whether the process may end meanwhile.
 */
export function waitFor(ms: number, signal: AbortSignal | undefined, isInBackground = false): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (isInBackground) timer.unref();
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted) done();
  });
}

/** Waits for the given time, or until the caller disconnects or cancels, or until the deadline. */
export const pause = (ms: number, { signal, timeLeftMs }: Deadline): Promise<void> =>
  waitFor(Math.max(0, Math.min(ms, timeLeftMs())), signal);
