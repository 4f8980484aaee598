/** The generated catalogue of tools: the result of `tools/list`, and where each tool's declaration is. */
import { readFileSync } from "node:fs";
import type { Effect } from "../language/define.js";
import type { Introduction } from "../language/reading.js";
import type { PromptListing } from "../prompts/index.js";
import type { ResourceListing } from "../resources/index.js";

export type JsonSchema = { [key: string]: unknown };

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
  /** Whether it serves all tools, so that every menu has it. */
  readonly servesAllTools?: true;
  /** Whether it makes the calls that it is given, so that its effect here is the gravest possible one. */
  readonly holdsCalls?: true;
  /** The required arguments for which a profile can have a default, with the name of that default. */
  readonly defaulted?: Readonly<Record<string, string>>;
  readonly tool: ToolListing;
}
export type Catalogue = ReadonlyMap<string, ToolEntry>;

/**
 * The resources and prompts of services, and the lines for `instructions`, which are known without loading a service.
 */
export interface Readings {
  readonly resources: readonly ResourceListing[];
  readonly prompts: readonly PromptListing[];
  readonly introductions: readonly (Introduction & { readonly service: string })[];
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), "utf8"));

/** Reads the generated file of tools next to the program. */
export function loadCatalogue(): Catalogue {
  return new Map((readJson("catalogue.json") as ToolEntry[]).map((entry) => [entry.tool.name, entry]));
}

/** Reads the generated index of the search, as text. */
export const readSearchIndex = (): string => readFileSync(new URL("./search.json", import.meta.url), "utf8");

/** Reads the generated file of resources and prompts next to the program. */
export const loadReadings = (): Readings => readJson("readings.json") as Readings;
