/** A law on the size of what is declared: how many lines an operation takes, and all that is known of the API. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { operationRows } from "../../src/commands/operations.js";
import { allServices } from "../../src/tools/index.js";

// What people say, and what a person reads of a service, are texts and no declarations.
const isText = (path: string) => /(^|\/)guides?(-\w+)?\.ts$/.test(path);
const sources = readdirSync("src/tools", { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && !isText(path))
  .map((path) => readFileSync(`src/tools/${path}`, "utf8").trimEnd().split("\n"));
const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The number of lines of each declared operation, from the one with its name to the one that closes it. */
const sizes = sources.flatMap((lines) =>
  lines.flatMap((line, at) => {
    if (!/^\s+\w+: op\(/.test(line)) return [];
    const rest = lines.slice(at + 1).findIndex((next) => next.trim() !== "" && indentOf(next) <= indentOf(line));
    return [rest + 2];
  }),
);
const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const rows = operationRows(await allServices()).length;

it("takes at most 12 lines an operation, and 39 with the shapes, guards and checks that go with it", () => {
  expect(sizes.length).toBeGreaterThan(300);
  expect(total(sizes) / sizes.length).toBeLessThanOrEqual(12);
  expect(total(sources.map((lines) => lines.length)) / rows).toBeLessThanOrEqual(39);
});
