/** A preview from its sentence to its digest: each part in its place, and none that the call has nothing for. */
import { describe, expect, it } from "vitest";
import { linesOfForm } from "../../src/guard/preview/lines.js";
import type { PresentState } from "../../src/guard/state.js";
import type { Guard } from "../../src/language/conduct.js";
import { json, op } from "../../src/language/define.js";
import { headLine, signedLine } from "../../src/language/difference-lines.js";
import { guardOf } from "../../src/language/effect.js";
import { act } from "../../src/language/guards.js";
import { secret } from "../../src/language/marks.js";
import { z } from "../../src/language/z.js";
import { EntityTag } from "../../src/tools/fields.js";
import { holdsForEach } from "../lab/laws.js";
import { failureFrom } from "../lab/outcome.js";
import { describedFor, outlineOf, previewFor, writing } from "../lab/previewed.js";
import { sectionsOf } from "../lab/tables.js";

const Body = z.strictObject({
  name: z.string(),
  key: secret(z.string()).optional(),
  network: z.string().optional(),
  list: z.array(z.string()).default([]),
  more: z.looseObject({}).nullish(),
  records: z.array(z.looseObject({ id: z.int() })).optional(),
});
const operationWith = (guard: Partial<Guard>, lock?: { field: string; from: string; at: string }) =>
  op("PUT /groups/{group}/things/{id}", {
    does: "Writes a thing.",
    path: { group: z.string(), id: z.int() },
    query: { mode: z.string().optional() },
    headers: { "If-Match": { argument: "ifMatch", schema: z.string().optional() } },
    body: json(Body),
    returns: { 200: json(z.unknown()) },
    effect: "destructive",
    guard: { kind: "overwrite", thing: "thing", ...guard },
    shownBy: "thing_get",
    ...(lock === undefined ? {} : { lock }),
    example: { group: "g", id: 1, body: { name: "n" } },
  });

type Operation = ReturnType<typeof operationWith>;
const given = { group: "g", id: 7, confirm: "plan_x" };
const previewOf = (operation: Operation, args: object, ...more: [PresentState?, Parameters<typeof describedFor>[4]?]) =>
  previewFor("thing_put", operation, { ...given, ...args }, ...more);
/** A call whose preview the text has; its body is the least one unless it has another. */
interface Call {
  readonly guard?: Partial<Guard>;
  readonly lock?: Parameters<typeof operationWith>[1];
  readonly spec?: object;
  readonly args?: object;
  readonly state?: object;
  readonly more?: Partial<PresentState>;
  readonly checked?: Parameters<typeof describedFor>[4];
}
const sending = { name: "b", more: { notifyEmail: "ann@a.example" } };
const some = { name: "b", more: { a: 1 } };
const inMore = { replaces: "body.more" };
const stateOf = (body: unknown, more: Partial<PresentState> = {}): PresentState => ({ body, schemas: [Body], ...more });

it.each([
  [3, []],
  [5, ["2 more such fields differ."]],
])("a preview warns of three unsent fields and counts others: of %i", async (count, others) => {
  const names = Array.from({ length: count }, (_, at) => `set${at}`);
  const allAs = (value: number) => Object.fromEntries(names.map((name) => [name, value]));
  const body = { name: "n" };
  const { warnings } = await previewOf(operationWith({}), { body }, stateOf({ ...body, ...allAs(2) }), (all) => ({
    ...all,
    values: { ...all.values, body: { ...body, ...allAs(1) } },
    leftOut: names.map((name) => ["body", name]),
  }));
  expect(warnings).toEqual([
    ...names.slice(0, 3).map((name) => expect.stringContaining(`body.${name} is 1 here and 2 in the present state`)),
    ...others,
  ]);
});

it("a preview has its parts in the order in which they matter", async () => {
  const seen: unknown[] = [];
  const operation = operationWith(
    {
      replaces: "body",
      counts: "body.list",
      network: "body.network",
      thing: "thing {name}",
      warns: (...all) => {
        seen.push(all);
        return ["It is\nlate."];
      },
      compares: (...all) => {
        seen.push(all);
        return [headLine("Old against new")];
      },
    },
    { field: "ifMatch", from: "thing_get", at: "etag" },
  );
  const body = { name: "b", key: "hunter2", network: "staging", list: ["x", "y"] };
  const related = { other: { body: { key: "hunter2" }, schemas: [Body] }, none: undefined };
  const state = stateOf(
    { name: "a", key: "hunter2", network: "staging", list: ["x"] },
    { related, unread: ["other_get"] },
  );
  const made = await previewOf(operation, { mode: "m", body }, state);
  const key = "[secret, 7 characters]";
  const summary = 'REPLACE 2 objects in thing 7 ("a") (group g) on STAGING: 1 changed, 1 added.';
  const warnings = [
    "ifMatch is not given, so a change that someone else made in the meantime would be overwritten.",
    "other_get could not be read, so this preview is incomplete.",
    "It is[U+000A]late.",
  ];
  const lines = [
    summary,
    "Account: the account; network: STAGING",
    "Undo: no call is known that undoes this.",
    ...warnings.map((text) => `Warning: ${text}`),
    "Old against new",
    "Changes: 1 changed, 1 added",
    "  name: a → b",
    "  + list: y",
    "Request: PUT /groups/g/things/7?mode=m (thing_put)",
    "group: g",
    "id: 7",
    "mode: m",
    "body.name: b",
    `body.key: ${key}`,
    "body.network: staging",
    "body.list: 2 items",
    "body.list[0]: x",
    "body.list[1]: y",
    `Digest of the request: ${made.digest}`,
  ];
  expect(made).toEqual({
    summary,
    kind: "overwrite",
    account: "the account",
    network: "staging",
    count: 2,
    request: { method: "PUT", path: "/groups/g/things/7?mode=m" },
    target: "7",
    warnings,
    changes: 2,
    lines,
    outline: [
      ...outlineOf("1 summary, 1 account, 1 undo, 3 warning, 2 difference, 1 changed, 1 added, 4 request"),
      { is: "request", behind: "body: 5 values, compared above", count: 6 },
      { is: "digest", count: 1 },
    ],
    actsOn: ["staging"],
    ranked: expect.any(Array),
    digest: expect.stringMatching(/^[\w-]{12}$/),
  });
  expect(linesOfForm("brief", made.ranked).map(({ text }) => text)).toEqual([
    ...lines.slice(0, 11),
    "body: 5 values, compared above",
  ]);
  const countOf = (kind: string) => linesOfForm("brief", made.ranked).filter(({ is }) => is === kind).length;
  expect({ changed: countOf("changed"), warning: countOf("warning") }).toEqual({
    changed: 2,
    warning: warnings.length,
  });
  const shown = { group: "g", id: 7, mode: "m", body: { ...body, key } };
  const present = { name: "a", key, network: "staging", list: ["x"] };
  const all = [shown, present, { other: { key }, none: undefined }];
  expect(seen).toEqual([all, all]);
});

const key = "hunter2";
const past = { other: { body: { key }, schemas: [Body] } };
const lock = { field: "ifMatch", from: "thing_get", at: "etag" };
const merging = (after: unknown, before: unknown): Call => ({
  guard: { replaces: "body.more", write: "merge" },
  args: { body: { name: "b", more: after } },
  state: { name: "b", more: before },
});
const listing = (name: string, count: number): Call => ({
  guard: { replaces: "body" },
  args: { body: { name, list: Array.from({ length: count }, (_, at) => `x${at}`) } },
  state: { name: "a", list: [] },
});

const comparing: Call = { guard: { compares: () => [signedLine("changed", "kind: k → other")] } };
const records = Array.from({ length: 5 }, (_, id) => ({ id, kind: "k" }));
const sent = { body: { name: "b", records: records.map((one) => (one.id === 2 ? { ...one, kind: "other" } : one)) } };
const counted: Call = { ...comparing, args: sent, state: { records: records.map((one) => ({ ...one, more: 1 })) } };

/** Calls by what their previews show, which the text has in whole. */
const calls: Readonly<Record<string, Call>> = {
  "the state, where nothing is compared": {
    guard: { counts: "body.more", network: "body.network" },
    state: { name: "a", key },
  },
  "that there is no state": { guard: { counts: "body.more", network: "body.network" } },
  "no state of a creation, which replaces none": { guard: { kind: "create" }, state: { name: "another" } },
  "a creation in a place that is not there": { guard: { kind: "create" } },
  "what the profile has filled in": { checked: (all) => ({ ...all, filled: { group: "g", mode: "m n" } }) },
  "a null that is sent, and one that is not": {
    args: { body: { name: "b", more: null, network: null, list: null } },
  },
  "where the secret of the answer goes": { spec: { secretTo: { member: "key" } } },
  "recipients, for whom the call is guarded": { guard: { when: "sending" }, args: { body: sending } },
  "no recipients where the call is not guarded for them": { args: { body: sending } },
  "an undo from arguments, state and reads without secrets": {
    guard: { undo: { by: (all: object) => `Send ${JSON.stringify(all)}.` } },
    args: { body: { name: "b", key } },
    state: { name: "a", key },
    more: { related: past },
  },
  "that what is to be deleted is gone": { guard: { kind: "delete", replaces: "body" } },
  "that what is to be cancelled is gone": { guard: { kind: "cancel", replaces: "body" } },
  "nothing of a target that a write may create": { guard: { replaces: "body" } },
  "nothing of a target that was read without a body": { more: {} },
  "nothing of a target where no operation shows it": { spec: { shownBy: undefined } },
  "no warning of a stamp that is given": { lock, args: { ifMatch: "1", body: { name: "b" } }, state: { etag: "1" } },
  "that nothing changes": listing("a", 0),
  "ten changes together": listing("b", 9),
  "eleven changes by their lists": listing("b", 10),
  "records in whole, although a question counts them": counted,
  "members merged into members": merging({ b: 3 }, { a: 1, b: 2 }),
  "members in the place of nothing": merging({ b: 3 }, null),
  "members in the place of a text": merging({ b: 3 }, "x"),
  "nothing in the place of members": merging(null, { a: 1 }),
  "an argument outside the body, compared with its namesake": {
    guard: { replaces: "mode" },
    args: { mode: "m n", body: { name: "b" } },
    state: { mode: "k", name: "b" },
  },
  "no change where the call has nothing in that place": { guard: inMore, state: some },
  "no change where the state has nothing in that place": { guard: inMore, args: { body: some }, state: { name: "a" } },
  "no change where there is no state": { guard: inMore, args: { body: some } },
  "no change in a member that is the same": { guard: inMore, args: { body: some }, state: some },
};

const zoneLines = ["- a A 192.0.2.1", "www A: TTL 1 → 2", "+ b A 192.0.2.2"];
const saying = (says: string, shows: readonly string[] = []): Call => ({
  guard: { compares: () => zoneLines.map((text) => ({ text })), says: () => ({ ...act`REMOVE ${says}`, shows }) },
});
const whole = "a A 192.0.2.1; change www A TTL 1 → 2; add b A 192.0.2.2";
const about = { state: { name: "a", status: "", network: "staging", list: ["x"], statusName: "Live" } };

/** The same of what a question shows. */
const asked: Readonly<Record<string, Call>> = {
  "no argument that the URL shows as it is given": { args: { group: "a b", mode: "m", body: { name: "b" } } },
  "an argument that the URL shows in another way": { args: { mode: "m n", body: { name: "b" } } },
  "what the object is, where nothing says what is lost": about,
  "not what the object is where the sentence says it": { ...about, guard: { says: () => act`END it` } },
  "not what the object is where a comparison says it": {
    ...about,
    guard: { compares: () => [signedLine("changed", "a → b")] },
  },
  "records that are there as they are sent, counted": counted,
  "all records where others are there": { ...comparing, args: sent, state: { records: records.slice(0, 2) } },
  "all records where no comparison shows which of those there are not sent": { args: sent, state: { records } },
  "no line of a comparison that the sentence has in whole": saying(whole, zoneLines),
  "all lines of a comparison where the sentence is made of something else": saying(whole),
  "the lines whose object or number the sentence does not have": saying(
    "x.a A 192.0.2.1; change www A TTL 1 → 2 and 1 more",
    zoneLines.slice(1, 2),
  ),
  "the lines of which the sentence has only a beginning": saying(
    "a A 192.0.2.11; add b A 192.0.2.2",
    zoneLines.slice(2),
  ),
  "of the covered member alone that it is shown above": {
    ...{ guard: inMore, args: { body: some }, state: { name: "a", more: { a: 2 } } },
  },
  "the present state in a line": { args: { body: some }, state: { name: "a" } },
  "the missing state in a line": { args: { body: some } },
  "that an argument outside the body is shown above": {
    guard: { replaces: "mode" },
    args: { mode: "m n", body: { name: "b" } },
    state: { mode: "k", name: "b" },
  },
};

it.each([
  ["a preview", "previews.txt", calls],
  ["a question", "questions.txt", asked],
] as const)("%s of each listed call is rendered as recorded", (what, file, shown) => {
  const texts = sectionsOf(`guard/${file}`);
  return holdsForEach(Object.entries<Call>(shown), async (title, call) => {
    const { guard = {}, lock: locked, spec, args, state, more, checked } = call;
    const usual = operationWith(guard, locked);
    const operation = { ...usual, spec: { ...usual.spec, ...spec } } as Operation;
    const present = (state ?? more) && stateOf(state, more);
    const { lines, ranked, changes } = await previewOf(operation, { body: { name: "b" }, ...args }, present, checked);
    const first = `changes: ${changes ?? "not compared"}`;
    const whole =
      what === "a preview" ? [first, ...lines.slice(0, -1)] : linesOfForm("brief", ranked).map(({ text }) => text);
    expect(whole).toEqual(texts.get(title));
  });
});

it("each reason to be critical makes a call graver", async () => {
  const gravityOf = async (guard: Partial<Guard>, state?: PresentState) =>
    (await describedFor("thing_put", operationWith(guard), { ...given, body: { name: "b", key: "hunter2" } }, state))
      .gravity;
  const seen: unknown[] = [];
  const criticalBy = (...all: unknown[]) => {
    seen.push(all);
    return ["one", "two"];
  };
  const state = stateOf({ name: "a", key: "hunter2" });
  // A mild call has one reason as well: the one for which it is guarded.
  expect([await gravityOf({}, state), await gravityOf({})]).toEqual([1, 1]);
  expect(await gravityOf({ critical: [criticalBy] }, state)).toBe(2);
  expect(await gravityOf({ critical: [criticalBy], network: "PRODUCTION" }, state)).toBe(3);
  expect(await gravityOf({ critical: [criticalBy], network: "PRODUCTION" })).toBe(4);
  expect(seen[0]).toMatchObject([{ id: 7, body: { name: "b" } }, { name: "a" }, {}]);
  expect(JSON.stringify(seen)).not.toContain("hunter2");
});

it.each([
  [2_000, true],
  [2_001, false],
])("a preview repeats %i values below the changes: %s", async (count, isRepeated) => {
  const list = Array.from({ length: count - 1 }, (_, at) => `x${at}`);
  const made = await previewOf(
    operationWith({ replaces: "body" }),
    { body: { name: "b", list } },
    stateOf({ name: "a", list }),
  );
  expect(made.lines.includes("body.list[0]: x0")).toBe(isRepeated);
  const sentence = `body: ${count.toLocaleString("en-US")} values, compared above`;
  expect(made.lines.includes(sentence)).toBe(!isRepeated);
});

describe("a change that needs no approval by itself", () => {
  const Document = z.looseObject({ etag: z.string(), parts: z.array(z.looseObject({ name: z.string() })) });
  const write = writing(
    z.object({ parts: z.array(z.looseObject({ name: z.string() })) }),
    { when: "asked", replaces: "body.parts" },
    {
      headers: { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } },
      ...{ returns: { 200: json(Document) }, effect: "update", shownBy: "document_get" },
      lock: { field: "ifMatch", from: "document_get", at: "body.etag" },
    },
  );
  const bodyWith = (text: string) => ({ parts: [{ name: "p", text }] });
  const shown = (stamp: object = {}) =>
    previewFor(
      "document_put",
      write,
      { id: 1, ...stamp, body: bodyWith("other") },
      { body: { etag: "7ab", ...bodyWith("same") }, schemas: [Document] },
    );

  it("a change without a guard is previewed as it declares", async () => {
    expect(guardOf(write)).toBeUndefined();
    const { changes, lines } = await shown();
    expect([changes, lines.join("\n")]).toEqual([1, expect.stringContaining("text same → other")]);
  });

  it("a preview accepts the present stamp, quoted or not, and no other", async () => {
    for (const ifMatch of ["7ab", '"7ab"', "*"]) expect(await shown({ ifMatch })).toBeDefined();
    expect((await failureFrom(() => shown({ ifMatch: "7a" }))).code).toBe("conflict");
  });
});
