/** The definitions in the box: their compiled facts, which are part of the tree. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operationRows } from "../src/commands/operations.js";
import type { Definition } from "../src/definitions/definition.js";
import type { Phrases } from "../src/definitions/documents.js";
import { plainRoute } from "../src/definitions/route.js";
import { definitionFiles } from "../src/definitions/store.js";
import { allServices } from "../src/tools/index.js";

export const boxFolder = "src/definitions/box";

export const boxedDefinitions = (): Definition[] =>
  existsSync(boxFolder)
    ? readdirSync(boxFolder)
        .filter((file) => file.endsWith(".json"))
        .map((file) => JSON.parse(readFileSync(join(boxFolder, file), "utf8")) as Definition)
    : [];

/** The declared tools, each after the name of its service, by their routes without the names of their keys. */
export async function declaredRoutes(): Promise<ReadonlyMap<string, string>> {
  const all = operationRows(await allServices());
  return new Map(all.map(({ service, tool, method, path }) => [plainRoute(`${method} ${path}`), `${service} ${tool}`]));
}

const wordsFolder = "src/definitions/words";

/** What people say when they mean an operation of the box: each line has a name and a phrase. */
export function boxedPhrases(): Phrases {
  const phrases: Record<string, string[]> = {};
  for (const file of existsSync(wordsFolder) ? readdirSync(wordsFolder) : [])
    for (const line of readFileSync(join(wordsFolder, file), "utf8").trim().split("\n")) {
      const [, name = "", phrase = ""] = /^(\w+): (.+)$/.exec(line) ?? [];
      if (phrase === "") throw new Error(`${file} has the line ${JSON.stringify(line)}.`);
      phrases[name] = [...(phrases[name] ?? []), phrase];
    }
  return phrases;
}

/** The files of the box, as the program reads them. */
export async function boxFiles(): Promise<Readonly<Record<string, string>>> {
  const phrases = boxedPhrases();
  return {
    ...definitionFiles(boxedDefinitions(), await declaredRoutes(), phrases),
    "words.json": JSON.stringify(phrases),
  };
}
