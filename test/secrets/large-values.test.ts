/** The short cuts that large values take: what is shared instead of copied, and differences that are not written out. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { changesBetween } from "../../src/language/difference.js";
import { secret } from "../../src/language/marks.js";
import { withEach } from "../../src/language/member.js";
import { z } from "../../src/language/z.js";
import { maskSecrets } from "../../src/secrets/masking.js";
import { canonical } from "../../src/text/canonical.js";

const reversed = (value: unknown): unknown =>
  typeof value !== "object" || value === null
    ? value
    : Array.isArray(value)
      ? value.map(reversed)
      : Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, member]) => [key, reversed(member)]),
        );

it("the canonical text of a value ignores the order of keys", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonical(reversed(value))).toBe(canonical(value));
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  expect(canonical({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
});

it("compared lists show what each has more often than the other", () => {
  const list = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 });
  const count = (items: readonly unknown[], one: unknown) => items.filter((item) => item === one).length;
  fc.assert(
    fc.property(list, list, (before, after) => {
      const [change] = changesBetween(before, after);
      const items = change && "added" in change ? change : { added: [], removed: [] };
      for (const { index, value } of items.added) expect(after[index]).toBe(value);
      for (const { index, value } of items.removed) expect(before[index]).toBe(value);
      for (const one of [0, 1, 2, 3]) {
        const more = count(after, one) - count(before, one);
        const values = (side: "added" | "removed") => items[side].map(({ value }) => value);
        expect(count(values("added"), one)).toBe(Math.max(0, more));
        expect(count(values("removed"), one)).toBe(Math.max(0, -more));
      }
    }),
  );
});

it("a change copies no more of a value than what changes", () => {
  const value = { list: [{ a: 1 }, { a: 2 }], other: { b: 1 } };
  const plus = (of: unknown): unknown =>
    typeof of === "object" && of !== null ? withEach(of, plus) : of === 2 ? 3 : of;
  const changed = plus(value) as typeof value;
  expect(changed).toEqual({ list: [{ a: 1 }, { a: 3 }], other: { b: 1 } });
  expect([changed.other === value.other, changed.list[0] === value.list[0]]).toEqual([true, true]);
  expect(withEach(value, (member) => member)).toBe(value);
  const odd = JSON.parse('{"__proto__":1,"b":2}') as object;
  expect(JSON.stringify(withEach(odd, (member) => Number(member) + 1))).toBe('{"__proto__":2,"b":3}');
});

it("masking hides what one schema marks, and shares the rest", () => {
  const open = z.looseObject({ key: z.string() });
  const marked = z.looseObject({ key: secret(z.string()), list: z.array(z.looseObject({ key: z.string() })) });
  const value = { key: "hidden", list: [{ key: "a" }, { key: "b", apiToken: "hidden" }] };
  const seen = maskSecrets([open, marked], value) as typeof value;
  expect(JSON.stringify(seen)).not.toContain("hidden");
  expect(seen.list[0]).toBe(value.list[0]);
  expect(maskSecrets([open], value.list[0])).toBe(value.list[0]);
});
