/** The lines of a difference: their groups, their number, and what is left out. */
import { expect, it } from "vitest";
import type { ReviewForm } from "../../src/language/conduct.js";
import {
  activationDifference,
  changesIn,
  differenceLines,
  headLine,
  limitLines,
  lineTexts,
  signedLine,
} from "../../src/language/difference-lines.js";

it("groups have headings, and what is left out is counted and listed", () => {
  const form: ReviewForm = { ignores: { id: "id" }, sets: ["l"], effects: { ttl: "caching" } };
  const lines = differenceLines({ ttl: 1, x: 1, id: 1, l: [1, 2] }, { ttl: 2, x: 2, id: 2, l: [2, 1] }, form);
  expect(lineTexts(lines)).toEqual([
    ...["Caching:", "ttl: 1 → 2", "Other:", "x: 1 → 2"],
    "Without effect: 2 differences of order and ids.",
  ]);
  expect(lines.filter(({ verb }) => verb === "ignored").map(({ text }) => text)).toEqual([
    "  id: 1 → 2",
    "  l: the same items in another order",
  ]);
  expect(changesIn(lines)).toBe(2);
  expect(lineTexts(differenceLines({ id: 1 }, { id: 2 }, form))).toEqual(["Without effect: 1 difference of ids."]);
  expect(differenceLines({ x: 1 }, { x: 1 }, form)).toEqual([]);
});

it("equal masks are not taken for equal secrets", () => {
  const of = (...lengths: readonly number[]) => ({ l: lengths.map((length) => `[secret, ${length} characters]`) });
  const says = (before: object, after: object) => lineTexts(differenceLines(before, after));
  expect(says(of(8), of(8))).toEqual(["Unknown: whether a secret changes that has the same length in both."]);
  expect(says(of(8, 9), of(9, 8)).at(-1)).toBe("Unknown: whether 2 secrets change that have the same length in both.");
  expect(changesIn(differenceLines(of(8), of(8)))).toBe(0);
  expect(says(of(8), of(9)).join()).not.toContain("Unknown");
  expect(says(of(), of(8))).toEqual(['+ l: "[secret, 8 characters]"']);
});

const where = "STAGING";
it("an activation says which version replaces which", () => {
  expect(activationDifference({ from: 1, to: 2, where, of: "queue" }, [signedLine("added", "a")], "Same.")).toEqual([
    headLine("From version 1 to version 2 of queue on STAGING:"),
    { text: "+ a", verb: "added" },
  ]);
  expect(activationDifference({ from: undefined, to: 2, where }, [], "It has no rules.")).toEqual([
    headLine("No version is active on STAGING now, so all of it is new there:"),
    headLine("It has no rules."),
  ]);
  expect(activationDifference({ from: "2", to: 2, where }, undefined, "Same.")).toEqual([
    headLine("Version 2 is active on STAGING already, so nothing changes."),
  ]);
  expect(activationDifference({ from: 1, to: 2, where }, undefined, "Same.")[1]?.text).toMatch(/could not be read/);
});

it("an activation with very many lines shows the first and a count", () => {
  expect(
    limitLines(
      Array.from({ length: 501 }, () => headLine("a")),
      "",
    ).at(-1)?.text,
  ).toBe("And 1 more.");
  expect(lineTexts(limitLines([], "None."))).toEqual(["None."]);
});
