/** How a preview writes values: one line each, none that reads like another one, and a secret by its mask alone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clipped, collapseTo, lineInForms, lineOrClipped } from "../../src/guard/preview/lines.js";
import {
  appearanceOf,
  countOf,
  isLeaf,
  keyText,
  likeness,
  lookAlikeMark,
  memberForms,
  pathText,
  valueText,
  withMaskMarks,
} from "../../src/language/value-text.js";
import { z } from "../../src/language/z.js";
import { holdsForEach } from "../lab/laws.js";

it("masking secrets leaves everything else in a value as it is", () => {
  const raw = { a: null, b: [null, 1], c: "x", d: { e: undefined } };
  expect(withMaskMarks(raw, structuredClone(raw))).toEqual(raw);
  expect(withMaskMarks(null, null)).toBeNull();
  expect(withMaskMarks(raw, raw)).toBe(raw);
});

const rows = readFileSync(join(import.meta.dirname, "texts.txt"), "utf8")
  .split("\n")
  .map((line) => line.split("\t"));
/** What is made of the values of each kind of row. */
type Pair = readonly [unknown, unknown];
const made = {
  written: (value: unknown) => valueText(value),
  scalar: (value: unknown) => isLeaf(value),
  mark: (text: string) => lookAlikeMark(text) || "none",
  look: ([one, other]: Pair) => (appearanceOf(one) === appearanceOf(other) ? "alike" : "unlike"),
  likeness: ([one, other]: Pair) => likeness(one, other) ?? "none",
  count: (count: number) => countOf(count, "URL"),
};

it.each(Object.entries(made))("texts are as in their list: %s", (kind, make) =>
  holdsForEach(
    rows.filter(([one]) => one === kind).map(([, given = "", expected]) => [given, expected] as const),
    (given, expected) => {
      expect(String(make(JSON.parse(given) as never))).toBe(expected);
    },
  ),
);

it("undefined is written as such, and is unlike null", () => {
  expect([valueText(undefined), isLeaf(undefined)]).toEqual(["undefined", true]);
  expect(appearanceOf(undefined)).toBe(appearanceOf(null));
  expect(likeness(null, undefined)).toBe("a different type of value");
});

describe("a value is written", () => {
  it("a value that is its schema's default is marked", () => {
    const forms = [z.string().default("remove"), z.string()];
    expect(valueText("remove", forms)).toBe("remove (default)");
    expect(valueText("a b", [z.string().default("a b")])).toBe('"a b" (default)');
    expect(valueText("invalidate", forms)).toBe("invalidate");
    expect(valueText(5, [z.int().prefault(5)])).toBe("5 (default)");
    expect(valueText(["a"], [z.array(z.string()).default(["a"])])).toBe("[a] (default)");
    expect(valueText({ a: 1 }, [z.object({ a: z.int() }).default({ a: 1 })])).toBe("{a: 1} (default)");
    expect(valueText({ a: 1 }, [z.object({ a: z.int().default(1) })])).toBe("{a: 1 (default)}");
    expect(valueText([1, 2], [z.array(z.int().default(1))])).toBe("[1 (default), 2]");
  });

  it("a secret is written as its mask, and a lookalike in quotes", () => {
    const raw = { key: "hunter2", note: "[secret, 7 characters]", list: [{ key: "k" }, "x"] };
    const seen = { key: "[secret, 7 characters]", note: raw.note, list: [{ key: "[secret, 1 characters]" }, "x"] };
    const value = withMaskMarks(raw, seen);
    expect(valueText(value)).toBe(
      '{key: [secret, 7 characters], note: "[secret, 7 characters]", list: [{key: [secret, 1 characters]}, x]}',
    );
    expect(isLeaf((value as { key: unknown }).key)).toBe(true);
    expect(withMaskMarks({ a: 1 }, "[secret, 7 characters]")).not.toBe("[secret, 7 characters]");
    expect(withMaskMarks("same", "same")).toBe("same");
  });
});

it("no two paths are written alike", () => {
  expect(pathText(["a", "b", 0, "c_d-e$@1"])).toBe("a.b[0].c_d-e$@1");
  expect(pathText([0, "a"])).toBe("[0].a");
  expect(pathText([])).toBe("");
  expect(pathText(["a.b"])).toBe('"a.b"');
  expect(pathText(["a", "[0]", "b c", ""])).toBe('a."[0]"."b c".""');
  expect(keyText("a: b")).toBe('"a: b"');
});

it("the schema of an item depends on its index only in a tuple", () => {
  const item = z.object({ a: z.int() });
  const listed = [z.array(item)];
  expect(memberForms(listed, 0)).toContain(item);
  expect(memberForms(listed, 7)).toBe(memberForms(listed, 0));
  const [first, second] = [z.string(), z.int()];
  const pair = [z.tuple([first, second])];
  expect([memberForms(pair, 0)[0], memberForms(pair, 1)[0]]).toEqual([first, second]);
});

it("no two kinds of space are written alike on a line", () => {
  const spaces = [..." \u00a0\u1680\u2002\u2003\u2009\u200a\u202f\u205f\u3000"];
  const lines = spaces.map((space) => lineOrClipped(`a${space}b`)[0]?.text);
  expect(lines.slice(0, 3)).toEqual(["a b", "a[U+00A0]b", "a[U+1680]b"]);
  expect(lines.filter((line) => line?.replaceAll(/\s/gu, " ") === "a b")).toEqual(["a b"]);
});

describe("a long text", () => {
  it("a text that does not fit is cut and says its length", () => {
    expect(clipped("x".repeat(240))).toBe("x".repeat(240));
    expect(clipped("x".repeat(1_241))).toBe(`${"x".repeat(210)}… (1,241 characters)`);
    expect(clipped("abc", 3)).toBe("abc");
  });

  it("a long text is not cut within a character", () => {
    expect(clipped(`${"x".repeat(209)}😀${"y".repeat(100)}`)).toBe(`${"x".repeat(209)}… (311 characters)`);
    expect(clipped(`${"x".repeat(208)}😀${"y".repeat(100)}`)).toBe(`${"x".repeat(208)}😀… (310 characters)`);
  });

  it("a long text is whole in a preview and cut in the short form", () => {
    const text = "x".repeat(300);
    expect(lineOrClipped(text, "changed")).toStrictEqual([
      { text, is: "changed", in: ["whole", "brief"], whole: 1 },
      { text: `${"x".repeat(210)}… (300 characters)`, is: "changed", in: ["short"], whole: 0 },
    ]);
    const line = { text: "short", is: "request", in: ["whole", "brief", "short"], whole: 1 };
    expect(lineOrClipped("short")).toStrictEqual([line]);
    expect(lineOrClipped("a\nAccount: other")).toHaveLength(1);
  });
});

it("one sentence stands for several lines in a question", () => {
  const facts = { in: ["whole"], whole: 1, behind: "Two lines." };
  expect(collapseTo([...lineOrClipped("one"), ...lineOrClipped("two", "warning")], "Two lines.")).toStrictEqual([
    { text: "one", is: "request", ...facts },
    { text: "two", is: "warning", ...facts },
    lineInForms(["brief", "short"], "Two lines.", "request", 2),
  ]);
  expect(collapseTo(lineOrClipped("one"), "One line.")).toStrictEqual([
    lineInForms(["whole"], "one"),
    lineInForms(["brief", "short"], "One line."),
  ]);
});
