/** A preview tells the person what would change, all of it, in a size that a person can read. */
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/api/arguments.js";
import { type AnyOperation, json, op } from "../../src/api/define.js";
import { secret } from "../../src/api/secret.js";
import { z } from "../../src/api/z.js";
import { describe as preview } from "../../src/guard/preview.js";
import { approvalMessage } from "../../src/mcp/approval.js";
import { credentials } from "../../src/tools/credentials.js";
import { dns } from "../../src/tools/dns/index.js";
import { purge } from "../../src/tools/purge/index.js";
import { noAnswers } from "../checked.js";

const request = { method: "POST", url: new URL("https://h.example/a?b=1"), headers: {}, answers: noAnswers };
const shownFor = (
  tool: string,
  operation: AnyOperation,
  args: object,
  current?: unknown,
  schemas: readonly z.ZodType[] = [],
) =>
  preview(
    tool,
    operation,
    checkArguments(tool, operation, args),
    request,
    "the account",
    current === undefined ? undefined : { body: current, schemas },
  );

const soa = { serial: 2, ttl: 300, originserver: "a.example.", contact: "b.example.", active: true };
const bounds = { refresh: 3_600, retry: 600, expire: 604_800, minimum: 300 };
const zone = { name: "example.com", soa: { ...soa, ...bounds } };
const update = {
  openIdentityId: "x",
  credentialId: 7,
  body: { status: "INACTIVE", expiresOn: "2027-11-01T00:00:00Z" },
};

describe("a preview", () => {
  it("shows that the records which a whole zone leaves out would go", () => {
    const txt = [{ name: "t", ttl: 300, active: true, target: "x" }];
    const args = { zone: "example.com", body: { token: "t", zone } };
    expect(
      shownFor("dns_zone_write", dns.operations.dns_zone_write, args, { token: "t", zone: { ...zone, txt } }).changes,
    ).toEqual([{ at: "txt", addedCount: 0, removedCount: 1, added: [], removed: txt }]);
  });

  it("does not say that members go which a body does not speak of", () => {
    const current = { ...update.body, status: "ACTIVE", clientToken: "t" };
    const operation = credentials.operations.credential_update;
    expect(shownFor("credential_update", operation, update, current).changes).toEqual([
      { at: "status", from: "ACTIVE", to: "INACTIVE" },
    ]);
  });

  it("shows the body itself where there is no state to compare it with", () => {
    const operation = credentials.operations.credential_update;
    expect(shownFor("credential_update", operation, update).arguments["body"]).toEqual(update.body);
  });

  it("counts all objects of a purge and shows ten of them, in the preview and in the question", () => {
    const objects = Array.from({ length: 1_000 }, (_, index) => `https://www.example.com/${index}`);
    const args = { queueName: "default", body: { objects } };
    const made = shownFor("purge_submit", purge.operations.purge_submit, args, { queueLength: 0 });
    expect(made).toMatchObject({ count: 1_000, sample: objects.slice(0, 10), network: "production" });
    expect(made.summary).toContain(" 1000 objects ");
    const question = approvalMessage(made, []);
    expect(question).toContain("network: production\n");
    expect(question).toContain("Objects: 1000\n");
    expect(question).toContain('"https://www.example.com/9"');
    expect(question).not.toContain('"https://www.example.com/10"');
  });
});

describe("a preview of a write over what is stored", () => {
  const Rule = z.strictObject({ name: z.string(), ttl: z.int(), note: z.string().optional() });
  const writing = (write: "replace" | "merge", replaces = "body") =>
    op("PUT /things/{id}", {
      does: "Writes a thing.",
      path: { id: z.int() },
      body: json({
        name: z.string(),
        note: z.string().optional(),
        rules: z.array(Rule).optional(),
        more: z.looseObject({}).optional(),
      }),
      returns: { 200: json(z.unknown()) },
      effect: "destructive",
      guard: { kind: "overwrite", replaces, write },
      shownBy: "thing_get",
      example: { id: 1, body: { name: "n" } },
    });
  const stored = {
    id: 1,
    createdOn: "2026-01-01",
    name: "n",
    note: "kept by hand",
    rules: [
      { ruleId: 7, name: "a", ttl: 300 },
      { ruleId: 8, name: "b", ttl: 300 },
    ],
    more: { left: 1, out: 2 },
  };
  const rules = [
    { name: "a", ttl: 300 },
    { name: "b", ttl: 900 },
  ];
  const args = { id: 1, body: { name: "m", rules, more: { left: 1 } } };

  it("shows what a full replacement leaves out as removed, and nothing that only the API sets", () => {
    const { changes, summary } = shownFor("thing_update", writing("replace"), args, stored);
    expect(changes).toEqual([
      { at: "name", from: "n", to: "m" },
      { at: "note", from: "kept by hand", isRemoved: true },
      {
        at: "rules",
        addedCount: 1,
        removedCount: 1,
        added: [{ name: "b", ttl: 900 }],
        removed: [{ name: "b", ttl: 300 }],
      },
      { at: "more.out", from: 2, isRemoved: true },
    ]);
    expect(summary).toMatch(/Members that it leaves out are removed\.$/);
  });

  it("shows what a merge leaves out as it is", () => {
    const { changes, summary } = shownFor("thing_update", writing("merge"), args, stored);
    expect(changes?.map(({ at }) => at)).toEqual(["name", "rules", "more.out"]);
    expect(summary).toMatch(/Members that it leaves out stay as they are\.$/);
  });

  it("compares a member with the member of the same name alone", () => {
    const operation = writing("replace", "body.more");
    const made = shownFor("thing_update", operation, args, stored);
    expect(made.changes).toEqual([{ at: "out", from: 2, isRemoved: true }]);
    expect(made.arguments).toEqual({ id: 1, body: { ...args.body, more: "see changes" } });
    // Where the state has no such member, nothing of the state is taken for it.
    const { more: _, ...without } = stored;
    const blind = shownFor("thing_update", operation, args, without);
    expect(blind.changes).toBeUndefined();
    expect(blind.arguments).toEqual(args);
    expect(blind.current).toEqual(without);
  });

  it("shows records that come or go as often as they do", () => {
    const [rule] = rules;
    const twice = { id: 1, body: { ...args.body, rules: [rule, rule] } };
    const once = { ...stored, rules: [{ ruleId: 7, ...rule }] };
    const { changes } = shownFor("thing_update", writing("merge"), twice, once);
    expect(changes).toContainEqual({ at: "rules", addedCount: 1, removedCount: 0, added: [rule], removed: [] });
  });

  it("takes the answer of the operation that shows a credential apart from what an update takes", () => {
    const operation = credentials.operations.credential_update;
    const whole = { ...update.body, credentialId: 7, clientToken: "akab-7", createdOn: "2026-01-01", description: "d" };
    const { changes } = shownFor("credential_update", operation, update, { ...whole, status: "ACTIVE" });
    expect(changes).toEqual([{ at: "status", from: "ACTIVE", to: "INACTIVE" }]);
  });
});

describe("a preview of a call with secrets", () => {
  const login = z.strictObject({ user: z.string(), pass: secret(z.string()) });
  const operation = op("PUT /logins/{id}", {
    does: "Writes logins.",
    path: { id: z.int() },
    query: { mode: z.string().optional() },
    headers: { "X-Key": { argument: "key", schema: secret(z.string()) } },
    body: json({ main: z.union([login, z.null()]), all: z.array(login).default([]) }),
    returns: { 200: json(z.unknown()) },
    effect: "destructive",
    guard: { kind: "credential", replaces: "body", counts: "body.all" },
    shownBy: "logins_get",
    example: { id: 1, body: { main: null } },
  });
  const main = { user: "u", pass: "hunter2-new" };
  const args = { id: 1, key: "hunter2-key", body: { main, all: [{ user: "v", pass: "hunter2-all" }] } };
  const stored = { main: { ...main, pass: "hunter2-old" }, all: [], apiToken: "hunter2-undeclared" };
  const mask = "[secret, 11 characters]";

  it("masks them in the arguments, the sample and the state", () => {
    const made = shownFor("logins_update", operation, args);
    expect(made.arguments).toEqual({
      id: 1,
      key: mask,
      body: { main: { user: "u", pass: mask }, all: "1 object: see sample" },
    });
    expect(made.sample).toEqual([{ user: "v", pass: mask }]);
    const answered = z.looseObject({ main: z.looseObject({ pass: secret(z.string()) }) });
    const deletion = { ...operation, spec: { ...operation.spec, guard: "delete" as const } };
    const seen = shownFor("logins_delete", deletion, args, stored, [answered]);
    expect(seen.current).toEqual({ main: { user: "u", pass: mask }, all: [], apiToken: "[secret, 18 characters]" });
    expect(JSON.stringify([made, seen])).not.toContain("hunter2");
  });

  it("shows that a secret changes, and nothing of it, in the preview and in the question", () => {
    const made = shownFor("logins_update", operation, args, stored);
    expect(made.changes).toContainEqual({ at: "main.pass", from: mask, to: mask });
    expect(JSON.stringify(made)).not.toContain("hunter2");
    const question = approvalMessage(made, []);
    expect(question).toContain("main.pass");
    expect(question).not.toContain("hunter2");
  });
});

describe("the question to a person", () => {
  it("shows what the call asks for beside its objects", () => {
    const objects = ["https://www.example.com/"];
    const [remove, invalidate] = ["remove", "invalidate"].map((action) =>
      approvalMessage(
        shownFor("purge_submit", purge.operations.purge_submit, { queueName: "default", body: { objects, action } }),
        [],
      ),
    );
    expect(remove).toContain('"action":"remove"');
    expect(invalidate).not.toBe(remove);
  });

  it("holds no mark that turns or hides what follows it", () => {
    const objects = ["https://www.example.com/\u202egpj.\u200b\u0007exe"];
    const args = { queueName: "default", body: { objects } };
    const question = approvalMessage(shownFor("purge_submit", purge.operations.purge_submit, args, "\u2066\u009b"), []);
    expect(question.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(question).toContain("gpj.");
  });

  it("leads with what would change, however long the rest is, and says that it was shortened", () => {
    const a = Array.from({ length: 5 }, (_, index) => ({ name: `n${index}`, ttl: 300, target: "192.0.2.1" }));
    const current = { token: "t", zone: { ...zone, a, txt: [{ target: "x".repeat(5_000) }] } };
    const made = shownFor(
      "dns_zone_write",
      dns.operations.dns_zone_write,
      { zone: "example.com", body: { token: "t", zone } },
      current,
    );
    const question = approvalMessage(made, []);
    expect(question.startsWith(made.summary)).toBe(true);
    expect(question).toContain('Change at {"at":"a","addedCount":0,"removedCount":5');
    expect(question.length).toBeLessThanOrEqual(1_500);
    expect(question).toMatch(/… \(shortened\)$/);
  });

  it.each(["", "x"])("is cut between two characters after %j", (before) => {
    const operation = credentials.operations.credential_get;
    const question = approvalMessage(
      shownFor("x", operation, { openIdentityId: "x", credentialId: 7 }, before + "😀".repeat(2_000)),
      [],
    );
    expect(question.isWellFormed()).toBe(true);
  });
});
