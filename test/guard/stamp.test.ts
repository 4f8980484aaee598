/** A version stamp in a header, from the call to the emulated API and back: quoted, bound to the plan, and with the current one when stale. */
import { beforeEach, describe, expect, it } from "vitest";
import { createCalls } from "../../src/calls/index.js";
import type { Behaviours } from "../../src/emulator/behaviour.js";
import { createEmulator } from "../../src/emulator/index.js";
import { RequestRefusal, usualErrorFormat } from "../../src/emulator/reply.js";
import { emulateService } from "../../src/emulator/service.js";
import { createWorld, type World } from "../../src/emulator/world.js";
import { type AnyOperation, empty, json, op } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { EntityTag } from "../../src/tools/fields.js";
import { onEmulator } from "../lab/emulated.js";
import { caller } from "../lab/made-up.js";

const does = "Does something to the rules.";
const Rules = z.strictObject({ rules: z.string() });
const lock = { field: "ifMatch", from: "rule_get", at: "headers.etag" } as const;
const headers = { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } };

const writing = {
  ...{ does, headers, lock, body: json(Rules), returns: { 200: json(Rules) } },
  example: { body: { rules: "b" } },
};

const rules = service("rule", {
  ...{ name: "rules", document: "B", title: "Rules", about: "Rules", standing: { state: "alive" }, rules: {} },
  operations: {
    rule_get: op("GET /rules", { does, answerHeaders: { etag: "ETag" }, returns: { 200: json(Rules) }, example: {} }),
    rule_digest_get: op("HEAD /rules", { does, answerHeaders: { etag: "ETag" }, returns: { 204: empty }, example: {} }),
    rule_replace: op("PUT /rules", {
      ...writing,
      effect: "destructive",
      guard: { kind: "overwrite" },
      shownBy: { by: "rule_get", isBound: false },
    }),
    rule_update: op("POST /rules", {
      ...writing,
      effect: "update",
      shownBy: "rule_get",
      answerHeaders: { etag: "ETag" },
    }),
  },
});
const state = { version: 1, rules: "a", missing: 428, stale: 412 };
const etag = () => `"${state.version}"`;
const written = (given: string | undefined, text: string) => {
  if (given === undefined) throw new RequestRefusal(state.missing, "Precondition Required", "Send If-Match");
  if (given !== etag()) throw new RequestRefusal(state.stale, "Precondition Failed", "The stamp is stale");
  Object.assign(state, { version: state.version + 1, rules: text });
  return { status: 200, body: { rules: text }, headers: { etag: etag() } } as const;
};
const behaviours: Behaviours<typeof rules, World> = {
  rule_get: () => ({ status: 200, body: { rules: state.rules }, headers: { etag: etag() } }),
  rule_digest_get: () => ({ status: 204, body: undefined, headers: { etag: etag() } }),
  rule_replace: ({ headers: given, body }) => written(given["if-match"], body.rules),
  rule_update: ({ headers: given, body }) => written(given["if-match"], body.rules),
};
const load = () => Promise.resolve(emulateService(rules, usualErrorFormat, behaviours));
const emulator = createEmulator({ world: createWorld(), entries: [{ roots: ["/rules"], load }] });
const operations: Readonly<Record<string, AnyOperation>> = rules.operations;
const calls = createCalls({
  ...onEmulator(new Map(), emulator.send),
  operationOf: async (tool) => {
    const declared = operations[tool];
    return declared && { service: rules.name, declared };
  },
});
const call = (tool: string, args: Record<string, unknown>) => calls.call(tool, args, caller);
const body = { rules: "b" };

beforeEach(() => {
  Object.assign(state, { version: 1, rules: "a", missing: 428, stale: 412 });
});

describe("a stamp in a header", () => {
  it("a stamp is read with HEAD, and is part of the answers that have it", async () => {
    expect(await call("rule_digest_get", {})).toMatchObject({ reply: { headers: { etag: '"1"' }, body: undefined } });
    expect(await call("rule_update", { ifMatch: '"1"', body })).toMatchObject({ reply: { headers: { etag: '"2"' } } });
  });

  it.each(['"1"', "1"])("a stamp is sent in double quotes if the argument is %s", async (ifMatch) => {
    expect(await call("rule_update", { ifMatch, body })).toMatchObject({ kind: "answer", reply: { status: 200 } });
  });

  it.each(["a b", 'a"b', '"a', "a\n"])("a stamp is refused as %j", async (ifMatch) => {
    expect(await call("rule_update", { ifMatch, body })).toMatchObject({
      failure: { code: "invalid_input", detail: { fields: [{ field: "ifMatch" }] } },
    });
  });

  it.each([409, 412])("a stale stamp is reported with the current one, on status %i", async (status) => {
    Object.assign(state, { version: 9, rules: "c", stale: status });
    expect(await call("rule_update", { ifMatch: "1", body })).toMatchObject({
      failure: {
        code: "conflict",
        detail: {
          status,
          why: expect.stringMatching(/^ifMatch is .*9.* now, and .*1.* was sent: .* state in rules\.$/),
          next: expect.stringContaining("rule_get"),
          changed: [{ at: "rules", from: "c", to: "b" }],
        },
      },
    });
  });

  it("a stamp left out is reported missing, without a conflicting change", async () => {
    const { failure } = (await call("rule_update", { body })) as { failure: { detail: { why: string } } };
    expect(failure).toMatchObject({ code: "conflict", detail: { status: 428 } });
    expect(failure.detail.why).toMatch(/^ifMatch is .*1.* now, and none was sent\. /);
    expect(failure.detail.why).not.toContain("somebody");
  });

  it("a plan is bound to the stamp: its approval holds for no other", async () => {
    const preview = async (ifMatch: string) => {
      const outcome = await call("rule_replace", { ifMatch, body });
      return outcome.kind === "preview" ? outcome.plan.id : undefined;
    };
    const confirm = await preview("1");
    state.version = 2;
    expect(await call("rule_replace", { ifMatch: "2", body, confirm })).toMatchObject({
      failure: { code: "approval_refused" },
    });
    expect(state.rules).toBe("a");
    const other = await preview('"2"');
    expect(await call("rule_replace", { ifMatch: "2", body, confirm: other })).toMatchObject({ kind: "answer" });
  });
});
