/** Patterns: a star is any text, a question mark one character, everything else itself; never slow. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { matchesGlob } from "../../src/text/glob.js";

it.each([
  ["", "", true],
  ["", "a", false],
  ["?", "", false],
  ["*.example.com", "example.com", false],
  ["*.example.com", "wwwXexampleXcom", false],
  ["[a-z]+", "b", false],
  ["A", "a", false],
])("%j on %j: %s", (pattern, text, expected) => {
  expect(matchesGlob(pattern, text)).toBe(expected);
});

it("a pattern matches like its regular expression", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 });
  fc.assert(
    fc.property(letters, text, (pattern, given) => {
      const expression = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`);
      expect(matchesGlob(pattern, given)).toBe(expression.test(given));
    }),
  );
});

it("a pattern that a backtracking matcher would never finish ends soon", () => {
  expect(matchesGlob(`${"*a".repeat(60)}b`, "a".repeat(5_000))).toBe(false);
});
