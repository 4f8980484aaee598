/** Secrets in bytes that come in parts: found wherever they are cut, also where they repeat, begin alike or overlap. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { secretFilters } from "../../src/rows/row-file.js";
import { runs } from "../lab/depth.js";

/** A text after a filter that saw it in parts of the given sizes, which are used by turns. */
function filtered(text: string, forms: readonly string[], sizes: readonly number[]): string {
  const filter = secretFilters(forms)();
  const bytes = Buffer.from(text);
  const passed: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    passed.push(Buffer.from(filter.push(bytes.subarray(at, at + size))));
    at += size;
  }
  return Buffer.concat([...passed, filter.end()]).toString();
}

it("finds every form among few letters, however the text is cut", () => {
  const letters = (least: number, most: number) =>
    fc.string({ unit: fc.constantFrom("a", "b", "é"), minLength: least, maxLength: most });
  const forms = fc.array(letters(8, 14), { minLength: 1, maxLength: 4 });
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 });
  const text = fc.array(fc.oneof(letters(0, 6), fc.nat(3)), { maxLength: 12 });
  fc.assert(
    fc.property(forms, sizes, text, (all, cuts, parts) => {
      // A number stands for a form, so that there are some.
      const given = parts.map((part) => (typeof part === "number" ? (all[part % all.length] ?? "") : part)).join(",");
      // Every place of every form is covered; what is covered without a gap is one mark.
      const bytes = Buffer.from(given);
      const covered = new Uint8Array(bytes.length);
      const begins = new Set<number>();
      for (const form of all.map((one) => Buffer.from(one)))
        for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, at + 1)) {
          if (!covered.subarray(at, at + 1).includes(1)) begins.add(at);
          covered.fill(1, at, at + form.length);
        }
      const expected = bytes.filter((_, at) => covered[at] === 0).toString();
      const result = filtered(given, all, cuts);
      expect(result.replaceAll("[secret]", "")).toBe(expected);
      expect(result.includes("[secret]")).toBe(begins.size > 0);
    }),
    { numRuns: runs(100) },
  );
});

it("passes on bytes without secrets, and all bytes if there are none", () => {
  expect(filtered("nothing in here", ["a-secret-of-ours"], [4])).toBe("nothing in here");
  expect(filtered("a-secret-of-ours", [], [4])).toBe("a-secret-of-ours");
});

it("marks two adjacent secrets, and one at the very end", () => {
  expect(filtered("x12345678|12345678", ["12345678"], [5])).toBe("x[secret]|[secret]");
  expect(filtered("1234567812345678", ["12345678"], [3])).toBe("[secret][secret]");
});
