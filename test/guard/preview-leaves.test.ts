/** Every scalar of a value has its line, and a long list is written compactly with all that is in it, what stands out first. */
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/guard/preview/entry.js";
import { leaves, unusualFirst, usualness } from "../../src/guard/preview/leaves.js";
import { z } from "../../src/language/z.js";

const withTexts = ({ lines, ...entry }: Entry) => ({ ...entry, lines: lines.map(({ text }) => text) });
const of = (value: unknown, before = "", path: readonly PropertyKey[] = ["l"]) =>
  withTexts(leaves(value, value, { before, path, forms: [] }));
const briefOf = (value: unknown) => of(value).brief.map(({ text }) => text);
const shortOf = (value: unknown) => of(value).short.map(({ text }) => text);
const many = (count: number, item: (at: number) => unknown) => Array.from({ length: count }, (_, at) => item(at));

describe("the lines of a value", () => {
  it("are its scalars with their paths behind what stands before them", () => {
    expect(of({ a: 1, b: { c: "x y", d: [] } }, "Now: ", []).lines).toEqual([
      "Now: a: 1",
      'Now: b.c: "x y"',
      "Now: b.d: []",
    ]);
    expect(of("x", "Now: ", []).lines).toEqual(["Now: x"]);
    expect(of({}, "", ["a"]).lines).toEqual(["a: {}"]);
  });

  it("say what is the default of its schema, in members and in items", () => {
    const form = z.object({ a: z.int().default(1), l: z.array(z.object({ b: z.int().default(2) })) });
    const value = { a: 1, l: [{ b: 2 }, { b: 3 }] };
    expect(withTexts(leaves(value, value, { before: "", path: [], forms: [form] })).lines).toEqual([
      "a: 1 (default)",
      "l: 2 items",
      "l[0]: {b: 2 (default)}",
      "l[1]: {b: 3}",
    ]);
  });

  it("count a list, and how many of its items differ", () => {
    expect(of(["a", "b", "a"]).lines).toEqual(["l: 3 items, 2 different", "l[0]: a", "l[1]: b", "l[2]: a"]);
    expect(of(["a"]).lines).toEqual(["l: 1 item", "l[0]: a"]);
  });

  it("show an item on one line only where nothing is nested in it", () => {
    expect(
      of([
        { a: 1, b: [] },
        { a: 1, b: [2] },
      ]).lines,
    ).toEqual(["l: 2 items", "l[0]: {a: 1, b: []}", "l[1].a: 1", "l[1].b: 1 item", "l[1].b[0]: 2"]);
  });

  it("mark an item that a reader takes for one before it", () => {
    expect(
      of(["www.example", "WWW.example", "www.example.", "other", "www.example", 5, "5", null, ""]).lines.slice(1),
    ).toEqual([
      "l[0]: www.example",
      "l[1]: WWW.example (looks like item 0: only upper and lower case differ)",
      "l[2]: www.example. (looks like item 0: only the final dot differs)",
      "l[3]: other",
      "l[4]: www.example",
      "l[5]: 5",
      'l[6]: "5" (looks like item 5: a different type of value)',
      "l[7]: null",
      'l[8]: "" (looks like item 7: a different type of value)',
    ]);
  });
});

describe("a short value in the shorter forms", () => {
  it("is one line: a list, and a record within another one", () => {
    expect(of(["a", "b c", "a"]).brief).toEqual([{ text: 'l: [a, "b c", a]', whole: 4 }]);
    expect(of([{ a: [1] }]).short).toEqual([{ text: "l: [{a: [1]}]", whole: 3 }]);
    expect(of({ a: { b: 1, c: [] } }, "", ["body", "m"]).brief).toEqual([
      { text: "body.m: {a: {b: 1, c: []}}", whole: 2 },
    ]);
    expect(of({ a: 1, b: 2 }, "", ["body"]).brief).toHaveLength(2);
  });

  it("has its lines if it is long, or if two of its items look alike", () => {
    const linesOfText = (length: number) => of(["x".repeat(length)]).brief.length;
    expect([linesOfText(155), linesOfText(156)]).toEqual([1, 2]);
    expect(of({ a: { hosts: ["www.example", "WWW.example"] } }, "", ["body", "m"]).brief).toHaveLength(3);
  });
});

describe("a long list", () => {
  it("is shown in whole up to ten items", () => {
    expect(of(many(10, (at) => at)).brief).toHaveLength(11);
    expect(of(many(10, (at) => at)).lines[0]).toBe("l: 10 items");
  });

  it("of numbers is one line", () => {
    const items = many(11, (at) => at);
    const entry = of(items);
    expect(entry.lines).toEqual(["l: 11 items", ...items.map((at) => `l[${at}]: ${at}`)]);
    expect(entry.brief).toEqual([
      { text: "l: 11 items", whole: 1 },
      { text: "  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10", whole: 11 },
    ]);
  });

  it("a long list of texts has a shared beginning once, in whole parts", () => {
    expect(briefOf(many(11, (at) => `https://a.example/spring/page-${100 + at}`))).toEqual([
      "l: 11 items",
      '  11 of 11 items beginning with "https://a.example/spring/page-":',
      ...many(11, (at) => `    [${at}] ${100 + at}`.replace(/(\d+)$/, (digits) => JSON.stringify(digits))),
    ]);
    expect(briefOf(many(11, (at) => `ab/${at}`)).slice(1, 3)).toEqual(["    [0] ab/0", "    [1] ab/1"]);
  });

  it("a long list begins with its smallest group and keeps the places", () => {
    const items = many(12, (at) =>
      at === 7 ? "https://other.example/" : `https://www.example/${"p".repeat(8)}/x${at}`,
    );
    expect(briefOf(items).slice(0, 4)).toEqual([
      "l: 12 items",
      "    [7] https://other.example/",
      '  11 of 12 items beginning with "https://www.example/pppppppp/":',
      "    [0] x0",
    ]);
  });

  it("of records says once what all have, and shows first what stands out", () => {
    const items = many(12, (at) => ({ groupId: at, roleId: at === 9 ? 1 : 3, isBlocked: false }));
    expect(briefOf(items).slice(0, 4)).toEqual([
      "l: 12 items",
      "  all of them: {isBlocked: false}",
      "  [9] {groupId: 9, roleId: 1}",
      "  [0] {groupId: 0, roleId: 3}",
    ]);
    expect(briefOf(many(12, (at) => ({ a: 1, ...(at === 3 ? {} : { b: 2 }) }))).slice(1)).toEqual([
      "  all of them: {a: 1}",
      "  [3] {}",
      ...many(12, (at) => `  [${at}] {b: 2}`).toSpliced(3, 1),
    ]);
  });

  it("of texts without groups keeps their order, and of many groups as well", () => {
    expect(briefOf(many(11, (at) => `word ${at}`)).slice(1, 3)).toEqual(['    [0] "word 0"', '    [1] "word 1"']);
    const hosts = many(11, (at) => `https://h${at < 6 ? at : 0}.example/`);
    expect(briefOf(hosts)[1]).toMatch(/^ {2}11 of 11 items beginning with "https:\/\/":$/);
    const fewer = many(12, (at) => `https://h${at < 6 ? at : 0}.example/`);
    expect(briefOf(fewer)[1]).toBe("    [1] https://h1.example/");
  });

  it("a long list has a beginning once only where it is long enough", () => {
    expect(briefOf(many(11, (at) => `ab-cdefg/${at}x`))[1]).toBe('  11 of 11 items beginning with "ab-cdefg/":');
    expect(briefOf(many(11, (at) => `ab-cdef/${at}x`))[1]).toBe('  11 of 11 items beginning with "ab-cdef/":');
    expect(briefOf(many(11, (at) => `ab-cde/${at}x`))[1]).toBe("    [0] ab-cde/0x");
    expect(briefOf(["https://a.example/x/", ...many(10, (at) => `https://a.example/x/${at}y`)]).slice(1, 4)).toEqual([
      '  11 of 11 items beginning with "https://a.example/x/":',
      '    [0] ""',
      "    [1] 0y",
    ]);
  });

  it("of several kinds of items has each by itself", () => {
    expect(briefOf([...many(10, (at) => at), "a b", null]).at(-1)).toBe('  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "a b", null');
    const mixed = [...many(10, (at) => `t${at}`), { a: 1 }];
    expect(briefOf(mixed)).toEqual(of(mixed).lines);
    const nested = [...many(10, (at) => ({ a: at })), { a: { b: 1 } }];
    expect(briefOf(nested)).toEqual([...of(nested).lines.slice(0, -1), "l[10]: {a: {b: 1}}"]);
    expect(briefOf(many(11, (at) => ({ id: at }))).slice(0, 2)).toEqual(["l: 11 items", "  [0] {id: 0}"]);
  });

  it("is of one kind in all of its lines", () => {
    const items = many(12, (at) => `https://a.example/${at}`);
    const entry = leaves(items, items, { before: "Now: ", is: "now", path: [], forms: [] });
    for (const lines of [entry.brief, entry.short])
      expect(new Set(lines.map(({ is }) => is))).toEqual(new Set(["now"]));
  });

  it("marks in its compact form, too, what looks like another item", () => {
    expect(briefOf([...many(11, (at) => `n${at}.example.com`), "N3.example.com"]).join("\n")).toContain(
      "[11] N3.example.com (looks like item 3: only upper and lower case differ)",
    );
  });

  it("a long list in short is its count, groups, outliers and the rest", () => {
    const items = many(500, (at) => `https://${at === 77 ? "b" : "a"}.example/${at}`);
    expect(of(items).short).toEqual([
      { text: "l: 500 items; b.example: 1, a.example: 499", whole: 1 },
      { text: "l[77]: https://b.example/77", whole: 1 },
      ...many(5, (at) => ({ text: `l[${at}]: https://a.example/${at}`, whole: 1 })),
      { text: "  … 494 more items not shown here", whole: 0 },
    ]);
  });

  it.each<[string, (at: number) => unknown, string]>([
    ["the hosts of URLs", (at) => `https://${at === 3 ? "b" : "a"}.example/${at}`, "; b.example: 1, a.example: 10"],
    ["the host before a query", () => "HTTPS://a.example?x", "; a.example: 11"],
    ["the host before a fragment", () => "s3+x.y-1://a.example#x", "; a.example: 11"],
    ["the domains of mail addresses", () => "ann@mail.example", "; mail.example: 11"],
    ["the domains of hosts", () => "www.example.com", "; example.com: 11"],
    ["no group of a mail address with two signs", () => "a@b@c", ""],
    ["no group of a text with a space before its sign", () => "a b@c.example", ""],
    ["no group of a text with a space behind its sign", () => "a@c d", ""],
    ["no group of a host of two parts", () => "example.com", ""],
    ["no group of a path", () => "www.example.com/a", ""],
    ["no group of a path in front", () => "a/www.example.com", ""],
    ["no group of words", () => "see www.example.com", ""],
    ["no group of words behind", () => "www.example.com is it", ""],
    ["no group of a scheme that is none", () => "1a://x y", ""],
    ["no group of what stands behind words", () => "see https://x", ""],
    ["no group of a URL without a host", () => "a:///x", ""],
    ["no group of numbers", (at) => at, ""],
    ["no group where one item has none", (at) => (at === 10 ? "x" : "www.example.com"), ""],
  ])("is grouped in short by %s", (_, item, groups) => {
    const items = many(11, item);
    const different = new Set(items).size;
    const twice = different === 11 ? "" : `, ${different} different`;
    expect(shortOf(items)[0]).toBe(`l: 11 items${twice}${groups}`);
  });

  it("names its five smallest groups, and counts the others", () => {
    const hosts = ["a", "b", "b", "c", "c", "c", "d", "d", "d", "d", "e", "e", "e", "e", "e"];
    const urls = (more: readonly string[]) => [...hosts, ...more].map((host) => `x://${host}`);
    expect(shortOf(urls([]))[0]).toMatch(/; a: 1, b: 2, c: 3, d: 4, e: 5$/);
    expect(shortOf(urls(["f"]))[0]).toMatch(/; a: 1, f: 1, b: 2, c: 3, d: 4, 1 other group$/);
    expect(shortOf(urls(["f", "g"]))[0]).toMatch(/, c: 3, 2 other groups$/);
    expect(shortOf(many(11, () => `x://${"h".repeat(300)}`))[0]).toMatch(/; h{50}… \(300 characters\): 11$/);
  });
});

const hosts = (...names: string[]) => names.map((name) => [["host", name] as const]);

it("has the share of the rarest of its values", () => {
  expect(usualness(hosts("a", "a", "a", "b"))).toEqual([0.75, 0.75, 0.75, 0.25]);
  const verbs = ["x", "x", "x", "y"];
  const two = hosts("a", "a", "b", "b").map((values, at) => [...values, ["verb", verbs[at] ?? ""] as const]);
  expect(usualness(two)).toEqual([0.5, 0.5, 0.5, 0.25]);
});

it("is not told by a name whose values nearly all differ", () => {
  expect(usualness(hosts("a", "b", "c", "c"))).toEqual([1, 1, 1, 1]);
  expect(usualness([])).toEqual([]);
});

it("is told by a value that is missing", () => {
  expect(usualness([...hosts("a", "a", "a"), []])).toEqual([0.75, 0.75, 0.75, 0.25]);
});

it("comes first, and all others stay in their order", () => {
  expect(unusualFirst(hosts("a", "a", "b", "a"))).toEqual([2, 0, 1, 3]);
  expect(unusualFirst(hosts("a", "b", "c"))).toEqual([0, 1, 2]);
});
