/** A time limit for a piece of work, which holds whatever the work waits for. */

/**
 * Does work under a signal that is aborted when its caller goes, and when the time is up.
 *
 * The timer holds its controller. Under `AbortSignal.any` nothing holds a signal of `AbortSignal.timeout` in Node 20, and
 * a limit that was collected as garbage never comes.
 */
export async function inTime<T>(
  limitMs: number,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limitMs);
  try {
    return await work(AbortSignal.any([caller, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
