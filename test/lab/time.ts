/** Waiting for what happens in its own time, on however slow a machine. */
import { vi } from "vitest";

/** The real one, also while timers are fake. */
const setImmediateNow = setImmediate;

/** Longer than anything takes that happens at all; what hangs ends here. */
const hangMs = 100_000;

/** Looks until a check does not throw, and returns what it returned. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: hangMs, interval: 20 });

/** Looks until a condition is true. */
export const until = async (isTrue: () => boolean): Promise<void> => {
  await vi.waitUntil(isTrue, { timeout: hangMs, interval: 1 });
};

/** What somebody waits for until another opens it: an overlap that no machine is too slow or too fast for. */
export function barrier(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/**
 * What comes of work whose waits take no real time; the timers have to be fake.
 * @param onStep Called after each step of the clock, such as to move the clock of a world.
 */
export async function passing<T>(work: Promise<T>, stepMs = 10, onStep: () => void = () => undefined): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(stepMs);
    onStep();
    // What is between two waits runs on the real event loop.
    await new Promise(setImmediateNow);
  }
  return work;
}

/** What comes of work that begins on a clock of its own, whose waits take no real time. */
export async function fastForwarded<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    return await passing(work(), 100);
  } finally {
    vi.useRealTimers();
  }
}
