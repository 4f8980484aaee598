/** A made-up catalogue with calls of its own, and an upstream that a test scripts: no protocol and no declared service. */
import { type CallOrigin, type CallsOptions, createCalls } from "../../src/calls/index.js";
import type { Account } from "../../src/language/account.js";
import { type AnyOperation, comma, json, op } from "../../src/language/define.js";
import { destination } from "../../src/language/destination.js";
import { secret } from "../../src/language/marks.js";
import { type Send, SendFailure, type WireRequest } from "../../src/language/wire.js";
import { z } from "../../src/language/z.js";
import { createClient } from "../../src/wire/index.js";
import { unbound } from "./options.js";

const does = "Does something.";
const one = { id: z.int() };
const Thing = z.looseObject({ id: z.int(), name: z.string(), version: z.int() });
const things: Readonly<Record<string, AnyOperation>> = {
  things_list: op("GET /things", {
    does,
    query: { offset: z.int().optional(), limit: z.int().optional() },
    returns: { 200: json(z.array(z.unknown())) },
    paging: { start: "offset", counts: "records", size: "limit", defaultSize: 2 },
    example: {},
  }),
  thing_get: op("GET /things/{id}", { does, path: one, returns: { 200: json(Thing) }, example: { id: 1 } }),
  thing_part_get: op("GET /things/{id}/parts", {
    does,
    path: one,
    returns: { 200: json(z.looseObject({ parts: z.array(z.string()) })) },
    view: {
      arguments: { only: z.int().min(0).optional() },
      schema: z.object({ part: z.string() }),
      show: (body, { only }) => {
        if (only === undefined) return undefined;
        const part = (body as { parts: readonly string[] }).parts[Number(only)];
        if (part === undefined) return { problem: { field: "only", given: String(only), takes: "a part" } };
        return { value: { part }, notes: ["One part of all."] };
      },
    },
    example: { id: 1 },
  }),
  things_find: op("GET /boxes/{box}/things", {
    does,
    path: { box: z.string() },
    query: { ids: comma(z.array(z.union([z.string(), z.int()]))) },
    returns: { 200: json(z.unknown()) },
    resolves: async ({ args: { box, ids }, read }) => {
      const { parts } = (await read("thing_part_get", { id: 1 })) as { parts: readonly string[] };
      const found = (ids as readonly unknown[]).map((id) => (typeof id === "number" ? id : parts.indexOf(String(id))));
      const at = found.indexOf(-1);
      if (at >= 0) return { problems: [{ field: `ids[${at}]`, takes: "a part" }] };
      return { values: { box: `box-${String(box)}`, ids: found }, notes: ["Found by name."] };
    },
    example: { box: "a", ids: [1] },
  }),
  thing_update: op("PUT /things/{id}", {
    does,
    path: one,
    body: json({ name: z.string(), version: z.int() }),
    returns: { 200: json(Thing) },
    effect: "update",
    shownBy: "thing_get",
    lock: { field: "body.version", from: "thing_get" },
    example: { id: 1, body: { name: "n", version: 1 } },
  }),
  thing_replace: op("PUT /things/{id}/all", {
    does,
    path: one,
    body: json({ name: z.string() }),
    returns: { 200: json(Thing) },
    effect: "destructive",
    guard: { kind: "overwrite", replaces: "body", undo: "rewrite" },
    shownBy: "thing_get",
    checks: [
      async ({ present, args }) =>
        (await present()) === undefined ? [{ field: "id", given: String(args["id"]), takes: "a thing" }] : [],
    ],
    shows: { raw: ["log"] },
    example: { id: 1, body: { name: "n" } },
  }),
  thing_part_create: op("POST /things/{id}/parts", {
    does,
    path: one,
    returns: { 201: json(z.unknown()) },
    effect: "create",
    shownBy: "thing_get",
    shows: { order: { of: "parts", by: ["label", "part"] } },
    example: { id: 1 },
  }),
  thing_run: op("POST /things/{id}/runs", {
    does,
    path: one,
    returns: { 202: json(z.object({ run: z.int() })) },
    effect: "destructive",
    guard: { kind: "activate" },
    shownBy: "thing_get",
    awaits: {
      status: "run_get",
      follow: ({ body }) => ({ run: (body as { run: number }).run }),
      isReady: ({ body }, { id }) => (body as { done?: unknown }).done === id,
      state: ({ body }) => String((body as { done?: unknown }).done),
      pauseSeconds: () => 0,
    },
    example: { id: 1 },
  }),
  thing_outlet_get: op("GET /things/{id}/outlet", {
    does,
    path: one,
    returns: {
      200: json(
        z.looseObject({
          to: z.looseObject({
            host: destination("host", z.string()),
            mails: z.array(destination("email", z.string())).optional(),
          }),
        }),
      ),
    },
    example: { id: 1 },
  }),
  thing_resume: op("POST /things/{id}/resume", {
    does,
    path: one,
    returns: { 202: json(z.unknown()) },
    effect: "update",
    shownBy: "thing_get",
    sendsTo: { by: "thing_outlet_get", args: ({ id }) => ({ id }) },
    example: { id: 1 },
  }),
  run_get: op("GET /runs/{run}", {
    does,
    path: { run: z.int() },
    returns: { 200: json(z.unknown()) },
    example: { run: 1 },
  }),
  key_create: op("POST /keys", {
    does,
    body: json({ pass: secret(z.string()) }),
    returns: { 201: json(z.object({ id: z.int(), key: secret(z.string(), { isShownOnce: true }) })) },
    effect: "create",
    shownBy: "things_list",
    example: { body: { pass: "p" } },
  }),
};

export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
export type Upstream = (request: WireRequest) => Answer | SendFailure;

const account: Account = { section: "default", host: "host.example", isEmulated: false };
const pauseMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Calls of the made-up catalogue.
 * @param answersAfterMs How long the upstream takes; it keeps to the time that a request has left.
 */
export function start(
  upstream: Upstream,
  { answersAfterMs = 0, ...options }: Partial<CallsOptions> & { answersAfterMs?: number } = {},
) {
  const sent: string[] = [];
  const faults: unknown[][] = [];
  const send: Send = async (request) => {
    if (request.signal?.aborted) throw new SendFailure("aborted", false);
    sent.push(`${request.method} ${request.url.pathname}${request.url.search}`);
    if (answersAfterMs > 0) {
      await pauseMs(Math.max(0, Math.min(answersAfterMs, request.timeLeftMs)));
      if (request.timeLeftMs < answersAfterMs) throw new SendFailure("overdue", true);
    }
    const answer = upstream(request);
    if (answer instanceof SendFailure) throw answer;
    const { status = 200, body = {}, headers = {} } = answer;
    return {
      status,
      headers: { "content-type": "application/json", ...headers },
      body: (async function* () {
        yield new TextEncoder().encode(JSON.stringify(body));
      })(),
    };
  };
  const calls = createCalls({
    operationOf: async (tool) => {
      const declared = Object.hasOwn(things, tool) ? things[tool] : undefined;
      return declared && { service: "things", declared };
    },
    client: createClient({
      send,
      target: { origin: "https://host.example", vendor: "v" },
      authorize: () => ({}),
      maxResponseBytes: 100_000,
    }),
    ...unbound(),
    account,
    onFault: (...told) => faults.push(told),
    ...options,
  });
  return { calls, sent, faults };
}

export const caller: CallOrigin = {
  owner: "local",
  signal: undefined,
  progress: async () => undefined,
  supportsElicitation: false,
  requestId: 7,
};
