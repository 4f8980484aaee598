/** How a person's answer reaches a plan: elicited by a form, tied to it by a sealed state, and valid for that question only. */
import { beforeEach, expect, it } from "vitest";
import type { Surface } from "../../src/engine/surface.js";
import type { OperatorPlans } from "../../src/guard/index.js";
import { lazily } from "../../src/language/once-for.js";
import { serverFactory } from "../../src/mcp/server.js";
import { as, ask, clientsOf, modernly, resultIn, startHttp } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";
import { clientOf, surfaceWith } from "../profiles/two.js";

const secret = "https://www.example.com/spring";
const purge = { queueName: "default", body: { objects: [`${secret}/hero.jpg`] } };
const purgeOf = (...objects: readonly unknown[]) => ({ ...purge, body: { objects } });

interface CallResult {
  readonly structuredContent?: Record<string, unknown>;
  readonly inputRequests?: {
    readonly approval: { readonly params: { message: string; requestedSchema: Record<string, unknown> } };
  };
  readonly requestState?: string;
}

let url: URL;
let plans: OperatorPlans;
let surface: Surface;
beforeEach(async () => {
  const usual = await surfaceWith(["--emulator"]);
  const engine = lazily(async () => {
    const made = await usual.engine();
    plans = made.plans;
    const own = { ...made, presentation: { ...made.presentation, secrets: [secret] } };
    return { ...own, runtimeFor: async () => own };
  });
  surface = { ...usual.surface, engine };
  ({ url } = await startHttp({ build: serverFactory(surface), clients: clientsOf("one"), allowsWrites: true }));
});

const forms = { elicitation: { form: {} } };

/** Calls a tool as a client of the 2026 era, which puts the question to its user itself. */
async function call(name: string, args: object, capabilities: object = forms, more: object = {}) {
  const { headers, body } = modernly("tools/call", { name, arguments: args, ...more }, capabilities);
  return resultIn<CallResult>((await ask(url, { headers: { ...headers, ...as("one") }, body })).text);
}
/** The question that a person gets about a call. */
const askedFor = async (args: object) => (await call("purge_submit", args)).inputRequests?.approval.params;

const answered = (requestState: string | undefined, approval: object, args: object = purge) =>
  call("purge_submit", args, forms, { requestState, inputResponses: { approval } });
const nothingSent = async () =>
  expect((await call("purge_queue_get", { queueName: "default" })).structuredContent).toMatchObject({
    data: { queueLength: 0 },
  });
const yes = { action: "accept", content: { approve: true } };

it("only the person can fill in a question, which shows no secret", async () => {
  const { message, requestedSchema } = (await askedFor(purge)) ?? {};
  expect(requestedSchema).toMatchObject({
    required: ["approve"],
    properties: { approve: expect.not.objectContaining({ default: expect.anything() }) },
  });
  expect(message).toContain("[secret]/hero.jpg");
  expect(message).not.toContain(secret);
});

it.each([{}, { elicitation: { url: {} } }])(
  "previews for a client that cannot show a form: %j",
  async (capabilities) => {
    const { structuredContent, inputRequests } = await call("purge_submit", purge, capabilities);
    expect(inputRequests).toBeUndefined();
    expect(structuredContent).toMatchObject({ approval: "required", confirm: expect.stringMatching(/^plan_/) });
  },
);

it("a yes makes the change once; sent again, it gets the outcome", async () => {
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
])("takes %j as a no, and accepts no later yes", async (no) => {
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
  await nothingSent();
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
  await nothingSent();
  await plans.approve(String(plan), "page", { name: "carol" });
  expect((await call("purge_submit", purge)).structuredContent).toMatchObject({ status: 201 });
});

it.each([{ approve: "yes" }, { approve: 1 }, { approved: true }, {}])(
  "a client of the 2025 era: anything but a yes is a no: %j",
  async (content) => {
    const client = await clientOf(surface, () => ({ action: "accept", content }));
    const { structuredContent } = await client.call("purge_submit", purge);
    expect(structuredContent).toMatchObject({ error: "declined", message: "purge_submit was not approved." });
    await nothingSent();
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
    const other = purgeOf("https://www.example.com/");
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

it("a client cannot read the state that it sends back", async () => {
  const { requestState = "" } = await call("purge_submit", purge);
  expect(Buffer.from(requestState, "base64url").toString("latin1")).not.toContain("plan_");
});

it("a yes counts only for its call, and only with its sealed state", async () => {
  const { requestState } = await call("purge_submit", purge);
  expect((await answered(undefined, yes)).inputRequests).toBeDefined();
  expect(await answered(`${requestState}x`, yes)).toBeUndefined();
  const other = purgeOf("https://www.example.com/");
  expect((await answered(requestState, yes, other)).structuredContent).toMatchObject({ error: "approval_refused" });
  await nothingSent();
});

it(promise("whole-or-not-asked", "a request too long for a question waits for a person's approval"), async () => {
  const objects = Array.from({ length: 400 }, (_, at) => `https://www.example.com/${at * 7_919}/page.html`);
  const args = purgeOf(...objects);
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
  await nothingSent();
});

it("a question shows all of a list of ninety", async () => {
  const objects = Array.from({ length: 90 }, (_, at) => `https://www.example.com/p/${at * 7_919}.html`);
  const { message } = (await askedFor(purgeOf(...objects))) ?? {};
  for (const at of objects.keys()) expect(message).toContain(` ${at * 7_919}.html`);
  expect(message?.length).toBeLessThanOrEqual(4_000);
});

it("the result has the warnings that the person saw", async () => {
  const args = { ...purge, body: { objects: [12_345], type: "cpcode" } };
  const { requestState, inputRequests } = await call("purge_submit", args);
  const warning = "A CP code can hold a whole site.";
  expect(inputRequests?.approval.params.message).toContain(`Warning: ${warning}`);
  expect((await answered(requestState, yes, args)).structuredContent).toMatchObject({
    status: 201,
    notes: expect.arrayContaining([expect.stringContaining(`Warning in its preview: ${warning}`)]),
  });
});
