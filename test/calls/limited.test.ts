/** Calls and the limits of an API: no request bypasses them, a waiting plan is not marked as sent, callers are told. */
import { expect, it, vi } from "vitest";
import type { CallOrigin } from "../../src/calls/index.js";
import { callProgress } from "../../src/calls/progress.js";
import { workflow } from "../../src/calls/workflow.js";
import { createPlans } from "../../src/guard/index.js";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { SendFailure, type WireRequest } from "../../src/language/wire.js";
import { z } from "../../src/language/z.js";
import { resolvedExample } from "../../src/pages/example.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { deadlineIn } from "../../src/time/durations.js";
import { allServices } from "../../src/tools/index.js";
import { createClient } from "../../src/wire/index.js";
import { createLimiters, Limiter, type LimitOptions, type QueueContext } from "../../src/wire/limiter.js";
import { holdsForEach } from "../lab/laws.js";
import { caller, start, type Upstream } from "../lab/made-up.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { auditTo } from "../lab/options.js";
import { planOf } from "../lab/outcome.js";
import { eventually, until } from "../lab/time.js";
import { responseOf } from "../wire/exchange.js";
import { sendingWithin } from "../wire/sending.js";

const open: LimitOptions = { concurrency: 16, queue: 256, isPublishedObeyed: false };
const target = { origin: "https://host.example", vendor: "v" };
const fixed = { target, authorize: () => ({}), maxResponseBytes: 100_000 };

it("a closed API gets no request of any mechanism", async () => {
  const sent: string[] = [];
  const closed = { processes: () => 1, closedMs: () => 3_600_000, close: () => undefined };
  const client = createClient({
    ...fixed,
    send: async ({ url }) => {
      sent.push(url.pathname);
      throw new SendFailure("reset", true);
    },
    limiters: createLimiters({ ...open, shared: closed }),
  });
  const operations = (await allServices()).flatMap(({ name, operations }) =>
    Object.entries<AnyOperation>(operations).map(([tool, operation]) => ({ name, tool, operation })),
  );
  await holdsForEach(
    sampled(operations, (one) => mechanismsOf(one.operation)),
    async ({ name, tool, operation }) => {
      const args = validateArguments(tool, operation, resolvedExample(operation.spec.example, Date.now()));
      const request = await client.resolve(tool, operation, args);
      const sending = sendingWithin(50_000, { onRequest: async () => void sent.push(tool) });
      const called = client.call(tool, name, operation, request, sending);
      await expect(called).rejects.toMatchObject({ code: "rate_limited" });
    },
  );
  expect(sent).toEqual([]);
});

/** A limiter that counts what enters and what is inside. */
class Counting extends Limiter {
  entered = 0;
  inside = 0;

  constructor() {
    super("Things", "Things", undefined, open);
  }

  override enter(tool: string, waiting: QueueContext): Promise<void> | undefined {
    this.entered += 1;
    this.inside += 1;
    return super.enter(tool, waiting);
  }

  override leave(): void {
    this.inside -= 1;
    super.leave();
  }
}

/** Two pages of one record, and an empty one. */
const pages: Upstream = ({ url }) => ({ body: ["1", "2"].filter((_, at) => url.search.includes(`offset=${at}`)) });

/** Calls of the made-up catalogue through a limiter. */
function through(
  limiterOf: (operation: AnyOperation) => Limiter,
  upstream: Upstream,
  more: Parameters<typeof start>[1] = {},
) {
  const requests: WireRequest[] = [];
  const made = start(upstream, {
    ...more,
    client: createClient({
      ...fixed,
      send: async (request) => {
        requests.push(request);
        const answer = upstream(request);
        if (answer instanceof SendFailure) throw answer;
        const { body = {}, ...rest } = answer;
        return responseOf({ ...rest, body: JSON.stringify(body) });
      },
      limiters: { of: (_, operation) => limiterOf(operation), counts: () => [] },
    }),
  });
  return { ...made, requests };
}

const thing = { id: 1, name: "n", version: 1, parts: ["a"] };
const look = workflow({
  title: "Look",
  does: "Looks.",
  input: z.strictObject({}),
  steps: ["Look."],
  example: {},
  run: async (_, { invoke }) => ({ seen: (await invoke("thing_get", { id: 1 })).body }),
});

/** Answers each way in which the made-up operations send. */
const answering: Upstream = (request) => {
  if (request.url.pathname === "/things") return pages(request);
  const status = { POST: request.url.pathname.endsWith("/runs") ? 202 : 201 }[request.method as "POST"] ?? 200;
  return { status, body: { ...thing, run: 1, done: 1 } };
};

it.each<[string, Record<string, unknown>, number]>([
  ["thing_get", { id: 1 }, 1],
  ["thing_part_create", { id: 1 }, 3],
  ["thing_replace", { id: 1, body: { name: "m" } }, 3],
  ["things_list", { allPages: true, limit: 1 }, 3],
  ["look", {}, 1],
  ["thing_run", { id: 1, wait: true }, 4],
  ["things_find", { box: "b", ids: ["a"] }, 2],
])("each request of %s enters and leaves the limiter", async (tool, args, least) => {
  const limiter = new Counting();
  const inside: number[] = [];
  const { calls, requests } = through(
    () => limiter,
    (request) => {
      inside.push(limiter.inside);
      return answering(request);
    },
    { workflows: { look: async () => look }, tools: new Map([["look", { service: "workflows", effect: "read" }]]) },
  );
  const first = await calls.call(tool, args, caller);
  if (first.kind === "preview") await calls.call(tool, { ...args, confirm: first.plan.id }, caller);
  expect(requests.length).toBeGreaterThanOrEqual(least);
  expect([limiter.entered, limiter.inside]).toEqual([requests.length, 0]);
  expect(inside.every((count) => count === 1)).toBe(true);
});

it("a request that is retried or redirected enters the limiter again", async () => {
  const limiter = new Counting();
  const answers = [{ status: 503 }, { status: 302, headers: { location: "/things/2" } }, { body: thing }];
  const { calls, requests } = through(
    () => limiter,
    () => answers.shift() ?? {},
  );
  expect(await calls.call("thing_get", { id: 1 }, caller)).toMatchObject({ kind: "answer" });
  expect([requests.length, limiter.entered, limiter.inside]).toEqual([3, 3, 0]);
});

/** A limiter with one slot, which another request holds. */
function held(queue = 10) {
  const limiter = createLimiters({ ...open, concurrency: 1, queue }).of(
    "x",
    op("GET /x", { does: "x", returns: { 200: json(z.unknown()) }, example: {} }),
  );
  limiter.enter("x", { owner: "another", deadline: deadlineIn(60_000), onWait: () => undefined });
  const entering = vi.spyOn(limiter, "enter");
  /** Resolves once that many requests wait for the slot. */
  const isWaiting = (count = 1) => until(() => entering.mock.calls.length >= count);
  return { limiter, isWaiting };
}

const free = createLimiters(open);
const changing = async (limiter: Limiter) => {
  const plans = createPlans({ ttlMs: 600_000 });
  const made = through(
    (operation) => (operation.route.startsWith("PUT") ? limiter : free.of("x", operation)),
    () => ({ body: thing }),
    { plans },
  );
  const args = { id: 1, body: { name: "m" } };
  const { id } = planOf(await made.calls.call("thing_replace", args, caller));
  const confirm = (from: CallOrigin = caller) => made.calls.call("thing_replace", { ...args, confirm: id }, from);
  return { ...made, confirm, status: async () => (await plans.find(id))?.status };
};
const changes = (requests: readonly WireRequest[]) => requests.filter(({ method }) => method === "PUT").length;

it("a plan is not marked as being sent while it waits", async () => {
  const { limiter, isWaiting } = held();
  const { confirm, status, requests } = await changing(limiter);
  const confirmed = confirm();
  await isWaiting();
  expect([await status(), changes(requests)]).toEqual(["redeemed", 0]);
  limiter.leave();
  expect(await confirmed).toMatchObject({ kind: "answer" });
  expect([await status(), changes(requests)]).toEqual(["done", 1]);
});

it("a change that is cancelled while it waits was not sent", async () => {
  const { limiter, isWaiting } = held();
  const { confirm, status, requests } = await changing(limiter);
  const left = new AbortController();
  const confirmed = confirm({ ...caller, signal: left.signal });
  await isWaiting();
  left.abort();
  expect(await confirmed).toMatchObject({ kind: "failure", failure: { code: "cancelled" } });
  expect([await status(), changes(requests)]).toEqual(["not_sent", 0]);
});

it("an approval outlives a refusal by the limiter", async () => {
  const { limiter } = held(0);
  const { confirm, status } = await changing(limiter);
  expect(await confirm()).toMatchObject({ kind: "failure", failure: { code: "rate_limited" } });
  expect(await status()).toBe("open");
  limiter.leave();
  expect(await confirm()).toMatchObject({ kind: "answer" });
  expect(await status()).toBe("done");
});

it("a waiting call reports progress, which continues after the wait", async () => {
  const { limiter, isWaiting } = held();
  const { calls } = through(() => limiter, pages);
  const heard: [number, string][] = [];
  const progress = async (done: number, message: string) => void heard.push([done, message]);
  const listed = calls.call("things_list", { allPages: true, limit: 1 }, { ...caller, progress });
  await isWaiting();
  expect(heard.map(([, message]) => message)).toEqual(["Waiting for a free slot of the x API (0 ahead)"]);
  limiter.leave();
  await listed;
  expect(heard.map(([, message]) => message).slice(1)).toEqual([
    "1 records of 1 page(s) read",
    "2 records of 2 page(s) read",
  ]);
  expect(heard.map(([done]) => done)).toEqual(heard.map(([done]) => done).toSorted((a, b) => a - b));
});

it("progress values only rise", () => {
  const values: [number, number | undefined][] = [];
  const { progress, waiting } = callProgress(async (done, _, total) => void values.push([done, total]));
  waiting?.("a");
  void progress(1, "b", 5);
  waiting?.("c");
  waiting?.("d");
  void progress(1, "e", 5);
  void progress(2, "f", 5);
  expect(values.map(([done]) => Math.floor(done))).toEqual([0, 1, 1, 1, 1, 2]);
  expect(new Set(values.map(([done]) => done)).size).toBe(values.length);
  expect(values.map(([, total]) => total)).toEqual([undefined, 5, 5, 5, 5, 5]);
});

it("identical reads are audited once each, with one request", async () => {
  const lines: string[] = [];
  const { limiter, isWaiting } = held();
  const { calls, requests } = through(
    () => limiter,
    () => ({ body: thing }),
    { audit: auditTo(lines) },
  );
  const both = [calls.call("thing_get", { id: 1 }, caller), calls.call("thing_get", { id: 1 }, caller)];
  await isWaiting();
  // The second call takes the same turns of the event loop as the first.
  await new Promise(setImmediate);
  limiter.leave();
  expect(await Promise.all(both)).toMatchObject([{ reply: { body: thing } }, { reply: { body: thing } }]);
  expect(requests).toHaveLength(1);
  await eventually(() => {
    const outcomes = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "outcome");
    expect(outcomes).toMatchObject([
      { tool: "thing_get", status: 200, requests: 1 },
      { tool: "thing_get", status: 200, requests: 0 },
    ]);
  });
});
