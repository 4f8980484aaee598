/** A preview from its sentence to its digest: each part in its place, and none that the call has nothing for. */
import { describe, expect, it } from "vitest";
import type { State } from "../../src/guard/state.js";
import type { Guard } from "../../src/language/conduct.js";
import { json, op } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { z } from "../../src/language/z.js";
import { secret } from "../../src/schema/marks.js";
import { EntityTag } from "../../src/tools/fields.js";
import { failureFrom } from "../lab/outcome.js";
import { describedFor, outlineOf, previewFor } from "../lab/previewed.js";

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
const asked = { group: "g", id: 7, confirm: "plan_x" };
const previewOf = (operation: Operation, args: object, ...more: [State?, Parameters<typeof describedFor>[4]?]) =>
  previewFor("thing_put", operation, { ...asked, ...args }, ...more);
const stateOf = (body: unknown, more: Partial<State> = {}): State => ({ body, schemas: [Body], ...more });

it.each([
  [3, []],
  [5, ["2 more such fields differ."]],
])("warns of three fields that are not sent, and counts the others: of %i", async (count, others) => {
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

it("has its parts in the order in which they matter", async () => {
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
        return ["Old against new"];
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
    brief: expect.any(Array),
    short: expect.any(Array),
    digest: expect.stringMatching(/^[\w-]{12}$/),
  });
  expect(made.brief.map(({ text, is }) => (is === undefined ? text : `${is}: ${text}`))).toEqual([
    ...lines.slice(0, 3),
    ...warnings.map((text) => `warning: Warning: ${text}`),
    ...lines.slice(6, 8),
    "change:   name: a → b",
    "change:   + list: y",
    ...lines.slice(10, 11),
    "body: 5 values, compared above",
  ]);
  const shown = { group: "g", id: 7, mode: "m", body: { ...body, key } };
  const present = { name: "a", key, network: "staging", list: ["x"] };
  const all = [shown, present, { other: { key }, none: undefined }];
  expect(seen).toEqual([all, all]);
});

it("without changes, a preview shows the state, and no empty parts", async () => {
  const operation = operationWith({ counts: "body.more", network: "body.network" });
  const made = await previewOf(operation, { body: { name: "b" } }, stateOf({ name: "a", key: "hunter2" }));
  for (const absent of ["network", "count", "changes"]) expect(made).not.toHaveProperty(absent);
  expect(made.lines.slice(0, -1)).toEqual([
    "REPLACE thing 7 (group g).",
    // A network that is left out counts as production.
    "Account: the account; network: PRODUCTION",
    "Undo: no call is known that undoes this.",
    "Request: PUT /groups/g/things/7 (thing_put)",
    "group: g",
    "id: 7",
    "body.name: b",
    "body.list: [] (default)",
    "Now: name: a",
    "Now: key: [secret, 7 characters]",
  ]);
  expect(made.warnings).toEqual([]);
  expect((await previewOf(operation, { body: { name: "b" } })).lines.at(-2)).toBe(
    "Now: there is no present state to show.",
  );
});

it("a creation's preview shows no state and does not call it gone", async () => {
  const operation = operationWith({ kind: "create" });
  const made = await previewOf(operation, { body: { name: "b" } }, stateOf({ name: "another" }));
  expect(made.summary).toBe("CREATE thing (group g, id 7).");
  expect(made.lines.filter((line) => line.startsWith("Now"))).toEqual([]);
  expect(made.warnings).toEqual([]);
  expect((await previewOf(operation, { body: { name: "b" } })).warnings).toEqual([
    "thing_get finds nothing: an id is wrong.",
  ]);
});

it("says what the profile has filled in, and which null is sent", async () => {
  const requestOf = async (body: object, ...more: [undefined?, Parameters<typeof describedFor>[4]?]) => {
    const { lines } = await previewOf(operationWith({}), { body }, ...more);
    return lines.slice(lines.findIndex((line) => line.startsWith("Request: ")) + 1, -2);
  };
  const byProfile = (all: object) => ({ ...all, filled: { group: "g", mode: "m n" } }) as never;
  expect(await requestOf({ name: "b" }, undefined, byProfile)).toEqual([
    ...["group: g", "id: 7", 'Filled in by the profile: group g, mode "m n".', "body.name: b"],
    "body.list: [] (default)",
  ]);
  expect(await requestOf({ name: "b", more: null, network: null, list: null })).toEqual([
    ...["group: g", "id: 7", "Not sent, because null or empty text is no value there: body.network."],
    ...["body.name: b", "body.list: [] (default)", "body.more: null"],
  ]);
});

it("says where the secret of its answer goes, if it has one", async () => {
  const says = "Secret: the response's secret goes to a new file in the server's secret directory, and is not shown.";
  const operation = operationWith({});
  const giving = { ...operation, spec: { ...operation.spec, secretTo: { member: "key" } } } as never;
  expect((await previewOf(giving, { body: { name: "b" } })).lines).toContain(says);
  expect((await previewOf(operation, { body: { name: "b" } })).lines).not.toContain(says);
});

it("a preview names recipients only if the call is guarded for them", async () => {
  const body = { name: "b", more: { notifyEmail: "ann@a.example" } };
  const summaryOf = async (guard: Partial<Guard>) => (await previewOf(operationWith(guard), { body })).summary;
  expect(await summaryOf({ when: "sending" })).toBe('REPLACE thing 7 (group g): data is sent to "ann@a.example".');
  expect(await summaryOf({})).toBe("REPLACE thing 7 (group g).");
});

it("an undo is worded from arguments, state and reads without secrets", async () => {
  const by = (past: object) => `Send ${JSON.stringify(past)}.`;
  const related = { other: { body: { key: "hunter2" }, schemas: [Body] } };
  const state = stateOf({ name: "a", key: "hunter2" }, { related });
  const { lines } = await previewOf(operationWith({ undo: { by } }), { body: { name: "b", key: "hunter2" } }, state);
  const key = "[secret, 7 characters]";
  const given = { group: "g", id: 7, body: { name: "b", key, list: [] } };
  const said = lines.find((line) => line.startsWith("Undo: "))?.slice("Undo: Send ".length, -1);
  expect(JSON.parse(said ?? "")).toEqual({ given, before: { name: "a", key }, related: { other: { key } } });
});

it("a call is graver the more reasons there are that make it critical", async () => {
  const gravityOf = async (guard: Partial<Guard>, state?: State) =>
    (await describedFor("thing_put", operationWith(guard), { ...asked, body: { name: "b", key: "hunter2" } }, state))
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

it("a preview warns of a missing target unless the call may create it", async () => {
  const nothing = "thing_get finds nothing: it no longer exists, or an id is wrong.";
  const warned = async (guard: object, state?: State) =>
    (await previewOf(operationWith(guard), { body: { name: "b" } }, state)).warnings.includes(nothing);
  expect([
    await warned({}),
    await warned({}, stateOf({ name: "a" })),
    await warned({ replaces: "body" }),
    await warned({}, stateOf(undefined)),
    await warned({ kind: "delete", replaces: "body" }),
    await warned({ kind: "cancel", replaces: "body" }),
  ]).toEqual([true, false, false, false, true, true]);
});

it("warns of nothing that cannot be shown, and of no stamp that is given", async () => {
  const { shownBy: _, ...spec } = operationWith({}).spec;
  const operation = { ...operationWith({}), spec } as Operation;
  expect((await previewOf(operation, { body: { name: "b" } })).warnings).toEqual([]);
  const locked = operationWith({}, { field: "ifMatch", from: "thing_get", at: "etag" });
  const args = { ifMatch: "1", body: { name: "b" } };
  expect((await previewOf(locked, args, stateOf({ etag: "1" }))).warnings).toEqual([]);
});

it("changes are counted, of each list once there are more than ten", async () => {
  const operation = operationWith({ replaces: "body" });
  for (const [name, count, said] of [
    ["a", 0, "Changes: none"],
    ["b", 9, "Changes: 1 changed, 9 added"],
    ["b", 10, "Changes: 1 changed, 10 added; name 1, list 10"],
  ] as const) {
    const list = Array.from({ length: count }, (_, at) => `x${at}`);
    const made = await previewOf(operation, { body: { name, list } }, stateOf({ name: "a", list: [] }));
    expect(made.lines).toContain(said);
    expect(made.changes).toBe(count === 0 ? 0 : count + 1);
  }
});

it.each<[string, unknown, unknown, string[]]>([
  ["members into members", { a: 1, b: 2 }, { b: 3 }, ["  b: 2 → 3"]],
  ["members in the place of nothing", null, { b: 3 }, ["  more: null → {b: 3}"]],
  ["members in the place of a text", "x", { b: 3 }, ["  more: x → {b: 3}"]],
  ["nothing in the place of members", { a: 1 }, null, ["  more: {a: 1} → null"]],
])("merges %s", async (_, before, after, expected) => {
  const operation = operationWith({ replaces: "body.more", write: "merge" });
  const made = await previewOf(operation, { body: { name: "b", more: after } }, stateOf({ name: "b", more: before }));
  expect(made.lines.filter((line) => line.startsWith("  ")).map((line) => line.replace(/^ {2}: /, "  more: "))).toEqual(
    expected,
  );
  expect(made.lines).toContain("Changes: 1 changed");
});

it("shows as removed what a replacement leaves out", async () => {
  const state = stateOf({ name: "a", network: "staging", more: { a: 1 } });
  const made = await previewOf(operationWith({ replaces: "body" }), { body: { name: "a" } }, state);
  expect(made.lines).toContain("Changes: 2 removed; fields that the call leaves out are removed");
  expect(made.lines).toEqual(expect.arrayContaining(["  - network: staging", "  - more: {a: 1}"]));
});

it("a change shows no secret, whether marked by arguments or state", async () => {
  const [before, after] = [
    { name: "a", key: "hunter2" },
    { name: "a", key: "hunter3" },
  ];
  for (const schemas of [[], [Body]]) {
    const made = await previewOf(operationWith({ replaces: "body" }), { body: after }, stateOf(before, { schemas }));
    expect(made.lines.some((line) => line.startsWith("  key: "))).toBe(true);
    expect(JSON.stringify([made.summary, made.lines, made.brief])).not.toContain("hunter3");
  }
});

it("a question says of the covered member alone that it is shown above", async () => {
  const args = { body: { name: "b", more: { a: 1 } } };
  const covered = operationWith({ replaces: "body.more" });
  const { brief } = await previewOf(covered, args, stateOf({ name: "a", more: { a: 2 } }));
  const texts = brief.map(({ text }) => text);
  expect(texts.some((text) => text.includes("name: b"))).toBe(true);
  expect(texts).toContain("body.more: 1 value, compared above");
  for (const state of [stateOf({ name: "a" }), undefined]) {
    const plain = (await previewOf(operationWith({}), args, state)).brief;
    expect(plain.filter(({ is }) => is === "now")).toHaveLength(1);
  }
});

it("an argument outside the body is compared with its namesake member", async () => {
  const made = await previewOf(
    operationWith({ replaces: "mode" }),
    { mode: "m n", body: { name: "b" } },
    stateOf({ mode: "k", name: "b" }),
  );
  expect(made.changes).toBe(1);
  expect(made.lines.filter((line) => line.endsWith('k → "m n"'))).toHaveLength(1);
  expect(made.brief.map(({ text }) => text)).toContain("mode: 1 value, compared above");
});

it("compares nothing where the call or the state has nothing in that place", async () => {
  const operation = operationWith({ replaces: "body.more" });
  const some = { name: "b", more: { a: 1 } };
  for (const [body, state] of [
    [{ name: "b" }, stateOf(some)],
    [some, stateOf({ name: "a" })],
    [some, undefined],
  ] as const)
    expect(await previewOf(operation, { body }, state)).not.toHaveProperty("changes");
  expect(await previewOf(operation, { body: some }, stateOf(some))).toHaveProperty("changes", 0);
});

it.each([
  [2_000, true],
  [2_001, false],
])("repeats %i values below the changes: %s", async (count, isRepeated) => {
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

describe("the shorter forms", () => {
  const briefOf = async (...call: Parameters<typeof previewOf>) =>
    (await previewOf(...call)).brief.map(({ text }) => text);
  const body = { name: "b" };

  it("leave out an argument that the URL shows as it is given", async () => {
    const shown = await briefOf(operationWith({}), { group: "a b", mode: "m", body });
    expect(shown.filter((text) => /^(group|id|mode): /.test(text))).toEqual(['group: "a b"']);
    expect(shown).toContain("Request: PUT /groups/a%20b/things/7?mode=m (thing_put)");
    expect((await briefOf(operationWith({}), { mode: "m n", body })).filter((text) => text.startsWith("mode"))).toEqual(
      ['mode: "m n"'],
    );
  });

  it("tell what the object is if nothing says what is lost", async () => {
    const state = stateOf({ name: "a", status: "", network: "staging", list: ["x"], statusName: "Live" });
    const nowOf = async (guard: Partial<Guard>) =>
      (await briefOf(operationWith(guard), { body }, state)).filter((text) => text.startsWith("Now: "));
    expect(await nowOf({})).toEqual(["Now: name a, statusName Live"]);
    expect(await nowOf({ says: () => "END it" })).toEqual([]);
    expect(await nowOf({ compares: () => ["a → b"] })).toEqual([]);
  });

  it("count the records of a list that are there as they are sent", async () => {
    const records = Array.from({ length: 5 }, (_, id) => ({ id, kind: "k" }));
    const sent = records.map((one) => (one.id === 2 ? { ...one, kind: "other" } : one));
    const comparing = { compares: () => ["kind: k → other"] };
    const linesOf = async (present: readonly object[], guard: Partial<Guard> = comparing) => {
      const operation = operationWith(guard);
      const made = await previewOf(operation, { body: { ...body, records: sent } }, stateOf({ records: present }));
      expect(made.lines).toContain("body.records[0]: {id: 0, kind: k}");
      return made.brief.flatMap(({ text }) => (text.startsWith("body.records") ? [text] : []));
    };
    expect(await linesOf(records.map((one) => ({ ...one, more: 1 })))).toEqual([
      "body.records: 5 items, 4 of them as now",
      "body.records[2]: {id: 2, kind: other}",
    ]);
    // Without a comparison, nobody would see which of the present records are not sent.
    for (const shown of [await linesOf(records.slice(0, 2)), await linesOf(records, {})])
      expect(shown[0]).toMatch(/^body\.records: \[\{id: 0, kind: k\}, /);
  });

  it("repeat no line of a comparison that the sentence has in whole", async () => {
    const lines = ["- a A 192.0.2.1", "www A: TTL 1 → 2", "+ b A 192.0.2.2"];
    const briefWith = (says: string, saysLines?: true) =>
      briefOf(operationWith({ compares: () => lines, says: () => says, ...(saysLines && { saysLines }) }), { body });
    const whole = "REMOVE a A 192.0.2.1; change www A TTL 1 → 2; add b A 192.0.2.2";
    const shown = async (...all: Parameters<typeof briefWith>) =>
      (await briefWith(...all)).filter((text) => lines.includes(text));
    expect(await shown(whole, true)).toEqual([]);
    expect(await shown(whole)).toEqual(lines);
    expect(await shown("REMOVE x.a A 192.0.2.1; change www A TTL 1 → 2 and 1 more", true)).toEqual([
      lines[0],
      lines[2],
    ]);
    expect(await shown("REMOVE a A 192.0.2.11; add b A 192.0.2.2", true)).toEqual(lines.slice(0, 2));
  });
});

describe("a change that needs no approval by itself", () => {
  const Document = z.looseObject({ etag: z.string(), parts: z.array(z.looseObject({ name: z.string() })) });
  const write = op("PUT /documents/{id}", {
    does: "Writes a document.",
    path: { id: z.int() },
    headers: { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } },
    body: json({ parts: z.array(z.looseObject({ name: z.string() })) }),
    returns: { 200: json(Document) },
    effect: "update",
    shownBy: "document_get",
    lock: { field: "ifMatch", from: "document_get", at: "body.etag" },
    guard: { kind: "overwrite", when: "asked", thing: "document", replaces: "body.parts" },
    example: { id: 1 },
  });
  const parts = (count: number, last = "same") =>
    Array.from({ length: count }, (_, at) => ({ name: `p${at}`, text: at === count - 1 ? last : "same" }));
  const shown = (count: number, ifMatch?: string) =>
    previewFor(
      "document_put",
      write,
      { id: 1, ...(ifMatch && { ifMatch }), body: { parts: parts(count, "other") } },
      { body: { etag: "7ab", parts: parts(count) }, schemas: [Document] },
    );

  it("is previewed by what it declares, without what nobody would read again", async () => {
    expect(guardOf(write)).toBeUndefined();
    const few = await shown(100);
    expect(few.changes).toBe(1);
    expect(few.lines.join("\n")).toContain("text same → other");
    expect(few.lines.filter((line) => line.includes("p7")).length).toBeGreaterThan(0);
    const many = await shown(1_001);
    expect(many.lines.length).toBeLessThan(30);
    expect(many.lines.join("\n")).toMatch(/body.parts: 2,002 values, compared above/);
  });

  it("accepts the present stamp, quoted or not, and refuses another", async () => {
    for (const ifMatch of ["7ab", '"7ab"', "*"]) expect(await shown(1, ifMatch)).toBeDefined();
    expect((await failureFrom(() => shown(1, "7a"))).code).toBe("conflict");
  });
});
