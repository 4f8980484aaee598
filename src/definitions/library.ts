/**
 * The imported definitions of a process: those in the box, and before them those of the operator's folder. The index is
 * read when the first name is looked up, and a definition when one of its operations is. A definition is untrusted text:
 * it can raise a guard and never lower one, and its facts are checked again before a call uses them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { AnyOperation } from "../language/define.js";
import { Failure } from "../language/failure.js";
import { isRecord } from "../language/member.js";
import { lazily } from "../language/once-for.js";
import { parsedJson } from "../text/parsed-json.js";
import { type ArgumentsSchema, argumentsSchemaOf } from "./arguments-schema.js";
import { correctFacts } from "./corrections.js";
import type { CompiledOperation, Definition } from "./definition.js";
import { effectOfRoute, type ImportedEffect, importedEffectOf } from "./effect.js";
import { wireRefusal } from "./let-through.js";
import { titleOf } from "./names.js";

/** A definition without its operations' facts. */
export interface DefinitionSummary extends Pick<Definition, "id" | "title" | "base" | "version" | "dated" | "digest"> {
  /** Method and full path of each operation, by its name. */
  readonly operations: Readonly<Record<string, string>>;
  /** The operations that are guarded although their routes read: by their definition, or by an argument that they have. */
  readonly guarded?: readonly string[];
  /** The declared tool with the same method and path, by the operation's name. */
  readonly declared?: Readonly<Record<string, string>>;
}

/** The file that lists the definitions of a folder. */
export interface DefinitionIndex {
  readonly form: 1;
  readonly definitions: readonly DefinitionSummary[];
}

/** The guards that the operator lowered: by `METHOD /path`, the effect that the operation has instead. */
export type Overrides = Readonly<Record<string, "read" | "update">>;

/** An imported operation, before its facts are read. */
export interface ImportedTool {
  readonly name: string;
  readonly route: string;
  readonly title: string;
  readonly effect: ImportedEffect;
  /** Whether the operator lowered its guard. */
  readonly isLowered: boolean;
  readonly summary: DefinitionSummary;
  /** The service and the name of the declared tool with the same method and path, which goes before this one where it is offered. */
  readonly declaredBy?: string;
  /** Its facts, and those of its definition. */
  readonly facts: () => { readonly compiled: CompiledOperation; readonly definition: Definition };
  readonly schema: () => ArgumentsSchema;
  /** Its declaration, for a call. */
  readonly operation: () => Promise<AnyOperation>;
}

/** The imported operations. */
export interface OperationLibrary {
  readonly summaries: () => readonly DefinitionSummary[];
  /** An operation by its name; undefined if there is none. */
  find(name: string): ImportedTool | undefined;
}

const maxOutputLength = 256 * 1024 * 1024;

/** The text of a file in a folder of definitions, compressed or not; undefined if there is none. */
export function compiledText(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  if (existsSync(`${path}.br`))
    return brotliDecompressSync(readFileSync(`${path}.br`), { maxOutputLength }).toString("utf8");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

const isTextRecord = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((one) => typeof one === "string");

/** Whether a text is the prefix of the operations of an API, which is also the name of its file. */
export const isApiId = (text: unknown): boolean => typeof text === "string" && /^[a-z0-9_]{1,64}$/.test(text);

/** Whether a text is the name of an imported operation: of words that are joined, so that no member of all objects has it. */
export const isOperationName = (text: string): boolean => /^(?=.{1,64}$)[a-z0-9]+(?:_+[a-z0-9]+)+$/.test(text);

/** Whether a value from an index is a summary of this form. */
function isSummary(value: unknown): value is DefinitionSummary {
  if (!isRecord(value)) return false;
  const { operations, guarded = [], declared = {} } = value;
  return (
    ["id", "title", "base", "version", "dated", "digest"].every((name) => typeof value[name] === "string") &&
    isApiId(value["id"]) &&
    isTextRecord(operations) &&
    Object.keys(operations as object).every(isOperationName) &&
    Array.isArray(guarded) &&
    isTextRecord(declared)
  );
}

/** @throws Failure `bad_configuration` if the file is damaged, or of a later version. */
export function readIndex(folder: string): DefinitionIndex | undefined {
  const text = compiledText(folder, "index.json");
  if (text === undefined) return undefined;
  const index = parsedJson(text);
  if (
    isRecord(index) &&
    index["form"] === 1 &&
    Array.isArray(index["definitions"]) &&
    index["definitions"].every(isSummary)
  )
    return index as unknown as DefinitionIndex;
  throw new Failure("bad_configuration", `The imported definitions in ${folder} cannot be read.`, {
    why: "Another version of this program wrote them, or the file is damaged.",
    next: "Remove its index.json and import them again with `edgewise import`, or start with --imported off.",
  });
}

const importAgain =
  "Import the API again with `edgewise import`, or remove it with `edgewise imports remove`; then restart the server.";

/**
 * The definition of a summary, from its file.
 * @throws Failure `bad_configuration` if the file is not of this form, or not the one of which the summary is.
 */
export function readDefinition(folder: string, { id, digest }: DefinitionSummary): Definition {
  const definition = parsedJson(compiledText(folder, `${id}.json`) ?? "");
  const isWhole =
    isRecord(definition) &&
    definition["form"] === 1 &&
    isRecord(definition["operations"]) &&
    Array.isArray(definition["shapes"]);
  if (isWhole && definition["digest"] === digest) return definition as unknown as Definition;
  throw new Failure("bad_configuration", `The imported definition ${id} in ${folder} cannot be used.`, {
    why: isWhole
      ? "It is not the one in the index there: definitions were imported since this program read it."
      : "Its file is damaged, or another version of this program wrote it.",
    next: isWhole ? "Restart the server." : importAgain,
  });
}

/** The effect of an operation by its route, which its definition may raise. */
export function effectIn({ digest, operations, guarded = [] }: DefinitionSummary, name: string): ImportedEffect {
  const effect = effectOfRoute(operations[name] ?? "", digest);
  return effect === "read" && guarded.includes(name) ? "overwrite" : effect;
}

/**
 * The facts of an operation, which are checked because a file can be older than this program, or have been changed.
 * @throws Failure `bad_configuration` if something of it must not reach the wire, or if its effect is not that of the summary.
 */
export function compiledOperationOf(
  name: string,
  summary: DefinitionSummary,
  { digest, operations }: Definition,
): CompiledOperation {
  const compiled = Object.hasOwn(operations, name) ? operations[name] : undefined;
  const why = !isRecord(compiled)
    ? "the definition does not have it"
    : (wireRefusal(compiled, summary.base) ??
      (compiled.route === summary.operations[name] && importedEffectOf(compiled, digest) === effectIn(summary, name)
        ? undefined
        : "the index shows another route or another effect"));
  if (compiled !== undefined && why === undefined) return compiled;
  throw new Failure("bad_configuration", `The imported operation ${name} cannot be used, because ${why}.`, {
    why: "Another version of this program compiled its definition, or the file was changed. Nothing was sent.",
    next: importAgain,
  });
}

/** The path of an operation without that of its API. */
const ownPath = (route: string, base: string): string => route.slice(route.indexOf(" ") + 1 + base.length);

/** The title of an operation, in words of its method and path. */
export const titleOfRoute = (route: string, { base, digest }: Pick<Definition, "base" | "digest">): string =>
  titleOf(
    { method: route.slice(0, route.indexOf(" ")), path: ownPath(route, base) },
    effectOfRoute(route, digest) === "read",
  );

/** How imported operations are offered. */
interface LibraryOptions {
  readonly overrides?: Overrides;
  /** Whether the emulator answers, whose answers are samples. */
  readonly isSampled?: boolean;
}

/** A definition of a folder, which is read when one of its operations is. */
interface LazyDefinition {
  readonly summary: DefinitionSummary;
  readonly definition: () => Definition;
}

/** The definitions of some folders: of each API the first one. */
function openAll(folders: readonly string[]): readonly LazyDefinition[] {
  const bases = new Set<string>();
  return folders.flatMap((folder) => {
    const summaries = readIndex(folder)?.definitions.filter(({ base }) => !bases.has(base)) ?? [];
    for (const { base } of summaries) bases.add(base);
    return summaries.map((summary) => ({
      summary,
      definition: lazily(() => readDefinition(folder, summary)),
    }));
  });
}

/** An operation of a definition, by its name. */
export function toolOf(
  name: string,
  { summary, definition }: LazyDefinition,
  { overrides = {}, isSampled = false }: LibraryOptions = {},
): ImportedTool {
  const route = summary.operations[name] ?? "";
  const raised = effectIn(summary, name);
  const lowered = raised !== "read" && Object.hasOwn(overrides, route) ? overrides[route] : undefined;
  const effect = lowered === "read" ? "read" : raised;
  const isLowered = lowered !== undefined;
  const title = titleOfRoute(route, summary);
  const facts = lazily(() =>
    correctFacts({ definition: definition(), compiled: compiledOperationOf(name, summary, definition()) }),
  );
  const declaredBy = summary.declared?.[name];
  return {
    name,
    route,
    title,
    effect,
    isLowered,
    summary,
    ...(declaredBy === undefined ? {} : { declaredBy }),
    facts,
    schema: lazily(() => argumentsSchemaOf(facts().compiled, facts().definition, effect !== "read" && !isLowered)),
    operation: lazily(async () => {
      const { importedOperation } = await import("./operation.js");
      return importedOperation({ ...facts(), effect, isLowered, isSampled, title });
    }),
  };
}

/**
 * Opens the definitions of some folders.
 * @param folders Earlier ones go before later ones: of each API only the first definition is used.
 */
export function openLibrary(folders: readonly string[], options: LibraryOptions = {}): OperationLibrary {
  const definitions = lazily(() => openAll(folders));
  const byName = lazily(
    () =>
      new Map(definitions().flatMap((one) => Object.keys(one.summary.operations).map((name) => [name, one] as const))),
  );
  const tools = new Map<string, ImportedTool>();
  return {
    summaries: () => definitions().map(({ summary }) => summary),
    find(name) {
      const definition = byName().get(name);
      if (definition === undefined) return undefined;
      const tool = tools.get(name) ?? toolOf(name, definition, options);
      tools.set(name, tool);
      return tool;
    },
  };
}
