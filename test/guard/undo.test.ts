/** The way back of a change, on made-up operations: the call that takes it back, or the reason that there is none. */
import { describe, expect, it } from "vitest";
import type { Before } from "../../src/guard/undo.js";
import { madeBy, undoByHand, undoInWords, undoNote, undoOf } from "../../src/guard/undo.js";
import type { Answered, Approved, Arguments, Guard, Undo } from "../../src/language/conduct.js";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { memberAt } from "../../src/language/member.js";
import { calling, naming } from "../../src/language/sentence.js";
import { z } from "../../src/language/z.js";

const Thing = z.strictObject({
  id: z.int().optional().meta({ readOnly: true }),
  name: z.string(),
  size: z.int().optional(),
  etag: z.string().optional(),
});

interface Made {
  readonly undo?: Undo;
  readonly replaces?: string;
  readonly write?: Guard["write"];
  readonly lock?: object;
}
const operationWith = ({ undo, replaces, write, lock }: Made): AnyOperation =>
  op("PUT /things/{key}", {
    does: "Writes a thing.",
    path: { key: z.string() },
    query: { ifMatch: z.string().optional() },
    body: json(z.union([Thing, z.strictObject({ thing: Thing, note: z.string().optional() })])),
    returns: { 200: json(z.unknown()) },
    effect: "destructive",
    guard: {
      kind: "overwrite",
      ...(undo === undefined ? {} : { undo }),
      ...(replaces === undefined ? {} : { replaces }),
      ...(write === undefined ? {} : { write }),
    },
    shownBy: "thing_get",
    ...(lock === undefined ? {} : { lock }),
    example: { key: "k", body: { name: "n" } },
  } as never) as AnyOperation;

const state = { id: 7, name: "old", size: 1, links: ["of the API's own"] };
const given = { key: "k", body: { name: "new" } };
const wayBack = (made: Made, { before = state as unknown, asked = given as object, now = undefined as unknown } = {}) =>
  undoOf(operationWith(made), { tool: "thing_put", given: asked as never, state: before }, now);

describe("a change that is rewritten", () => {
  it("puts back what a write can set of what was there", () => {
    expect(wayBack({ undo: "rewrite", replaces: "body" })).toEqual({
      tool: "thing_put",
      args: { key: "k", body: { name: "old", size: 1 } },
    });
  });

  it("puts back only what was named, where it merges", () => {
    expect(wayBack({ undo: "rewrite", replaces: "body", write: "merge" })).toEqual({
      tool: "thing_put",
      args: { key: "k", body: { name: "old" } },
    });
  });

  it("an undo puts back the written member and leaves what is around it", () => {
    const asked = { key: "k", body: { thing: { name: "new" }, note: "kept" } };
    expect(wayBack({ undo: "rewrite", replaces: "body.thing" }, { before: { thing: state }, asked })).toEqual({
      tool: "thing_put",
      args: { key: "k", body: { thing: { name: "old", size: 1 }, note: "kept" } },
    });
  });

  it("has other arguments around it, where those of the change do not suit", () => {
    const rewrite = ({ given: asked }: { readonly given: object }) => ({ ...asked, key: "k2" });
    expect(wayBack({ undo: { rewrite }, replaces: "body" })).toEqual({
      tool: "thing_put",
      args: { key: "k2", body: { name: "old", size: 1 } },
    });
  });

  it.each<[string, object, object]>([
    ["a member of the body", { field: "body.etag", from: "thing_get" }, { body: { name: "old", size: 1, etag: "e2" } }],
    [
      "an argument",
      { field: "ifMatch", from: "thing_get", at: "body.etag" },
      { body: { name: "old", size: 1 }, ifMatch: "e2" },
    ],
  ])("carries the stamp that is there now, in %s", (_, lock, args) => {
    const now = { name: "new", etag: "e2" };
    expect(wayBack({ undo: "rewrite", replaces: "body", lock }, { now })).toEqual({
      tool: "thing_put",
      args: { key: "k", ...args },
    });
  });

  it("an undo puts back an argument outside the body from its namesake", () => {
    const found = wayBack(
      { undo: "rewrite", replaces: "ifMatch" },
      { before: { ifMatch: "old", name: "n" }, asked: { key: "k", ifMatch: "new" } },
    );
    expect(found).toEqual({ tool: "thing_put", args: { key: "k", ifMatch: "old" } });
  });

  it.each<[string, Made, unknown]>([
    ["nothing was there", { undo: "rewrite", replaces: "body" }, undefined],
    ["its member was not there", { undo: "rewrite", replaces: "body.thing" }, { other: 1 }],
    ["nothing is declared to be replaced", { undo: "rewrite" }, state],
    ["its own call finds nothing", { undo: { tool: "thing_post", args: () => undefined } }, state],
  ])("has nothing to put back where %s", (_, made, before) => {
    expect(undoOf(operationWith(made), { tool: "thing_put", given, state: before }, undefined)).toEqual({
      because: "There is nothing to restore: there was no state before the change.",
    });
  });
});

it("an undo calls another operation with arguments and both states", () => {
  const args = (past: object) => ({ past });
  const now = { name: "new" };
  expect(wayBack({ undo: { tool: "thing_post", args } }, { now })).toEqual({
    tool: "thing_post",
    args: { past: { given, before: state, now } },
  });
});

const by = "Send the former name with thing_put.";
const never = "What was deleted is gone.";

it.each<[string, Undo | undefined, string]>([
  ["nothing is declared", undefined, "No undo is declared for this change."],
  ["it is done by hand", { by }, by],
  ["it cannot be done", { never }, never],
])("is the reason that there is none where %s", (_, undo, because) => {
  expect(wayBack(undo === undefined ? {} : { undo })).toEqual({ because });
});

it.each<[string, Undo | undefined, string | undefined]>([
  ["nothing is declared", undefined, undefined],
  ["it is done by hand", { by }, `To undo this: ${by}`],
  ["it cannot be done", { never }, `This cannot be undone. ${never}`],
  [
    "a call does it",
    "rewrite",
    'To undo this, call change_restore with plan "plan_x"; it is previewed and approved like any other change.',
  ],
  [
    "another operation does it",
    { tool: "thing_post", args: () => ({}) },
    'To undo this, call change_restore with plan "plan_x"; it is previewed and approved like any other change.',
  ],
])("is named in the answer of the change where %s", (_, undo, note) => {
  const operation = operationWith(undo === undefined ? {} : { undo, replaces: "body" });
  const before = { tool: "thing_put", given: given as never, state };
  const noted = undoNote(operation, "plan_x", [before], true);
  expect(noted?.note).toBe(note);
  const isPrepared = note?.includes("change_restore") === true;
  expect(noted?.undoWith).toEqual(isPrepared ? { tool: "change_restore", arguments: { plan: "plan_x" } } : undefined);
});

it("an undo is not offered where no prior state was there or kept", () => {
  const operation = operationWith({ undo: "rewrite", replaces: "body" });
  const before = { tool: "thing_put", given: given as never, state: undefined };
  expect(undoNote(operation, "plan_x", [before], true)).toEqual({
    note: expect.stringMatching(/^No undo call is prepared\. .* there was no state before the change\.$/),
  });
  expect(undoNote(operation, "plan_x", [{ ...before, state }], false)).toEqual({
    note: expect.stringMatching(/too large to be stored\.$/),
  });
});

describe("a change that made something", () => {
  const undo: Undo = { tool: "thing_delete", made: ({ body }) => memberAt(body, "id") as Arguments | undefined };
  const answerWith = (body: unknown): Answered => ({ status: 201, body, headers: {} });

  it("a creation is undone with what its answer named, or not at all", () => {
    const operation = operationWith({ undo });
    expect(madeBy(operation, answerWith({ id: { key: "n" } }))).toEqual({ key: "n" });
    expect(madeBy(operation, answerWith({}))).toBeNull();
    for (const other of ["rewrite", { never: "No." }, { by: "Call it." }, undefined] as const)
      expect(madeBy(operationWith(other === undefined ? {} : { undo: other }), answerWith({ id: 1 }))).toBeUndefined();
    const before = { tool: "thing_put", given: given as never, state: undefined };
    expect(undoOf(operation, { ...before, made: { key: "n" } }, undefined)).toEqual({
      tool: "thing_delete",
      args: { key: "n" },
    });
    expect(undoOf(operation, before, undefined)).toEqual({
      because: expect.stringMatching(/^The response did not name/),
    });
  });

  it("is said to have a way back, where its answer named what it made", () => {
    const before = { tool: "thing_put", given: given as never, state: undefined };
    expect(undoNote(operationWith({ undo }), "plan_1", [{ ...before, made: { key: "n" } }], true)).toEqual({
      note: expect.stringMatching(/^To undo this, call change_restore with plan "plan_1"; /),
      names: [{ words: 'call change_restore with plan "plan_1"', call: expect.anything() }],
      undoWith: { tool: "change_restore", arguments: { plan: "plan_1" } },
    });
    expect(undoNote(operationWith({ undo }), "plan_1", [before], true)).toEqual({
      note: expect.stringMatching(/^No undo call is prepared\. The response did not name/),
    });
  });
});

describe("a change that is taken back by hand", () => {
  const perState = { by: (past: Approved) => `Send ${JSON.stringify([past.before, past.related])} with thing_put.` };
  const kept = (more: Partial<Before> = {}): Before => ({ tool: "thing_put", given: {}, state: 1, ...more });

  it("an undo by hand is in fixed words, or words from what was approved", () => {
    const past = { given: {}, before: 1, related: { thing_list: 2 } };
    expect(undoByHand(operationWith({ undo: { by } }), past)).toEqual({ says: by });
    expect(undoByHand(operationWith({ undo: perState }), past)).toEqual({
      says: 'Send [1,{"thing_list":2}] with thing_put.',
    });
  });

  it("an undo call is offered for each request, and the same one once", () => {
    const call = (key: string) => ({ tool: "thing_put", arguments: { key } });
    const operation = operationWith({ undo: { by: () => ({ says: "Send it.", call: call("a") }) } });
    const offered = (...keys: string[]) =>
      undoNote(
        operation,
        "plan_1",
        keys.map((key) => kept({ wayBack: "Send it.", returnsBy: call(key) })),
        true,
      )?.undoWith;
    expect([offered("a"), offered("a", "a"), offered("a", "b")]).toEqual([
      call("a"),
      call("a"),
      [call("a"), call("b")],
    ]);
    expect(undoNote(operation, "plan_1", [kept({ wayBack: "Send it." })], true)).toEqual({
      note: "To undo this: Send it.",
      names: [],
    });
  });

  it("names the calls in its words, but none with a masked value", () => {
    const call = (key: string) => ({ tool: "thing_put", arguments: { key } });
    const wayBack = naming`Send it: ${calling(call("a"))}, or ${calling(call("[secret, 4 characters]"))}.`;
    // A plan is stored as JSON.
    const before = [JSON.parse(JSON.stringify(kept({ wayBack }))) as Before];
    expect(undoNote(operationWith({ undo: { by } }), "plan_1", before, true)).toEqual({
      note: 'To undo this: Send it: call thing_put with {"key":"a"}, or call thing_put with {"key":"[secret, 4 characters]"}.',
      names: [{ words: 'call thing_put with {"key":"a"}', call: call("a") }],
    });
  });

  it("an undo by hand uses the plan's words, or new ones for older plans", () => {
    const operation = operationWith({ undo: perState });
    expect(undoOf(operation, kept({ wayBack: "As it was said." }), 3)).toEqual({ because: "As it was said." });
    expect(undoOf(operation, kept(), 3)).toEqual({ because: "Send [1,{}] with thing_put." });
  });

  it("an undo by hand is said once per distinct wording", () => {
    const ways = (...all: string[]) => all.map((wayBack) => kept({ wayBack }));
    const note = (before: readonly Before[]) => undoNote(operationWith({ undo: { by } }), "plan_1", before, true)?.note;
    expect(note(ways("One.", "One."))).toBe("To undo this: One.");
    expect(note(ways("One.", "Two."))).toBe("To undo this: One. Two.");
  });

  it.each<[string, Undo | undefined]>([
    ["nothing is declared", undefined],
    ["a call does it", "rewrite"],
    ["it cannot be done", { never }],
  ])("is not where %s", (_, undo) => {
    const operation = operationWith(undo === undefined ? {} : { undo });
    expect(undoByHand(operation, { given: {}, before: 1, related: {} })).toBeUndefined();
  });
});

it("is none of a change without a guard", () => {
  const { guard: _, ...spec } = operationWith({ undo: "rewrite" }).spec;
  const operation = { ...operationWith({}), spec } as AnyOperation;
  const before: Before = { tool: "thing_put", given: {}, state: 1 };
  const past = { given: {}, before: 1, related: {} };
  expect(undoOf(operation, before, 1)).toEqual({
    because: "No undo is declared for this change.",
  });
  expect(undoInWords(operation, past)).toBe("no call is known that undoes this.");
  expect([undoByHand(operation, past), undoNote(operation, "plan_1", [before], true)]).toEqual([undefined, undefined]);
  expect(madeBy(operation, { status: 200, body: {}, headers: {} })).toBeUndefined();
});

describe("a preview says of the way back", () => {
  const prepared = (how: string) => `change_restore prepares ${how}, which is approved like this one.`;
  const nothing = "there is no present state that could be restored.";
  const fromAsked: Undo = { tool: "thing_post", args: ({ given }) => (given["key"] === "k" ? {} : undefined) };
  const fromNow: Undo = { tool: "thing_post", args: ({ now }) => (now === undefined ? undefined : {}) };

  it.each<[string, Undo | undefined, unknown, string]>([
    ["nothing is declared", undefined, state, "no call is known that undoes this."],
    ["it cannot be done", { never }, state, `not possible. ${never}`],
    ["it is done by hand", { by }, state, by],
    ["it is done by hand, and nothing was there", { by }, undefined, by],
    ["it is rewritten", "rewrite", state, prepared("the call")],
    ["it is rewritten within other arguments", { rewrite: () => ({}) }, state, prepared("the call")],
    ["nothing was there to rewrite", "rewrite", undefined, nothing],
    ["nothing was there to rewrite within other arguments", { rewrite: () => ({}) }, undefined, nothing],
    ["another call does it", { tool: "thing_post", args: () => ({}) }, state, prepared("a call of thing_post")],
    ["it takes no state", { tool: "thing_post", args: () => ({}) }, undefined, prepared("a call of thing_post")],
    ["it takes what was asked", fromAsked, undefined, prepared("a call of thing_post")],
    ["its own call finds nothing", fromNow, undefined, nothing],
    ["its own call may find something later", fromNow, state, prepared("a call of thing_post")],
    [
      "it removes what was made",
      { tool: "thing_delete", made: () => ({}) },
      undefined,
      prepared("a call of thing_delete"),
    ],
  ])("where %s", (_, undo, before, said) => {
    const operation = operationWith(undo === undefined ? {} : { undo });
    expect(undoInWords(operation, { given: { key: "k" }, before, related: {} })).toBe(said);
  });

  it.each<[string, Arguments, string]>([
    ["one value", { key: "k", body: { name: "old" } }, 'make this call again with body.name "old"'],
    [
      "three",
      { key: "j", body: { name: "m", size: 1 } },
      'make this call again with key "j", body.name "m", body.size 1',
    ],
    ["nothing that is sent now", { key: "k" }, 'call thing_put with {"key":"k"}'],
    ["four values", { key: "j", a: 1, body: { name: "m", size: 1 } }, "call thing_put with {"],
  ])("a call of its own tool by %s that differ", (_, args, said) => {
    const undo: Undo = { by: () => naming`First ${calling({ tool: "thing_put", arguments: args })}.` };
    const past = { given: { key: "k", body: { name: "n" } }, before: undefined, related: {} };
    expect(undoInWords(operationWith({ undo }), past, "thing_put")).toMatch(`First ${said}`);
    expect(undoInWords(operationWith({ undo }), past)).toBe(undoInWords(operationWith({ undo }), past, "thing_post"));
  });
});
