/** How long a call may take in all: one bound that everything done for it shares. */

export interface Deadline {
  /** Aborted when the caller has gone. The end of the time does not abort it: what waits asks for the time that is left. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds until the call has to have its answer; zero or less when it is over. */
  timeLeftMs(): number;
}

/** A deadline so many milliseconds from now. */
export function deadlineIn(totalMs: number, signal?: AbortSignal): Deadline {
  const endMs = performance.now() + totalMs;
  return { signal, timeLeftMs: () => endMs - performance.now() };
}

/** Waits so long, or until the caller has gone, or until the time is over. */
export function pause(ms: number, { signal, timeLeftMs }: Deadline): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, Math.min(ms, timeLeftMs())));
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted) done();
  });
}
