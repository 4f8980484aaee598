/** What is counted and logged of requests: every way in which a call can end, whose time it took, and no word of a client. */
import { afterEach, expect, it, vi } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { Failure, failureCodes } from "../../src/language/failure.js";
import { pause } from "../../src/time/durations.js";
import { canarySearch } from "../lab/canary.js";
import { promise } from "../lab/rules.js";
import { barrier } from "../lab/time.js";
import { done, type Ends, refusing, secrets, startServed, tellSecrets } from "./served.js";

let served: Awaited<ReturnType<typeof startServed>>;
afterEach(async () => {
  vi.useRealTimers();
  await served.close();
});

const start = async (ends: Ends, more?: Parameters<typeof startServed>[1]) => {
  served = await startServed(ends, more);
  return served;
};

const called = async () =>
  (await served.families())
    .get("edgewise_calls_total")
    ?.series.map(({ labels, value }): Readonly<Record<string, unknown>> => ({ ...labels, value }));

const outcomes: readonly (readonly [string, Outcome])[] = [
  ["ok", done],
  ["partial", { kind: "workflow", result: {}, hasFailed: true }],
  ...failureCodes.map(
    (code) => [code, { kind: "failure", failure: new Failure(code, "No.", { next: "Stop." }) }] as const,
  ),
];

it("calls count by each way in which they can end", async () => {
  let next: Outcome = done;
  const { client, lines } = await start(async () => next);
  for (const [, outcome] of outcomes) {
    next = outcome;
    await client.callTool({ name: "thing_delete", arguments: {} });
  }
  const expected = outcomes.map(([outcome]) => ({ tool: "thing_delete", effect: "destructive", outcome, value: 1 }));
  expect(await called()).toEqual(expected);
  expect(outcomes.length).toBeGreaterThan(20);
  expect(lines.filter(({ method }) => method === "tools/call").map(({ outcome }) => outcome)).toEqual(
    outcomes.map(([outcome]) => outcome),
  );
  const levels = new Map(lines.map(({ outcome, level }) => [outcome, level]));
  const of = { ok: "info", not_found: "warn", outcome_unknown: "error", internal: "error" };
  expect(Object.fromEntries(levels)).toMatchObject(of);
});

it("calls are labelled with names of the catalogue alone", async () => {
  const { client } = await start(async () => done);
  const call = (name: string, args = {}) => client.callTool({ name, arguments: args }).catch(() => undefined);
  for (const name of ["thing_get", "no_such_tool", "x".repeat(100), 'thing_get"}\nx', "operation_read"])
    await call(name);
  await call("operation_read", { tool: "thing_get", arguments: {} });
  await call("operation_read", { tool: "no_such_tool", arguments: {} });
  await call("secret_service_thing_get");
  const labels = (await called()) ?? [];
  expect(new Set(labels.map(({ tool }) => tool))).toEqual(new Set(["thing_get", "other", "imported"]));
  expect(labels).toContainEqual({ tool: "other", effect: "unknown", outcome: "unknown_tool", value: 3 });
  const services = (await served.families())
    .get("edgewise_call_own_seconds")
    ?.series.map((one) => one.labels["service"]);
  expect(new Set(services)).toEqual(new Set(["things", "other", "imported"]));
});

it("calls beyond the limit of concurrent ones are counted, too", async () => {
  const { opened, open } = barrier();
  const { client } = await start(() => opened.then(() => done), { maxPending: 1 });
  const call = () => client.callTool({ name: "thing_get", arguments: {} });
  const calls = [call(), call()];
  await calls[1];
  expect((await served.families()).get("edgewise_requests_in_progress")?.series[0]?.value).toBe(1);
  open();
  await calls[0];
  expect(new Set((await called())?.map(({ outcome }) => outcome))).toEqual(new Set(["rate_limited", "ok"]));
});

it("call time excludes the upstream and pauses, however many overlap", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { client, lines } = await start(async (_, { observation }) => {
    const sending = { service: "things", route: "GET /things", url: new URL("https://up.example"), attempt: 1 };
    const ends = await Promise.all([observation?.sending(sending), observation?.sending(sending)]);
    vi.advanceTimersByTime(150);
    ends[0]?.(200);
    vi.advanceTimersByTime(150);
    ends[1]?.(503);
    const paused = pause(300, { signal: undefined, timeLeftMs: () => 10_000, beginWait: observation?.beginWait });
    vi.advanceTimersByTime(300);
    await paused;
    vi.advanceTimersByTime(20);
    return done;
  });
  await client.callTool({ name: "thing_get", arguments: {} });
  const families = await served.families();
  const sum = (name: string) => families.get(name)?.series.find((one) => one.name.endsWith("_sum"))?.value;
  expect(sum("edgewise_call_upstream_seconds")).toBeCloseTo(0.3);
  expect(sum("edgewise_call_own_seconds")).toBeCloseTo(0.02);
  const line = lines.find(({ method }) => method === "tools/call");
  expect(line).toMatchObject({ upstream_requests: 2, ms: 620 });
  const statuses = families.get("edgewise_upstream_requests_total")?.series.map(({ labels }) => labels["status"]);
  expect(statuses).toEqual(["2xx", "5xx"]);
});

it(promise("metrics-without-secrets", "lets out no argument and no secret, in metrics or in the log"), async () => {
  const { client, lines } = await start(refusing);
  await tellSecrets({ client }, secrets);
  expect(lines.length).toBeGreaterThan(4);
  const search = canarySearch(secrets);
  search.see("the log", lines.map((line) => JSON.stringify(line)).join("\n"));
  search.see("the metrics", JSON.stringify([...(await served.families())]));
  search.end();
});
