/** A law over every pattern of the sources: the time that it takes grows with the length of its text, and no faster. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { processorMs } from "../lab/processor-time.js";
import { promise } from "../lab/rules.js";

/** Every literal pattern in a file that repeats something, by its source and its flags. */
function patternsIn(file: string): string[] {
  const source = readFileSync(join("src", file), "utf8");
  // Most files have no line with such a pattern, and need no parser.
  if (!/^(?!\s*\*|\s*\/[/*]).*\/[^/*\n].*(?:[*+]|,\}).*\//m.test(source)) return [];
  const found: string[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
    if (regex && /[*+]|,\}/.test(regex.pattern)) found.push(JSON.stringify([regex.pattern, regex.flags]));
    for (const inner of Object.values(node)) look(inner);
  };
  look(parseSync(file, source).program);
  return found;
}

const units =
  ' |\t|\n|a|A|0|1|_|.|-|/|\\|"|\'|(|[|{|<|>|&|%|#|@|:|,|=|?|T|Z|é|\u200d|\ufe0f|1.|a.|a_|a-|a/|a |1 |a@|\\"|Ab'.split(
    "|",
  );
const length = 10_000;

/** Long texts of which a pattern matches much, and not the end: of what most patterns are about, and of its own words. */
function textsFor({ source }: RegExp): string[] {
  const words = [...source.matchAll(/[A-Za-z][A-Za-z ]{2,}/g)].map(([word]) => word);
  return [...new Set([...units, ...words])].flatMap((unit) => {
    const much = unit.repeat(length / unit.length);
    return [`${much}\u0001!`, `x${much}\nx`, `${unit[0]}${much}`];
  });
}

// A pattern that scans the rest of a text from each of its positions takes seven times as long as this and more; one that
// scans it once takes a twentieth. It is the processor's time: other programs do not count.
const boundMs = 30;

/** Whether all texts together take less than one of them may, as they mostly do. */
const isFast = async (pattern: RegExp): Promise<boolean> =>
  (await processorMs(boundMs, () => textsFor(pattern).map((text) => text.replace(pattern, "")))) <= boundMs;

it(promise("pattern-length", "no pattern takes longer than its text is long"), async () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const patterns = new Set(files.flatMap(patternsIn));
  expect(patterns.size).toBeGreaterThan(150);
  const slow: string[] = [];
  for (const pattern of [...patterns].map((one) => new RegExp(...(JSON.parse(one) as [string, string]))))
    for (const text of (await isFast(pattern)) ? [] : textsFor(pattern)) {
      const ms = await processorMs(boundMs, () => text.replace(pattern, ""));
      if (ms <= boundMs) continue;
      slow.push(`${pattern} takes ${Math.round(ms)} ms for ${JSON.stringify(text.slice(0, 12))}…`);
      break;
    }
  expect(slow).toEqual([]);
});
