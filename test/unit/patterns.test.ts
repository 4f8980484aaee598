/** A law over every pattern of the sources: the time that it takes grows with the length of its text, and no faster. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { expect, it } from "vitest";
import { parseAst } from "vitest/node";
import { processorMs } from "../lab/processor-time.js";
import { promise } from "../lab/rules.js";

/** Every literal pattern in a file, with the name of the file. */
function patternsIn(file: string): (readonly [file: string, pattern: RegExp])[] {
  const { code } = transformSync(readFileSync(join("src", file), "utf8"), { loader: "ts", format: "esm" });
  const found: (readonly [string, RegExp])[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
    if (regex) found.push([file, new RegExp(regex.pattern, regex.flags)]);
    for (const inner of Object.values(node)) look(inner);
  };
  look(parseAst(code));
  return found;
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const patterns = files.flatMap(patternsIn);

const units =
  ' |\t|\n|a|A|0|1|_|.|-|/|\\|"|\'|(|[|{|<|>|&|%|#|@|:|,|=|?|T|Z|é|\u200d|\ufe0f|1.|a.|a_|a-|a/|a |1 |a@|\\"|Ab'.split(
    "|",
  );
const length = 20_000;

/** Long texts of which a pattern matches much, and not the end: of what most patterns are about, and of its own words. */
function textsFor({ source }: RegExp): string[] {
  const words = [...source.matchAll(/[A-Za-z][A-Za-z ]{2,}/g)].map(([word]) => word);
  return [...new Set([...units, ...words])].flatMap((unit) => {
    const much = unit.repeat(length / unit.length);
    return [`${much}\u0001!`, `x${much}\n!`, `${unit[0]}${much}`];
  });
}

// What takes each place of a text as a start, and goes through the rest from there, takes nine times as long as this
// and more; what goes through it once takes a thirtieth.
const boundMs = 100;

it("finds the patterns", () => {
  expect(patterns.length).toBeGreaterThan(400);
});

// By the clock, on a machine that others work on: what counts is the processor's time.
it(promise("pattern-length", "takes no pattern longer than its text is long"), async () => {
  const slow: string[] = [];
  for (const [file, pattern] of patterns) {
    if (!/[*+]|,\}/.test(pattern.source)) continue;
    for (const text of textsFor(pattern)) {
      const ms = await processorMs(boundMs, () => text.replace(pattern, ""));
      if (ms <= boundMs) continue;
      slow.push(`${file}: ${pattern} takes ${Math.round(ms)} ms for ${JSON.stringify(text.slice(0, 12))}…`);
      break;
    }
  }
  expect(slow).toEqual([]);
});
