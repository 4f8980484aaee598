/** A wait keeps its time limit, tells progress that grows, and repeats nothing of the upstream's on the way. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Failure } from "../../src/api/failure.js";
import type { Invoke, Reply } from "../../src/client/index.js";
import { awaitResult } from "../../src/workflows/wait.js";

const tools = { status: "x_status", result: "x_result" };
const launched = (body: unknown): Reply => ({ status: 202, body, notes: [] });
const live = () => new AbortController().signal;

it("ends in time when a question hangs, with the launch", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const hangs: Invoke = (_tool, _args, signal) =>
    new Promise((_, reject) => {
      const end = () => reject(new Failure("cancelled", "x_status was cancelled.", { next: "" }));
      signal?.addEventListener("abort", end);
      // A time limit that is held by nothing but the signal made of it would be gone after this.
      setTimeout(collectGarbage, 10);
    });
  const begun = performance.now();
  const launch = launched({ requestId: "abc", retryAfter: 0 });
  const reply = await awaitResult(hangs, tools, launch, {
    limitMs: 800,
    progress: async () => undefined,
    signal: live(),
  });
  expect(performance.now() - begun).toBeLessThan(3_000);
  expect(reply).toMatchObject({ status: 202, notes: [expect.stringMatching(/^Not ready within 1 s\. Ask x_status /)] });
});

it("tells progress that grows with each question, in words of its own", async () => {
  const told: number[] = [];
  const words: string[] = [];
  let polls = 0;
  const asks: Invoke = async (tool) => {
    polls += tool === "x_status" ? 1 : 0;
    return { status: polls < 4 ? 200 : 303, body: { retryAfter: 0 }, notes: [] };
  };
  const progress = async (done: number, message: string) => {
    told.push(done);
    words.push(message);
  };
  const launch = launched({ requestId: "said by the upstream", retryAfter: -7 });
  await awaitResult(asks, tools, launch, { limitMs: 10_000, progress, signal: live() });
  expect(told).toHaveLength(4);
  expect([...new Set(told)].sort((a, b) => a - b)).toEqual(told);
  expect(words.join()).not.toContain("said by");
});

it.each([undefined, 5, "", "a/b", ".."])(
  "does not say to ask with an id that cannot be asked with: %j",
  async (requestId) => {
    const asks: Invoke = async (tool) => {
      throw new Failure("invalid_input", `${tool} cannot use these arguments`, { next: "" });
    };
    const options = { limitMs: 10_000, progress: async () => undefined, signal: live() };
    const reply = await awaitResult(asks, tools, launched({ requestId, retryAfter: 0 }), options);
    expect(reply).toMatchObject({
      status: 202,
      body: { requestId },
      notes: [expect.stringMatching(/^The launch answered no requestId that x_status takes/)],
    });
    expect(reply.notes[0]).not.toContain("with this requestId");
  },
);

it.each([
  [undefined, "5 s"],
  [0, "0.5 s"],
  [2, "2 s"],
  [86_400, "30 s"],
])("asks again at the pace that an answer names, within reason: %j is %s", async (retryAfter, pace) => {
  const stop = new AbortController();
  const words: string[] = [];
  const progress = async (_: number, message: string) => {
    words.push(message);
    stop.abort();
  };
  const asks: Invoke = async (tool) => {
    throw new Failure("cancelled", `${tool} was cancelled.`, { next: "" });
  };
  const options = { limitMs: 600_000, progress, signal: stop.signal };
  const reply = await awaitResult(asks, tools, launched({ requestId: "abc", retryAfter }), options);
  expect(words).toEqual([`The request is not ready; asking again in ${pace}`]);
  expect(reply.notes).toEqual([expect.stringMatching(/^x_status was cancelled\. Ask x_status /)]);
});

it("loses no note on the way from the launch to the result", async () => {
  const asks: Invoke = async (tool) => ({ status: tool === "x_status" ? 303 : 200, body: {}, notes: [`of ${tool}`] });
  const launch = { ...launched({ requestId: "abc", retryAfter: 0 }), notes: ["of the launch"] };
  const options = { limitMs: 10_000, progress: async () => undefined, signal: live() };
  const { notes } = await awaitResult(asks, tools, launch, options);
  expect(notes).toEqual(["of the launch", "of x_result", expect.stringMatching(/^Request abc was ready/)]);
});
