/** Writes compiled definitions to a folder: one file an API, their index, and the index of the search. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { indexText } from "../search/index.js";
import { makeDirectory } from "../system/file-access.js";
import type { Definition } from "./definition.js";
import { documentsOfDefinitions, type Phrases } from "./documents.js";
import { effectOfRoute, importedEffectOf } from "./effect.js";
import type { GivenNames } from "./import.js";
import type { DefinitionIndex, DefinitionSummary } from "./library.js";
import { plainRoute } from "./route.js";

/** A declared tool by its route without the names of its keys. */
export type DeclaredRoutes = ReadonlyMap<string, string>;

/** A definition without its operations' facts. */
export function definitionSummaryOf(
  { id, title, base, version, dated, digest, operations }: Definition,
  routes: DeclaredRoutes,
): DefinitionSummary {
  const all = Object.entries(operations);
  const guarded = all.flatMap(([name, one]) =>
    effectOfRoute(one.route, digest) === "read" && importedEffectOf(one, digest) !== "read" ? [name] : [],
  );
  const declared = all.flatMap(([name, { route }]) => {
    const tool = routes.get(plainRoute(route));
    return tool === undefined ? [] : [[name, tool] as const];
  });
  return {
    id,
    title,
    base,
    version,
    dated,
    digest,
    operations: Object.fromEntries(all.map(([name, { route }]) => [name, route])),
    ...(guarded.length > 0 ? { guarded } : {}),
    ...(declared.length > 0 ? { declared: Object.fromEntries(declared) } : {}),
  };
}

/** The files of a folder of definitions, by name. */
export function definitionFiles(
  definitions: readonly Definition[],
  routes: DeclaredRoutes,
  phrases: Phrases,
): Readonly<Record<string, string>> {
  const index: DefinitionIndex = { form: 1, definitions: definitions.map((one) => definitionSummaryOf(one, routes)) };
  return {
    "index.json": JSON.stringify(index),
    "search.json": indexText(documentsOfDefinitions(definitions, phrases)),
    ...Object.fromEntries(definitions.map((one) => [`${one.id}.json`, JSON.stringify(one)])),
  };
}

/**
 * Writes files of definitions into a folder, each completely or not at all, and the index last.
 * @param isCompressed Whether they are compressed.
 */
export function writeFolder(folder: string, files: Readonly<Record<string, string>>, isCompressed = false): void {
  makeDirectory(folder);
  const names = Object.keys(files).toSorted(
    (one, other) => Number(one === "index.json") - Number(other === "index.json"),
  );
  for (const name of names) {
    const path = join(folder, isCompressed ? `${name}.br` : name);
    const text = files[name] ?? "";
    writeFileSync(`${path}.new`, isCompressed ? brotliCompressSync(text) : text);
    renameSync(`${path}.new`, path);
  }
}

/** The names that definitions give to their operations, for the next import. */
export const givenBy = (definitions: readonly Definition[]): GivenNames =>
  Object.fromEntries(
    definitions.map(({ base, id, operations }) => [
      base,
      {
        id,
        names: Object.fromEntries(
          Object.entries(operations).map(([name, { route }]) => [withoutBase(route, base), name]),
        ),
      },
    ]),
  );

/** A route without the base path of its API. */
const withoutBase = (route: string, base: string): string => {
  const [method = "", path = ""] = route.split(" ");
  return `${method} ${path.slice(base.length)}`;
};
