/** The catalogue of tools as the build leaves it: what `tools/list` answers, and where each tool's declaration is. */
import { readFileSync } from "node:fs";
import type { Effect } from "../language/define.js";
import type { Introduction } from "../language/reading.js";
import type { PromptListing } from "../prompts/index.js";
import type { ResourceListing } from "../resources/index.js";

export type JsonSchema = { [key: string]: unknown };

/** A tool as `tools/list` shows it. */
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

/** What is known of a tool without loading its declaration. */
export interface ToolEntry {
  readonly service: string;
  /** Of a workflow: the service that it works with, where that is one alone. */
  readonly of?: string;
  readonly effect: Effect;
  /** Whether a short list has it. */
  readonly isFrontLine?: true;
  /** Whether it serves all tools alike, so that no menu does without it. */
  readonly servesAllTools?: true;
  /** Whether it makes the calls that it is given, so that its effect here is the gravest it can have. */
  readonly holdsCalls?: true;
  /** The required arguments that a profile can fill in, each with what fills it in. */
  readonly defaulted?: Readonly<Record<string, string>>;
  readonly tool: ToolListing;
}
export type Catalogue = ReadonlyMap<string, ToolEntry>;

/** The resources and prompts that services declare, and the lines for `instructions`: known without loading a service. */
export interface Readings {
  readonly resources: readonly ResourceListing[];
  readonly prompts: readonly PromptListing[];
  readonly introductions: readonly (Introduction & { readonly service: string })[];
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), "utf8"));

/** Reads the generated file of tools that the build put beside the bundle. */
export function loadCatalogue(): Catalogue {
  return new Map((readJson("catalogue.json") as ToolEntry[]).map((entry) => [entry.tool.name, entry]));
}

/** Reads the generated index of the search, as text. */
export const readSearchIndex = (): string => readFileSync(new URL("./search.json", import.meta.url), "utf8");

/** Reads the generated file of readings that the build put beside the bundle. */
export const loadReadings = (): Readings => readJson("readings.json") as Readings;
