/** Waiting for what happens in its own time, on however slow a machine. */
import { vi } from "vitest";

/** Longer than anything takes that happens at all; what hangs ends here. */
const hangMs = 100_000;

/** Looks until a check does not throw, and returns what it returned. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: hangMs, interval: 20 });

/** Looks until a condition is true. */
export const until = async (isTrue: () => boolean): Promise<void> => {
  await vi.waitUntil(isTrue, { timeout: hangMs, interval: 1 });
};

/** What work comes to on a clock that goes on as soon as the work waits for it, and so without real waiting. */
export async function fastForwarded<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let isOver = false;
    const outcome = work().finally(() => {
      isOver = true;
    });
    outcome.catch(() => undefined);
    while (!isOver) await vi.advanceTimersByTimeAsync(100);
    return await outcome;
  } finally {
    vi.useRealTimers();
  }
}

/** What somebody waits for until another opens it: an overlap that no machine is too slow or too fast for. */
export function barrier(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
