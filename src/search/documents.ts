/**
 * The searchable documents: tools, report types and resources, each with its words and the properties that a result
 * shows.
 */
import type { Effect } from "../language/define.js";
import { isRecord } from "../language/member.js";
import { wordsOf } from "./terms.js";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The tool that shows the value of an argument, by the argument's path; undefined if it is not an id or no tool shows
 * it.
 */
type OriginOf = (path: string) => string | undefined;

const schemaAt = (schema: Schema, key: string): Schema => (isRecord(schema[key]) ? schema[key] : {});
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

// Longer lists of values are not readable; the page of the tool has them all.
const mostOfValues = 72;

/** As many values of a closed set as fit, and whether there are more. */
function valuesIn(values: readonly unknown[]): string {
  const texts = values.map((one) => JSON.stringify(one));
  const fitting = texts.filter((_, at) => texts.slice(0, at + 1).join("|").length <= mostOfValues);
  return [...fitting, ...(fitting.length < texts.length ? ["…"] : [])].join("|");
}

/** A type in TypeScript notation. */
function typeOf(schema: Schema, path: string, originOf: OriginOf, isFull: boolean): string {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return valuesIn(values);
  if (type === "array") {
    const item = typeOf(schemaAt(schema, "items"), path, originOf, isFull);
    return item.includes("|") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (type !== "object") return String(type ?? "any");
  const { required, optional } = signatureOf(schema, originOf, `${path}.`, false);
  const isOpen = schema["additionalProperties"] !== undefined;
  const rest = isFull ? [...optional.map((name) => `${name}?`), ...(isOpen ? ["…"] : [])] : [];
  const isCut = !isFull && (optional.length > 0 || isOpen);
  return `{${[...required, ...rest, ...(isCut ? ["…"] : [])].join(", ")}}`;
}

interface Signature {
  /** Each as `name: type`, and an id as `name ← tool`. */
  readonly required: readonly string[];
  /** Only names. */
  readonly optional: readonly string[];
}

/**
 * The members of an object. Of a nested object, all members are shown at the first level, and required ones below.
 * @param before The path of the object with a dot; empty for the arguments of a tool.
 * @param isFull Whether nested objects are shown with their optional members.
 */
export function signatureOf(schema: Schema, originOf: OriginOf, before = "", isFull = true): Signature {
  const members = schemaAt(schema, "properties");
  const required = textsOf(schema["required"]);
  const written = (name: string): string => {
    const origin = originOf(before + name);
    if (origin === undefined) return `${name}: ${typeOf(schemaAt(members, name), before + name, originOf, isFull)}`;
    return `${name}${schemaAt(members, name)["type"] === "array" ? "[]" : ""} ← ${origin}`;
  };
  return {
    required: required.map(written),
    optional: Object.keys(members).filter((name) => !required.includes(name)),
  };
}

/** A tool in a search result, with everything that a call needs. */
export interface ToolFound {
  readonly tool: string;
  readonly does: string;
  readonly effect: Effect;
  /** Whether it previews first and is called again with `confirm`. */
  readonly guarded?: true;
  /**
   * `name: type` or `name ← the tool that shows it` each; members deeper than the listed schema are on the tool's page.
   */
  readonly required: string;
  readonly optional?: string;
}

/** An imported operation in a search result; its words follow from its definition. */
export type ImportedFound = Omit<ToolFound, "does" | "guarded">;

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
  readonly does: string;
  readonly service: string;
  readonly arguments: string;
  readonly found: ToolFound | ImportedFound | ReportFound | ResourceFound;
}

interface Listed {
  readonly service: string;
  readonly effect: Effect;
  readonly tool: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Readonly<Record<string, unknown>>;
    readonly annotations: { readonly destructiveHint: boolean };
  };
  readonly said: readonly string[];
}

/** Everything that can be found, with its phrases. */
export interface Searchable {
  readonly tools: readonly Listed[];
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
  /** The tool that shows the value of a tool's argument; undefined if there is none. */
  readonly originOf: (tool: string, path: string) => string | undefined;
}

/** The names of a schema's members at its two upper levels, and their values. */
function argumentWords(schema: unknown, depth = 2): string[] {
  if (!isRecord(schema) || depth < 0) return [];
  const values = Array.isArray(schema["enum"]) ? schema["enum"].map(String) : [];
  const members = isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  return [...values, ...members.flatMap(([name, member]) => [name, ...argumentWords(member, depth - 1)])];
}

function foundTool({ effect, tool }: Listed, originOf: Searchable["originOf"]): ToolFound {
  const { name, description, inputSchema, annotations } = tool;
  const { required, optional } = signatureOf(inputSchema, (path) => originOf(name, path));
  const others = optional.filter((argument) => argument !== "confirm");
  return {
    tool: name,
    does: description,
    effect,
    ...(annotations.destructiveHint ? { guarded: true } : {}),
    required: required.join(", ") || "none",
    ...(others.length > 0 ? { optional: others.join(", ") } : {}),
  };
}

/** All documents of the index. */
export function documentsOf({ tools, services, resources, reports, originOf }: Searchable): SearchDocument[] {
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
        does: listed.tool.description,
        service: serviceWords(listed.service),
        arguments: [...new Set(argumentWords(listed.tool.inputSchema).flatMap(wordsOf))].join(" "),
        found: foundTool(listed, originOf),
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
