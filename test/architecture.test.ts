/** Holds the import table of the design against the imports, and forbids cycles. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as ownTools from "../src/api/own-tools.js";
import { allServices } from "../src/tools/index.js";
import { workflows } from "../src/workflows/index.js";

const anything = ["*"];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  api: [],
  tools: ["api"],
  codec: ["api"],
  search: ["api"],
  client: ["api", "codec"],
  guard: ["api", "client"],
  audit: ["api", "guard"],
  policy: ["api", "guard"],
  answers: ["api", "codec"],
  profiles: ["api", "client", "guard"],
  query: ["api", "answers"],
  calls: ["api", "client", "guard", "policy", "audit", "answers", "query", "search"],
  charts: ["api", "answers"],
  workflows: ["api", "tools", "calls", "guard", "answers", "charts"],
  resources: ["api", "tools", "client", "calls", "workflows", "answers"],
  prompts: ["api", "tools", "calls", "workflows", "answers"],
  mcp: ["api", "tools", "client", "guard", "calls", "answers", "workflows", "resources", "prompts"],
  emulator: ["api", "tools"],
  commands: anything,
  "server.ts": anything,
  "config.ts": anything,
  "engine.ts": anything,
  "in-profile.ts": anything,
  "upstream.ts": anything,
  "published-routes.ts": anything,
  "state-dir.ts": anything,
};

const root = fileURLToPath(new URL("../src/", import.meta.url));
/** A path as imports have it, with slashes on every platform. */
const withSlashes = (path: string): string => path.replaceAll("\\", "/");
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map(withSlashes)
  .filter((path) => path.endsWith(".ts"));
const top = (path: string): string => path.split("/")[0] ?? "";
const importsOf = (file: string): string[] => {
  const source = readFileSync(join(root, file), "utf8");
  const found = source.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, path = ""]) => withSlashes(normalize(join(dirname(file), path))).replace(/\.js$/, ".ts"));
};
const graph = new Map(files.map((file) => [file, importsOf(file).filter((path) => !path.startsWith(".."))]));

describe.each(files)("src/%s", (file) => {
  it("imports only what its folder may", () => {
    const allowed = mayImport[top(file)];
    expect(allowed, `${top(file)} has no row in the table`).toBeDefined();
    if (allowed?.includes("*")) return;
    const foreign = (graph.get(file) ?? []).filter((path) => top(path) !== top(file) && !allowed?.includes(top(path)));
    expect(foreign).toEqual([]);
  });

  it("begins with one sentence that says what it hides, and can be read in one sitting", () => {
    const source = readFileSync(join(root, file), "utf8").replace(/^#!.*\n/, "");
    expect(source).toMatch(/^\/\*\* [A-Z`"'].*/);
    expect(source.split("\n").length).toBeLessThanOrEqual(320);
  });
});

it("has the table of imports that docs/architecture.md shows", () => {
  const rows = readFileSync("docs/architecture.md", "utf8").matchAll(/^\| `src\/(\w+)` +\|[^|]*\|([^|]*)\|$/gm);
  const shown = [...rows].map(([, folder = "", may = ""]): [string, readonly string[]] => [
    folder,
    may.trim() === "nothing of ours" ? [] : may.split(",").map((one) => one.trim()),
  ]);
  const folders = Object.entries(mayImport).filter(([, may]) => may !== anything);
  expect(new Map(shown.map(([folder, may]) => [folder, [...may].sort()]))).toEqual(
    new Map(folders.map(([folder, may]) => [folder, [...may].sort()])),
  );
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

it("has no folder that says nothing of what it holds", () => {
  for (const file of files) expect(file).not.toMatch(/(^|\/)(utils?|helpers?|common|types|misc)(\/|\.ts)/);
});

it("knows the protocol in mcp and commands alone", () => {
  const speakers = files.filter((file) => /"@modelcontextprotocol\//.test(readFileSync(join(root, file), "utf8")));
  expect(speakers.filter((file) => !["mcp", "commands"].includes(top(file)))).toEqual([]);
  expect(speakers).toContain("mcp/server.ts");
});

const general = "api audit answers calls charts client codec guard mcp policy query search".split(" ");
const services = await allServices();
const tools = [...services.flatMap(({ operations }) => Object.keys(operations)), ...Object.keys(workflows)];

describe.each(files.filter((file) => general.includes(top(file))))("src/%s, which serves all services", (file) => {
  const source = readFileSync(join(root, file), "utf8");

  it("imports no service", () => {
    const shared = ["tools/index.ts", "tools/operation-page.ts"];
    const found = (graph.get(file) ?? []).filter((path) => top(path) === "tools" && !shared.includes(path));
    expect(found).toEqual([]);
  });

  // Tools that belong to no service serve all of them; their names stand in one place.
  it("names no tool", () => {
    const words = new Set(source.match(/\b[a-z][a-z0-9]*(_[a-z0-9]+)+\b/g));
    expect(tools.filter((tool) => words.has(tool))).toEqual(
      file === "api/own-tools.ts" ? Object.values(ownTools).sort() : [],
    );
  });

  it("compares nothing with a service's id or name", () => {
    const names = services.flatMap(({ id, name }) => [id, name]);
    const compared = [...source.matchAll(/(?:[!=]==\s*|\bcase\s+)"([\w-]+)"/g)].map(([, word]) => word);
    expect(compared.filter((word) => names.includes(word ?? ""))).toEqual([]);
  });
});

it("reads the environment in one place", () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(join(root, file), "utf8")));
  expect(readers).toEqual(["server.ts"]);
});
