/** A law over all operations: what is wrong with one argument is said once, in words that show what it takes. */
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { json, op } from "../../src/language/define.js";
import { resolvedExample } from "../../src/language/example.js";
import { isRecord, memberAt, withMember } from "../../src/language/member.js";
import { z } from "../../src/language/z.js";
import { Day, PastDay } from "../../src/tools/fields.js";
import { allServices } from "../../src/tools/index.js";
import { problemsOf } from "../lab/checked.js";
import { holdsForEach } from "../lab/laws.js";
import { operationsIn } from "../lab/project.js";
import { scalarsIn } from "./preview-law.js";

const operations = operationsIn(await allServices());

it("every operation refuses an argument for one fault once", () =>
  holdsForEach(operations, (tool, operation) => {
    const example = resolvedExample(operation.spec.example, Date.now());
    for (const path of scalarsIn(example))
      for (const wrong of ["\u{1f6ab} no such value", "2026-13-99", "", -7.5]) {
        if (typeof wrong !== typeof memberAt(example, path)) continue;
        const fields = problemsOf(tool, operation, withMember(example, path, wrong) as object).map(
          ({ field }) => field,
        );
        expect(fields, JSON.stringify([path, wrong])).toEqual([...new Set(fields)]);
      }
  }));

/** The paths of all objects in a value. */
const objectsIn = (value: unknown, path: readonly PropertyKey[] = []): readonly (readonly PropertyKey[])[] =>
  isRecord(value) || Array.isArray(value)
    ? [
        ...(isRecord(value) ? [path] : []),
        ...Object.entries(value).flatMap(([key, one]) =>
          objectsIn(one, [...path, isRecord(value) ? key : Number(key)]),
        ),
      ]
    : [];

it("no refusal of what is missing shows a value", () =>
  holdsForEach(operations, (tool, operation) => {
    const example = resolvedExample(operation.spec.example, Date.now());
    for (const path of objectsIn(example))
      for (const { given, takes } of problemsOf(tool, operation, withMember(example, path, {}) as object))
        expect([given, takes].join(), path.join(".")).not.toMatch(/undefined|NaN|\[object/);
  }));

describe("a refusal", () => {
  const made = op("POST /things", {
    does: "Does something.",
    body: json({
      size: z.int().min(0).max(2).optional(),
      count: z.int().min(1).optional(),
      names: z.array(z.string()).optional(),
      day: Day.optional(),
      past: PastDay.optional(),
    }),
    returns: { 201: json(z.unknown()) },
    effect: "create",
    shownBy: "things_list",
    example: {},
  });
  it.each<[string, string, unknown, string]>([
    ["both bounds of a number", "size", 7, "a whole number from 0 to 2"],
    ["both bounds of a number that is too small", "size", -1, "a whole number from 0 to 2"],
    ["the only bound of a number", "count", 0, "at least 1"],
    ["what a list takes for a value that is no item of it", "names", 5, "a list; each item takes text"],
    ["what a list takes for an object", "names", { a: 1 }, "a list; each item takes text"],
    ["the form of a day", "day", "yesterday", "a UTC date such as 2026-05-01"],
    ["a day that there is not", "day", "2026-02-30", "a date that exists in the calendar"],
    ["the words for a day that is over", "past", "tomorrow", "a UTC date such as 2026-05-01, or yesterday"],
  ])("shows %s", (_, name, given, takes) => {
    const problems = problemsOf("thing_create", made, { body: { [name]: given } });
    expect(problems.map((one) => [one.field, one.takes])).toEqual([[`body.${name}`, takes]]);
  });

  it("is none for yesterday, which is the day before this one in UTC", () => {
    const { values } = checkArguments("thing_create", made, { body: { past: "yesterday" } });
    const past = Date.parse(String(memberAt(values, "body.past")));
    expect(Date.now() - past).toBeGreaterThanOrEqual(86_400_000);
    expect(Date.now() - past).toBeLessThan(2 * 86_400_000);
  });
});
