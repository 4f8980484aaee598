/** The operator's folder of imported definitions: what is in it, what an import would change, and its writing. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parsedJson } from "../language/json.js";
import { isRecord } from "../language/member.js";
import type { Definition } from "./definition.js";
import type { Phrases } from "./documents.js";
import { effectOfRoute } from "./effect.js";
import type { GivenNames } from "./import.js";
import { readIndex, type Summary, textIn } from "./library.js";
import { type DeclaredRoutes, filesOf, givenBy, writeFolder } from "./store.js";

/** The other files: the names that were given once, and the sources of the definitions. */
const [namesFile, sourcesFile] = ["names.lock.json", "sources.json"];

const recordIn = (folder: string, file: string): Readonly<Record<string, unknown>> => {
  const path = join(folder, file);
  const found = existsSync(path) ? parsedJson(readFileSync(path, "utf8")) : undefined;
  return isRecord(found) ? found : {};
};

/** The definitions in a folder. */
export const definitionsIn = (folder: string): Definition[] =>
  (readIndex(folder)?.definitions ?? []).map(
    ({ id }) => JSON.parse(textIn(folder, `${id}.json`) ?? "{}") as Definition,
  );

/** The paths from which a folder was imported. */
export const sourcesIn = (folder: string): readonly string[] => {
  const { paths } = recordIn(folder, sourcesFile);
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
};

/** What people say when they mean an operation of the box, for the search. */
export const phrasesIn = (box: string): Phrases => (parsedJson(textIn(box, "words.json") ?? "{}") ?? {}) as Phrases;

/** The names that were given before: in the folder, or else in the box. */
export const namesGiven = (folder: string, boxed: readonly Definition[]): GivenNames => ({
  ...givenBy(boxed),
  ...(recordIn(folder, namesFile) as GivenNames),
});

/** The digest of an import, by which it can be pinned. */
export const digestOf = (definitions: readonly Definition[]): string =>
  createHash("sha256")
    .update(
      definitions
        .map(({ base, digest }) => `${base} ${digest}`)
        .sort()
        .join("\n"),
    )
    .digest("hex");

/** What an import changes in an API that was known before. */
export interface Difference {
  readonly id: string;
  readonly added: readonly string[];
  readonly gone: readonly string[];
  /** The operations whose effect differs, with both. */
  readonly changed: readonly { readonly route: string; readonly before: string; readonly after: string }[];
}

/** The effect of a route in a definition, whose own extensions may raise it. */
function effectIn({ digest, operations, guarded = [] }: Summary, route: string): string {
  const effect = effectOfRoute(route, digest);
  const name = Object.keys(operations).find((one) => operations[one] === route) ?? "";
  return effect === "read" && guarded.includes(name) ? "overwrite" : effect;
}

/** The differences between the definitions of an API; undefined if there are none. */
function differenceOf(before: Summary, after: Summary): Difference | undefined {
  const [old, now] = [before, after].map(({ operations }) => Object.values(operations));
  const added = (now ?? []).filter((route) => !old?.includes(route));
  const gone = (old ?? []).filter((route) => !now?.includes(route));
  const changed = (now ?? []).flatMap((route) => {
    const [was, is] = [effectIn(before, route), effectIn(after, route)];
    return old?.includes(route) && was !== is ? [{ route, before: was, after: is }] : [];
  });
  return added.length + gone.length + changed.length === 0 ? undefined : { id: after.id, added, gone, changed };
}

/** What an import changes, API by API. */
export const differencesTo = (before: readonly Summary[], after: readonly Summary[]): Difference[] =>
  after.flatMap((one) => {
    const known = before.find(({ base }) => base === one.base);
    return (known && differenceOf(known, one)) ?? [];
  });

/** The definitions of a folder, with newer ones in place of those of the same APIs. */
export const mergedInto = (folder: string, newer: readonly Definition[]): Definition[] => [
  ...definitionsIn(folder).filter(({ base }) => !newer.some((one) => one.base === base)),
  ...newer,
];

/**
 * Writes the operator's folder file by file, and removes the files of definitions that it no longer has.
 * @param definitions All that it has from now on.
 * @param paths Where they came from.
 */
export function writeImports(
  folder: string,
  definitions: readonly Definition[],
  {
    paths,
    given,
    routes,
    phrases,
  }: {
    readonly paths: readonly string[];
    readonly given: GivenNames;
    readonly routes: DeclaredRoutes;
    readonly phrases: Phrases;
  },
): void {
  const named = givenBy(definitions);
  // Names of operations that are gone stay given, in case that they return.
  const names = Object.fromEntries(
    Object.entries({ ...given, ...named }).map(([base, one]) => [
      base,
      { ...one, names: { ...given[base]?.names, ...one.names } },
    ]),
  );
  const before = readIndex(folder)?.definitions ?? [];
  const files = {
    ...filesOf(definitions, routes, phrases),
    [namesFile]: JSON.stringify(names),
    [sourcesFile]: JSON.stringify({ paths }),
  };
  writeFolder(folder, files);
  // The folder may have files of others, so that it is never emptied.
  for (const { id } of before)
    if (!Object.hasOwn(files, `${id}.json`)) rmSync(join(folder, `${id}.json`), { force: true });
}
