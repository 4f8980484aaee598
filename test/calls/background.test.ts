/** Work in the background: for whom it begins, and what ends it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBackground } from "../../src/calls/background.js";
import type { Invoke } from "../../src/calls/context.js";
import type { InvocationRun } from "../../src/calls/invoke.js";
import { noPolicy } from "../../src/policy/index.js";
import { minuteMs } from "../../src/time/durations.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A run of a caller whose tools are unknown, so that a read that is made at all fails for that reason. */
const runOf = (caller: Partial<InvocationRun["caller"]> = {}, quotas: readonly unknown[] = []): InvocationRun =>
  ({
    caller: { owner: "one", signal: undefined, ...caller },
    context: { policy: { ...noPolicy, quotas }, operationOf: async () => undefined },
    trail: { beginInner: () => ({ outerTools: [], recordEnd: async () => undefined }) },
  }) as never;

function begin() {
  const faults: unknown[] = [];
  const background = createBackground((error) => faults.push(error));
  const began: string[] = [];
  const reads: string[] = [];
  /** Starts work that lasts until it is told to read. */
  const start = (run: InvocationRun, name = "work") => {
    let read: (() => void) | undefined;
    background.start(name, run, async (invoke: Invoke) => {
      began.push(run.caller.owner);
      await new Promise<void>((resolve) => {
        read = resolve;
      });
      await invoke("thing_get", {}).catch((error: Error) => {
        reads.push(error.message);
        throw error;
      });
    });
    return async () => {
      read?.();
      await vi.advanceTimersByTimeAsync(0);
    };
  };
  return { background, began, reads, faults, start };
}

it("begins once for each caller and name, and again when it has ended", async () => {
  const { began, start } = begin();
  const end = start(runOf());
  start(runOf());
  start(runOf({ owner: "another" }));
  expect(began).toEqual(["one", "another"]);
  await end();
  start(runOf());
  expect(began).toEqual(["one", "another", "one"]);
});

it("does not begin in a process that ends, or where calls are counted", () => {
  const { began, start } = begin();
  start(runOf({ endsWithCall: true }));
  start(runOf({}, [{ id: "all" }]));
  expect(began).toEqual([]);
});

it("ends ten minutes after the last call of its caller, not of others", async () => {
  const { background, reads, start } = begin();
  const read = "The catalogue names an operation";
  const first = start(runOf());
  const second = start(runOf(), "more");
  const others = start(runOf({ owner: "another" }));
  await vi.advanceTimersByTimeAsync(10 * minuteMs);
  await first();
  expect(reads[0]).toContain(read);
  background.noteCall("another");
  await vi.advanceTimersByTimeAsync(1);
  await second();
  await others();
  expect(reads.slice(1)).toEqual(["The work in the background has ended.", expect.stringContaining(read)]);
});

it("ends when it is closed, and does not begin again", async () => {
  const { background, began, reads, start } = begin();
  const read = start(runOf());
  background.close();
  await read();
  start(runOf());
  expect([began, reads]).toEqual([["one"], ["The work in the background has ended."]]);
});

it("reports an error that is no failure of a call", async () => {
  const { background, faults } = begin();
  const fault = new Error("a fault");
  background.start("work", runOf(), async () => {
    throw fault;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(faults).toEqual([fault]);
});
