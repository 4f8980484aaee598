/** Holds the import table of the design against the imports, and forbids cycles. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import * as ownTools from "../../src/language/server-tools.js";
import { allServices } from "../../src/tools/index.js";
import { workflowsOf } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";

const workflows = workflowsOf("documents");

const anything = "anything";
/** The table of docs/architecture.md: what each folder may import, or what it may not where it may import all else. */
const mayImport = new Map(
  [...readFileSync("docs/architecture.md", "utf8").matchAll(/^\| `src\/([\w-]+)` +\|[^|]*\|([^|]*)\|$/gm)].map(
    ([, folder = "", may = ""]) => [folder, may.trim()] as const,
  ),
);
const isAllowed = (from: string, to: string): boolean => {
  const may = mayImport.get(from) ?? "nothing of ours";
  return may.startsWith(anything) ? !may.replace(anything, "").split(/\W+/).includes(to) : may.split(", ").includes(to);
};

const root = fileURLToPath(new URL("../../src/", import.meta.url));
/** A path as imports have it, with slashes on every platform. */
const withSlashes = (path: string): string => path.replaceAll("\\", "/");
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map(withSlashes)
  .filter((path) => path.endsWith(".ts"));
const top = (path: string): string => path.split("/")[0] ?? "";
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");
const importsOf = (file: string): string[] => {
  const found = textOf(file).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, path = ""]) => withSlashes(normalize(join(dirname(file), path))).replace(/\.js$/, ".ts"));
};
const graph = new Map(files.map((file) => [file, importsOf(file).filter((path) => !path.startsWith(".."))]));

it("every source imports only what its folder may", () => {
  const own = files.filter((file) => file.includes("/") && top(file) !== "commands");
  expect(own.map(top).filter((folder) => !mayImport.has(folder))).toEqual([]);
  const foreign = own.flatMap((file) =>
    (graph.get(file) ?? [])
      .filter((path) => top(path) !== top(file) && !isAllowed(top(file), top(path)))
      .map((path) => `${file} -> ${path}`),
  );
  expect(foreign).toEqual([]);
});

it("the road of docs/architecture.md names what its files declare", () => {
  const [, road = ""] = /<!-- road -->(.*)<!-- \/road -->/s.exec(readFileSync("docs/architecture.md", "utf8")) ?? [];
  const steps = [...road.matchAll(/`src\/([\w/.-]+)` \(`(\w+)`\)/g)];
  expect(steps.length).toBeGreaterThan(20);
  const missing = steps.filter(
    ([, file = "", name = ""]) => !new RegExp(`\\b(?:function|const) ${name}\\b`).test(textOf(file)),
  );
  expect(missing.map(([step]) => step)).toEqual([]);
});

it("no name of an exported type means two things", () => {
  const names = files
    .filter((file) => !file.endsWith(".d.json.ts"))
    .flatMap((file) => [...textOf(file).matchAll(/^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm)])
    .map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

it("guides and prompts are read by one source, which is loaded on demand", () => {
  const written = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  expect(written.length).toBeGreaterThan(30);
  expect(files.filter((file) => /\.md`/.test(textOf(file)))).toEqual(["tools/guide-files.ts"]);
  const importing = files.filter((file) => (graph.get(file) ?? []).includes("tools/guide-files.ts"));
  expect(importing).toEqual(["tools/guides.ts"]);
  expect(textOf("tools/guides.ts")).not.toMatch(/^import .*guide-files/m);
  // The index of the search is made of the words when the program is built.
  expect(files.filter((file) => textOf(file).includes("words.txt"))).toEqual([]);
});

it("has no import cycles", () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(" -> "));
    if (done.has(file) || trail.includes(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

it("knows the protocol in mcp and commands alone", () => {
  const speakers = files.filter((file) => /"@modelcontextprotocol\//.test(textOf(file)));
  expect(speakers.filter((file) => !["mcp", "commands"].includes(top(file)))).toEqual([]);
  expect(speakers).toContain("mcp/server.ts");
});

const general =
  "text language time system search telemetry secrets rows schema wire guard policy audit profiles state calls answers mcp".split(
    " ",
  );
const services = await allServices("documents");
const tools = [...services.flatMap(({ operations }) => Object.keys(operations)), ...Object.keys(workflows)];

it("every source that serves all services knows no service and no tool", () =>
  holdsForEach(
    files.filter((file) => general.includes(top(file))),
    (file) => {
      const source = textOf(file);
      const imported = (graph.get(file) ?? []).filter((path) => top(path) === "tools" && path !== "tools/index.ts");
      expect(imported).toEqual([]);
      // Tools that belong to no service serve all of them; their names stand in one place.
      const words = new Set(source.match(/\b[a-z][a-z0-9]*(_[a-z0-9]+)+\b/g));
      const shared = file === "language/server-tools.ts" ? Object.values(ownTools).sort() : [];
      expect(tools.filter((tool) => words.has(tool))).toEqual(shared);
      const compared = [...source.matchAll(/(?:[!=]==\s*|\bcase\s+)"([\w-]+)"/g)].map(([, word = ""]) => word);
      const names = services.flatMap(({ id, name }) => [id, name]);
      expect(compared.filter((word) => names.includes(word))).toEqual([]);
    },
  ));

it("reads the environment in one place", () => {
  const readers = files.filter((file) => /process\.env/.test(textOf(file)));
  expect(readers).toEqual(["server.ts"]);
});
