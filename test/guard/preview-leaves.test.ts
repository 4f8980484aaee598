/** Every scalar of a value has its line, and a long list is summed up by its count, its groups, its ends and its digest. */
import { describe, expect, it } from "vitest";
import { z } from "../../src/api/z.js";
import { digestOfValue } from "../../src/guard/preview/digest.js";
import { leaves } from "../../src/guard/preview/leaves.js";

const of = (value: unknown, before = "", path: readonly PropertyKey[] = ["l"]) =>
  leaves(value, value, { before, path, forms: [] });
const briefOf = (value: unknown) => of(value).brief.map(({ text }) => text);
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
    expect(leaves(value, value, { before: "", path: [], forms: [form] }).lines).toEqual([
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

  it("hide what is secret in a list, whose digest still differs", () => {
    const shown = (secret: string) =>
      leaves(
        many(11, () => secret),
        many(11, () => "*"),
        { before: "", path: ["l"], forms: [] },
      );
    expect(shown("a").lines.slice(1)).toEqual(shown("b").lines.slice(1));
    expect(shown("a").lines[0]).not.toBe(shown("b").lines[0]);
  });
});

describe("a long list", () => {
  it("is shown in whole up to ten items", () => {
    expect(of(many(10, (at) => at)).brief).toHaveLength(11);
    expect(of(many(10, (at) => at)).lines[0]).toBe("l: 10 items");
  });

  it("is its count, its digest, its first and its last item in a question, and nothing less elsewhere", () => {
    const items = many(11, (at) => at);
    const head = `l: 11 items; digest ${digestOfValue(items)}`;
    const entry = of(items);
    expect(entry.lines).toEqual([head, ...items.map((at) => `l[${at}]: ${at}`)]);
    expect(entry.brief).toEqual([
      { text: head, whole: 1 },
      { text: "l[0]: 0", whole: 1 },
      { text: "l[10]: 10", whole: 1 },
    ]);
  });

  it.each<[string, (at: number) => unknown, string]>([
    ["the hosts of URLs", (at) => `https://${at === 3 ? "b" : "a"}.example/${at}`, "; a.example: 10, b.example: 1"],
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
  ])("is grouped by %s", (_, item, groups) => {
    const items = many(11, item);
    const different = new Set(items).size;
    const twice = different === 11 ? "" : `, ${different} different`;
    expect(briefOf(items)[0]).toBe(`l: 11 items${twice}; digest ${digestOfValue(items)}${groups}`);
  });

  it("names its five largest groups, and counts the others", () => {
    const hosts = ["a", "b", "b", "c", "c", "c", "d", "d", "d", "d", "e", "e", "e", "e", "e"];
    const urls = (more: readonly string[]) => [...hosts, ...more].map((host) => `x://${host}`);
    expect(briefOf(urls([]))[0]).toMatch(/; e: 5, d: 4, c: 3, b: 2, a: 1$/);
    expect(briefOf(urls(["f"]))[0]).toMatch(/; e: 5, d: 4, c: 3, b: 2, a: 1, 1 other group$/);
    expect(briefOf(urls(["f", "g"]))[0]).toMatch(/, a: 1, 2 other groups$/);
    expect(briefOf(many(11, () => `x://${"h".repeat(300)}`))[0]).toMatch(/; h{50}… \(300 characters\): 11$/);
  });
});
