/** Holds the import table of the design against the imports, and forbids cycles. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as ownTools from "../../src/language/own-tools.js";
import { allServices } from "../../src/tools/index.js";
import { workflowsOf } from "../../src/workflows/index.js";
import { lawsOver } from "../lab/laws.js";

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
const importsOf = (file: string): string[] => {
  const source = readFileSync(join(root, file), "utf8");
  const found = source.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, path = ""]) => withSlashes(normalize(join(dirname(file), path))).replace(/\.js$/, ".ts"));
};
const graph = new Map(files.map((file) => [file, importsOf(file).filter((path) => !path.startsWith(".."))]));

describe("every source", () =>
  lawsOver(
    files.filter((file) => file.includes("/") && top(file) !== "commands"),
    (law, file) => {
      law("imports only what its folder may", () => {
        expect([...mayImport.keys()]).toContain(top(file));
        const foreign = (graph.get(file) ?? []).filter(
          (path) => top(path) !== top(file) && !isAllowed(top(file), top(path)),
        );
        expect(foreign).toEqual([]);
      });
    },
  ));

it("no source imports a guide or a prompt statically", () => {
  const written = files.filter((path) => /^tools\/[\w-]+\/(guide|prompt)\.ts$/.test(path));
  expect(written.length).toBeGreaterThan(30);
  const statically = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^(?:import|export) .*from "(\.[^"]+)\.js";$/gm)].flatMap(
      ([, path = ""]) => {
        const imported = `${withSlashes(normalize(join(dirname(file), path)))}.ts`;
        return written.includes(imported) ? [`${file} -> ${imported}`] : [];
      },
    ),
  );
  expect(statically).toEqual([]);
  // The index of the search is made of the words when the program is built.
  expect(files.filter((file) => readFileSync(join(root, file), "utf8").includes("words.txt"))).toEqual([]);
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
  const speakers = files.filter((file) => /"@modelcontextprotocol\//.test(readFileSync(join(root, file), "utf8")));
  expect(speakers.filter((file) => !["mcp", "commands"].includes(top(file)))).toEqual([]);
  expect(speakers).toContain("mcp/server.ts");
});

const general =
  "language schema time system search telemetry secrets rows arguments wire guard policy audit profiles results query calls answers charts mcp".split(
    " ",
  );
const services = await allServices("documents");
const tools = [...services.flatMap(({ operations }) => Object.keys(operations)), ...Object.keys(workflows)];

describe("every source that serves all services", () =>
  lawsOver(
    files.filter((file) => general.includes(top(file))),
    (law, file) => {
      const source = readFileSync(join(root, file), "utf8");

      law("imports no service", () => {
        expect((graph.get(file) ?? []).filter((path) => top(path) === "tools" && path !== "tools/index.ts")).toEqual(
          [],
        );
      });

      // Tools that belong to no service serve all of them; their names stand in one place.
      law("names no tool", () => {
        const words = new Set(source.match(/\b[a-z][a-z0-9]*(_[a-z0-9]+)+\b/g));
        expect(tools.filter((tool) => words.has(tool))).toEqual(
          file === "language/own-tools.ts" ? Object.values(ownTools).sort() : [],
        );
      });

      law("compares nothing with a service's id or name", () => {
        const names = services.flatMap(({ id, name }) => [id, name]);
        const compared = [...source.matchAll(/(?:[!=]==\s*|\bcase\s+)"([\w-]+)"/g)].map(([, word]) => word);
        expect(compared.filter((word) => names.includes(word ?? ""))).toEqual([]);
      });
    },
  ));

it("reads the environment in one place", () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(join(root, file), "utf8")));
  expect(readers).toEqual(["server.ts"]);
});
