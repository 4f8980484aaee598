/**
 * The imported definitions of a process: those in the box, and before them those of the operator's folder. The index is
 * read when the first name is looked up, and a definition when one of its operations is.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { AnyOperation } from "../language/define.js";
import { Failure } from "../language/failure.js";
import { parsedJson } from "../language/json.js";
import { lazily } from "../language/once-for.js";
import { type ArgumentsSchema, argumentsSchemaOf } from "./arguments-schema.js";
import type { CompiledOperation, Definition } from "./definition.js";
import { effectOfRoute, type ImportedEffect } from "./effect.js";
import { titleOf } from "./names.js";

/** A definition without its operations' facts. */
export interface Summary extends Pick<Definition, "id" | "title" | "base" | "version" | "dated" | "digest"> {
  /** Method and full path of each operation, by its name. */
  readonly operations: Readonly<Record<string, string>>;
  /** The operations that the definition itself guards. */
  readonly guarded?: readonly string[];
  /** The declared tool with the same method and path, by the operation's name. */
  readonly declared?: Readonly<Record<string, string>>;
}

/** The file that lists the definitions of a folder. */
export interface Index {
  readonly form: 1;
  readonly definitions: readonly Summary[];
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
  readonly summary: Summary;
  /** The service and the name of the declared tool with the same method and path, which goes before this one where it is offered. */
  readonly declaredBy?: string;
  /** Its facts, and those of its definition. */
  readonly facts: () => { readonly compiled: CompiledOperation; readonly definition: Definition };
  readonly schema: () => ArgumentsSchema;
  /** Its declaration, for a call. */
  readonly operation: () => Promise<AnyOperation>;
}

/** The imported operations. */
export interface Library {
  readonly summaries: () => readonly Summary[];
  /** An operation by its name; undefined if there is none. */
  find(name: string): ImportedTool | undefined;
}

/** The text of a file in a folder of definitions, compressed or not; undefined if there is none. */
export function textIn(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  if (existsSync(`${path}.br`)) return brotliDecompressSync(readFileSync(`${path}.br`)).toString("utf8");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** @throws Failure `bad_configuration` if the file is damaged, or of a later version. */
export function readIndex(folder: string): Index | undefined {
  const text = textIn(folder, "index.json");
  if (text === undefined) return undefined;
  const index = parsedJson(text) as Index | undefined;
  if (index?.form === 1 && Array.isArray(index.definitions)) return index;
  throw new Failure("bad_configuration", `The imported definitions in ${folder} cannot be read.`, {
    why: "Another version of this program wrote them, or the file is damaged.",
    next: "Import them again with `edgewise import`, or start with --imported off.",
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
interface Opened {
  readonly summary: Summary;
  readonly definition: () => Definition;
}

/** The definitions of some folders: of each API the first one. */
function openAll(folders: readonly string[]): readonly Opened[] {
  const bases = new Set<string>();
  return folders.flatMap((folder) => {
    const own = readIndex(folder)?.definitions.filter(({ base }) => !bases.has(base)) ?? [];
    for (const { base } of own) bases.add(base);
    return own.map((summary) => ({
      summary,
      definition: lazily(() => JSON.parse(textIn(folder, `${summary.id}.json`) ?? "{}") as Definition),
    }));
  });
}

function toolOf(
  name: string,
  { summary, definition }: Opened,
  { overrides = {}, isSampled = false }: LibraryOptions,
): ImportedTool {
  const route = summary.operations[name] ?? "";
  const own = effectOfRoute(route, summary.digest);
  const raised = own === "read" && summary.guarded?.includes(name) ? "overwrite" : own;
  const lowered = raised !== "read" && Object.hasOwn(overrides, route) ? overrides[route] : undefined;
  const effect = lowered === "read" ? "read" : raised;
  const isLowered = lowered !== undefined;
  const title = titleOfRoute(route, summary);
  const facts = () => {
    const compiled = definition().operations[name];
    if (compiled === undefined || definition().digest !== summary.digest)
      throw new Failure("bad_configuration", "The imported definitions were replaced since they were first used.", {
        next: "Restart the server.",
      });
    return { definition: definition(), compiled };
  };
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
    schema: lazily(() => argumentsSchemaOf(facts().compiled, definition(), effect !== "read" && !isLowered)),
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
export function openLibrary(folders: readonly string[], options: LibraryOptions = {}): Library {
  const opened = lazily(() => openAll(folders));
  const byName = lazily(
    () => new Map(opened().flatMap((one) => Object.keys(one.summary.operations).map((name) => [name, one] as const))),
  );
  const tools = new Map<string, ImportedTool>();
  return {
    summaries: () => opened().map(({ summary }) => summary),
    find(name) {
      const listed = byName().get(name);
      if (listed === undefined) return undefined;
      const tool = tools.get(name) ?? toolOf(name, listed, options);
      tools.set(name, tool);
      return tool;
    },
  };
}
