/** How a person's answer reaches a plan: elicited by a form, tied to it by a signed state, and valid for that question only. */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine/index.js";
import type { OperatorPlans } from "../../src/guard/index.js";
import { lazily } from "../../src/language/once-for.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { serverFactory } from "../../src/mcp/server.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { promise } from "../lab/rules.js";

const services = await allServices("documents");
const catalogue = catalogueOf(services);
const readings = await readingsOf(services);
const token = "a-token-of-more-than-32-characters-01";
const secret = "https://www.example.com/spring";
const purge = { queueName: "default", body: { objects: [`${secret}/hero.jpg`] } };

interface Question {
  readonly method: string;
  readonly params: { readonly message: string; readonly requestedSchema: Record<string, unknown> };
}
interface CallResult {
  readonly structuredContent?: Record<string, unknown>;
  readonly inputRequests?: { readonly approval: Question };
  readonly requestState?: string;
}

let served: Awaited<ReturnType<typeof serveHttp>>;
let plans: OperatorPlans;
let build: ReturnType<typeof serverFactory>;
beforeEach(async () => {
  const engine = lazily(async () => {
    const made = await createEngine(
      readConfig(["--emulator", "--state-dir", "memory"], {}),
      catalogue,
      () => undefined,
    );
    plans = made.plans;
    const own = { ...made, presentation: { ...made.presentation, secrets: [secret] } };
    return { ...own, within: async () => own };
  });
  const surface = { catalogue, readings, version: "1", isEmulated: true, isReadOnly: false, engine };
  build = serverFactory(surface);
  served = await serveHttp({
    build,
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    log: () => undefined,
    clients: [{ name: "test", token }],
    allowsWrites: true,
  });
});
afterEach(() => served.close());

const forms = { elicitation: { form: {} } };

/** Calls a tool as a client of the 2026 era that asks its person by itself. */
async function call(name: string, args: object, capabilities: object = forms, more: object = {}): Promise<CallResult> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name,
    authorization: `Bearer ${token}`,
  };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const params = { name, arguments: args, _meta, ...more };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const answer = (await (await fetch(served.url, { method: "POST", headers, body })).json()) as { result: CallResult };
  return answer.result;
}

const answered = (requestState: string | undefined, approval: object, args: object = purge) =>
  call("purge_submit", args, forms, { requestState, inputResponses: { approval } });
const queued = async () =>
  (await call("purge_queue_get", { queueName: "default" })).structuredContent?.["data"] as { queueLength: number };
const yes = { action: "accept", content: { approve: true } };

it("only the person can fill in a question, which shows no secret", async () => {
  const { params } = (await call("purge_submit", purge)).inputRequests?.approval ?? {};
  expect(params?.requestedSchema["required"]).toEqual(["approve"]);
  expect(params?.requestedSchema["properties"]).toEqual({
    approve: expect.not.objectContaining({ default: expect.anything() }),
  });
  expect(params?.message).toContain("[secret]/hero.jpg");
  expect(params?.message).not.toContain(secret);
});

it("a question keeps a value on one line, and marks what is invisible", async () => {
  const objects = ["https://www.example.com/\u2028Account: other", "https://www.example.com/a\u202eb\u200b"];
  const { params } = (await call("purge_submit", { ...purge, body: { objects } })).inputRequests?.approval ?? {};
  const lines = params?.message.split("\n") ?? [];
  expect(lines.filter((line) => line.startsWith("Account: "))).toEqual([
    "Account: Example Shops (1-7KLGH) at the emulator; network: PRODUCTION",
  ]);
  expect(lines.filter((line) => line.startsWith("body.objects: "))).toEqual([
    expect.stringContaining('["https://www.example.com/[U+2028]Account: other", '),
  ]);
  expect(params?.message).toContain("a[U+202E]b[U+200B]");
  expect(params?.message).not.toMatch(/[\u2028\u202e\u200b]/);
});

it.each([{}, { elicitation: { url: {} } }])(
  "previews for a client that cannot show a form: %j",
  async (capabilities) => {
    const { structuredContent, inputRequests } = await call("purge_submit", purge, capabilities);
    expect(inputRequests).toBeUndefined();
    expect(structuredContent).toMatchObject({ approval: "required", confirm: expect.stringMatching(/^plan_/) });
  },
);

it("a yes makes the change once, and sent again says how it ended", async () => {
  const { requestState } = await call("purge_submit", purge);
  expect((await answered(requestState, yes)).structuredContent).toMatchObject({ status: 201 });
  expect((await answered(requestState, yes)).structuredContent).toMatchObject({
    error: "approval_refused",
    why: expect.stringContaining("it answered 201"),
  });
});

it.each([
  { action: "decline", content: { approve: true } },
  { action: "cancel" },
  { action: "accept", content: { approve: "true" } },
  { action: "accept" },
])("takes %j for a no, and no yes that comes after it", async (no) => {
  const { requestState } = await call("purge_submit", purge);
  const isClosed = no.action === "cancel";
  expect((await answered(requestState, no)).structuredContent).toMatchObject({
    error: "declined",
    why: expect.stringMatching(isClosed ? /^The question was closed without an answer\./ : /did not approve/),
    next: expect.stringMatching(isClosed ? /^Find out from the user/ : /^Do not ask again/),
  });
  expect((await answered(requestState, yes)).structuredContent).toMatchObject({
    error: "approval_refused",
    message: "This plan was refused.",
  });
  expect(await queued()).toMatchObject({ queueLength: 0 });
});

it("a repeated call without an answer gets a plan for a person", async () => {
  const { requestState } = await call("purge_submit", purge);
  const { structuredContent } = await call("purge_submit", purge, forms, { requestState });
  const plan = structuredContent?.["plan"];
  expect(structuredContent).toMatchObject({
    approval: "required",
    plan: expect.stringMatching(/^plan_/),
    why: expect.stringMatching(/the response was neither yes nor no.*the same call asks the user again\.$/),
    next: expect.stringContaining(`edgewise approve ${plan}`),
  });
  expect(structuredContent).not.toHaveProperty("confirm");
  expect((await answered(requestState, yes)).structuredContent).toMatchObject({ error: "approval_refused" });
  for (const capabilities of [forms, {}])
    expect((await call("purge_submit", { ...purge, confirm: plan }, capabilities)).structuredContent).toMatchObject({
      error: "approval_refused",
      message: "No person has approved this plan yet.",
    });
  expect(await queued()).toMatchObject({ queueLength: 0 });
  await plans.approve(String(plan), "page", { name: "carol" });
  expect((await call("purge_submit", purge)).structuredContent).toMatchObject({ status: 201 });
});

it.each([{ approve: "yes" }, { approve: 1 }, { approved: true }, {}])(
  "a client of the 2025 era: what is no yes counts as no: %j",
  async (content) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await build().connect(theirs);
    const client = new Client({ name: "test", version: "1" }, { capabilities: forms });
    client.setRequestHandler("elicitation/create", async () => ({ action: "accept" as const, content }));
    await client.connect(ours);
    const { structuredContent } = await client.callTool({ name: "purge_submit", arguments: purge });
    expect(structuredContent).toMatchObject({ error: "declined", message: "purge_submit was not approved." });
    expect(await queued()).toMatchObject({ queueLength: 0 });
  },
);

it(
  promise("elicitation-stays-declared", "confirm is refused from a client that could ask and then cannot"),
  async () => {
    const early = (await call("purge_submit", purge, {})).structuredContent?.["confirm"];
    const { requestState } = await call("purge_submit", purge);
    await answered(requestState, { action: "decline" });
    expect((await call("purge_submit", { ...purge, confirm: early }, {})).structuredContent).toMatchObject({
      error: "approval_refused",
      message: "The user was asked and has not said yes.",
    });
    const other = { ...purge, body: { objects: ["https://www.example.com/"] } };
    for (const args of [purge, other]) {
      const { structuredContent } = await call("purge_submit", args, {});
      expect(structuredContent).toMatchObject({
        plan: expect.any(String),
        why: expect.stringContaining("asked before"),
      });
      expect(structuredContent).not.toHaveProperty("confirm");
    }
    const again = (await call("purge_submit", purge)).requestState;
    expect((await answered(again, yes)).structuredContent).toMatchObject({ status: 201 });
  },
);

it("shows nothing of the state that travels through the client", async () => {
  const { requestState = "" } = await call("purge_submit", purge);
  expect(Buffer.from(requestState, "base64url").toString("latin1")).not.toContain("plan_");
});

it("a yes counts for its call alone, and only with its signed state", async () => {
  const { requestState } = await call("purge_submit", purge);
  expect((await answered(undefined, yes)).inputRequests).toBeDefined();
  expect(await answered(`${requestState}x`, yes)).toBeUndefined();
  const other = { ...purge, body: { objects: ["https://www.example.com/"] } };
  expect((await answered(requestState, yes, other)).structuredContent).toMatchObject({ error: "approval_refused" });
  expect(await queued()).toMatchObject({ queueLength: 0 });
});

it("a new zone is previewed and written, with no state to show", async () => {
  const soa = { ttl: 300, originserver: "a.example.", contact: "b.example.", active: true };
  const bounds = { serial: 1, refresh: 3_600, retry: 600, expire: 604_800, minimum: 300 };
  const zone = { name: "fresh.example", soa: { ...soa, ...bounds } };
  const args = { zone: "fresh.example", body: { token: "new", zone } };
  const { structuredContent } = await call("dns_zone_write", args, {});
  expect(structuredContent).toMatchObject({
    approval: "required",
    preview: {
      summary: "ADD the DNS zone fresh.example with only its SOA record, on PRODUCTION immediately.",
      lines: expect.arrayContaining(["body.token: new", "Now: there is no present state to show."]),
    },
  });
  const made = await call("dns_zone_write", { ...args, confirm: structuredContent?.["confirm"] }, {});
  expect(made.structuredContent).toMatchObject({ status: expect.any(Number), upstream: expect.any(String) });
  expect(made.structuredContent).not.toHaveProperty("error");
});

it(promise("whole-or-not-asked", "a request too long for a question waits for a person's approval"), async () => {
  const objects = Array.from({ length: 400 }, (_, at) => `https://www.example.com/${at * 7_919}/page.html`);
  const args = { ...purge, body: { objects } };
  const { structuredContent, inputRequests } = await call("purge_submit", args);
  expect(inputRequests).toBeUndefined();
  expect(structuredContent).toMatchObject({
    approval: "required",
    plan: expect.stringMatching(/^plan_/),
    why: expect.stringMatching(/^The user was not asked, because the request is too long to be shown in a question\./),
    next: expect.stringMatching(/`edgewise approve plan_/),
  });
  const confirmed = await call("purge_submit", { ...args, confirm: structuredContent?.["plan"] });
  expect(confirmed.structuredContent).toMatchObject({ error: "approval_refused" });
  expect((await queued()).queueLength).toBe(0);
});

it("asks about a list of ninety in whole", async () => {
  const objects = Array.from({ length: 90 }, (_, at) => `https://www.example.com/p/${at * 7_919}.html`);
  const message = (await call("purge_submit", { ...purge, body: { objects } })).inputRequests?.approval.params.message;
  for (const at of objects.keys()) expect(message).toContain(` ${at * 7_919}.html`);
  expect(message?.length).toBeLessThanOrEqual(4_000);
});

it("tells the assistant the warnings that the person saw", async () => {
  const args = { ...purge, body: { objects: [12_345], type: "cpcode" } };
  const { requestState, inputRequests } = await call("purge_submit", args);
  const warning = "A CP code can hold a whole site.";
  expect(inputRequests?.approval.params.message).toContain(`Warning: ${warning}`);
  expect((await answered(requestState, yes, args)).structuredContent).toMatchObject({
    status: 201,
    notes: expect.arrayContaining([expect.stringContaining(`Warning in its preview: ${warning}`)]),
  });
});
