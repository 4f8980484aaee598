/**
 * Durations in milliseconds, waiting, and the deadline that all work for a call shares. The room knows the notations of
 * callers and APIs, time zones and relative periods; a name in `…Ms` is in milliseconds, for an instant since 1970.
 */

// A day of 24 hours; calendar days, which can have 23 or 25, belong to a time zone.
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export interface Deadline {
  /** Aborted when the caller disconnects or cancels. Not aborted at the deadline: waits use `timeLeftMs` for that. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds until the deadline; zero or less after it. */
  timeLeftMs(): number;
  /** Called when the work waits for a time to pass. @returns what to call when it goes on. */
  readonly beginWait?: (() => () => void) | undefined;
}

/** A deadline the given number of milliseconds from now. */
export function deadlineIn(totalMs: number, signal?: AbortSignal, beginWait?: Deadline["beginWait"]): Deadline {
  const endMs = performance.now() + totalMs;
  return { signal, timeLeftMs: () => endMs - performance.now(), beginWait };
}

/**
 * Waits for the given time, or until the signal is aborted.
 * @param isInBackground Whether the process may exit while waiting.
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

/** Waits for the given time, but not beyond the deadline, and no longer than until the caller disconnects or cancels. */
export async function pause(ms: number, { signal, timeLeftMs, beginWait }: Deadline): Promise<void> {
  const goesOn = beginWait?.();
  await waitFor(Math.max(0, Math.min(ms, timeLeftMs())), signal);
  goesOn?.();
}
