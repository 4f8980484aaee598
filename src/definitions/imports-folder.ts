/** The operator's folder of imported definitions: what is in it, what an import would change, and its writing. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, quoteValue } from "../language/failure.js";
import { isRecord } from "../language/member.js";
import { parsedJson } from "../text/parsed-json.js";
import type { Definition } from "./definition.js";
import type { Phrases } from "./documents.js";
import type { ImportedEffect } from "./effect.js";
import type { GivenNames } from "./import.js";
import {
  compiledOperationOf,
  compiledText,
  type DefinitionSummary,
  effectIn,
  isApiId,
  isOperationName,
  readDefinition,
  readIndex,
} from "./library.js";
import { type DeclaredRoutes, definitionFiles, givenBy, writeFolder } from "./store.js";

/** The other files: the names that were given once, and the sources of the definitions. */
const [namesFile, sourcesFile] = ["names.lock.json", "sources.json"];

const recordIn = (folder: string, file: string): Readonly<Record<string, unknown>> => {
  const path = join(folder, file);
  const found = existsSync(path) ? parsedJson(readFileSync(path, "utf8")) : undefined;
  return isRecord(found) ? found : {};
};

/**
 * The definitions in a folder.
 * @param isWanted Those that are read; all by default. A damaged one can be left out in this way.
 * @throws Failure `bad_configuration` for one that is damaged, or that cannot be used any more.
 */
export const definitionsIn = (
  folder: string,
  isWanted: (one: DefinitionSummary) => boolean = () => true,
): Definition[] =>
  (readIndex(folder)?.definitions ?? []).filter(isWanted).map((summary) => {
    const definition = readDefinition(folder, summary);
    for (const name of Object.keys(definition.operations)) compiledOperationOf(name, summary, definition);
    return definition;
  });

/** The paths from which a folder was imported. */
export const sourcesIn = (folder: string): readonly string[] => {
  const { paths } = recordIn(folder, sourcesFile);
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
};

/** What people say when they mean an operation of the box, for the search. */
export const phrasesIn = (box: string): Phrases =>
  (parsedJson(compiledText(box, "words.json") ?? "{}") ?? {}) as Phrases;

/** Whether a value has the names of one API: its id is the name of a file, and the others are those of operations. */
const isGiven = (value: unknown): value is GivenNames[string] =>
  isRecord(value) &&
  isApiId(value["id"]) &&
  isRecord(value["names"]) &&
  Object.values(value["names"]).every((name) => typeof name === "string" && isOperationName(name));

/**
 * The names that were given before: in the folder, or else in the box.
 * @throws Failure `bad_configuration` if the file of the folder has something else.
 */
export function namesGiven(folder: string, boxed: readonly Definition[]): GivenNames {
  const storedNames = recordIn(folder, namesFile);
  const wrong = Object.keys(storedNames).find((base) => !isGiven(storedNames[base]));
  if (wrong !== undefined)
    throw new Failure(
      "bad_configuration",
      `${join(folder, namesFile)} cannot be used: ${quoteValue(wrong)} is not of its form.`,
      {
        why: "Each member is the path of an API with its id, and the names of its operations.",
        next: "Correct it, or remove the file: names are then given anew.",
      },
    );
  return { ...givenBy(boxed), ...(storedNames as GivenNames) };
}

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
export interface ImportDifference {
  readonly id: string;
  readonly added: readonly string[];
  readonly gone: readonly string[];
  /** The operations whose effect differs, with both. */
  readonly changed: readonly { readonly route: string; readonly before: string; readonly after: string }[];
}

/** The effects of the operations of a definition, by their routes. */
const effectsIn = (summary: DefinitionSummary): ReadonlyMap<string, ImportedEffect> =>
  new Map(Object.entries(summary.operations).map(([name, route]) => [route, effectIn(summary, name)]));

/** The differences between the definitions of an API; undefined if there are none. */
function differenceOf(before: DefinitionSummary, after: DefinitionSummary): ImportDifference | undefined {
  const [old, now] = [effectsIn(before), effectsIn(after)];
  const added = [...now.keys()].filter((route) => !old.has(route));
  const gone = [...old.keys()].filter((route) => !now.has(route));
  const changed = [...now].flatMap(([route, is]) => {
    const was = old.get(route);
    return was === undefined || was === is ? [] : [{ route, before: was, after: is }];
  });
  return added.length + gone.length + changed.length === 0 ? undefined : { id: after.id, added, gone, changed };
}

/** What an import changes, API by API. */
export const differencesTo = (
  before: readonly DefinitionSummary[],
  after: readonly DefinitionSummary[],
): ImportDifference[] =>
  after.flatMap((summary) => {
    const known = before.find(({ base }) => base === summary.base);
    return (known && differenceOf(known, summary)) ?? [];
  });

/** The definitions of a folder, with newer ones in place of those of the same APIs. */
export const mergedInto = (folder: string, newer: readonly Definition[]): Definition[] => [
  ...definitionsIn(folder, ({ base }) => !newer.some((one) => one.base === base)),
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
    given: priorApis,
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
    Object.entries({ ...priorApis, ...named }).map(([base, api]) => [
      base,
      { ...api, names: { ...(Object.hasOwn(priorApis, base) ? priorApis[base]?.names : {}), ...api.names } },
    ]),
  );
  const before = readIndex(folder)?.definitions ?? [];
  const files = {
    ...definitionFiles(definitions, routes, phrases),
    [namesFile]: JSON.stringify(names),
    [sourcesFile]: JSON.stringify({ paths }),
  };
  writeFolder(folder, files);
  // The folder may have files of others, so that it is never emptied.
  for (const { id } of before)
    if (!Object.hasOwn(files, `${id}.json`)) rmSync(join(folder, `${id}.json`), { force: true });
}
