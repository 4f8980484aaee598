/** A wait keeps its deadline, reports increasing progress, and repeats none of the upstream's text in it. */
import { expect, it } from "vitest";
import type { Invoke } from "../../src/calls/index.js";
import { awaitResult } from "../../src/calls/wait.js";
import type { Awaits } from "../../src/language/conduct.js";
import { deadlineIn } from "../../src/language/durations.js";
import { Failure } from "../../src/language/failure.js";
import type { Reply } from "../../src/wire/index.js";

interface Body {
  readonly requestId?: unknown;
  readonly retryAfter?: number;
  readonly percent?: number;
  readonly error?: string;
}
const bodyOf = ({ body }: { readonly body: unknown }): Body => (body ?? {}) as Body;
const awaits: Awaits = {
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
const launched = (body: Body): Reply => ({ status: 202, body, headers: {}, notes: [] });
const answer = (status: number, body: Body = { retryAfter: 0 }): Reply => ({ status, body, headers: {}, notes: [] });
const silent = async () => undefined;
const wait = (
  invoke: Invoke,
  launch: Reply,
  totalMs = 10_000,
  progress = silent as Parameters<typeof awaitResult>[4]["progress"],
  signal?: AbortSignal,
  how = awaits,
) => awaitResult(invoke, how, launch, {}, { deadline: deadlineIn(totalMs, signal), progress });

it("ends with the launch when there is no time for another poll", async () => {
  const asked: string[] = [];
  const asks: Invoke = async (tool) => {
    asked.push(tool);
    return answer(200, { retryAfter: 60 });
  };
  const reply = await wait(asks, launched({ requestId: "abc", retryAfter: 0 }), 5_000);
  expect(asked).toEqual(["x_status"]);
  expect(reply).toMatchObject({
    status: 202,
    notes: [
      expect.stringMatching(
        /^Not ready within \d s, .* Poll x_status with requestId "abc", and when it is ready call x_result\.$/,
      ),
    ],
  });
});

it("reports progress that increases with each poll, in its own words", async () => {
  const told: number[] = [];
  const words: string[] = [];
  let polls = 0;
  const asks: Invoke = async (tool) => {
    polls += tool === "x_status" ? 1 : 0;
    return answer(polls < 4 ? 200 : 303);
  };
  const progress = async (done: number, message: string) => {
    told.push(done);
    words.push(message);
  };
  await wait(asks, launched({ requestId: "said by the upstream", retryAfter: -7 }), 10_000, progress);
  expect(told).toHaveLength(4);
  expect([...new Set(told)].sort((a, b) => a - b)).toEqual(told);
  expect(words.join()).not.toContain("said by");
});

it("reports the fraction that the API gives, which never decreases", async () => {
  const told: (readonly [number, number | undefined])[] = [];
  const percents = [10, 40, 30, 100];
  const asks: Invoke = async (tool) => {
    const percent = percents.shift();
    return tool === "x_status"
      ? answer(percent === 100 ? 303 : 200, { retryAfter: 0, percent: percent ?? 0 })
      : answer(200);
  };
  const progress = async (done: number, _: string, total?: number) => void told.push([done, total]);
  const fraction: Awaits["fraction"] = (status) => (bodyOf(status).percent ?? 0) / 100;
  await wait(asks, launched({ requestId: "abc", retryAfter: 0 }), 10_000, progress, undefined, { ...awaits, fraction });
  expect(told).toEqual([0, 0.1, 0.4, 0.4].map((done) => [done, 1]));
});

it("fails as the API says that what was launched has failed, with what to read", async () => {
  const asks: Invoke = async () => answer(200, { error: "The origin refused it." });
  const waiting = wait(asks, launched({ requestId: "abc", retryAfter: 0 }));
  await expect(waiting).rejects.toMatchObject({
    code: "failed",
    detail: { why: "The origin refused it.", next: expect.stringContaining("x_status") },
  });
});

it("uses the last status as the result where no other operation has it", async () => {
  const asks: Invoke = async (tool) => ({ ...answer(303), body: `of ${tool}` });
  const { result: _, ...alone } = awaits;
  const reply = await wait(asks, launched({ requestId: "abc", retryAfter: 0 }), 10_000, silent, undefined, alone);
  expect(reply.body).toBe("of x_status");
});

it.each([undefined, 5])("says what cannot be polled when the launch returns no id: %j", async (requestId) => {
  const reply = await wait(async () => answer(303), launched({ requestId, retryAfter: 0 }));
  expect(reply).toMatchObject({
    status: 202,
    body: { requestId },
    notes: [expect.stringMatching(/^The response to the launch lacks what x_status needs/)],
  });
});

it("says the same when the status tool does not accept the returned id", async () => {
  const asks: Invoke = async (tool) => {
    throw new Failure("invalid_input", `${tool} cannot use these arguments`, { next: "" });
  };
  const reply = await wait(asks, launched({ requestId: "a/b", retryAfter: 0 }));
  expect(reply.notes).toEqual([expect.stringMatching(/^The response to the launch lacks what x_status needs/)]);
});

it.each([
  [undefined, "5 s"],
  [0, "0.5 s"],
  [2, "2 s"],
  [300, "300 s"],
])("asks again at the pace that an answer names, and never faster: %j is %s", async (retryAfter, pace) => {
  const stop = new AbortController();
  const words: string[] = [];
  const progress = async (_: number, message: string) => {
    words.push(message);
    stop.abort();
  };
  const asks: Invoke = async (tool) => {
    throw new Failure("cancelled", `${tool} was cancelled.`, { next: "" });
  };
  const launch = launched({ requestId: "abc", ...(retryAfter === undefined ? {} : { retryAfter }) });
  const reply = await wait(asks, launch, 600_000, progress, stop.signal);
  expect(words).toEqual([`Not ready; polling again in ${pace}`]);
  expect(reply.notes).toEqual([expect.stringMatching(/^x_status was cancelled\. Poll x_status /)]);
});

it("loses no note on the way from the launch to the result", async () => {
  const asks: Invoke = async (tool) => ({ ...answer(tool === "x_status" ? 303 : 200), notes: [`of ${tool}`] });
  const launch = { ...launched({ requestId: "abc", retryAfter: 0 }), notes: ["of the launch"] };
  const { notes } = await wait(asks, launch);
  expect(notes).toEqual([
    "of the launch",
    "of x_result",
    expect.stringMatching(/^Ready after \d s; x_status was polled 1/),
  ]);
});
