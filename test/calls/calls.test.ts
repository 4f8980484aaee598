/** Calls from their arguments to their outcome, on a made-up catalogue, without any protocol. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Calls, Outcome } from "../../src/calls/index.js";
import { type Answer, caller, start, type Upstream } from "../lab/made-up.js";
import { failureOf, planOf } from "../lab/outcome.js";
import { passing } from "../lab/time.js";

const thing = { id: 1, name: "n", version: 1, updatedBy: "somebody" };
const alive: Upstream = () => ({ body: thing });
const replacing = { id: 1, body: { name: "m" } };

/** An upstream that answers by method and path; what is not scripted fails the test. */
const scripted =
  (answers: Readonly<Record<string, () => Answer>>): Upstream =>
  ({ method, url }) => {
    const answer = answers[`${method} ${url.pathname}`];
    if (!answer) throw new Error(`${method} ${url.pathname} was not expected`);
    return answer();
  };

const planned = async (calls: Calls, tool: string, args: object) => planOf(await calls.call(tool, { ...args }, caller));
/** An outcome without real waits, and how many milliseconds the clock went on meanwhile. */
async function timed(work: Promise<Outcome>) {
  const begun = performance.now();
  return { outcome: await passing(work), tookMs: performance.now() - begun };
}

describe("an outcome", () => {
  it.each<[string, string, object, Upstream, object]>([
    ["bad arguments", "thing_get", { id: "x" }, alive, { code: "invalid_input" }],
    ["a check that finds fault", "thing_replace", replacing, () => ({ status: 404 }), { code: "invalid_input" }],
    ["a refusal", "thing_get", { id: 1 }, () => ({ status: 403 }), { code: "forbidden" }],
    ["no such plan", "thing_replace", { ...replacing, confirm: "plan_x" }, alive, { code: "approval_refused" }],
  ])("an expected failure is no fault: %s", async (_, tool, args, upstream, failure) => {
    const { calls, faults } = start(upstream);
    expect(failureOf(await calls.call(tool, { ...args }, caller))).toMatchObject(failure);
    expect(faults).toEqual([]);
  });

  it("an internal error hides its message, and is logged with tool and id", async () => {
    const broken = new TypeError("hunter2 in a message");
    const { calls, faults } = start(() => {
      throw broken;
    });
    const failure = failureOf(await calls.call("thing_get", { id: 1 }, caller));
    expect(failure.code).toBe("internal");
    expect(JSON.stringify([failure.message, failure.detail])).not.toContain("hunter2");
    expect(faults).toEqual([[broken, "thing_get", 7]]);
  });

  it("a read-only server refuses changes, guarded or not", async () => {
    const { calls, sent } = start(alive, { isReadOnly: true });
    for (const [tool, args] of [
      ["thing_update", { id: 1, body: { name: "m", version: 1 } }],
      ["thing_replace", replacing],
    ] as const)
      expect(failureOf(await calls.call(tool, args, caller)).code).toBe("not_allowed");
    expect(sent).toEqual([]);
    expect((await calls.call("thing_get", { id: 1 }, caller)).kind).toBe("answer");
  });

  it("a call on the way is never a change that needs an approval", async () => {
    const { calls, sent } = start(alive);
    await expect(calls.invoke("thing_replace", replacing)).rejects.toThrow(/needs an approval/);
    expect(sent).not.toContain("PUT /things/1/all");
  });
});

it("a plan stores the outcome of its call", async () => {
  let status = 200;
  const { calls } = start(({ method }) => ({ status: method === "PUT" ? status : 200, body: thing }));
  for (const [code, end] of [
    [200, "it answered 200"],
    [403, "it ended with forbidden"],
    [500, "it ended with outcome_unknown"],
  ] as const) {
    status = code;
    const plan = await planned(calls, "thing_replace", replacing);
    const confirmed = { ...replacing, confirm: plan.id };
    await calls.call("thing_replace", confirmed, caller);
    expect(failureOf(await calls.call("thing_replace", confirmed, caller)).detail.why).toContain(end);
  }
});

describe("a guarded launch", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const running = (answers: readonly object[]) => {
    const left = [...answers];
    return scripted({
      "GET /things/1": () => ({ body: thing }),
      "POST /things/1/runs": () => ({ status: 202, body: { run: 5 } }),
      "GET /runs/5": () => ({ body: left.shift() }),
    });
  };

  it("a confirmed launch is polled without another approval", async () => {
    const { calls, sent } = start(running([{ done: false }, { done: 1, purged: 3 }]));
    const plan = await planned(calls, "thing_run", { id: 1, wait: true });
    expect(sent).toEqual(["GET /things/1"]);
    const { outcome } = await timed(calls.call("thing_run", { id: 1, wait: true, confirm: plan.id }, caller));
    expect(outcome).toMatchObject({
      kind: "answer",
      reply: { status: 200, body: { done: 1, purged: 3 }, notes: [expect.stringContaining("polled 2 time(s)")] },
    });
    expect(sent.slice(1)).toEqual(["GET /things/1", "POST /things/1/runs", "GET /runs/5", "GET /runs/5"]);
  });
});

describe("the one deadline of a call", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const slow = (upstream: Upstream) => start(upstream, { answersAfterMs: 400, callTimeoutMs: 1_000 });

  it("one deadline covers check, state, plan and request", async () => {
    const { calls, sent } = slow(alive);
    const plan = planOf((await timed(calls.call("thing_replace", replacing, caller))).outcome);
    sent.length = 0;
    const confirmed = { ...replacing, confirm: plan.id };
    const { outcome, tookMs } = await timed(calls.call("thing_replace", confirmed, caller));
    expect(sent).toEqual(["GET /things/1", "GET /things/1", "PUT /things/1/all"]);
    expect(failureOf(outcome).code).toBe("outcome_unknown");
    expect(tookMs).toBe(1_000);
  });

  it.each<[string, string, object, Upstream]>([
    ["retries", "thing_get", { id: 1 }, () => ({ status: 503 })],
    ["redirects", "thing_get", { id: 1 }, () => ({ status: 302, headers: { location: "/things/2" } })],
    ["pages", "things_list", { allPages: true }, () => ({ body: [Math.random(), Math.random()] })],
    ["the state after a conflict", "thing_update", { id: 1, body: { name: "m", version: 1 } }, () => ({ status: 409 })],
  ])("one deadline covers %s", async (_, tool, args, upstream) => {
    const { calls, sent } = slow(upstream);
    const { outcome, tookMs } = await timed(calls.call(tool, { ...args }, caller));
    expect(outcome.kind).toBe("failure");
    expect(sent.length).toBeGreaterThan(1);
    expect(tookMs).toBeLessThanOrEqual(1_000);
  });

  it("a launch is not lost when the deadline ends its wait", async () => {
    const { calls } = slow(({ method }) => (method === "POST" ? { status: 202, body: { run: 5 } } : { body: {} }));
    const plan = planOf((await timed(calls.call("thing_run", { id: 1 }, caller))).outcome);
    const confirmed = { id: 1, wait: true, confirm: plan.id };
    const { outcome, tookMs } = await timed(calls.call("thing_run", confirmed, caller));
    expect(outcome).toMatchObject({
      kind: "answer",
      reply: { status: 202, body: { run: 5 }, notes: [expect.stringContaining("Poll run_get with run 5")] },
    });
    expect(tookMs).toBeLessThanOrEqual(1_000);
  });
});

it("a conflict is explained by the current state, and sent once", async () => {
  const { calls, sent } = start(({ method }) =>
    method === "PUT" ? { status: 409 } : { body: { ...thing, version: 2 } },
  );
  const outcome = await calls.call("thing_update", { id: 1, body: { name: "m", version: 1 } }, caller);
  expect(failureOf(outcome).detail).toMatchObject({
    why: expect.stringMatching(/^body\.version is 2 now, and 1 was sent/),
    changed: [{ at: "name", from: "n", to: "m" }],
  });
  expect(sent).toEqual(["PUT /things/1", "GET /things/1"]);
});

describe("a secret", () => {
  it("a secret that the API shows once comes with a note to store it", async () => {
    const { calls } = start(() => ({ status: 201, body: { id: 1, key: "akab-key" } }));
    expect(await calls.call("key_create", { body: { pass: "p" } }, caller)).toMatchObject({
      kind: "answer",
      reply: {
        body: { id: 1, key: "akab-key" },
        notes: [expect.stringContaining("key is shown only in this response")],
      },
    });
  });

  it("a secret argument is in no failure that repeats it", async () => {
    const pass = 'hunter2 "quoted"';
    const words = { detail: `the password ${pass} was used before`, given: pass, keys: { [pass]: [pass] } };
    const { calls } = start(() => ({ status: 400, body: words }));
    const failure = failureOf(await calls.call("key_create", { body: { pass } }, caller));
    expect(failure.detail.upstream).toMatchObject({
      detail: "the password [secret] was used before",
      given: "[secret]",
    });
    expect(JSON.stringify([failure.message, failure.detail])).not.toContain("hunter2");
  });
});
