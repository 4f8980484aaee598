/** What is approved as one is previewed as one: a composed call with its remarks, and several calls with all of each. */
import { expect, it } from "vitest";
import { lineOrClipped, linesOfForm, onlyInForms } from "../../src/guard/preview/lines.js";
import { isAskable, question } from "../../src/guard/preview/question.js";
import { previewSentenceText } from "../../src/guard/preview/sentence.js";
import { describeAll } from "../../src/guard/preview/several.js";
import type { CallDescription, Preview } from "../../src/guard/preview.js";
import type { Statement } from "../../src/language/conduct.js";
import { act } from "../../src/language/guards.js";
import { holdsForEach } from "../lab/laws.js";
import { outlineOf } from "../lab/previewed.js";
import { sectionsOf } from "../lab/tables.js";

interface Parts {
  readonly undo?: string;
  readonly difference?: readonly string[];
  readonly request?: readonly string[];
  readonly state?: readonly string[];
}
function described(
  name: string,
  { undo = "Write it again.", difference = [], request = [`id: ${name}`], state }: Parts = {},
  {
    stated = act`REMOVE ${name}: it is gone`,
    ...facts
  }: Partial<CallDescription["facts"]> & { stated?: Statement } = {},
  gravity = 1,
): CallDescription {
  const sentence = { ...stated, isIrreversible: false };
  return {
    sentence,
    facts: {
      ...{ summary: previewSentenceText(sentence), kind: "delete", account: "the account" },
      ...{ request: { method: "DELETE", path: `/${name}` }, target: name, warnings: [`${name} is new`], ...facts },
    },
    parts: {
      undo: lineOrClipped(`Undo: ${undo}`, "undo"),
      difference: difference.flatMap((line) => lineOrClipped(line, "changed")),
      route: lineOrClipped(`Request: DELETE /${name} (thing_delete)`),
      inRoute: [],
      request: request.flatMap((line) => lineOrClipped(line)),
      state: state === undefined ? [] : state.flatMap((line) => lineOrClipped(line, "now")),
    },
    actsOn: facts.network,
    gravity,
    digest: `digest of ${name}`,
  };
}
const one = described("a", { difference: ["  x: 1 → 2"], state: ["Now: x: 1"] }, { network: "staging" });
const textsOf = (form: "brief" | "short", { ranked }: Preview) => linesOfForm(form, ranked).map(({ text }) => text);

it("a preview names no absent network, and only its short form is cut", () => {
  const long = (length: number) => described("x".repeat(length), { difference: ["  a: 1 → 2"] }, { warnings: [] });
  const made = describeAll("thing_delete", [long(700)]);
  expect(made.lines[1]).toBe("Account: the account");
  expect(textsOf("brief", made)[0]).toBe(made.summary);
  expect(textsOf("short", made)[0]).toMatch(/^REMOVE x{563}… \(\d+ characters\)$/);
  // Of several calls each is cut, and its changes stay.
  const several = describeAll("t", [long(300), described("b", {}, { warnings: [] })]);
  expect(textsOf("short", several).filter((text) => /^(Call 1| {2}a)/.test(text))).toEqual([
    expect.stringMatching(/^Call 1: REMOVE x+… \(\d+ characters\)$/),
    "  a: 1 → 2",
  ]);
});

const calm = { warnings: [] };
const grave = described("c", { difference: ["  y: 3 → 4"] }, { stated: act`DELETE c`, ...calm, count: 2 }, 2);
const three = [described("a"), described("b", {}, calm), grave];
const [same, other] = [
  ["same", "  own"],
  ["same", "other"],
];
const queued = (name: string, difference: readonly string[], undo: string) =>
  described(name, { request: ["queue: q", `id: ${name}`], difference, undo }, calm);
const reads = { difference: ["x: 1"] };
const warned = new Set([0, 1, 2, 3, 6, 7, 9]);
const eleven = Array.from({ length: 11 }, (_, at) =>
  described(`n${at}`, {}, { warnings: warned.has(at) ? ["It is live."] : [] }),
);

/** Calls by what is shown of them together, which the text has. */
const shownTogether: Readonly<
  Record<string, [form: "lines" | "brief", CallDescription[], Parameters<typeof describeAll>[2]?]>
> = {
  "the sentence of a composed call leads, and its notes follow the difference": [
    "lines",
    [one],
    { says: "TAKE\na away", notes: ["It was read."], warnings: ["It is\nlate."] },
  ],
  "the sentence of the call leads where its composition has none": ["lines", [one], { notes: [], warnings: [] }],
  "the gravest of several calls leads with the sum": ["lines", three],
  "several calls in short have what each changes": ["brief", three],
  "what all calls send is written once, and so is a shared undo": [
    "brief",
    [queued("a", same, "One."), queued("b", other, "Two."), queued("c", same, "Two.")],
  ],
  "no argument is hidden behind a change of other calls that reads the same": [
    "brief",
    [described("a", reads), described("b", reads), described("c", { request: ["x: 1"] })],
  ],
  "the calls that a text is about are named by their runs": ["brief", eleven],
  "the loss of one call stands with that call, and notes before all": [
    "brief",
    [
      described("a", {}, calm),
      described("b", { request: ["  id: b"] }, { stated: act`STOP b. v1.2: its e.g. own loss`, ...calm }),
      described("c", {}, { stated: act`STOP c v1`, ...calm }),
      described("d", {}, { stated: act`STOP d`, ...calm }),
    ],
    { notes: ["They go in order."], warnings: ["Late."] },
  ],
};

it("calls approved together are rendered as recorded", () => {
  const texts = sectionsOf("guard/several.txt");
  return holdsForEach(Object.entries(shownTogether), (title, [form, calls, composed]) => {
    const made = describeAll("thing_delete", calls, composed);
    const lines = form === "lines" ? made.lines.slice(0, -1) : textsOf("brief", made);
    expect(lines).toEqual(texts.get(title));
    expect(made.summary).toBe(lines[0]);
    expect(linesOfForm("brief", made.ranked).reduce((sum, { whole }) => sum + whole, 0)).toBe(made.lines.length - 1);
  });
});

it("several calls have the facts of all, and those of the first", () => {
  const { summary: _, lines: __, ranked: ___, ...facts } = describeAll("thing_delete", three);
  expect(facts).toStrictEqual({
    ...{ kind: "delete", account: "the account", count: 2, target: "3 calls", actsOn: [] },
    request: { method: "DELETE", path: "/a" },
    warnings: ["Call 1: a is new"],
    outline: outlineOf(
      "1 summary, 1 account, 1 undo, 1 warning, 1 call, 2 request, 1 call, 2 request, 1 call, 1 changed, 2 request, 1 digest",
    ),
    digest: expect.stringMatching(/^[\w-]{12}$/),
  });
  const { warnings } = describeAll("thing_delete", [one], { notes: [], warnings: ["It is\nlate."] });
  expect(warnings).toEqual(["It is[U+000A]late.", "a is new"]);
  expect(() => describeAll("thing_delete", [])).toThrow("There is nothing to describe.");
});

it("the digest of several calls covers all of them in their order", () => {
  const digestOf = (...names: string[]) =>
    describeAll(
      "t",
      names.map((name) => described(name)),
    ).digest;
  expect(digestOf("a", "b")).toBe(digestOf("a", "b"));
  expect(digestOf("a", "b")).not.toBe(digestOf("a", "c"));
  expect(digestOf("a", "b")).not.toBe(digestOf("b", "a"));
});

it("of several equally grave calls, the most unusual one is named", () => {
  const url = (host: string, at: number) =>
    described(`u${at}`, { request: [`objects[0]: https://${host}/${at}`] }, { warnings: [] });
  const all = Array.from({ length: 12 }, (_, at) => url(at === 9 ? "other.example" : "www.example", at));
  expect(describeAll("t", all).summary).toContain("The gravest is call 10: REMOVE u9");
  const verbs = all.map((each, at) =>
    at === 4
      ? described("v", {}, { stated: act`STOP v`, warnings: [] })
      : { ...each, parts: { ...each.parts, request: [] } },
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

it("a question about several calls only says how much state they have", () => {
  const all = ["a", "b"].map((name) => described(name, { state: [`Now: name: ${name}`] }));
  const made = describeAll(
    "t",
    all.map((one) => ({ ...one, parts: { ...one.parts, state: onlyInForms(["whole"], one.parts.state) } })),
  );
  expect(made.lines.filter((line) => line.startsWith("Now: "))).toHaveLength(2);
  expect(question(made)).toContain("Not shown here: 2 lines of the present state; plan_get shows all.");
});

it.each<[string, readonly Partial<CallDescription["facts"]>[], object, string]>([
  ["the counts and changes of those that have them", [{ count: 2, changes: 1 }, {}], { count: 2, changes: 1 }, ""],
  [
    "the sums of all",
    [
      { count: 2, changes: 1 },
      { count: 3, changes: 0 },
    ],
    { count: 5, changes: 1 },
    "",
  ],
  ["the one network", [{ network: "a" }, { network: "a" }, {}], { network: "a" }, "; network: A"],
  ["no network where they differ", [{ network: "a" }, { network: "b" }], {}, "; network: A AND B"],
])("several calls have %s", (_, parts, expected, where) => {
  const made = describeAll(
    "t",
    parts.map((part, at) => described(`${at}`, {}, part)),
  );
  const { count, changes, network } = made;
  const known = Object.entries({ count, changes, network }).filter(([, value]) => value !== undefined);
  expect(Object.fromEntries(known)).toEqual(expected);
  expect(made.lines[1]).toBe(`Account: the account${where}`);
});
