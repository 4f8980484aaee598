/** The catalogue of tools as the build leaves it: what `tools/list` answers, and where each tool's declaration is. */
import { readFileSync } from "node:fs";
import type { Effect } from "../api/define.js";

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
  readonly effect: Effect;
  readonly tool: ToolListing;
}
export type Catalogue = ReadonlyMap<string, ToolEntry>;

/** Reads the generated file that the build put beside the bundle. */
export function loadCatalogue(): Catalogue {
  const entries = JSON.parse(readFileSync(new URL("./catalogue.json", import.meta.url), "utf8")) as ToolEntry[];
  return new Map(entries.map((entry) => [entry.tool.name, entry]));
}
