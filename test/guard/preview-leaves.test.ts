/** Every scalar of a value has its line, and a long list is written compactly with all that is in it, what stands out first. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leafLines, unusualFirst, usualness } from "../../src/guard/preview/leaves.js";
import { linesOfForm, type PreviewForm, type PreviewLine } from "../../src/guard/preview/lines.js";
import { z } from "../../src/language/z.js";
import { holdsForEach } from "../lab/laws.js";
import { sectionsOf } from "../lab/tables.js";

const textsIn = (form: PreviewForm, lines: readonly PreviewLine[]) => linesOfForm(form, lines).map(({ text }) => text);
const of = (value: unknown, before = "", path: readonly PropertyKey[] = ["l"]) =>
  leafLines(value, value, { before, path, forms: [] });
const shortOf = (value: unknown) => textsIn("short", of(value));
const many = (count: number, item: (at: number) => unknown) => Array.from({ length: count }, (_, at) => item(at));

describe("the lines of a value", () => {
  it("the lines of a value are its scalars, each with prefix and path", () => {
    expect(textsIn("whole", of({ a: 1, b: { c: "x y", d: [] } }, "Now: ", []))).toEqual([
      "Now: a: 1",
      'Now: b.c: "x y"',
      "Now: b.d: []",
    ]);
    expect(textsIn("whole", of("x", "Now: ", []))).toEqual(["Now: x"]);
    expect(textsIn("whole", of({}, "", ["a"]))).toEqual(["a: {}"]);
  });

  it("the lines of a value mark the defaults of its schema", () => {
    const form = z.object({ a: z.int().default(1), l: z.array(z.object({ b: z.int().default(2) })) });
    const value = { a: 1, l: [{ b: 2 }, { b: 3 }] };
    expect(textsIn("whole", leafLines(value, value, { before: "", path: [], forms: [form] }))).toEqual([
      "a: 1 (default)",
      "l: 2 items",
      "l[0]: {b: 2 (default)}",
      "l[1]: {b: 3}",
    ]);
  });
});

describe("a short value in the shorter forms", () => {
  it("a short nested record is one line, but a short body is not", () => {
    const inner = of({ a: { b: 1, c: [] } }, "", ["body", "m"]);
    expect(linesOfForm("brief", inner)).toMatchObject([{ text: "body.m: {a: {b: 1, c: []}}", whole: 2 }]);
    expect(linesOfForm("brief", of({ a: 1, b: 2 }, "", ["body"]))).toHaveLength(2);
  });

  it("a value keeps its lines if it is long or two items look alike", () => {
    const linesOfText = (length: number) => linesOfForm("brief", of(["x".repeat(length)])).length;
    expect([linesOfText(155), linesOfText(156)]).toEqual([1, 2]);
    expect(linesOfForm("brief", of({ a: { hosts: ["www.example", "WWW.example"] } }, "", ["body", "m"]))).toHaveLength(
      3,
    );
  });
});

/** Lists by what the lines of a form show of them, which the text has. */
const lists: Readonly<Record<string, [form: PreviewForm, value: readonly unknown[]]>> = {
  "a list is counted, and how many of its items differ": ["whole", ["a", "b", "a"]],
  "a list of one": ["whole", ["a"]],
  "an item is on one line only where nothing is nested in it": [
    "whole",
    [
      { a: 1, b: [] },
      { a: 1, b: [2] },
    ],
  ],
  "an item is marked that a reader takes for one before it": [
    "whole",
    ["www.example", "WWW.example", "www.example.", "other", "www.example", 5, "5", null, ""],
  ],
  "a short list is one line": ["brief", ["a", "b c", "a"]],
  "a short list of records is one line": ["short", [{ a: [1] }]],
  "ten items are shown in whole": ["brief", many(10, (at) => at)],
  "a long list of numbers in whole": ["whole", many(11, (at) => at)],
  "a long list of numbers is one line": ["brief", many(11, (at) => at)],
  "a shared beginning is said once": ["brief", many(11, (at) => `https://a.example/spring/page-${100 + at}`)],
  "a shared beginning of three letters is none": ["brief", many(11, (at) => `ab/${at}`)],
  "a shared beginning of nine letters": ["brief", many(11, (at) => `ab-cdefg/${at}x`)],
  "a shared beginning of eight letters": ["brief", many(11, (at) => `ab-cdef/${at}x`)],
  "a shared beginning of seven letters is none": ["brief", many(11, (at) => `ab-cde/${at}x`)],
  "an item that is the beginning alone": [
    "brief",
    ["https://a.example/x/", ...many(10, (at) => `https://a.example/x/${at}y`)],
  ],
  "the smallest group comes first, and each keeps its place": [
    "brief",
    many(12, (at) => (at === 7 ? "https://other.example/" : `https://www.example/pppppppp/x${at}`)),
  ],
  "records have once what all have, and first what stands out": [
    "brief",
    many(12, (at) => ({ groupId: at, roleId: at === 9 ? 1 : 3, isBlocked: false })),
  ],
  "a record without what the others have": ["brief", many(12, (at) => ({ a: 1, ...(at === 3 ? {} : { b: 2 }) }))],
  "texts without groups keep their order": ["brief", many(11, (at) => `word ${at}`)],
  "too many groups are one": ["brief", many(11, (at) => `https://h${at < 6 ? at : 0}.example/`)],
  "not too many groups": ["brief", many(12, (at) => `https://h${at < 6 ? at : 0}.example/`)],
  "numbers, texts and nothing are one line": ["brief", [...many(10, (at) => at), "a b", null]],
  "texts and a record are shown in whole": ["brief", [...many(10, (at) => `t${at}`), { a: 1 }]],
  "records of which one is nested are shown in whole": ["brief", [...many(10, (at) => ({ a: at })), { a: { b: 1 } }]],
  "records with nothing in common": ["brief", many(11, (at) => ({ id: at }))],
  "a long list marks what looks like another item": [
    "brief",
    [...many(11, (at) => `n${at}.example.com`), "N3.example.com"],
  ],
  "a long list in short is its count, groups, outliers and the rest": [
    "short",
    many(500, (at) => `https://${at === 77 ? "b" : "a"}.example/${at}`),
  ],
};

it("each listed list is rendered as recorded, in each form", () => {
  const texts = sectionsOf("guard/lists.txt");
  return holdsForEach(Object.entries(lists), (title, [form, value]) => {
    const shown = linesOfForm(form, of(value)).map(({ text, whole }) => (whole === 1 ? text : `${text} (${whole})`));
    expect(shown).toEqual(texts.get(title));
  });
});

describe("a long list", () => {
  it("all lines of a long list have one kind", () => {
    const items = many(12, (at) => `https://a.example/${at}`);
    const lines = leafLines(items, items, { before: "Now: ", is: "now", path: [], forms: [] });
    expect(new Set(lines.map(({ is }) => is))).toEqual(new Set(["now"]));
  });

  it("the short form of a long list is grouped by host or domain", () =>
    holdsForEach(
      readFileSync(join(import.meta.dirname, "groups.txt"), "utf8")
        .trimEnd()
        .split("\n")
        .map((row) => row.split("\t")),
      (_ = "", usual = "", odd = "", groups = "") => {
        const text = (at: number) => (at === 3 && odd !== "-" ? odd : usual).replaceAll("N", `${at}`);
        const items = many(11, (at) => JSON.parse(text(at)) as unknown);
        const different = new Set(items).size;
        const twice = different === 11 ? "" : `, ${different} different`;
        expect(shortOf(items)[0]).toBe(`l: 11 items${twice}${groups === "none" ? "" : groups}`);
      },
    ));

  it("a long list names its five smallest groups and counts the others", () => {
    const hosts = ["a", "b", "b", "c", "c", "c", "d", "d", "d", "d", "e", "e", "e", "e", "e"];
    const urls = (more: readonly string[]) => [...hosts, ...more].map((host) => `x://${host}`);
    expect(shortOf(urls([]))[0]).toMatch(/; a: 1, b: 2, c: 3, d: 4, e: 5$/);
    expect(shortOf(urls(["f"]))[0]).toMatch(/; a: 1, f: 1, b: 2, c: 3, d: 4, 1 other group$/);
    expect(shortOf(urls(["f", "g"]))[0]).toMatch(/, c: 3, 2 other groups$/);
    expect(shortOf(many(11, () => `x://${"h".repeat(300)}`))[0]).toMatch(/; h{50}… \(300 characters\): 11$/);
  });
});

const hosts = (...names: string[]) => names.map((name) => [["host", name] as const]);

it("an item is as usual as its rarest value, and usual ones come last", () => {
  expect(usualness(hosts("a", "a", "a", "b"))).toEqual([0.75, 0.75, 0.75, 0.25]);
  const verbs = ["x", "x", "x", "y"];
  const two = hosts("a", "a", "b", "b").map((values, at) => [...values, ["verb", verbs[at] ?? ""] as const]);
  expect(usualness(two)).toEqual([0.5, 0.5, 0.5, 0.25]);
  // A name whose values nearly all differ tells nothing, and a value that is missing does.
  expect(usualness(hosts("a", "b", "c", "c"))).toEqual([1, 1, 1, 1]);
  expect(usualness([...hosts("a", "a", "a"), []])).toEqual([0.75, 0.75, 0.75, 0.25]);
  expect(usualness([])).toEqual([]);
  expect(unusualFirst(hosts("a", "a", "b", "a"))).toEqual([2, 0, 1, 3]);
  expect(unusualFirst(hosts("a", "b", "c"))).toEqual([0, 1, 2]);
});
