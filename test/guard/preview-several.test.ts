/** What is approved as one is previewed as one: a composed call with its remarks, and several calls with all of each. */
import { expect, it } from "vitest";
import { question } from "../../src/guard/preview/question.js";
import { describeAll } from "../../src/guard/preview/several.js";
import type { Preview } from "../../src/guard/preview.js";

const previewWith = (name: string, more: Partial<Preview> = {}): Preview => ({
  summary: `REMOVE ${name}.`,
  kind: "delete",
  account: "the account",
  request: { method: "DELETE", path: `/${name}` },
  target: name,
  warnings: [`${name} is new`],
  lines: [`REMOVE ${name}.`, "Account: the account", `id: ${name}`],
  brief: [
    { text: `REMOVE ${name}.`, whole: 1 },
    { text: `id: ${name}`, whole: 1 },
  ],
  digest: `digest of ${name}`,
  ...more,
});
const one = previewWith("a");

it("is a call's own preview where there is nothing more to say", () => {
  expect(describeAll("thing_delete", [one])).toBe(one);
  expect(() => describeAll("thing_delete", [])).toThrow("There is nothing to describe.");
});

it("leads with what a composed call says of itself, its warnings and its notes behind the call's own sentence", () => {
  const made = describeAll("thing_delete", [one], {
    says: "TAKE\na away",
    notes: ["It was read."],
    warnings: ["It is\nlate."],
  });
  expect(made).toEqual({
    ...one,
    summary: "TAKE[U+000A]a away.",
    warnings: ["It is[U+000A]late.", "a is new"],
    lines: [
      "TAKE[U+000A]a away.",
      "REMOVE a.",
      "Warning: It is[U+000A]late.",
      "Note: It was read.",
      "Account: the account",
      "id: a",
    ],
    brief: [
      { text: "TAKE[U+000A]a away.", whole: 1 },
      { text: "REMOVE a.", whole: 1 },
      { text: "Warning: It is[U+000A]late.", whole: 1, is: "warning" },
      { text: "Note: It was read.", whole: 1 },
      { text: "id: a", whole: 1 },
    ],
  });
});

it("keeps the sentence of a composed call that says nothing of itself", () => {
  const made = describeAll("thing_delete", [one], { notes: ["n"], warnings: [] });
  expect(made.summary).toBe(one.summary);
  expect(made.lines).toEqual(["REMOVE a.", "Note: n", "Account: the account", "id: a"]);
});

it("shows of several calls what each would do first, then all of each, and one digest of all", () => {
  const made = describeAll("thing_delete", [one, previewWith("b", { warnings: [] })]);
  const summary = "2 calls of thing_delete, approved as one. The first: REMOVE a.";
  const titles = ["Call 1 of 2: REMOVE a.", "Call 2 of 2: REMOVE b."];
  expect(made).toStrictEqual({
    summary,
    kind: "delete",
    account: "the account",
    request: { method: "DELETE", path: "/a" },
    target: "2 calls",
    warnings: ["Call 1: a is new"],
    lines: [
      summary,
      titles[0],
      "Account: the account",
      "id: a",
      titles[1],
      "Account: the account",
      "id: b",
      `Digest of all requests, secrets included: ${made.digest}`,
    ],
    brief: [
      { text: summary, whole: 1 },
      { text: "Warning: Call 1: a is new", whole: 1, is: "warning" },
      ...[...titles, "id: a", "id: b"].map((text) => ({ text, whole: 1 })),
    ],
    digest: expect.stringMatching(/^[\w-]{12}$/),
  });
  const digestOf = (...names: string[]) =>
    describeAll(
      "t",
      names.map((name) => previewWith(name)),
    ).digest;
  expect(digestOf("a", "b")).toBe(digestOf("a", "b"));
  expect(digestOf("a", "b")).not.toBe(digestOf("a", "c"));
  expect(digestOf("a", "b")).not.toBe(digestOf("b", "a"));
});

it("asks with every warning before the calls, each text once with the calls that it is about", () => {
  const warning = (text: string) => ({ text: `Warning: ${text}`, whole: 1, is: "warning" as const });
  const of = (name: string, ...warnings: string[]) => {
    const { lines, brief } = previewWith(name);
    const said = warnings.map((text) => `Warning: ${text}`);
    return previewWith(name, { warnings, lines: [...lines, ...said], brief: [...brief, ...warnings.map(warning)] });
  };
  const many = Array.from({ length: 40 }, (_, at) =>
    of(`thing ${at} of a long name`, "It is live.", ...(at === 39 ? ["It is gone."] : [])),
  );
  const asked = question(describeAll("thing_delete", many), 1_500).split("\n");
  expect(asked.slice(0, 4)).toEqual([
    "40 calls of thing_delete, approved as one. The first: REMOVE thing 0 of a long name.",
    `Warning: Calls ${many.map((_, at) => at + 1).join(", ")}: It is live.`,
    "Warning: Call 40: It is gone.",
    "Call 1 of 40: REMOVE thing 0 of a long name.",
  ]);
  expect(asked.at(-2)).toMatch(/^Not shown here in whole: \d+ other lines\.$/);
  expect(asked.filter((line) => line.startsWith("Warning:"))).toHaveLength(2);
});

it.each<[string, readonly Partial<Preview>[], object]>([
  ["sums the counts and the changes of those that have them", [{ count: 2, changes: 1 }, {}], { count: 2, changes: 1 }],
  [
    "sums those of all",
    [
      { count: 2, changes: 1 },
      { count: 3, changes: 0 },
    ],
    { count: 5, changes: 1 },
  ],
  [
    "names the network where all that name one name the same",
    [{ network: "staging" }, { network: "staging" }, {}],
    { network: "staging" },
  ],
  ["names no network where they differ", [{ network: "staging" }, { network: "production" }], {}],
])("%s", (_, parts, expected) => {
  const { count, changes, network } = describeAll(
    "t",
    parts.map((part, at) => previewWith(`${at}`, part)),
  );
  const known = Object.entries({ count, changes, network }).filter(([, value]) => value !== undefined);
  expect(Object.fromEntries(known)).toEqual(expected);
});
