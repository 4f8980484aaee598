/** The page on the architecture walks a call through files and functions that are there, each reached from those before it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const page = readFileSync("docs/architecture.md", "utf8");
const [, road = ""] = /<!-- road -->\n([\s\S]*?)<!-- \/road -->/.exec(page) ?? [];
const steps = [...road.matchAll(/`(src\/[\w/-]+\.ts)`\s+\(`(\w+)`\)/g)].map(([, file = "", name = ""]) => ({
  file,
  name,
}));

const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
    normalize(join(dirname(file), path)).replace(/\.js$/, ".ts"),
  );

it("names files that exist and functions that they export", () => {
  expect(steps.length).toBeGreaterThanOrEqual(15);
  expect(steps.filter(({ file }) => !existsSync(file))).toEqual([]);
  const lacking = steps.filter(
    ({ file, name }) => !new RegExp(`export (async )?(function|const) ${name}\\b`).test(readFileSync(file, "utf8")),
  );
  expect(lacking).toEqual([]);
});

it("comes to each file directly from another one of the road", () => {
  // A transport is where the road begins; the command that starts it gives it the engine.
  const known = ["src/mcp/stdio.ts", "src/mcp/http/index.ts"];
  const imported = new Set([
    ...known,
    ...["src/commands/surface.ts", ...steps.map(({ file }) => file)].flatMap(importsOf),
  ]);
  expect(steps.filter(({ file }) => !imported.has(file))).toEqual([]);
});

it("names no other file or folder that is not there", () => {
  const named = [...page.matchAll(/`((?:src|test|scripts)\/[\w./-]*)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(steps.length);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
