/**
 * The vendor's definitions themselves, where they lie next to the project: a plain second reader counts their routes, and the
 * box is what an import of them makes.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boxedDefinitions } from "../../scripts/box.js";
import type { Definition } from "../../src/definitions/definition.js";
import { importDefinitions } from "../../src/definitions/import.js";
import { givenBy } from "../../src/definitions/store.js";
import { inDepth } from "../lab/depth.js";
import { needs } from "../lab/needs.js";

const folder = "../shared/definitions";

/** The entry files below a folder. */
const entries = (dir: string): string[] =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) return entries(path);
    return /\.(json|yaml)$/.test(name) && /^[\s{]*"?openapi"?:\s*["']?3/m.test(readFileSync(path, "utf8"))
      ? [path]
      : [];
  });

const method = "get|put|post|delete|patch|head";

/** The methods in a text of YAML or JSON, at one indentation. */
const methodsIn = (text: string, indent: string): string[] =>
  [...text.matchAll(new RegExp(`^${indent}"?(${method})"?:`, "gm"))].map(([, name = ""]) => name.toUpperCase());

/** Routes by lines of text: no parser, so that it shares no fault with the import. */
function routesIn(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const base = /url"?:\s*"?https?:\/\/\{hostname\}([^"\s]*)/.exec(text)?.[1] ?? "";
  if (path.endsWith(".json")) {
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
    return Object.entries(paths).flatMap(([at, item]) =>
      Object.keys(item)
        .filter((name) => new RegExp(`^(${method})$`).test(name))
        .map((name) => `${name.toUpperCase()} ${base}${at}`),
    );
  }
  const paths = text
    .slice(text.search(/^paths:/m))
    .split(/^ {2}(?=\/)/m)
    .slice(1);
  return paths.flatMap((part) => {
    const [, at = ""] = /^(\S+?):?\s*$/m.exec(part) ?? [];
    const file = /^ {4}\$ref:\s*(\S+)/m.exec(part)?.[1];
    const names =
      file === undefined ? methodsIn(part, " {4}") : methodsIn(readFileSync(join(path, "..", file), "utf8"), "");
    return names.map((name) => `${name} ${base}${at}`);
  });
}

const plain = (route: string): string => route.replaceAll(/\{[^}]*\}/g, "{}");

describe("the vendor's definitions", needs.outside(existsSync(folder), "the vendor's definitions"), () => {
  it("vendor's definitions: the box has the routes a plain reader counts", () => {
    const apis = readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map(({ name }) => join(folder, name));
    const read = inDepth(
      apis,
      apis.filter((_, at) => at % 6 === 0),
    );
    const boxed = boxedDefinitions();
    const options = { given: givenBy(boxed), isTool: () => false, isService: () => false, withDescriptions: false };
    const { definitions } = importDefinitions(read, options);
    const imported = definitions.flatMap(({ operations }) =>
      Object.values(operations).map(({ route }) => plain(route)),
    );
    expect(imported.length).toBeGreaterThan(100);
    expect(imported.toSorted()).toEqual([...new Set(read.flatMap(entries).flatMap(routesIn).map(plain))].toSorted());
    const ids = new Set(definitions.map(({ id }) => id));
    const undated = (all: readonly Definition[]) =>
      all.map(({ dated: _, ...rest }) => rest).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(undated(definitions)).toEqual(undated(boxed.filter(({ id }) => ids.has(id))));
  });
});
