/** The searchable documents of imported operations, in the words of their routes and of what people call their API. */
import { neededBy, type SearchDocument } from "../search/documents.js";
import { argumentsSchemaOf, parametersOf } from "./arguments-schema.js";
import type { CompiledOperation, Definition } from "./definition.js";
import { importedEffectOf } from "./effect.js";
import { knownApi } from "./known-apis.js";
import { titleOfRoute } from "./library.js";
import { singular, wordsIn } from "./names.js";

// More names of members than this are of details.
const mostWords = 120;

/** What people call the objects in a path. */
function objectWords(route: string, objects: Readonly<Record<string, string>> = {}): string[] {
  const words = wordsIn(route.slice(route.indexOf("/"))).map(singular);
  const text = ` ${words.join(" ")} `;
  return Object.entries(objects).flatMap(([object, phrase]) => {
    const own = wordsIn(object).map(singular).join(" ");
    return text.includes(` ${own} `) ? [phrase] : [];
  });
}

/** How people ask for each verb. */
const verbWords: Readonly<Record<string, string>> = {
  GET: "show get read view",
  POST: "create add new",
  PUT: "change update edit set modify replace",
  PATCH: "change update edit modify",
  DELETE: "delete remove drop",
  HEAD: "check exists",
};

/** What people say when they mean an operation, by its name. */
export type Phrases = Readonly<Record<string, readonly string[]>>;

function documentOf(
  name: string,
  operation: CompiledOperation,
  definition: Definition,
  phrases: readonly string[],
): SearchDocument {
  const { route } = operation;
  const { base, digest, id, title } = definition;
  const api = knownApi(base);
  const effect = importedEffectOf(operation, digest);
  const does = titleOfRoute(route, definition);
  const needs = neededBy(argumentsSchemaOf(operation, definition, effect !== "read"));
  const [method = ""] = route.split(" ");
  const members = Object.keys(
    operation.body?.shape === undefined ? {} : (definition.shapes[operation.body.shape]?.properties ?? {}),
  );
  return {
    id: name,
    home: id,
    name: `${name.replaceAll("_", " ")} ${wordsIn(route.slice(route.indexOf("/"))).join(" ")}`,
    said: [`${does} ${operation.says ?? ""}`, ...phrases, ...objectWords(route, api?.objects)],
    does: `${does} ${verbWords[method] ?? ""}`,
    service: [title, api?.about ?? "", ...(api?.words ?? [])].join(" "),
    arguments: [...Object.keys(parametersOf(operation)), ...members].flatMap(wordsIn).slice(0, mostWords).join(" "),
    found: {
      tool: name,
      effect: effect === "read" ? "read" : "destructive",
      ...(needs === undefined ? {} : { needs }),
    },
  };
}

/** The documents of all operations of some definitions. */
export const documentsOfDefinitions = (definitions: readonly Definition[], phrases: Phrases): SearchDocument[] =>
  definitions.flatMap((definition) =>
    Object.entries(definition.operations).map(([name, operation]) =>
      documentOf(name, operation, definition, Object.hasOwn(phrases, name) ? (phrases[name] ?? []) : []),
    ),
  );
