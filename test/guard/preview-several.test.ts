/** What is approved as one is previewed as one: a composed call with its remarks, and several calls with all of each. */
import { expect, it } from "vitest";
import { type Entry, nothing, ofKind, single, together } from "../../src/guard/preview/entry.js";
import { isAskable, question } from "../../src/guard/preview/question.js";
import { describeAll } from "../../src/guard/preview/several.js";
import type { Description } from "../../src/guard/preview.js";
import { outlineOf } from "../lab/previewed.js";

const noEntry: Entry = { lines: [], brief: [], short: [] };
interface Parts {
  readonly undo?: string;
  readonly difference?: readonly string[];
  readonly request?: readonly string[];
  readonly state?: readonly string[];
}
function described(
  name: string,
  { undo = "Write it again.", difference = [], request = [`id: ${name}`], state }: Parts = {},
  facts: Partial<Description["facts"]> = {},
  gravity = 1,
): Description {
  return {
    facts: {
      ...{ summary: `REMOVE ${name}: it is gone.`, kind: "delete", account: "the account" },
      ...{ request: { method: "DELETE", path: `/${name}` }, target: name, warnings: [`${name} is new`], ...facts },
    },
    parts: {
      undo: ofKind("undo", single(`Undo: ${undo}`)),
      difference: together(difference.map((line) => single(line, "change"))),
      route: single(`Request: DELETE /${name} (thing_delete)`),
      inRoute: nothing,
      request: together(request.map((line) => single(line))),
      state: state === undefined ? noEntry : together(state.map((line) => single(line, "now"))),
    },
    actsOn: facts.network,
    gravity,
    digest: `digest of ${name}`,
  };
}
const one = described("a", { difference: ["  x: 1 → 2"], state: ["Now: x: 1"] }, { network: "staging" });
const linesOfOne = [
  ...["REMOVE a: it is gone.", "Account: the account; network: STAGING", "Undo: Write it again.", "Warning: a is new"],
  ...["  x: 1 → 2", "Request: DELETE /a (thing_delete)", "id: a", "Now: x: 1"],
];
const textsOf = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text);

it("has the parts of one call in the order in which they matter", () => {
  const made = describeAll("thing_delete", [one]);
  const last = "Digest of the request: digest of a";
  expect(made).toStrictEqual({
    ...one.facts,
    digest: "digest of a",
    actsOn: ["staging"],
    lines: [...linesOfOne, last],
    outline: outlineOf("1 summary, 1 account, 1 undo, 1 warning, 1 changed, 2 request, 1 now, 1 digest"),
    brief: expect.any(Array),
    short: expect.any(Array),
  });
  expect(textsOf(made.brief)).toEqual(linesOfOne);
  expect(made.brief.map(({ is }) => is)).toEqual([
    ...[undefined, undefined, undefined, "warning", "change", undefined, undefined, "now"],
  ]);
  expect(() => describeAll("thing_delete", [])).toThrow("There is nothing to describe.");
});

it("a preview names no absent network, and only its short form is cut", () => {
  const long = (length: number) => described("x".repeat(length), { difference: ["  a: 1 → 2"] }, { warnings: [] });
  const made = describeAll("thing_delete", [long(700)]);
  expect(made.lines[1]).toBe("Account: the account");
  expect(made.brief[0]?.text).toBe(made.summary);
  expect(made.short[0]?.text).toMatch(/^REMOVE x{563}… \(\d+ characters\)$/);
  // Of several calls each is cut, and its changes stay.
  const { short } = describeAll("t", [long(300), described("b", {}, { warnings: [] })]);
  expect(textsOf(short).filter((text) => /^(Call 1| {2}a)/.test(text))).toEqual([
    expect.stringMatching(/^Call 1: REMOVE x+… \(\d+ characters\)$/),
    "  a: 1 → 2",
  ]);
});

it("a composed call's sentence leads; its notes follow the difference", () => {
  const made = describeAll("thing_delete", [one], {
    says: "TAKE\na away",
    notes: ["It was read."],
    warnings: ["It is\nlate."],
  });
  expect(made.summary).toBe("TAKE[U+000A]a away.");
  expect(made.warnings).toEqual(["It is[U+000A]late.", "a is new"]);
  const [, ...rest] = linesOfOne.toSpliced(3, 0, "Warning: It is[U+000A]late.").toSpliced(6, 0, "Note: It was read.");
  expect(made.lines.slice(0, -1)).toEqual(["TAKE[U+000A]a away.", ...rest]);
  expect(describeAll("thing_delete", [one], { notes: [], warnings: [] }).summary).toBe(one.facts.summary);
});

it("leads several calls with the gravest and the sum, and has all of each", () => {
  const grave = described("c", { difference: ["  y: 3 → 4"] }, { summary: "DELETE c.", warnings: [], count: 2 }, 2);
  const made = describeAll("thing_delete", [described("a"), described("b", {}, { warnings: [] }), grave]);
  const summary = "3 calls of thing_delete, approved together: 2 REMOVE, 1 DELETE. The gravest is call 3: DELETE c.";
  expect(made).toStrictEqual({
    summary,
    kind: "delete",
    account: "the account",
    count: 2,
    request: { method: "DELETE", path: "/a" },
    target: "3 calls",
    warnings: ["Call 1: a is new"],
    lines: [
      summary,
      "Account: the account",
      "Undo: Write it again.",
      "Warning: Call 1: a is new",
      "Call 1 of 3: REMOVE a: it is gone.",
      "Request: DELETE /a (thing_delete)",
      "id: a",
      "Call 2 of 3: REMOVE b: it is gone.",
      "Request: DELETE /b (thing_delete)",
      "id: b",
      "Call 3 of 3: DELETE c.",
      "  y: 3 → 4",
      "Request: DELETE /c (thing_delete)",
      "id: c",
      `Digest of all requests: ${made.digest}`,
    ],
    outline: outlineOf(
      "1 summary, 1 account, 1 undo, 1 warning, 1 call, 2 request, 1 call, 2 request, 1 call, 1 changed, 2 request, 1 digest",
    ),
    actsOn: [],
    brief: expect.any(Array),
    short: expect.any(Array),
    digest: expect.stringMatching(/^[\w-]{12}$/),
  });
  expect(textsOf(made.brief)).toEqual([
    ...made.lines.slice(0, 4),
    "Calls 1, 2: it is gone.",
    "Call 1: REMOVE a; id: a",
    "Call 2: REMOVE b; id: b",
    "Call 3: DELETE c; id: c",
    "  y: 3 → 4",
  ]);
  expect(made.brief.reduce((sum, { whole }) => sum + whole, 0)).toBe(made.lines.length - 1);
});

it("has a digest of all calls in their order", () => {
  const digestOf = (...names: string[]) =>
    describeAll(
      "t",
      names.map((name) => described(name)),
    ).digest;
  expect(digestOf("a", "b")).toBe(digestOf("a", "b"));
  expect(digestOf("a", "b")).not.toBe(digestOf("a", "c"));
  expect(digestOf("a", "b")).not.toBe(digestOf("b", "a"));
});

it("what all calls send is written once, and so is a shared undo", () => {
  const made = describeAll("t", [
    described("a", { request: ["queue: q", "id: a"], difference: ["same", "  own"], undo: "One." }, { warnings: [] }),
    described("b", { request: ["queue: q", "id: b"], difference: ["same", "other"], undo: "Two." }, { warnings: [] }),
    described("c", { request: ["queue: q", "id: c"], difference: ["same", "  own"], undo: "Two." }, { warnings: [] }),
  ]);
  expect(textsOf(made.brief).slice(1)).toEqual([
    "Account: the account",
    "Call 1: Undo: One.",
    "Calls 2, 3: Undo: Two.",
    "it is gone.",
    "same",
    "Calls 1, 3: own",
    "In all calls: queue: q",
    "Call 1: REMOVE a; id: a",
    "Call 2: REMOVE b; id: b",
    "other",
    "Call 3: REMOVE c; id: c",
  ]);
  expect(made.brief.reduce((sum, { whole }) => sum + whole, 0)).toBe(made.lines.length - 1);
});

it("hides no argument behind a change of other calls that reads the same", () => {
  const changed = { difference: ["x: 1"] };
  const calls = [described("a", changed), described("b", changed), described("c", { request: ["x: 1"] })];
  expect(textsOf(describeAll("t", calls).brief)).toContain("Call 3: REMOVE c; x: 1");
});

it("names of several equally grave calls the most unusual one", () => {
  const url = (host: string, at: number) =>
    described(`u${at}`, { request: [`objects[0]: https://${host}/${at}`] }, { warnings: [] });
  const all = Array.from({ length: 12 }, (_, at) => url(at === 9 ? "other.example" : "www.example", at));
  expect(describeAll("t", all).summary).toContain("The gravest is call 10: REMOVE u9");
  const verbs = all.map((each, at) =>
    at === 4
      ? described("v", {}, { summary: "STOP v.", warnings: [] })
      : { ...each, parts: { ...each.parts, request: noEntry } },
  );
  expect(describeAll("t", verbs).summary).toMatch(/: 11 REMOVE, 1 STOP\. The gravest is call 5: STOP v\.$/);
});

it("a question has each warning once, before the calls, with its calls", () => {
  const many = Array.from({ length: 40 }, (_, at) =>
    described(`n${at}`, {}, { warnings: ["It is live.", ...(at === 39 || at === 3 ? ["It is gone."] : [])] }),
  );
  const made = describeAll("thing_delete", many);
  expect(isAskable(made)).toBe(true);
  const asked = question(made).split("\n");
  expect(asked.slice(0, 5)).toEqual([
    "40 calls of thing_delete, approved together: 40 REMOVE. The gravest is call 1: REMOVE n0: it is gone.",
    "Account: the account",
    "Undo: Write it again.",
    "Warning: It is live.",
    "Warning: Calls 4, 40: It is gone.",
  ]);
  expect(asked.filter((line) => line.startsWith("Call "))).toHaveLength(40);
  expect(made.warnings).toHaveLength(42);
});

it("names the calls that a text is about by their runs", () => {
  const warned = new Set([0, 1, 2, 3, 6, 7, 9]);
  const all = Array.from({ length: 11 }, (_, at) =>
    described(`n${at}`, {}, { warnings: warned.has(at) ? ["It is live."] : [] }),
  );
  expect(describeAll("t", all).lines).toContain("Warning: Calls 1 to 4, 7, 8, 10: It is live.");
});

it("one call's loss stands with that call, and notes before all calls", () => {
  const made = describeAll(
    "t",
    [
      described("a", {}, { warnings: [] }),
      described("b", { request: ["  id: b"] }, { summary: "STOP b. v1.2: its e.g. own loss.", warnings: [] }),
      described("c", {}, { summary: "STOP c v1.", warnings: [] }),
      described("d", {}, { summary: "STOP d.", warnings: [] }),
    ],
    { notes: ["They go in order."], warnings: ["Late."] },
  );
  expect(made.summary).toContain(": 3 STOP, 1 REMOVE. ");
  expect(textsOf(made.brief).slice(2)).toEqual([
    "Undo: Write it again.",
    "Warning: Late.",
    "Note: They go in order.",
    "Call 1: REMOVE a: it is gone; id: a",
    "Call 2: STOP b. v1.2: its e.g. own loss; id: b",
    "Call 3: STOP c v1; id: c",
    "Call 4: STOP d; id: d",
  ]);
  for (const absent of ["count", "changes", "network"]) expect(made).not.toHaveProperty(absent);
});

it("says of the present state of several calls only that there is more", () => {
  const all = ["a", "b"].map((name) => described(name, { state: [`Now: name: ${name}`] }));
  const made = describeAll(
    "t",
    all.map((one) => ({ ...one, parts: { ...one.parts, state: { ...one.parts.state, brief: [], short: [] } } })),
  );
  expect(made.lines.filter((line) => line.startsWith("Now: "))).toHaveLength(2);
  expect(question(made)).toContain("Not shown here: 2 lines of the present state; plan_get shows all.");
});

it.each<[string, readonly Partial<Description["facts"]>[], object, string]>([
  ["the counts and changes of those that have them", [{ count: 2, changes: 1 }, {}], { count: 2, changes: 1 }, ""],
  [
    "those of all",
    [
      { count: 2, changes: 1 },
      { count: 3, changes: 0 },
    ],
    { count: 5, changes: 1 },
    "",
  ],
  ["the one network", [{ network: "a" }, { network: "a" }, {}], { network: "a" }, "; network: A"],
  ["no network where they differ", [{ network: "a" }, { network: "b" }], {}, "; network: A AND B"],
])("has of all calls %s", (_, parts, expected, where) => {
  const made = describeAll(
    "t",
    parts.map((part, at) => described(`${at}`, {}, part)),
  );
  const { count, changes, network } = made;
  const known = Object.entries({ count, changes, network }).filter(([, value]) => value !== undefined);
  expect(Object.fromEntries(known)).toEqual(expected);
  expect(made.lines[1]).toBe(`Account: the account${where}`);
});
