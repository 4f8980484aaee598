/** SECURITY.md promises nothing without a test: each one that it names is there, in the file that it names. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const sections = readFileSync("SECURITY.md", "utf8")
  .split("## What is not promised")[0]
  ?.split(/\n(?=\*\*)/)
  .slice(1);

it.each((sections ?? []).map((text) => [/^\*\*(.*?)\*\*/.exec(text)?.[1], text] as const))("%s", (_, text) => {
  const cited = [...text.matchAll(/^- `(test\/[^`]+)`: \*(.+)\*$/gm)];
  expect(cited.length).toBeGreaterThan(0);
  expect(cited).toHaveLength(text.split("\n- ").length - 1);
  for (const [, file = "", name = ""] of cited)
    expect([name, readFileSync(file, "utf8").includes(name)]).toEqual([name, true]);
});
