/** Spans as an SDK of OpenTelemetry receives them that the operator has registered through the API's own library. */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  context as contexts,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { Failure } from "../../src/language/failure.js";
import { openSpans } from "../../src/telemetry/spans.js";
import { isTraced } from "../../src/telemetry/traced.js";
import { canarySearch } from "../lab/canary.js";
import { promise } from "../lab/rules.js";
import { done, type Ends, refusing, secrets, startServed, tellSecrets } from "./served.js";

interface Made extends Record<"name" | "trace" | "id", string> {
  kind: SpanKind | undefined;
  attributes: Attributes;
  parent: string | undefined;
  links: readonly string[];
  status: SpanStatusCode;
  isEnded: boolean;
}

let made: Made[] = [];
let next = 1;
const id = (digits: number): string => (next++).toString(16).padStart(digits, "0");

/** A tracer that keeps its spans, as an SDK for tests does. */
function startSpan(name: string, options: SpanOptions = {}, within: Context = contexts.active()): Span {
  const parent = trace.getSpanContext(within);
  const own: SpanContext = { traceId: parent?.traceId ?? id(32), spanId: id(16), traceFlags: 1 };
  const one: Made = {
    ...{ name, kind: options.kind, attributes: { ...options.attributes }, parent: parent?.spanId },
    ...{ trace: own.traceId, id: own.spanId, links: (options.links ?? []).map(({ context }) => context.spanId) },
    ...{ status: SpanStatusCode.UNSET, isEnded: false },
  };
  made.push(one);
  const changed = (change: Partial<Made>): unknown => {
    if (one.isEnded) throw new Error("It has ended.");
    return Object.assign(one, change) && span;
  };
  const span = {
    spanContext: () => own,
    isRecording: () => true,
    setAttributes: (more: Attributes) => changed({ attributes: { ...one.attributes, ...more } }),
    setStatus: ({ code }: { code: SpanStatusCode }) => changed({ status: code }),
    end: () => void changed({ isEnded: true }),
  };
  return span as unknown as Span;
}

const header = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

beforeEach(() => {
  made = [];
  const storage = new AsyncLocalStorage<Context>();
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }) });
  contexts.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (within, work, self, ...args) => storage.run(within, () => work.call(self, ...args)),
    bind: (_, target) => target,
    enable: () => undefined as never,
    disable: () => undefined as never,
  });
  propagation.setGlobalPropagator({
    inject: () => undefined,
    fields: () => ["traceparent"],
    extract: (within, carrier, getter) => {
      const [, traceId, spanId] = header.exec(String(getter.get(carrier, "traceparent"))) ?? [];
      return traceId && spanId
        ? trace.setSpanContext(within, { traceId, spanId, traceFlags: 1, isRemote: true })
        : within;
    },
  });
});
let served: Awaited<ReturnType<typeof startServed>> | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
  for (const api of [trace, contexts, propagation]) api.disable();
});

const start = async (ends: Ends) => {
  served = await startServed(ends);
  return served;
};
const ofCalls = () => made.filter(({ attributes }) => attributes["mcp.method.name"] === "tools/call");
const traceOf = "0af7651916cd43dd8448eb211c80319c";
const spanOf = "b7ad6b7169203331";
const traceparent = `00-${traceOf}-${spanOf}-01`;

it("a request's span has conventional names and its message's trace", async () => {
  const { client, lines } = await start(async () => done);
  await client.callTool({ name: "thing_get", arguments: {}, _meta: { traceparent } });
  const [made] = ofCalls();
  expect(made).toMatchObject({ name: "tools/call thing_get", kind: SpanKind.SERVER, parent: spanOf, trace: traceOf });
  expect(made).toMatchObject({ status: SpanStatusCode.UNSET, isEnded: true });
  expect(made?.attributes).toEqual({
    ...{ "mcp.method.name": "tools/call", "jsonrpc.request.id": expect.any(String), "network.transport": "pipe" },
    ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "thing_get", "edgewise.outcome": "ok" },
  });
  expect(lines.find(({ method }) => method === "tools/call")).toMatchObject({ trace_id: traceOf });
});

it("a request that fails is an error, with no name of the client's", async () => {
  const failure: Outcome = { kind: "failure", failure: new Failure("not_found", "No.", { next: "Stop." }) };
  const { client } = await start(async () => failure);
  await client.callTool({ name: "thing_get", arguments: {} });
  await client.callTool({ name: "no_such_tool", arguments: {} }).catch(() => undefined);
  const status = SpanStatusCode.ERROR;
  expect(ofCalls()).toMatchObject([
    // Its response is a result.
    { status, attributes: { "error.type": "tool_error", "edgewise.outcome": "not_found" } },
    { status, name: "tools/call", attributes: { "error.type": "-32602", "rpc.response.status_code": "-32602" } },
  ]);
  expect(JSON.stringify(made)).not.toContain("no_such_tool");
});

it("a request for a prompt has its name, if there is one of that name", async () => {
  const { client } = await start(async () => done);
  for (const name of ["thing_guide", "no_such_prompt"]) await client.getPrompt({ name }).catch(() => undefined);
  const ofPrompts = made.filter(({ attributes }) => attributes["mcp.method.name"] === "prompts/get");
  expect(ofPrompts.map(({ name, attributes }) => [name, attributes["gen_ai.prompt.name"]])).toEqual([
    ["prompts/get thing_guide", "thing_guide"],
    ["prompts/get", undefined],
  ]);
});

it("each upstream request is a child span, and parent of what it runs", async () => {
  const { client } = await start(async (_, { observation }) => {
    startSpan("of the operator's own instrumentation").end();
    const url = new URL("https://up.example:8443/things/secret-zone?accountSwitchKey=KEY");
    const ended = async (attempt: number) =>
      observation?.sending({ service: "x", route: "GET /things/{id}", url, attempt });
    (await ended(1))?.(429);
    (await ended(2))?.("reset");
    (await ended(3))?.(200);
    return done;
  });
  await client.callTool({ name: "thing_get", arguments: {} });
  const [call] = ofCalls();
  const within = made.filter(({ parent }) => parent === call?.id);
  const attempt = (status: SpanStatusCode, attributes: Attributes) => {
    return { name: "GET /things/{id}", kind: SpanKind.CLIENT, status, attributes };
  };
  const server = { "server.address": "up.example", "server.port": 8443 };
  const request = { "http.request.method": "GET", "url.template": "/things/{id}", ...server };
  expect(within).toMatchObject([
    { name: "of the operator's own instrumentation", kind: undefined, status: SpanStatusCode.UNSET },
    attempt(SpanStatusCode.ERROR, { ...request, "http.response.status_code": 429, "error.type": "429" }),
    attempt(SpanStatusCode.ERROR, { "error.type": "reset", "http.request.resend_count": 1 }),
    attempt(SpanStatusCode.UNSET, { "http.response.status_code": 200, "http.request.resend_count": 2 }),
  ]);
  expect(JSON.stringify(made)).not.toMatch(/secret-zone|KEY/);
  expect(made.every(({ isEnded }) => isEnded)).toBe(true);
});

it(promise("spans-without-secrets", "a request shows no argument and no secret"), async () => {
  await tellSecrets(await start(refusing), secrets);
  expect(made.length).toBeGreaterThan(3);
  const search = canarySearch(secrets);
  search.see("the spans", JSON.stringify(made));
  search.end();
});

const begin = (meta: Record<string, string>, headers: Record<string, string>) => {
  openSpans("1")
    ?.begin({ name: "x", attributes: {}, meta: (name) => meta[name], header: (name) => headers[name] })
    .end({}, undefined);
  return made.at(-1);
};

it("a request's parent is its message's before its HTTP request's", () => {
  expect(begin({ traceparent }, { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` })?.trace).toBe(traceOf);
  expect(begin({}, { traceparent })?.trace).toBe(traceOf);
  expect(begin({ traceparent: "nonsense" }, {})?.parent).toBeUndefined();
  expect(begin({}, {})?.parent).toBeUndefined();
});

it("a request's span has the operator's HTTP span as parent or link", () => {
  const around = startSpan("POST /mcp");
  const aroundId = around.spanContext().spanId;
  contexts.with(trace.setSpan(ROOT_CONTEXT, around), () => {
    expect(begin({}, { traceparent })).toMatchObject({ parent: aroundId, links: [] });
    expect(begin({ traceparent }, {})).toMatchObject({ parent: spanOf, links: [aroundId] });
  });
});

it("a request has no parent or tracer without what is registered", () => {
  contexts.disable();
  propagation.disable();
  expect(begin({ traceparent }, {})?.parent).toBeUndefined();
  expect(isTraced()).toBe(true);
  trace.disable();
  expect(isTraced()).toBe(false);
  expect(openSpans("1")).toBeUndefined();
});
