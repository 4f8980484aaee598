/** Calls from their arguments to their outcome, on a made-up catalogue, without any protocol. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { successResult } from "../../src/answers/result.js";
import type { Calls, Outcome } from "../../src/calls/index.js";
import { SendFailure } from "../../src/language/wire.js";
import { type Answer, caller, start, type Upstream } from "../lab/made-up.js";
import { answerOf, failureOf, planOf } from "../lab/outcome.js";
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
/** An outcome without real waits, and by how many milliseconds the clock advanced. */
async function timed(work: Promise<Outcome>) {
  const begun = performance.now();
  return { outcome: await passing(work), tookMs: performance.now() - begun };
}

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

it("neither a read-only server nor an invocation makes a change", async () => {
  const { calls, sent } = start(alive, { isReadOnly: true });
  for (const [tool, args] of [
    ["thing_update", { id: 1, body: { name: "m", version: 1 } }],
    ["thing_replace", replacing],
  ] as const)
    expect(failureOf(await calls.call(tool, args, caller)).code).toBe("not_allowed");
  expect(sent).toEqual([]);
  expect((await calls.call("thing_get", { id: 1 }, caller)).kind).toBe("answer");
  const usual = start(alive);
  await expect(usual.calls.invoke("thing_replace", replacing)).rejects.toThrow(/needs an approval/);
  expect(usual.sent).not.toContain("PUT /things/1/all");
});

it("a plan records the settlement of the call that redeemed it", async () => {
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

it("a secret that the API shows once comes with a note to store it", async () => {
  const { calls } = start(() => ({ status: 201, body: { id: 1, key: "akab-key" } }));
  expect(await calls.call("key_create", { body: { pass: "p" } }, caller)).toMatchObject({
    kind: "answer",
    reply: { body: { id: 1, key: "akab-key" }, notes: [expect.stringContaining("key is shown only in this response")] },
  });
});

it("a secret argument is masked in a failure that repeats it", async () => {
  const pass = 'hunter2 "quoted"';
  const words = { detail: `the password ${pass} was used before`, given: pass, keys: { [pass]: [pass] } };
  const { calls } = start(() => ({ status: 400, body: words }));
  const failure = failureOf(await calls.call("key_create", { body: { pass } }, caller));
  expect(failure.detail.upstream).toMatchObject({ detail: "the password [secret] was used before", given: "[secret]" });
  expect(JSON.stringify([failure.message, failure.detail])).not.toContain("hunter2");
});

const parts = { parts: ["lid", "handle"] };
const withParts: Upstream = ({ url }) => ({ body: url.pathname.endsWith("/parts") ? parts : { done: true } });

it("an argument resolved by a read is sent in the API's form, or refused", async () => {
  const read = "GET /things/1/parts";
  const refused = { code: "invalid_input", detail: { fields: [{ field: "ids[1]", takes: "a part" }] } };
  const made = { kind: "answer", reply: { notes: ["Found by name."] } };
  for (const [upstream, ids, outcome, sent] of [
    [withParts, ["handle", 7], made, [read, "GET /boxes/box-a/things?ids=1%2C7"]],
    [withParts, ["lid", "spout"], { kind: "failure", failure: refused }, [read]],
    [() => ({ status: 404 }), ["lid"], { kind: "failure" }, [read]],
  ] as const) {
    const one = start(upstream);
    expect(await one.calls.call("things_find", { box: "a", ids }, caller)).toMatchObject(outcome);
    expect(one.sent).toEqual(sent);
  }
});

const part = (label: string | null, number = 0) => ({ part: `p${number}`, label });

/** An upstream whose thing has parts, to which a creation adds one at a place. */
function thingWith(parts: readonly unknown[], place: number, added: unknown = part("new")) {
  let now = parts;
  const upstream: Upstream = ({ method }) => {
    if (method === "GET") return { body: { id: 1, name: "n", version: 1, parts: now } };
    now = now.toSpliced(place, 0, added);
    return { status: 201, body: {} };
  };
  return upstream;
}
async function notesOf(upstream: Upstream) {
  const { calls, sent } = start(upstream);
  const { notes } = answerOf(await calls.call("thing_part_create", { id: 1 }, caller));
  return { notes, sent };
}

it("list orders quote the first member that names each item", async () => {
  const { notes, sent } = await notesOf(thingWith([part("a"), part(null, 2), {}], 1));
  expect(notes).toEqual([
    'Order of parts before: 0 "a", 1 "p2", 2 (without a name).',
    'Order of parts after: 0 "a", 1 "new", 2 "p2", 3 (without a name).',
  ]);
  expect(sent).toEqual(["GET /things/1", "POST /things/1/parts", "GET /things/1"]);
});

it("a long list's order is shown around the change, an empty one as none", async () => {
  const parts = Array.from({ length: 40 }, (_, at) => part(`n${at}`));
  const { notes } = await notesOf(thingWith(parts, 20));
  expect(notes[1]).toMatch(/after: \(16 before\), 16 "n16", .* 20 "new", 21 "n20", .*27 "n26", \(13 after\)\.$/);
  expect(notes[0]).not.toContain("new");
  expect((await notesOf(thingWith(parts, 40))).notes[1]).toMatch(/\(36 before\), 36 "n36", .*, 40 "new"\.$/);
  expect((await notesOf(thingWith([], 0))).notes).toEqual([
    "Order of parts before: none.",
    'Order of parts after: 0 "new".',
  ]);
});

it.each<[string, Upstream]>([
  ["is refused", ({ method }) => (method === "GET" ? { status: 404 } : { status: 201 })],
  ["breaks off", ({ method }) => (method === "GET" ? new SendFailure("idle", true) : { status: 201 })],
  ["shows no list", ({ method }) => (method === "GET" ? { body: { id: 1, name: "n", version: 1 } } : { status: 201 })],
])("the change is made and its order unknown when the read %s", async (_, upstream) => {
  const { notes, sent } = await notesOf(upstream);
  expect(notes).toContain("The order of parts could not be read.");
  expect(sent.filter((line) => line.startsWith("POST"))).toEqual(["POST /things/1/parts"]);
});

it("if the change fails, so does the call, without reading again", async () => {
  const { calls, sent } = start(({ method }) => (method === "GET" ? { body: { parts: [] } } : { status: 400 }));
  expect((await calls.call("thing_part_create", { id: 1 }, caller)).kind).toBe("failure");
  expect(sent).toEqual(["GET /things/1", "POST /things/1/parts"]);
});

const whole = { parts: ["a", "b"] };
const presentation = { upstream: "the test", secrets: [], maxTokens: 3_000 };

async function outcomeOf(args: object) {
  const { calls, sent } = start(() => ({ body: whole }));
  return { outcome: await calls.call("thing_part_get", { id: 1, ...args }, caller), sent, calls };
}

it("a view argument is not sent, shows its part and stores the whole", async () => {
  const { outcome, sent } = await outcomeOf({ only: 1 });
  if (outcome.kind !== "answer") throw new Error(outcome.kind);
  expect(outcome.reply).toMatchObject({ body: { part: "b" }, whole, notes: ["One part of all."] });
  expect(sent).toEqual(["GET /things/1/parts"]);
  const kept: unknown[] = [];
  const keep = (one: unknown) => {
    kept.push(one);
    return "h1";
  };
  const { structuredContent } = successResult(outcome.reply, presentation, outcome.declared, keep);
  expect(kept).toEqual([whole]);
  expect(structuredContent).toMatchObject({
    data: { part: "b" },
    notes: ["One part of all.", "The whole result can be read at result://h1 or with result_get."],
  });
  expect(structuredContent["whole"]).toBeUndefined();
});

it("without a view argument the whole is shown, and nothing is stored", async () => {
  const { outcome } = await outcomeOf({});
  if (outcome.kind !== "answer") throw new Error(outcome.kind);
  expect([outcome.reply.body, outcome.reply.whole]).toEqual([whole, undefined]);
  const keep = () => expect.unreachable();
  expect(successResult(outcome.reply, presentation, outcome.declared, keep).structuredContent["notes"]).toBeUndefined();
});

it("a view argument must choose something, and invocations ignore it", async () => {
  const { outcome } = await outcomeOf({ only: 7 });
  expect(outcome).toMatchObject({
    kind: "failure",
    failure: { code: "invalid_input", detail: { fields: [{ field: "only" }] } },
  });
  const { calls } = await outcomeOf({});
  expect((await calls.invoke("thing_part_get", { id: 1, only: 1 })).body).toEqual(whole);
});
