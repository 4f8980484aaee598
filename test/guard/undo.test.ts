/** The undo of a change, on made-up operations: the call that undoes it, or the reason that there is none. */
import { describe, expect, it } from "vitest";
import {
  createdObjectOf,
  manualUndoOf,
  type UndoRecord,
  undoCallOf,
  undoInWords,
  undoNote,
} from "../../src/guard/undo.js";
import type { ApprovedChange, Arguments, Guard, Undo, UpstreamAnswer } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { memberAt } from "../../src/language/member.js";
import { calling, naming } from "../../src/language/sentence.js";
import { z } from "../../src/language/z.js";
import { writing } from "../lab/previewed.js";

const Thing = z.strictObject({
  id: z.int().optional().meta({ readOnly: true }),
  name: z.string(),
  size: z.int().optional(),
  etag: z.string().optional(),
});

type Made = Partial<Pick<Guard, "undo" | "replaces" | "write">> & { readonly lock?: object };
const keyed = { path: { id: z.string() }, query: { ifMatch: z.string().optional() } };
const Body = z.union([Thing, z.strictObject({ thing: Thing, note: z.string().optional() })]);
const operationWith = ({ lock, ...guard }: Made = {}): AnyOperation =>
  writing(Body, guard, { ...keyed, ...(lock && { lock }) });
const withUndo = (undo: Undo | undefined) => operationWith(undo === undefined ? {} : { undo });

const state = { id: 7, name: "old", size: 1, links: ["of the API's own"] };
const given = { key: "k", body: { name: "new" } };
const wayBack = (made: Made, { before = state as unknown, asked = given as object, now = undefined as unknown } = {}) =>
  undoCallOf(operationWith(made), { tool: "thing_put", given: asked as never, state: before }, now);

describe("an undo that rewrites", () => {
  const ofBody: Made = { undo: "rewrite", replaces: "body" };
  const inThing = { key: "k", body: { thing: { name: "new" }, note: "kept" } };
  const other = ({ given: asked }: { readonly given: object }) => ({ ...asked, key: "k2" });
  const stamp = { from: "thing_get", field: "body.etag" };
  const now = { name: "new", etag: "e2" };
  const old = { name: "old", size: 1 };
  it.each<[string, Made, Parameters<typeof wayBack>[1], object]>([
    ["what a write can set of what was there", ofBody, {}, { body: old }],
    ["only what was named, where it merges", { ...ofBody, write: "merge" }, {}, { body: { name: "old" } }],
    [
      "the written member, and leaves what is around it",
      { ...ofBody, replaces: "body.thing" },
      { before: { thing: state }, asked: inThing },
      { body: { thing: old, note: "kept" } },
    ],
    ["it within other arguments", { ...ofBody, undo: { rewrite: other } }, {}, { key: "k2", body: old }],
    ["it with the stamp of now", { ...ofBody, lock: stamp }, { now }, { body: { ...old, etag: "e2" } }],
    [
      "it with the stamp of now as an argument",
      { ...ofBody, lock: { ...stamp, field: "ifMatch", at: "body.etag" } },
      { now },
      { body: old, ifMatch: "e2" },
    ],
    [
      "an argument outside the body from its namesake",
      { undo: "rewrite", replaces: "ifMatch" },
      { before: { ifMatch: "old", name: "n" }, asked: { key: "k", ifMatch: "new" } },
      { ifMatch: "old" },
    ],
  ])("puts back %s", (_, made, past, args) => {
    expect(wayBack(made, past)).toEqual({ tool: "thing_put", args: { key: "k", ...args } });
  });

  it.each<[string, Made, unknown]>([
    ["nothing was there", { undo: "rewrite", replaces: "body" }, undefined],
    ["its member was not there", { undo: "rewrite", replaces: "body.thing" }, { other: 1 }],
    ["nothing is declared to be replaced", { undo: "rewrite" }, state],
    ["its own call finds nothing", { undo: { tool: "thing_post", args: () => undefined } }, state],
  ])("has nothing to put back where %s", (_, made, before) => {
    expect(undoCallOf(operationWith(made), { tool: "thing_put", given, state: before }, undefined)).toEqual({
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

const viaRestore =
  'To undo this, call change_restore with plan "plan_x"; it is previewed and approved like any other change.';
const noUndo = "No undo is declared for this change.";

it.each<[string, Undo | undefined, string | undefined, string | undefined]>([
  ["nothing is declared", undefined, noUndo, undefined],
  ["it is done by hand", { by }, by, `To undo this: ${by}`],
  ["it cannot be done", { never }, never, `This cannot be undone. ${never}`],
  ["a call does it", "rewrite", undefined, viaRestore],
  ["another operation does it", { tool: "thing_post", args: () => ({}) }, undefined, viaRestore],
])("a change and its result say how it is undone where %s", (_, undo, because, note) => {
  const operation = operationWith({ ...(undo && { undo }), replaces: "body" });
  const before = { tool: "thing_put", given: given as never, state };
  if (because !== undefined) expect(undoCallOf(operation, before, undefined)).toEqual({ because });
  const noted = undoNote(operation, "plan_x", [before], true);
  expect(noted?.note).toBe(note);
  const isPrepared = note === viaRestore;
  expect(noted?.undoWith).toEqual(isPrepared ? { tool: "change_restore", arguments: { plan: "plan_x" } } : undefined);
});

it("no undo is offered without a stored prior state", () => {
  const operation = operationWith({ undo: "rewrite", replaces: "body" });
  const before = { tool: "thing_put", given: given as never, state: undefined };
  expect(undoNote(operation, "plan_x", [before], true)).toEqual({
    note: expect.stringMatching(/^No undo call is prepared\. .* there was no state before the change\.$/),
  });
  expect(undoNote(operation, "plan_x", [{ ...before, state }], false)).toEqual({
    note: expect.stringMatching(/too large to be stored\.$/),
  });
});

describe("a change that created something", () => {
  const undo: Undo = { tool: "thing_delete", made: ({ body }) => memberAt(body, "id") as Arguments | undefined };
  const answerWith = (body: unknown): UpstreamAnswer => ({ status: 201, body, headers: {} });

  const before = { tool: "thing_put", given: given as never, state: undefined };
  const named = { ...before, made: { key: "n" } };
  const operation = operationWith({ undo });

  it("a creation is undone with what its answer named, or not at all", () => {
    expect(createdObjectOf(operation, answerWith({ id: { key: "n" } }))).toEqual({ key: "n" });
    expect(createdObjectOf(operation, answerWith({}))).toBeNull();
    for (const other of ["rewrite", { never: "No." }, { by: "Call it." }, undefined] as const)
      expect(createdObjectOf(withUndo(other), answerWith({ id: 1 }))).toBeUndefined();
    expect(undoCallOf(operation, named, undefined)).toEqual({ tool: "thing_delete", args: { key: "n" } });
    expect(undoCallOf(operation, before, undefined)).toEqual({
      because: expect.stringMatching(/^The response did not name/),
    });
  });

  it("a creation has an undo call if its answer named what it created", () => {
    expect(undoNote(operation, "plan_1", [named], true)).toEqual({
      note: expect.stringMatching(/^To undo this, call change_restore with plan "plan_1"; /),
      names: [{ words: 'call change_restore with plan "plan_1"', call: expect.anything() }],
      undoWith: { tool: "change_restore", arguments: { plan: "plan_1" } },
    });
    expect(undoNote(operation, "plan_1", [before], true)).toEqual({
      note: expect.stringMatching(/^No undo call is prepared\. The response did not name/),
    });
  });
});

describe("a change that is undone by hand", () => {
  const perState = {
    by: (past: ApprovedChange) => `Send ${JSON.stringify([past.before, past.related])} with thing_put.`,
  };
  const kept = (more: Partial<UndoRecord> = {}): UndoRecord => ({ tool: "thing_put", given: {}, state: 1, ...more });

  it("an undo by hand is in fixed words, or words from what was approved", () => {
    const past = { given: {}, before: 1, related: { thing_list: 2 } };
    expect(manualUndoOf(operationWith({ undo: { by } }), past)).toEqual({ says: by });
    expect(manualUndoOf(operationWith({ undo: perState }), past)).toEqual({
      says: 'Send [1,{"thing_list":2}] with thing_put.',
    });
  });

  it("an undo call is offered for each request, and the same one once", () => {
    const call = (key: string) => ({ tool: "thing_put", arguments: { key } });
    const operation = operationWith({ undo: { by: () => ({ says: "Send it.", call: call("a") }) } });
    const noted = (...before: UndoRecord[]) => undoNote(operation, "plan_1", before, true);
    for (const [keys, expected] of [
      ["a", call("a")],
      ["aa", call("a")],
      ["ab", [call("a"), call("b")]],
    ] as const) {
      const before = [...keys].map((key) => kept({ wayBack: "Send it.", returnsBy: call(key) }));
      expect(noted(...before)?.undoWith).toEqual(expected);
    }
    expect(noted(kept({ wayBack: "Send it." }))).toEqual({ note: "To undo this: Send it.", names: [] });
  });

  it("an undo by hand names its calls, but none with a masked value", () => {
    const call = (key: string) => ({ tool: "thing_put", arguments: { key } });
    const wayBack = naming`Send it: ${calling(call("a"))}, or ${calling(call("[secret, 4 characters]"))}.`;
    // A plan is stored as JSON.
    const before = [JSON.parse(JSON.stringify(kept({ wayBack }))) as UndoRecord];
    expect(undoNote(operationWith({ undo: { by } }), "plan_1", before, true)).toEqual({
      note: 'To undo this: Send it: call thing_put with {"key":"a"}, or call thing_put with {"key":"[secret, 4 characters]"}.',
      names: [{ words: 'call thing_put with {"key":"a"}', call: call("a") }],
    });
  });

  it("an undo by hand uses the plan's words, or new ones for older plans", () => {
    const operation = operationWith({ undo: perState });
    expect(undoCallOf(operation, kept({ wayBack: "As it was said." }), 3)).toEqual({ because: "As it was said." });
    expect(undoCallOf(operation, kept(), 3)).toEqual({ because: "Send [1,{}] with thing_put." });
  });

  it("an undo by hand is said once per distinct wording", () => {
    for (const [ways, said] of [
      [["One.", "One."], "One."],
      [["One.", "Two."], "One. Two."],
    ] as const) {
      const before = ways.map((wayBack) => kept({ wayBack }));
      expect(undoNote(withUndo({ by }), "plan_1", before, true)?.note).toBe(`To undo this: ${said}`);
    }
  });

  it.each<[string, Undo | undefined]>([
    ["nothing is declared", undefined],
    ["a call does it", "rewrite"],
    ["it cannot be done", { never }],
  ])("there is no undo by hand where %s", (_, undo) => {
    expect(manualUndoOf(withUndo(undo), { given: {}, before: 1, related: {} })).toBeUndefined();
  });
});

it("a change without a guard has no undo", () => {
  const { guard: _, ...spec } = operationWith({ undo: "rewrite" }).spec;
  const operation = { ...operationWith({}), spec } as AnyOperation;
  const before: UndoRecord = { tool: "thing_put", given: {}, state: 1 };
  const past = { given: {}, before: 1, related: {} };
  expect(undoCallOf(operation, before, 1)).toEqual({ because: noUndo });
  expect(undoInWords(operation, past)).toBe("no call is known that undoes this.");
  expect([manualUndoOf(operation, past), undoNote(operation, "plan_1", [before], true)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(createdObjectOf(operation, { status: 200, body: {}, headers: {} })).toBeUndefined();
});

describe("a preview says of the undo", () => {
  const prepared = (how: string) => `change_restore prepares ${how}, which is approved like this one.`;
  const nothing = "there is no present state that could be restored.";
  const [call, ofPost, ofDelete] = ["the call", "a call of thing_post", "a call of thing_delete"].map(prepared);
  const post: Undo = { tool: "thing_post", args: () => ({}) };
  const fromAsked: Undo = { tool: "thing_post", args: ({ given }) => (given["key"] === "k" ? {} : undefined) };
  const fromNow: Undo = { tool: "thing_post", args: ({ now }) => (now === undefined ? undefined : {}) };
  const around: Undo = { rewrite: () => ({}) };

  it.each<[string, Undo | undefined, unknown, string | undefined]>([
    ["nothing is declared", undefined, state, "no call is known that undoes this."],
    ["it cannot be done", { never }, state, `not possible. ${never}`],
    ["it is done by hand", { by }, state, by],
    ["it is done by hand, and nothing was there", { by }, undefined, by],
    ["it is rewritten", "rewrite", state, call],
    ["it is rewritten within other arguments", around, state, call],
    ["nothing was there to rewrite", "rewrite", undefined, nothing],
    ["nothing was there to rewrite within other arguments", around, undefined, nothing],
    ["another call does it", post, state, ofPost],
    ["it takes no state", post, undefined, ofPost],
    ["it takes the arguments of the change", fromAsked, undefined, ofPost],
    ["its own call finds nothing", fromNow, undefined, nothing],
    ["its own call may find something later", fromNow, state, ofPost],
    ["it removes what was created", { tool: "thing_delete", made: () => ({}) }, undefined, ofDelete],
  ])("where %s", (_, undo, before, said) => {
    expect(undoInWords(withUndo(undo), { given: { key: "k" }, before, related: {} })).toBe(said);
  });

  const again = "make this call again with";
  it.each<[string, Arguments, string]>([
    ["one value", { key: "k", body: { name: "old" } }, `${again} body.name "old"`],
    ["three", { key: "j", body: { name: "m", size: 1 } }, `${again} key "j", body.name "m", body.size 1`],
    ["nothing that is sent now", { key: "k" }, 'call thing_put with {"key":"k"}'],
    ["four values", { key: "j", a: 1, body: { name: "m", size: 1 } }, "call thing_put with {"],
  ])("a call of its own tool by %s that differ", (_, args, said) => {
    const undo: Undo = { by: () => naming`First ${calling({ tool: "thing_put", arguments: args })}.` };
    const past = { given: { key: "k", body: { name: "n" } }, before: undefined, related: {} };
    expect(undoInWords(operationWith({ undo }), past, "thing_put")).toMatch(`First ${said}`);
    expect(undoInWords(operationWith({ undo }), past)).toBe(undoInWords(operationWith({ undo }), past, "thing_post"));
  });
});
