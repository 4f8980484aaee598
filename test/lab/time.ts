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
