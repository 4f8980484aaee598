/** Holds guides and prompts to the declarations: whatever one names is declared, or it is refused with file and line. */
import { readdirSync } from "node:fs";
import { isNode, LineCounter, parseDocument } from "yaml";
import { effectOf } from "../src/language/effect.js";
import { type Life, statesOf } from "../src/language/guide.js";
import { mediaList } from "../src/language/media.js";
import { stops, type ValuesSource } from "../src/language/prompt.js";
import { isLive } from "../src/language/reading.js";
import type { Apis, Service } from "../src/language/service.js";
import { z } from "../src/language/z.js";
import { nounOf } from "../src/pages/guide-page.js";
import { argumentsSchema } from "../src/schema/arguments.js";
import { jsonSchemaOf } from "../src/schema/json-schema.js";
import {
  filesOf,
  guideFacts,
  guideFrom,
  promptFacts,
  promptFrom,
  type TextFile,
  type TextFileKind,
} from "../src/tools/guide-files.js";

const folder = "src/tools";

/** The files of all guides and prompts, from the folder of the services. */
export const guideFiles = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".md"));

/** Everything that a service declares, as one text: schemas with the names of members, rules, descriptions, notes. */
export const declaredText = (service: Service): string =>
  Object.entries(service.operations)
    .flatMap(([name, operation]) => {
      const { spec, route } = operation;
      const answers = Object.values(spec.returns).flatMap((declared) =>
        mediaList(declared).map(({ schema }) => JSON.stringify(jsonSchemaOf(schema, "output"))),
      );
      return [
        name,
        route,
        spec.does,
        spec.needs,
        spec.note,
        JSON.stringify(spec.example),
        JSON.stringify(jsonSchemaOf(argumentsSchema(operation), "input")),
        ...answers,
      ];
    })
    .concat(Object.values(service.rules), service.about)
    .join("\n");

/** Whether a text has a word that is no part of a longer one. */
export const holdsWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`).test(text);

/** Whether the answers of an operation have a member at a path, through lists and choices. */
function hasMember(schema: unknown, path: readonly string[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return true;
  if (typeof schema !== "object" || schema === null) return false;
  const { properties, items, anyOf, oneOf } = schema as Record<string, unknown>;
  const own = (properties as Record<string, unknown> | undefined)?.[first];
  if (own !== undefined && hasMember(own, rest)) return true;
  return [items, ...((anyOf ?? oneOf ?? []) as unknown[])].some((inner) => hasMember(inner, path));
}

const answersHave = ({ operations }: Service, tool: string, at: string): boolean =>
  Object.values(operations[tool]?.spec.returns ?? {}).some((declared) =>
    mediaList(declared).some(({ schema }) => hasMember(jsonSchemaOf(schema, "output"), at.split("."))),
  );

/** The line of a place in the front matter of a file, or of what is around it. */
function lineAt(front: string, place: readonly PropertyKey[]): number {
  const lineCounter = new LineCounter();
  const document = parseDocument(front, { lineCounter });
  for (let length = place.length; length > 0; length -= 1) {
    const node = document.getIn(place.slice(0, length), true);
    if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line;
  }
  return 1;
}

/** What is wrong at a place of the front matter. */
const faultAt = ({ path, front }: TextFile, place: readonly PropertyKey[], what: string): string =>
  `${folder}/${path}:${lineAt(front, place)}: ${what}`;

/** What the names in a guide or a prompt can mean. */
interface Declared {
  readonly service: Service;
  readonly services: readonly Service[];
  /** All tools with the service's setting. */
  readonly tools: ReadonlyMap<string, unknown>;
}

function faultsOfLife(file: TextFile, at: number, life: Life, service: Service, text: string): string[] {
  const { operations, name } = service;
  const fault = (place: readonly PropertyKey[], what: string) => faultAt(file, ["lives", at, ...place], what);
  const ofTools = life.moves.flatMap(({ by }, index) => {
    if (by === undefined) return [];
    const operation = operations[by];
    if (operation === undefined) return fault(["moves", index, "by"], `${by} is no operation of ${name}`);
    return effectOf(operation) === "read" ? fault(["moves", index, "by"], `${by} changes nothing`) : [];
  });
  const { shown } = life;
  if (shown === undefined) return ofTools;
  const ofStates = statesOf(life)
    .filter((state) => !holdsWord(text, state))
    .map((state) => {
      const index = life.moves.findIndex(({ from, to }) => [from, to].includes(state));
      return fault(["moves", index], `${name} declares no state ${state}`);
    });
  const isShown = answersHave(service, shown.by, shown.at);
  return [...ofTools, ...(isShown ? [] : [fault(["shown"], `no answer of ${shown.by} has ${shown.at}`)]), ...ofStates];
}

function faultsOfGuide({ service, tools }: Declared, files: readonly TextFile[]): string[] {
  const { id, name, rules, operations } = service;
  const text = declaredText(service);
  const around = [...Object.keys(operations), ...[...tools.keys()].filter((tool) => tool.startsWith(`${id}_`))];
  const nouns = new Set(around.map((tool) => nounOf(tool, id)));
  const limiting = files.findLast((file) => guideFacts(file).limits !== undefined);
  return files.flatMap((file) => {
    const { objects = {}, lives = [], limits = [] } = guideFacts(file);
    const noObjects = Object.keys(objects).filter((noun) => !nouns.has(noun));
    return [
      ...noObjects.map((noun) => faultAt(file, ["objects", noun], `no tool of ${name} is about the object ${noun}`)),
      ...lives.flatMap((life, at) => faultsOfLife(file, at, life, service, text)),
      ...limits.flatMap((limit, at) =>
        file !== limiting || (rules[limit] ?? operations[limit]?.spec.note) !== undefined
          ? []
          : faultAt(file, ["limits", at], `${limit} is neither a rule of ${name} nor a tool of it with a note`),
      ),
    ];
  });
}

/** Whether there is where the completion values of an argument are read. */
function isRead(argument: string, source: ValuesSource, { service, services }: Declared): boolean {
  if ("tool" in source) {
    const { tool, at } = source;
    const of = services.find(({ operations }) => Object.hasOwn(operations, tool));
    return of !== undefined && (at === undefined || answersHave(of, tool, at));
  }
  const found = service.resources?.find(({ address }) => address === source.resource);
  return found !== undefined && isLive(found.content) && Object.hasOwn(found.content.values ?? {}, argument);
}

function faultsOfPrompt(declared: Declared, files: readonly TextFile[]): string[] {
  const { service, tools } = declared;
  const { task, steps, arguments: known } = promptFrom(service.name, files);
  const asking = files.findLast((file) => promptFacts(file).facts.arguments !== undefined);
  const ofArguments = Object.entries((asking && promptFacts(asking).facts.arguments) ?? {}).flatMap(
    ([name, { values }]) =>
      asking === undefined || values === undefined || isRead(name, values, declared)
        ? []
        : faultAt(asking, ["arguments", name, "values"], `no answer or resource has these values of ${name}`),
  );
  const inBraces = new Set([...known.map(({ name }) => name), ...Object.keys(stops)]);
  // What begins as the names of tools do is the name of one.
  const beginnings = new Set([...tools.keys()].map((tool) => tool.split("_")[0]));
  const ofWords = [...[task, ...steps].join("\n").matchAll(/\{(\w+)\}|\b[a-z]+(?:_[a-z0-9]+)+\b/g)].flatMap(
    ([word, argument]) => {
      const isKnown =
        argument === undefined ? tools.has(word) || !beginnings.has(word.split("_")[0]) : inBraces.has(argument);
      const file = files.findLast(({ body }) => body.includes(word));
      if (isKnown || file === undefined) return [];
      const before = `${file.front}\n---\n${file.body.slice(0, file.body.indexOf(word))}`;
      return `${folder}/${file.path}:${before.split("\n").length}: there is no ${argument ? "argument" : "tool"} ${word}`;
    },
  );
  return [...ofArguments, ...ofWords];
}

/** What does not have the form of a guide or a prompt, each with file and line. */
function faultsOfForm(file: TextFile, read: (file: TextFile) => unknown): string[] {
  try {
    read(file);
    return [];
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return error.issues.map(({ path, message }) => faultAt(file, path, [...path, message].join(" ")));
  }
}

/**
 * What is wrong in the guide or the prompt of a service, each with file and line.
 * @param files Its file, after the one that it extends.
 */
export function faultsIn(kind: TextFileKind, declared: Declared, files: readonly TextFile[]): string[] {
  const [last] = files.slice(-1);
  if (last === undefined) return kind === "guide" ? [`${folder}: ${declared.service.name} has no guide`] : [];
  const [facts, whole, faults] =
    kind === "guide"
      ? ([guideFacts, guideFrom, faultsOfGuide] as const)
      : ([promptFacts, (all: readonly TextFile[]) => promptFrom(declared.service.name, all), faultsOfPrompt] as const);
  const ofForm = files.flatMap((file) => faultsOfForm(file, facts));
  if (ofForm.length > 0) return ofForm;
  const ofWhole = faultsOfForm(last, () => whole(files));
  return ofWhole.length > 0 ? ofWhole : faults(declared, files);
}

/**
 * What is wrong in all guides and prompts, and which files belong to no service.
 * @param tools All tools of each setting, by name.
 */
export function faultsInAll(services: readonly Service[], tools: Readonly<Record<Apis, Declared["tools"]>>): string[] {
  const read = new Set<string>();
  const faults = services.flatMap((service) =>
    (["guide", "prompt"] as const).flatMap((kind) => {
      const files = filesOf(kind, service.name);
      for (const { path } of files) read.add(path);
      const setting = service.document === "today" ? "today" : "documents";
      return faultsIn(kind, { service, services, tools: tools[setting] }, files);
    }),
  );
  const foreign = guideFiles().filter((path) => !read.has(path));
  return [...faults, ...foreign.map((path) => `${folder}/${path}:1: it is of no service`)];
}
