/** Drafts of composed changes: written after the approval and before the call that puts them into effect, or not at all. */
import { describe, expect, it } from "vitest";
import type { Draft } from "../../src/calls/context.js";
import { change } from "../../src/calls/workflow.js";
import { z } from "../../src/language/z.js";
import { noPolicy, type Policy } from "../../src/policy/index.js";
import { caller, start } from "../lab/made-up.js";

const tool = "thing_publish";
const update = (name: string) => ({ tool: "thing_update", args: { id: 2, body: { name, version: 1 } } });
const ifLeft = "A draft is left: discard it.";
const args = { id: 1 };

/** Calls of a composed change with a draft, over an upstream in which a request may fail. */
function world(
  options: Parameters<typeof start>[1] & { calls?: Draft["calls"]; fails?: number; status?: number } = {},
) {
  const { calls: drafted = [update("a"), update("b")], fails, status = 409, ...others } = options;
  const sent: string[] = [];
  const present = { from: "first" };
  const publish = change({
    title: "Publishes",
    does: "Publishes a draft.",
    steps: ["Write the draft.", "Publish it."],
    example: args,
    input: z.strictObject({ id: z.int() }),
    makes: "thing_replace",
    async compose({ id }) {
      return { args: { id, body: { name: "n" } }, draft: { calls: drafted, from: present.from, ifLeft } };
    },
  });
  const started = start(
    ({ method, url, body }) => {
      if (method === "GET") return { body: { id: 1, name: "n", version: 1 } };
      const text = body === undefined ? "" : Buffer.from(body).toString();
      sent.push(`${method} ${url.pathname} ${JSON.parse(text).name}`);
      return sent.length === fails ? { status, body: {} } : { body: { id: 1, name: "n", version: 2 } };
    },
    { workflows: { [tool]: async () => publish }, ...others },
  );
  const previewed = async () => {
    const outcome = await started.calls.call(tool, { ...args }, caller);
    if (outcome.kind !== "preview") throw new Error(JSON.stringify(outcome));
    return outcome;
  };
  const confirmed = async () => {
    const { plan } = await previewed();
    return started.calls.call(tool, { ...args, confirm: plan.id }, caller);
  };
  return { ...started, sent, present, previewed, confirmed };
}
const all = ["PUT /things/2 a", "PUT /things/2 b", "PUT /things/1/all n"];

describe("a composed change with a draft", () => {
  it("sends nothing for its preview, and the draft before its own call", async () => {
    const { sent, previewed, calls } = world();
    const { plan } = await previewed();
    expect(sent).toEqual([]);
    expect(await calls.call(tool, { ...args, confirm: plan.id }, caller)).toMatchObject({ kind: "answer" });
    expect(sent).toEqual(all);
    expect(await calls.call(tool, { ...args, confirm: plan.id }, caller)).toMatchObject({ kind: "failure" });
    expect(sent).toEqual(all);
  });

  it("has a digest that covers the draft", async () => {
    const digests = await Promise.all(
      [[update("a")], [update("a")], [update("b")], []].map(
        async (calls) => (await world({ calls }).previewed()).preview.digest,
      ),
    );
    expect(new Set(digests).size).toBe(3);
    expect(digests[0]).toBe(digests[1]);
  });

  it("a composed change with a draft is refused once its source changes", async () => {
    const { sent, present, previewed, calls } = world();
    const { plan } = await previewed();
    present.from = "second";
    expect(await calls.call(tool, { ...args, confirm: plan.id }, caller)).toMatchObject({
      failure: { code: "approval_refused" },
    });
    expect(sent).toEqual([]);
  });

  it.each([
    [1, 1, "The draft could not be completed", false],
    [2, 2, "The draft could not be completed", true],
    [3, 3, "thing_replace ", true],
  ])("stops where request %i fails, and says what is left", async (fails, made, message, isLeft) => {
    const { sent, confirmed } = world({ fails });
    const outcome = await confirmed();
    if (outcome.kind !== "failure") throw new Error(JSON.stringify(outcome));
    expect(sent).toEqual(all.slice(0, made));
    expect(outcome.failure.code).toBe("conflict");
    expect(outcome.failure.message.startsWith(message)).toBe(true);
    expect(outcome.failure.detail.next.startsWith(ifLeft)).toBe(isLeft);
    expect(outcome.failure.detail.next.replace(`${ifLeft} `, "")).toMatch(/^[A-Z]/);
  });

  it("does not say that a draft is left where it may be in effect", async () => {
    const { confirmed } = world({ fails: 3, status: 503 });
    const outcome = await confirmed();
    expect(outcome).toMatchObject({ failure: { code: "outcome_unknown" } });
    expect(JSON.stringify(outcome)).not.toContain(ifLeft);
  });

  it.each([
    [
      "by the policy",
      { policy: { ...noPolicy, rules: [{ id: "no", effect: "deny", tools: ["thing_update"] }] } as Policy },
    ],
    ["by a read-only server", { isReadOnly: true }],
  ])("is refused with its draft %s, and sends nothing", async (_, options) => {
    const { calls, sent } = world(options);
    expect(await calls.call(tool, { ...args }, caller)).toMatchObject({ failure: { code: "not_allowed" } });
    expect(sent).toEqual([]);
  });

  it("does not preview a draft with wrong arguments", async () => {
    const { calls, sent } = world({ calls: [{ tool: "thing_update", args: { id: "x" } }] });
    expect(await calls.call(tool, { ...args }, caller)).toMatchObject({ failure: { code: "invalid_input" } });
    expect(sent).toEqual([]);
  });

  it("has no draft that needs an approval by itself", async () => {
    const guarded = { tool: "thing_replace", args: { id: 2, body: { name: "n" } } };
    const { calls, sent } = world({ calls: [guarded], onFault: () => undefined });
    expect(await calls.call(tool, { ...args }, caller)).toMatchObject({ failure: { code: "internal" } });
    expect(sent).toEqual([]);
  });
});
