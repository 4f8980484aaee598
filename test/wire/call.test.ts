/** One call with its attempts: what is retried and when, which redirects are followed, and how each outcome is reported. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import { empty } from "../../src/language/media.js";
import { type Send, SendFailure, type SendFailureReason, type WireRequest } from "../../src/language/wire.js";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { createClient } from "../../src/wire/index.js";
import { retryAfterSeconds } from "../../src/wire/rate-limit-headers.js";
import { holdsForEach } from "../lab/laws.js";
import { promise } from "../lab/rules.js";
import { type Answer, responseOf } from "./exchange.js";
import { sendingWithin } from "./sending.js";

const rest = { does: "Does something.", example: {}, returns: { 200: json(z.unknown()) } } as const;
const read: AnyOperation = op("GET /x/y", rest);
const readByPost: AnyOperation = op("POST /x/y", { ...rest, effect: "read" });
const change: AnyOperation = op("POST /x/y", { ...rest, effect: "create", shownBy: "x_list" });
// Its effect is not written: it follows from the method.
const deletion: AnyOperation = op("DELETE /x/y", { ...rest, guard: { kind: "delete" }, shownBy: "x_list" });

const fails = (reason: SendFailureReason, isSent: boolean) => new SendFailure(reason, isSent);

/** Makes one call against some answers, of which the last one is for all further attempts. */
async function runWith(
  more: { signal?: AbortSignal; totalMs?: number; accountSwitchKey?: string; path?: object },
  operation: AnyOperation,
  ...answers: readonly (Answer | SendFailure)[]
) {
  const { signal, totalMs = 60_000, accountSwitchKey, path = {} } = more;
  const sent: (WireRequest & { readonly atMs: number })[] = [];
  const open = new Set<WireRequest>();
  const send: Send = async (request) => {
    const answer = answers[sent.length] ?? answers.at(-1);
    sent.push({ ...request, atMs: Date.now() });
    if (answer === undefined || answer instanceof SendFailure) throw answer;
    const response = responseOf(answer);
    open.add(request);
    const body = async function* () {
      try {
        yield* response.body;
      } finally {
        open.delete(request);
      }
    };
    return { ...response, body: body() };
  };
  const client = createClient({
    send,
    target: { origin: "https://host.example", vendor: "akamai", ...(accountSwitchKey && { accountSwitchKey }) },
    // A signature that stands for the URL that was signed.
    authorize: (_, { url }) => ({ authorization: url.href }),
    maxResponseBytes: 1_000,
  });
  const args = validateArguments("x_call", operation, path);
  const ended = client
    .resolve("x_call", operation, args)
    .then((request) => client.call("x_call", "x", operation, request, sendingWithin(totalMs, {}, signal)))
    .then(
      (reply) => ({ reply, failure: undefined }),
      (failure: Failure) => ({ reply: undefined, failure }),
    );
  await vi.runAllTimersAsync();
  const waits = sent.slice(1).map(({ atMs }, at) => atMs - (sent[at]?.atMs ?? 0));
  return { sent, waits, open, ...(await ended) };
}
const run = (operation: AnyOperation, ...answers: readonly (Answer | SendFailure)[]) =>
  runWith({}, operation, ...answers);
const good = { status: 200, body: '{"good":true}' };

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 4, 20) }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("a change after 507, and a read after a limit's last request, go once", async () => {
  const changed = await run(change, { status: 507 }, good);
  expect([changed.sent.length, changed.failure?.message]).toEqual([1, expect.stringContaining("no room")]);
  const next = new Date(Date.now() + 3_000).toISOString();
  const headers = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-next": next };
  const asked = await run(read, { status: 404, headers }, good);
  expect([asked.sent.length, asked.failure?.code]).toEqual([1, "not_found"]);
});

it.each<[SendFailureReason, boolean, number, string]>([
  ["reset", true, 3, "network"],
  ["connect", false, 3, "network"],
  ["first_byte", true, 1, "timeout"],
  ["idle", true, 1, "timeout"],
  ["overdue", true, 1, "timeout"],
  ["name", false, 1, "network"],
  ["tls", false, 1, "network"],
  ["aborted", false, 1, "cancelled"],
])("%s, sent %s: %i tries to read, 1 to change", async (reason, isSent, attempts, code) => {
  const [asked, byPost] = [await run(read, fails(reason, isSent)), await run(readByPost, fails(reason, isSent))];
  expect([asked.sent.length, byPost.sent.length, asked.failure?.code]).toEqual([attempts, attempts, code]);
  const { sent, failure } = await run(change, fails(reason, isSent));
  expect([sent.length, failure?.code === "outcome_unknown"]).toEqual([1, isSent]);
  for (const one of code === "timeout" ? [asked.failure, failure] : [])
    expect(one?.detail["why"]).toMatch(/timed out|timeout/);
});

it("an attempt waits, longer before the third, and has less time left", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { sent, waits } = await run(read, { status: 503 });
  const [first = 0, second = 0] = waits;
  expect([sent.length, first >= 100, second > first]).toEqual([3, true, true]);
  expect(sent[2]?.timeLeftMs).toBe(60_000 - (first + second));
});

it("after 429 without a readable wait, attempts wait a second or more", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  for (const headers of [{}, { "retry-after": "soon" }])
    expect((await run(read, { status: 429, headers })).waits).toEqual([1_000, 2_000]);
  const { sent, failure } = await runWith({ totalMs: 900 }, read, { status: 429 }, good);
  expect([sent.length, failure?.code]).toEqual([1, "rate_limited"]);
});

it("no attempt comes when its wait would end after the call's timeout", async () => {
  const until = new Date(Date.now() + 60_000).toISOString();
  const { sent, failure } = await run(read, { status: 503, headers: { "retry-after": "60" } });
  expect([sent.length, failure?.detail["retryAfterSeconds"]]).toEqual([1, 60]);
  expect(failure?.detail["next"]).toContain(`Retry after 60 s, at ${until}.`);
  expect((await run(read, { status: 503, headers: { "retry-after": "59" } }, good)).sent).toHaveLength(2);
  expect((await runWith({ totalMs: 50 }, read, fails("reset", true), good)).failure?.code).toBe("network");
});

it("an attempt comes no earlier than its own response has said", async () => {
  const late = { status: 429, headers: { "retry-after": "3600" } };
  const { reply, waits } = await runWith({ totalMs: 4_000_000 }, read, late, good);
  expect([reply?.body, waits]).toEqual([{ good: true }, [3_600_000]]);
});

it("an attempt does not come when the call is cancelled while it waits", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 1_000);
  const late = { status: 503, headers: { "retry-after": "30" } };
  const { sent, failure } = await runWith({ signal: stop.signal }, read, late, good);
  expect([sent.length, failure?.code]).toEqual([1, "cancelled"]);
});

const to = (location: string) => ({ status: 302, headers: { location } });

it("a read follows three redirects to its origin, costing no attempt", async () => {
  const { sent, reply } = await run(read, to("/a"), to("/b"), { status: 500 }, to("/c"), { status: 500 }, good);
  expect(sent.map(({ url }) => url.pathname)).toEqual(["/x/y", "/a", "/b", "/b", "/c", "/c"]);
  expect(reply?.body).toEqual({ good: true });
  expect((await run(read, to("/a"), to("/b"), to("/c"), to("/d"), good)).failure?.code).toBe("redirect_refused");
});

it.each([
  [200, 1],
  [299, 1],
  [300, 2],
  [399, 2],
  [400, 1],
])("a location in a response of status %i is followed if it is a redirect", async (status, requests) => {
  const { sent } = await run(read, { status, headers: { location: "/a" } }, good);
  expect(sent).toHaveLength(requests);
});

it.each([
  ["another origin", "https://other.example/a"],
  ["another scheme", "http://host.example/a"],
  ["somebody's credentials", "https://user@host.example/a"],
  ["no address", "https://"],
])("a redirect to %s is refused", async (_, location) => {
  const { sent, failure } = await run(read, to(location), good);
  expect([sent.length, failure?.code]).toEqual([1, "redirect_refused"]);
});

it.each([
  ["/a", "/a?accountSwitchKey=1-ABC%3A1-DEF"],
  ["/a?", "/a?accountSwitchKey=1-ABC%3A1-DEF"],
  ["/a?b=c%20d+e&f", "/a?b=c%20d+e&f&accountSwitchKey=1-ABC%3A1-DEF"],
  ["https://host.example/a?b=c#d", "/a?b=c&accountSwitchKey=1-ABC%3A1-DEF"],
  ["/a?accountSwitchKey=1-ABC:1-DEF", "/a?accountSwitchKey=1-ABC:1-DEF"],
  ["/a?accountSwitchKey=1-ABC%3A1-DEF&b=c", "/a?accountSwitchKey=1-ABC%3A1-DEF&b=c"],
])("a redirect to %s stays in the account that the call was switched to", async (location, target) => {
  const { sent, reply } = await runWith({ accountSwitchKey: "1-ABC:1-DEF" }, read, to(location), good);
  expect(reply?.body).toEqual({ good: true });
  const [, second] = sent;
  expect(second && second.url.pathname + second.url.search).toBe(target);
  expect(second?.headers["authorization"]).toBe(second?.url.href);
});

it.each([
  ["", "/a?accountSwitchKey=1-X"],
  ["1-ABC", "/a?accountSwitchKey=1-X"],
  ["1-ABC", "/a?accountSwitchKey="],
  ["1-ABC", "/a?accountSwitchKey=1-ABC&accountSwitchKey=1-X"],
])("a redirect from the account %j into another, to %s, is refused", async (accountSwitchKey, location) => {
  const { sent, failure } = await runWith({ accountSwitchKey }, read, to(location), good);
  expect([sent.length, failure?.code]).toEqual([1, "redirect_refused"]);
});

it("a redirect of a read stays a read of the same method, without a body", async () => {
  for (const method of ["GET", "HEAD"] as const)
    for (const status of [301, 302, 303, 307, 308]) {
      const { sent } = await run(op(`${method} /x/y`, rest), { ...to("/a"), status }, good);
      expect(sent.map((one) => [one.method, one.body])).toEqual(Array(2).fill([method, undefined]));
    }
});

it("a redirect is refused for a read with a body, unknown for a change", async () => {
  expect((await run(readByPost, to("/a"), good)).failure?.code).toBe("redirect_refused");
  const detail = { why: expect.stringContaining("redirect"), next: expect.stringContaining("check with x_list") };
  for (const status of [301, 302, 303, 307, 308])
    for (const operation of [change, deletion]) {
      const { sent, failure } = await run(operation, { ...to("/a"), status }, good);
      expect([sent.length, failure?.code]).toEqual([1, "outcome_unknown"]);
      expect(failure?.detail).toMatchObject({ ...detail, status });
    }
});

it("an answer is discarded with its socket when it is not needed", async () => {
  for (const first of [{ status: 503 }, { status: 302, headers: { location: "/a" } }, { status: 302 }]) {
    const { sent, open } = await run(read, first, good);
    expect([first.status, sent.length > 0, open.size]).toEqual([first.status, true, 0]);
  }
});

it.each<[status: number, code: string, attempts: number]>([
  [400, "rejected", 1],
  [401, "unauthorized", 1],
  [403, "forbidden", 1],
  [404, "not_found", 1],
  [409, "conflict", 1],
  [412, "conflict", 1],
  [413, "rejected", 1],
  [418, "rejected", 1],
  [422, "rejected", 1],
  [428, "conflict", 1],
  [429, "rate_limited", 3],
  [102, "unexpected_status", 1],
  [206, "unexpected_status", 1],
  [304, "redirect_refused", 1],
  [500, "upstream", 3],
  [502, "upstream", 3],
  [503, "upstream", 3],
  [504, "upstream", 3],
  [599, "upstream", 1],
])("status %i is reported as %s, and for a change as refused or unknown", async (status, code, attempts) => {
  const { sent, failure } = await run(read, { status });
  expect([failure?.code, sent.length]).toEqual([code, attempts]);
  const isRefusal = status >= 400 && status < 500 && status !== 418;
  expect((await run(change, { status })).failure?.code).toBe(isRefusal ? code : "outcome_unknown");
});

it(promise("refusal-statuses", "a change is refused by the statuses of refusals alone, a read by none"), async () => {
  // Reviewed against RFC 9110, 4918, 6585, 7725 and 8470: the request was not carried out.
  const refusals = [
    ...[400, 401, 402, 403, 404, 405, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417],
    ...[421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 507],
  ];
  const found: number[] = [];
  for (let status = 100; status <= 620; status += 1) {
    // The status that is declared as its success.
    if (status === 200) continue;
    const { failure } = await run(change, { status });
    if (failure?.code !== "outcome_unknown") found.push(status);
    else expect(failure.detail).toMatchObject({ status, next: expect.stringContaining("check with x_list") });
    expect((await run(read, { status })).failure?.code).not.toBe("outcome_unknown");
  }
  expect(found).toEqual(refusals);
});

it("an answer that is a page leaves open whether a change was made", async () => {
  const bodyless = op("DELETE /x/y", { ...deletion.spec, returns: { 204: empty } } as never);
  const page = { headers: { "content-type": "text/html" }, body: "<html>log in</html>" };
  const told = { code: "outcome_unknown" };
  expect((await run(change, { ...page, status: 200 })).failure).toMatchObject({ ...told, detail: { status: 200 } });
  expect((await run(bodyless, { ...page, status: 204 })).failure).toMatchObject({ ...told, detail: { status: 204 } });
});

it("an answer to a copied request leaves the change's outcome unknown", async () => {
  const body = JSON.stringify({ type: "https://h/-/pep-authn/request-error", detail: "Invalid nonce" });
  const { failure } = await run(change, { status: 400, body });
  expect(failure?.code).toBe("outcome_unknown");
  expect(failure?.detail.next).toMatch(/check with x_list.*proxy that sends requests twice/);
});

it("the upstream's words are passed on, and of a page its text", async () => {
  const words = { title: "No", detail: "x".repeat(5_000) };
  const told = async (headers: Record<string, string>, body: string) =>
    (await run(read, { status: 403, headers, body })).failure?.detail["upstream"];
  expect(await told({}, JSON.stringify(words))).toEqual(words);
  expect(await told({ "content-type": "Application/Problem+JSON" }, JSON.stringify(words))).toEqual(words);
  expect(await told({ "content-type": "text/plain" }, "x".repeat(1_500))).toBe("x".repeat(1_500));
  expect(await told({ "content-type": "text/html" }, "<html>log in</html>")).toBe("log in");
  expect(await told({ "content-type": "text/html" }, "<p> </p>")).toBeUndefined();
});

it("a page of the edge is distinguished from a missing permission", async () => {
  const body = `<HTML><HEAD><TITLE>Access Denied</TITLE><script>if (a < b) {}</script><style>b{}</style></HEAD><!-- > -->
      <p title="x">You &amp; yours&nbsp;may not.</p>${"more ".repeat(200)}Reference&#32;&#35;18&#46;2d1e&#x2e;7 &#xffffffff;</HTML>`;
  for (const type of ["text/html", "text/plain", "application/json", ""])
    for (const status of [403, 404, 502]) {
      const { failure } = await run(read, { status, headers: { "content-type": type }, body });
      expect(failure?.detail["upstream"]).toMatch(
        /^Access Denied You & yours may not\. more .{400,500}… Reference #18\.2d1e\.7$/,
      );
      expect(failure?.detail["why"]).toMatch(/web page/);
      expect(/not about grants/.test(String(failure?.detail["next"]))).toBe(status === 403);
      // A state that a page answers for is not known to be absent.
      expect(failure?.code).toBe(status === 403 ? "forbidden" : "upstream");
    }
  // Long pages and those that are cut off are judged by their beginning.
  for (const [page, next] of [
    [{ body: `${body}${"x".repeat(200_000)}` }, /not about grants/],
    [{ body: "Access Denied. Reference #18.2d1e.7.b", headers: { "content-type": "text/plain" } }, /not about grants/],
    [{ body: '{"title":"Forbidden"}', headers: { "content-type": "text/html" } }, /Check the API client.s grants/],
    [{ body: '{"title":"Forbidden"}' }, /grants/],
  ] as const) {
    const { detail } = (await run(read, { status: 403, ...page })).failure ?? expect.fail();
    expect(detail.next).toMatch(next);
    if (page.body.startsWith("{")) expect(detail).toMatchObject({ upstream: { title: "Forbidden" } });
  }
  expect((await run(read, { status: 403, body: '{"title":"Forbidden"}' })).failure?.detail.why).toBeUndefined();
});

const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
it("an answer that nests 5,000 levels deep is quoted from its beginning", async () => {
  for (const [operation, status, code] of [
    [read, 400, "rejected"],
    [change, 500, "outcome_unknown"],
  ] as const) {
    const { failure } = await run(operation, { status, body: deep });
    expect(failure).toMatchObject({ code, detail: { status, upstream: deep.slice(0, 2_000) } });
  }
});

it("upstream words that are not JSON are shown, and ids stay exact", async () => {
  const told = async (body: string) => (await run(read, { status: 400, body })).failure?.detail["upstream"];
  expect(await told("no such zone")).toBe("no such zone");
  expect(await told('{"id":12345678901234567890}')).toEqual({ id: "12345678901234567890" });
  for (const page of ["<html>log in</html>", "\n<!DOCTYPE html><p>log in"]) expect(await told(page)).toBe("log in");
});

it("a failed answer has the operation's hint, which may name its path", async () => {
  const hinted = op("GET /x/{kind}/of/{name}", {
    ...rest,
    path: { kind: z.string(), name: z.string() },
    example: { kind: "k", name: "n" },
    means: { 404: ({ kind, name }) => `No ${kind} is called ${name}.`, 409: "Look again." },
  });
  const path = { kind: "s@7", name: "a b" };
  const next = async (status: number) => (await runWith({ path }, hinted, { status })).failure?.detail.next;
  expect([await next(404), await next(409)]).toEqual(["No s@7 is called a b.", "Look again."]);
});

it.each<[string, Record<string, string>, string | undefined]>([
  ["both ids has the one of the request", { "x-request-id": "r-1", "x-trace-id": "t-1" }, "r-1"],
  ["one id has that", { "x-trace-id": "t-1" }, "t-1"],
  ["a long id has its beginning", { "x-request-id": "r".repeat(129) }, "r".repeat(128)],
  ["no id has none", {}, undefined],
])("an answer with %s, whether it succeeds or fails", async (_, headers, requestId) => {
  expect((await run(read, { ...good, headers })).reply?.requestId).toBe(requestId);
  expect((await run(read, { status: 404, headers })).failure?.detail.requestId).toBe(requestId);
});

it("an answer without a type is JSON, and may be as long as its bound", async () => {
  for (const type of ["", "Application/JSON; charset=UTF-8"])
    expect((await run(read, { ...good, headers: { "content-type": type } })).reply?.body).toEqual({ good: true });
  const wide = (length: number) => ({ status: 200, body: `"${"x".repeat(length - 2)}"` });
  expect((await run(read, wide(1_000))).reply?.body).toHaveLength(998);
  expect((await run(read, wide(1_001))).failure?.code).toBe("too_large");
});

it("says from its headers how long to wait", async () => {
  const rows = readFileSync(new URL("waits.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((row) => /^(-|\d)/.test(row));
  await holdsForEach(rows, (row) => {
    const [seconds, ...headers] = row.split(/ +\| */);
    const given = Object.fromEntries(headers.map((header) => header.split(/: (.*)/, 2)));
    const expected = seconds === "-" ? undefined : Number(seconds);
    expect(retryAfterSeconds(given, Date.UTC(2026, 4, 20, 0, 0, 0, 300))).toBe(expected);
  });
  expect(rows).toHaveLength(20);
});
