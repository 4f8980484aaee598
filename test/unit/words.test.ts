/** Lists in sentences: a few are named, and the others are only counted. */
import { expect, it } from "vitest";
import { listed } from "../../src/language/words.js";

it("names a few and counts the rest", () => {
  expect(listed(["a", "b"])).toBe("a, b");
  expect(listed(["a", "b", "c", "d", "e", "f", "g"])).toBe("a, b, c, d, e and 2 more");
});

it("asks for the names of those alone that it names", () => {
  const asked: number[] = [];
  const name = (id: number) => {
    asked.push(id);
    return `no. ${id}`;
  };
  expect(
    listed(
      Array.from({ length: 1_000_000 }).map((_, at) => at),
      name,
    ),
  ).toBe("no. 0, no. 1, no. 2, no. 3, no. 4 and 999995 more");
  expect(asked).toEqual([0, 1, 2, 3, 4]);
});
