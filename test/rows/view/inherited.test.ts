/** Names that every object has are no members of a row, and none of them changes what objects are. */
import { expect, it } from "vitest";
import { problemsOf, rowsOf } from "./apply.js";

it("knows no inherited member, and changes no prototype", () => {
  const hostile = JSON.parse('[{"a": 1, "__proto__": {"polluted": 1}}, {"a": 2}]') as Record<string, unknown>[];
  expect(problemsOf(hostile, { where: "constructor is not empty" })).toHaveLength(1);
  expect(problemsOf(hostile, { fields: "toString" })).toHaveLength(1);
  expect(rowsOf(hostile, { where: "__proto__.polluted = 1", fields: ["a"] })).toEqual([{ a: 1 }]);
  const [row] = rowsOf(hostile, { fields: ["__proto__"] });
  expect(Object.keys(row ?? {})).toEqual(["__proto__"]);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  const grouped = rowsOf(hostile, { group_by: "__proto__", aggregate: "sum(a) as constructor" });
  expect(grouped.map((one) => [Object.getPrototypeOf(one) === Object.prototype, Object.keys(one)])).toEqual([
    [true, ["__proto__", "constructor"]],
    [true, ["__proto__", "constructor"]],
  ]);
});
