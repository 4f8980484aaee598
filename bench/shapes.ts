/** Answers of 16 MB in every shape that has once been slow, each generated as text, so that none is held as a value. */
import { writeFileSync } from "node:fs";

const targetBytes = 16 * 1024 * 1024;

/** Members joined by commas between brackets, as many as have room. */
function filled(open: string, close: string, member: (index: number) => string, bytes = targetBytes): string {
  const parts: string[] = [];
  let size = 2;
  for (let index = 0; ; index += 1) {
    const part = member(index);
    size += part.length + 1;
    if (size > bytes) return open + parts.join(",") + close;
    parts.push(part);
  }
}

const megabyte = 1024 * 1024;
const record = (index: number) => `{"id":${index},"name":"row number ${index}","isActive":true,"tags":["some tag"]}`;
const nested = (levels: number, text: string) => "[".repeat(levels) + text + "]".repeat(levels);

const largeInteger = (index: number) => String(9_007_199_254_740_993n + BigInt(index));

/** Each shape's name and how its text is made. */
const shapes: Readonly<Record<string, () => string>> = {
  "flat numbers": () => filled("[", "]", (index) => String(1_000_000_000 + index)),
  fractions: () => filled("[", "]", (index) => (index / 7).toFixed(14)),
  "large integers": () => filled("[", "]", largeInteger),
  "lists 60 deep": () => filled("[", "]", (index) => nested(59, `"item ${index} ${"x".repeat(600)}"`)),
  "one list 60 deep": () => nested(59, filled("[", "]", record)),
  "many small objects": () => filled("[", "]", record),
  "one huge text": () => `{"text":"${"0123456789abcdef".repeat(megabyte - 1)}"}`,
  "one huge text of escapes": () => `{"text":"${'\\"'.repeat(8 * megabyte - 8)}"}`,
  "one huge text beyond ASCII": () => `{"text":"${"日本語テキスト😀".repeat(targetBytes / 25 - 1)}"}`,
  "an object of 500,000 members": () => filled("{", "}", (index) => `"key ${index}":"value ${index} of many"`),
  "such an object 50 deep": () =>
    '{"a":'.repeat(50) + filled("{", "}", (index) => `"key ${index}":"value ${index} of many"`) + "}".repeat(50),
  "records with one fat member": () =>
    filled("[", "]", (index) => `{"id":${index},"text":"${"x".repeat(megabyte / 4)}","name":"row"}`),
  "a list of lists": () =>
    filled("[", "]", () => filled("[", "]", (index) => `[${index},"the cell in row ${index}"]`, megabyte / 8)),
  "objects of many lists": () => filled("{", "}", (index) => `"list ${index}":${filled("[", "]", record, 4_000)}`),
};

/**
 * Plain parsing rounds these, eight bytes each, so memory is compared with what it takes for the same digits as texts,
 * which is what an answer that rounds nothing has to hold.
 */
const heldAs: Readonly<Record<string, () => string>> = {
  "large integers": () => filled("[", "]", (index) => `"${largeInteger(index)}"`),
};

export const shapeNames: readonly string[] = Object.keys(shapes);

/** Writes a shape to one file, and to another what plain parsing has to hold for the same values. */
export function writeShape(name: string, path: string, heldPath: string): void {
  const make = shapes[name];
  if (!make) throw new Error(`There is no shape ${name}.`);
  writeFileSync(path, make());
  writeFileSync(heldPath, (heldAs[name] ?? make)());
}
