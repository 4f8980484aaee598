/** The generated catalogue of tools: the result of `tools/list`, and where each tool's declaration is. */
import { readFileSync } from "node:fs";
import type { ImportedTool, OperationLibrary } from "../definitions/library.js";
import type { Effect } from "../language/define.js";
import type { ApiStanding } from "../language/hint.js";
import { onceFor } from "../language/once-for.js";
import type { Introduction } from "../language/reading.js";
import type { Apis } from "../language/service.js";
import type { ResourceListing } from "../resources/index.js";
import type { PromptListing } from "../resources/prompts.js";
import type { JsonSchema } from "../schema/json-schema.js";

/** A tool as in `tools/list`. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** The properties of a tool that are known without loading its declaration. */
export interface ToolEntry {
  readonly service: string;
  /** For a workflow: the service that it works with, if there is only one. */
  readonly of?: string;
  readonly effect: Effect;
  /** Whether a short list has it. */
  readonly isFrontLine?: true;
  /** Whether no list has it where call tools can call it. */
  readonly isBehindCallTools?: true;
  /** Whether it serves all tools, so that every menu has it. */
  readonly servesAllTools?: true;
  /** Whether it makes the calls that it is given, so that its effect here is the gravest possible one. */
  readonly holdsCalls?: true;
  /** The required arguments for which a profile can have a default, with the name of that default. */
  readonly defaulted?: Readonly<Record<string, string>>;
  /** Whether it is a workflow in a catalogue of today's APIs. */
  readonly isOfToday?: true;
  /** For a tool that today's APIs lack: since when it is retired, its successor, and a sentence on what to call instead. */
  readonly retired?: Pick<ApiStanding, "since" | "successor"> & { readonly instead?: string };
  /** For an operation of an imported definition: it is never listed, and only found by its name. */
  readonly imported?: ImportedTool;
  readonly tool: ToolListing;
}

/** The tools by name. Those of imported definitions are found by name, and are not among its entries. */
export type Catalogue = ReadonlyMap<string, ToolEntry>;

/** Tools that can be listed, and behind them others, which are only found by name. */
class CatalogueWithUnlisted extends Map<string, ToolEntry> {
  constructor(
    entries: Iterable<readonly [string, ToolEntry]>,
    readonly findUnlisted: (name: string) => ToolEntry | undefined,
    readonly library: OperationLibrary,
  ) {
    super(entries);
  }

  override get(name: string): ToolEntry | undefined {
    return super.get(name) ?? this.findUnlisted(name);
  }

  override has(name: string): boolean {
    return super.has(name) || this.findUnlisted(name) !== undefined;
  }
}

/** The entry of an imported operation; its schema is read when it is asked for. */
function importedEntry(imported: ImportedTool): ToolEntry {
  const { name, title, route, effect, isLowered, summary } = imported;
  const isRead = effect === "read";
  return {
    service: summary.id,
    effect: isRead ? "read" : isLowered ? "update" : "destructive",
    imported,
    tool: {
      name,
      title,
      description: `${title} (${route}).`,
      get inputSchema() {
        return imported.schema();
      },
      annotations: {
        readOnlyHint: isRead,
        destructiveHint: !isRead && !isLowered,
        idempotentHint: isRead,
        openWorldHint: true,
      },
    },
  };
}

/** A catalogue with the operations of imported definitions behind its tools. */
export function withImported(declared: Catalogue, library: OperationLibrary): Catalogue {
  const entries = onceFor(importedEntry);
  const findUnlisted = (name: string) => {
    const imported = library.find(name);
    return imported && entries(imported);
  };
  return new CatalogueWithUnlisted(declared, findUnlisted, library);
}

/** A library with one more operation, which is in no folder. */
export const withTool = (library: OperationLibrary | undefined, tool: ImportedTool): OperationLibrary => ({
  summaries: () => [...(library?.summaries() ?? []), tool.summary],
  find: (name) => (name === tool.name ? tool : library?.find(name)),
});

/** The names of the imported APIs behind a catalogue, and of their operations. */
export function unlistedNames(catalogue: Catalogue): {
  readonly services: readonly string[];
  readonly names: readonly string[];
} {
  const summaries = catalogue instanceof CatalogueWithUnlisted ? catalogue.library.summaries() : [];
  return {
    services: summaries.map(({ id }) => id),
    names: summaries.flatMap(({ operations }) => Object.keys(operations)),
  };
}

/** The offered tools of a catalogue, listed and unlisted. */
export function filterCatalogue(catalogue: Catalogue, isOffered: (entry: ToolEntry) => boolean): Catalogue {
  const entries = [...catalogue].filter(([, entry]) => isOffered(entry));
  const isWhole = entries.length === catalogue.size;
  if (!(catalogue instanceof CatalogueWithUnlisted)) return isWhole ? catalogue : new Map(entries);
  const offered = new Set(entries.map(([name, { service }]) => `${service} ${name}`));
  const findUnlisted = (name: string) => {
    const entry = catalogue.findUnlisted(name);
    // A declared tool, if it is offered, takes precedence over an imported one with the same method and path.
    const { declaredBy = "" } = entry?.imported ?? {};
    return entry && isOffered(entry) && !offered.has(declaredBy) ? entry : undefined;
  };
  return new CatalogueWithUnlisted(entries, findUnlisted, catalogue.library);
}

/**
 * The resources and prompts of services, and the lines for `instructions`, which are known without loading a service.
 */
export interface ReadingListings {
  readonly resources: readonly ResourceListing[];
  readonly prompts: readonly PromptListing[];
  readonly introductions: readonly (Introduction & { readonly service: string })[];
}

/** The name of a generated file for a setting. */
export const generatedFile = (name: "catalogue" | "search" | "readings", apis: Apis): string =>
  apis === "today" ? `${name}-today.json` : `${name}.json`;

const readText = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");

/** Reads the generated file of tools next to the program. */
export function loadCatalogue(apis: Apis): Catalogue {
  const entries = JSON.parse(readText(generatedFile("catalogue", apis))) as ToolEntry[];
  return new Map(entries.map((entry) => [entry.tool.name, entry]));
}

/** Reads the generated index of the search, as text. */
export const readSearchIndex = (apis: Apis): string => readText(generatedFile("search", apis));

/** Reads the generated file of resources and prompts next to the program. */
export const loadReadings = (apis: Apis): ReadingListings =>
  JSON.parse(readText(generatedFile("readings", apis))) as ReadingListings;
