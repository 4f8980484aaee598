/** Identical reads at the same time: which of them are sent once, and what becomes of them when one of the calls ends early. */
import { expect, it, vi } from "vitest";
import { type AnyOperation, csv, json, op } from "../../src/language/define.js";
import { type Send, SendFailure, type WireRequest } from "../../src/language/wire.js";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { createClient, type SendContext } from "../../src/wire/index.js";
import { responseOf } from "./exchange.js";
import { sendingWithin } from "./sending.js";

const does = "Does something.";
const of = { does, path: { id: z.string() }, returns: { 200: json(z.unknown()) }, example: { id: "a" } };
const headers = { "x-form": { argument: "form", schema: z.string().optional() } };
const read: AnyOperation = op("GET /things/{id}", { ...of, headers });
const other: AnyOperation = op("GET /things/{id}", of);
const example = { id: "a", body: {} };
const find: AnyOperation = op("POST /things/{id}", { ...of, body: json(z.unknown()), effect: "read", example });
const change: AnyOperation = op("PUT /things/{id}", { ...of, effect: "update", shownBy: "x_get" });

/** A client whose upstream answers when it is told to. */
function open() {
  const sent: (WireRequest & { answer(status?: number): void })[] = [];
  const send: Send = (request) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ number: sent.length });
      request.signal?.addEventListener("abort", () => reject(new SendFailure("aborted", true)));
      sent.push({ ...request, answer: (status = 200) => resolve(responseOf({ status, body })) });
    });
  const target = { origin: "https://h.example", vendor: "acme" };
  const client = createClient({ send, target, authorize: () => ({}), maxResponseBytes: 100_000 });
  const call = (
    operation: AnyOperation,
    args: Record<string, unknown>,
    more: Partial<SendContext> & { signal?: AbortSignal; totalMs?: number; tool?: string } = {},
  ) => {
    const { signal, totalMs = 60_000, tool = "x_get", ...others } = more;
    const outcome = (async () => {
      const request = await client.resolve(tool, operation, validateArguments(tool, operation, args));
      return client.call(tool, "x", operation, request, sendingWithin(totalMs, others, signal));
    })();
    return outcome.then(
      ({ body }) => body,
      (failure: { code: string }) => failure.code,
    );
  };
  return { sent, call };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));
const number = (number: number) => ({ number });

it("identical reads are sent once, and each gets the response or failure", async () => {
  const { sent, call } = open();
  const [first, second] = [call(read, { id: "a" }), call(read, { id: "a" })];
  await turn();
  expect(sent).toHaveLength(1);
  sent[0]?.answer();
  expect(await Promise.all([first, second])).toEqual([number(0), number(0)]);
  const [third, fourth] = [call(read, { id: "a" }), call(read, { id: "a" })];
  await turn();
  sent[1]?.answer(404);
  expect(await Promise.all([third, fourth])).toEqual(["not_found", "not_found"]);
  expect(sent).toHaveLength(2);
});

it("identical reads count only the one that is sent; the others wait", async () => {
  const { sent, call } = open();
  const heard: string[] = [];
  const onRequest = vi.fn(async () => undefined);
  const sending = { onRequest, onWait: (message: string) => void heard.push(message) };
  const both = [call(read, { id: "a" }, sending), call(read, { id: "a" }, sending)];
  await turn();
  sent[0]?.answer();
  await Promise.all(both);
  expect(onRequest).toHaveBeenCalledOnce();
  expect(heard).toEqual(["Waiting for the response to the same request, which another call has made"]);
});

it.each<[string, AnyOperation, Record<string, unknown>, Partial<SendContext> & { tool?: string }]>([
  ["of another owner", read, { id: "a" }, { owner: "another" }],
  ["of another object", read, { id: "b" }, {}],
  ["with another header", read, { id: "a", form: "long" }, {}],
  ["by another tool", other, { id: "a" }, { tool: "x_other" }],
  ["that has to be fresh", read, { id: "a" }, { isFresh: true }],
  ["by another method", find, { id: "a", body: {} }, {}],
])("identical reads of one owner are never shared with one %s", async (_, operation, args, sending) => {
  const { sent, call } = open();
  const both = [call(read, { id: "a" }), call(operation, args, sending)];
  await turn();
  expect(sent).toHaveLength(2);
  for (const { answer } of sent) answer();
  expect(await Promise.all(both)).toEqual([number(0), number(1)]);
});

it("reads are shared only if their bodies are the same", async () => {
  const { sent, call } = open();
  for (const body of [{ a: 1 }, { a: 2 }, { a: 1 }]) void call(find, { id: "a", body });
  await turn();
  expect(sent).toHaveLength(2);
});

it("changes are never shared, nor are rows in a file", async () => {
  const table = { begin: "", end: "", columns: () => ["a"], at: "data" };
  const returns = { 200: csv(z.unknown(), (all) => all, table) };
  const rows: AnyOperation = op("GET /rows", { does, returns, example: {} });
  const { sent, call } = open();
  for (const _ of [1, 2]) {
    void call(change, { id: "a" });
    void call(rows, {});
  }
  await turn();
  expect(sent).toHaveLength(4);
});

it("identical reads are never shared by two clients of profiles", async () => {
  const clients = [open(), open()];
  for (const { call } of clients) void call(read, { id: "a" });
  await turn();
  expect(clients.map(({ sent }) => sent.length)).toEqual([1, 1]);
});

it("a call that shares a request ends without the others if it only waited", async () => {
  const { sent, call } = open();
  const left = new AbortController();
  const [first, second, third] = [{}, { signal: left.signal }, {}].map((more) => call(read, { id: "a" }, more));
  await turn();
  left.abort();
  expect(await second).toBe("cancelled");
  sent[0]?.answer();
  expect(await Promise.all([first, third])).toEqual([number(0), number(0)]);
  expect(sent).toHaveLength(1);
});

it("a sender that ends leaves its sharers one request among them", async () => {
  const { sent, call } = open();
  const left = new AbortController();
  const [first, second, third] = [{ signal: left.signal }, {}, {}].map((more) => call(read, { id: "a" }, more));
  await turn();
  left.abort();
  expect(await first).toBe("cancelled");
  await turn();
  expect(sent).toHaveLength(2);
  sent[1]?.answer();
  expect(await Promise.all([second, third])).toEqual([number(1), number(1)]);
});

it("a call that shares a request ends at its own deadline", async () => {
  const { sent, call } = open();
  const [first, second] = [call(read, { id: "a" }), call(read, { id: "a" }, { totalMs: 30 })];
  expect(await second).toBe("timeout");
  sent[0]?.answer();
  expect(await first).toEqual(number(0));
});

it("a read after a change is sent anew, though another is in progress", async () => {
  const { sent, call } = open();
  const before = call(read, { id: "a" });
  await turn();
  const changed = call(change, { id: "a" });
  await turn();
  const during = call(read, { id: "a" });
  await turn();
  expect(sent).toHaveLength(2);
  sent[1]?.answer();
  await changed;
  const after = call(read, { id: "a" });
  await turn();
  expect(sent).toHaveLength(3);
  sent[0]?.answer();
  sent[2]?.answer();
  expect(await Promise.all([before, during, after])).toEqual([number(0), number(0), number(2)]);
});

it("a read after a change that failed is sent anew, too", async () => {
  const { sent, call } = open();
  void call(read, { id: "a" });
  await turn();
  const changed = call(change, { id: "a" });
  await turn();
  sent[1]?.answer(500);
  expect(await changed).toBe("outcome_unknown");
  void call(read, { id: "a" });
  await turn();
  expect(sent).toHaveLength(3);
});
