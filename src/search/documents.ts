/**
 * The searchable documents: tools, report types and resources, each with its words and the properties that a result
 * shows.
 */
import type { Effect } from "../language/define.js";
import { isRecord } from "../language/member.js";
import { clauseOf } from "../text/clause.js";
import { wordsOf } from "./terms.js";

// Longer lists of members are for the page of the tool.
const mostMembers = 3;

const requiredOf = (schema: unknown): string[] =>
  isRecord(schema) && Array.isArray(schema["required"]) ? schema["required"].map(String) : [];

/** The names of the required arguments, with the required members of each that is an object; undefined without any. */
export function neededBy(schema: Readonly<Record<string, unknown>>): string | undefined {
  const members = isRecord(schema["properties"]) ? schema["properties"] : {};
  const requirements = requiredOf(schema).map((name) => {
    const inner = requiredOf(members[name]);
    const shown = [...inner.slice(0, mostMembers), ...(inner.length > mostMembers ? ["…"] : [])];
    return inner.length === 0 ? name : `${name}: {${shown.join(", ")}}`;
  });
  return requirements.join(", ") || undefined;
}

/** A tool in a search result: enough to choose it. */
export interface ToolFound {
  readonly tool: string;
  readonly effect: Effect;
  readonly does: string;
  /** The names of its required arguments. */
  readonly needs?: string;
}

/** An imported operation in a search result; what it does follows from its definition. */
export type ImportedFound = Omit<ToolFound, "does">;

export interface ReportFound {
  readonly report: string;
  readonly version: number;
  readonly measures: string;
}

export interface ResourceFound {
  readonly resource: string;
  readonly title: string;
  readonly description: string;
}

/** A searchable document, with its words by kind, which the index weighs separately. */
export interface SearchDocument {
  readonly id: string;
  /** The name of its service. */
  readonly home: string;
  readonly name: string;
  /** The phrases of people. */
  readonly said: readonly string[];
  /** How often people need it, from one to three; absent for what few need. */
  readonly stars?: number;
  readonly does: string;
  readonly service: string;
  readonly arguments: string;
  readonly found: ToolFound | ImportedFound | ReportFound | ResourceFound;
}

interface SearchableTool {
  readonly service: string;
  readonly effect: Effect;
  readonly tool: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Readonly<Record<string, unknown>>;
  };
  readonly said: readonly string[];
  /** From zero to three. */
  readonly stars: number;
}

/** Everything that can be found, with its phrases. */
export interface Searchable {
  readonly tools: readonly SearchableTool[];
  /** The services of the tools and resources, which share their words. */
  readonly services: readonly {
    readonly name: string;
    readonly title: string;
    readonly about: string;
    readonly said: readonly string[];
  }[];
  readonly resources: readonly {
    readonly service: string;
    readonly address: string;
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly said: readonly string[];
  }[];
  readonly reports: readonly {
    readonly name: string;
    readonly version: number;
    readonly description: string;
    readonly metrics: readonly { readonly label: string }[];
    readonly said: readonly string[];
  }[];
}

/** The names of a schema's members at its two upper levels, and their values. */
function argumentWords(schema: unknown, depth = 2): string[] {
  if (!isRecord(schema) || depth < 0) return [];
  const values = Array.isArray(schema["enum"]) ? schema["enum"].map(String) : [];
  const members = isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  return [...values, ...members.flatMap(([name, member]) => [name, ...argumentWords(member, depth - 1)])];
}

function foundTool({ effect, tool }: SearchableTool): ToolFound {
  const needs = neededBy(tool.inputSchema);
  return { tool: tool.name, effect, does: clauseOf(tool.description), ...(needs === undefined ? {} : { needs }) };
}

/** All documents of the index. */
export function documentsOf({ tools, services, resources, reports }: Searchable): SearchDocument[] {
  const wordsOfServices = new Map(
    services.map(({ name, title, about, said }) => [name, [title, about, ...said].join(" ")]),
  );
  const serviceWords = (service: string) => wordsOfServices.get(service) ?? "";
  return [
    ...tools.map(
      (listed): SearchDocument => ({
        id: listed.tool.name,
        home: listed.service,
        name: listed.tool.name,
        said: listed.said,
        ...(listed.stars > 0 ? { stars: listed.stars } : {}),
        does: listed.tool.description,
        service: serviceWords(listed.service),
        arguments: [...new Set(argumentWords(listed.tool.inputSchema).flatMap(wordsOf))].join(" "),
        found: foundTool(listed),
      }),
    ),
    ...reports.map(
      ({ name, version, description, metrics, said }): SearchDocument => ({
        id: `report ${name}`,
        home: "report",
        name,
        said,
        does: description,
        service: "report",
        arguments: metrics.map(({ label }) => label).join(" "),
        found: { report: name, version, measures: description },
      }),
    ),
    ...resources.map(
      ({ service, address, name, title, description, said }): SearchDocument => ({
        id: address,
        home: service,
        name: `${name} ${title}`,
        said,
        does: description,
        service: serviceWords(service),
        arguments: address,
        found: { resource: address, title, description },
      }),
    ),
  ];
}
