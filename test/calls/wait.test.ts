/** A wait keeps its deadline, reports increasing progress, and repeats none of the upstream's text in it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Invoke } from "../../src/calls/index.js";
import { awaitResult } from "../../src/calls/wait.js";
import type { JobPolling } from "../../src/language/conduct.js";
import { Failure } from "../../src/language/failure.js";
import { deadlineIn } from "../../src/time/durations.js";
import type { Reply } from "../../src/wire/index.js";

interface Body {
  readonly requestId?: unknown;
  readonly retryAfter?: number;
  readonly percent?: number;
  readonly error?: string;
}
const bodyOf = ({ body }: { readonly body: unknown }): Body => (body ?? {}) as Body;
const awaits: JobPolling = {
  status: "x_status",
  result: "x_result",
  follow: (launch) => {
    const { requestId } = bodyOf(launch);
    return typeof requestId === "string" ? { requestId } : undefined;
  },
  isReady: ({ status }) => status === 303,
  state: ({ status }) => String(status),
  failure: (status) => bodyOf(status).error,
  pauseSeconds: (answer) => bodyOf(answer).retryAfter,
};
const answer = (status: number, body: Body = { retryAfter: 0 }): Reply => ({ status, body, headers: {}, notes: [] });
const launched = (body: Body = { requestId: "abc", retryAfter: 0 }): Reply => answer(202, body);

type Conditions = Partial<Parameters<typeof awaitResult>[4]> & {
  totalMs?: number;
  signal?: AbortSignal;
  how?: JobPolling;
};

/** Waits for a launch on a clock that runs to its deadline at once. */
async function wait(invoke: Invoke, launch: Reply, conditions: Conditions = {}): Promise<Reply> {
  const { totalMs = 10_000, signal, progress = async () => undefined, how = awaits } = conditions;
  const outcome = awaitResult(invoke, how, launch, {}, { deadline: deadlineIn(totalMs, signal), progress });
  const [settled] = await Promise.all([Promise.allSettled([outcome]), vi.advanceTimersByTimeAsync(totalMs)]);
  if (settled[0].status === "rejected") throw settled[0].reason;
  return settled[0].value;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  [5_249, []],
  [5_250, ["x_status"]],
])("a wait of %d ms, with a pause of 5 s, polls %j", async (totalMs, polled) => {
  const asked: string[] = [];
  const asks: Invoke = async (tool) => {
    asked.push(tool);
    return answer(200, { retryAfter: 60 });
  };
  const { status, notes } = await wait(asks, launched({ requestId: "abc" }), { totalMs });
  expect(asked).toEqual(polled);
  expect([status, notes]).toEqual([202, [expect.stringMatching(/x_status with requestId "abc".* call x_result\.$/)]]);
});

it("progress increases with each poll, and has no words of the upstream", async () => {
  const progress = vi.fn(async () => undefined);
  let polls = 0;
  const asks: Invoke = async (tool) => {
    polls += tool === "x_status" ? 1 : 0;
    return answer(polls < 4 ? 200 : 303);
  };
  await wait(asks, launched({ requestId: "said by the upstream", retryAfter: -7 }), { progress });
  expect(progress.mock.calls.map(([done]: unknown[]) => done)).toEqual([0, 0.5, 1, 1.5]);
  expect(JSON.stringify(progress.mock.calls)).not.toContain("said by");
});

it("progress by the fraction that the API gives never decreases", async () => {
  const reported: (readonly [number, number | undefined])[] = [];
  const percents = [10, 40, 30, 100];
  const asks: Invoke = async (tool) => {
    const percent = percents.shift();
    return tool === "x_status"
      ? answer(percent === 100 ? 303 : 200, { retryAfter: 0, percent: percent ?? 0 })
      : answer(200);
  };
  const progress = async (done: number, _: string, total?: number) => void reported.push([done, total]);
  const fraction: JobPolling["fraction"] = (status) => (bodyOf(status).percent ?? 0) / 100;
  await wait(asks, launched(), { progress, how: { ...awaits, fraction } });
  expect(reported).toEqual([0, 0.1, 0.4, 0.4].map((done) => [done, 1]));
});

it("a job that the API reports as failed fails with its reason", async () => {
  const asks: Invoke = async () => answer(200, { error: "The origin refused it." });
  await expect(wait(asks, launched())).rejects.toMatchObject({
    code: "failed",
    detail: { why: "The origin refused it.", next: expect.stringContaining("x_status") },
  });
});

it("the last status is the result where no other operation has one", async () => {
  const asks: Invoke = async (tool) => ({ ...answer(303), body: `of ${tool}` });
  const { result: _, ...how } = awaits;
  expect((await wait(asks, launched(), { how })).body).toBe("of x_status");
});

const refuses: Invoke = async (tool) => {
  throw new Failure("invalid_input", `${tool} cannot use these arguments`, { next: "" });
};
it.each<[string, unknown, Invoke]>([
  ["no id", undefined, async () => answer(303)],
  ["an id of another type", 5, async () => answer(303)],
  ["an id that the status tool refuses", "a/b", refuses],
])("a launch that returns %s is returned itself, with a note", async (_, requestId, asks) => {
  const { status, body, notes } = await wait(asks, launched({ requestId, retryAfter: 0 }));
  expect([status, bodyOf({ body }).requestId]).toEqual([202, requestId]);
  expect(notes).toEqual([expect.stringContaining("lacks what x_status needs")]);
});

it.each([
  [undefined, 5_000],
  [0, 500],
  [0.4, 500],
  [0.6, 600],
  [2, 2_000],
  [300, 300_000],
])("after an answer with a pause of %j s, the next poll is %d ms later", async (retryAfter, ms) => {
  const begun = performance.now();
  const polledAt: number[] = [];
  const asks: Invoke = async (tool) => {
    if (tool === "x_status") polledAt.push(performance.now() - begun);
    return answer(303);
  };
  await wait(asks, launched({ requestId: "abc", ...(retryAfter !== undefined && { retryAfter }) }), {
    totalMs: 600_000,
  });
  expect(polledAt).toEqual([ms]);
});

it("a wait that is cancelled ends its pause, and says how to go on", async () => {
  const stop = new AbortController();
  const asks: Invoke = async (tool) => {
    throw new Failure("cancelled", `${tool} was cancelled.`, { next: "" });
  };
  const progress = async () => stop.abort();
  const { notes } = await wait(asks, launched(), { totalMs: 600_000, progress, signal: stop.signal });
  expect(notes).toEqual([expect.stringMatching(/^x_status was cancelled\. Poll x_status /)]);
});

it("notes of the launch and of the result are all kept", async () => {
  const asks: Invoke = async (tool) => ({ ...answer(tool === "x_status" ? 303 : 200), notes: [`of ${tool}`] });
  const { notes } = await wait(asks, { ...launched(), notes: ["of the launch"] });
  expect(notes).toEqual(["of the launch", "of x_result", expect.stringContaining("polled 1 time")]);
});
