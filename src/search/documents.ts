/** What the search finds: tools, report types and resources, each with its words and with what an answer shows of it. */
import type { Effect } from "../language/define.js";
import { isRecord } from "../language/member.js";
import { signatureOf } from "./signature.js";
import { wordsOf } from "./terms.js";

/** What an answer shows of a tool: all that a call needs. */
export interface ToolFound {
  readonly tool: string;
  readonly does: string;
  readonly effect: Effect;
  /** Whether it previews first and is called again with `confirm`. */
  readonly guarded?: true;
  /** `name: type` or `name ← the tool that shows it` each; what is deeper than the listed schema is on the tool's page. */
  readonly required: string;
  readonly optional?: string;
}

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

/** One thing that can be found, with its words by what they are: the index weighs each kind by itself. */
export interface SearchDocument {
  readonly id: string;
  /** The service that it belongs to, by name. */
  readonly home: string;
  readonly name: string;
  readonly said: string;
  readonly does: string;
  readonly service: string;
  readonly arguments: string;
  readonly found: ToolFound | ReportFound | ResourceFound;
}

/** A tool as the catalogue lists it. */
interface Listed {
  readonly service: string;
  readonly effect: Effect;
  readonly tool: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Readonly<Record<string, unknown>>;
    readonly annotations: { readonly destructiveHint: boolean };
  };
}

/** What people say, and what is known of a service, by the service's name. */
interface ServiceWords {
  readonly service: string;
  readonly operations: Readonly<Record<string, string>>;
  readonly resources?: Readonly<Record<string, string>>;
}

export interface Searchable {
  readonly tools: Iterable<Listed>;
  readonly services: readonly { readonly name: string; readonly title: string; readonly about: string }[];
  readonly resources: readonly {
    readonly service: string;
    readonly address: string;
    readonly name: string;
    readonly title: string;
    readonly description: string;
    /** What people say for it, where that does not stand with its service. */
    readonly said?: string;
  }[];
  readonly reports: readonly {
    readonly name: string;
    readonly version: number;
    readonly description: string;
    readonly metrics: readonly { readonly label: string }[];
  }[];
  readonly said: Readonly<Record<string, ServiceWords>>;
  readonly saidOfReports: Readonly<Record<string, string>>;
  /** The tool that shows the value of a tool's argument; undefined where there is none. */
  readonly originOf: (tool: string, path: string) => string | undefined;
}

/** The names of a schema's members at its two upper levels, and the values that they can have. */
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

/** Everything that can be found, as documents for the index. */
export function documentsOf({
  tools,
  services,
  resources,
  reports,
  said,
  saidOfReports,
  originOf,
}: Searchable): SearchDocument[] {
  const aboutOf = new Map(services.map(({ name, title, about }) => [name, `${title} ${about}`]));
  const serviceWords = (service: string) => `${aboutOf.get(service) ?? ""} ${said[service]?.service ?? ""}`;
  return [
    ...[...tools].map(
      (listed): SearchDocument => ({
        id: listed.tool.name,
        home: listed.service,
        name: listed.tool.name,
        said: said[listed.service]?.operations[listed.tool.name] ?? "",
        does: listed.tool.description,
        service: serviceWords(listed.service),
        arguments: [...new Set(argumentWords(listed.tool.inputSchema).flatMap(wordsOf))].join(" "),
        found: foundTool(listed, originOf),
      }),
    ),
    ...reports.map(
      ({ name, version, description, metrics }): SearchDocument => ({
        id: `report ${name}`,
        home: "report",
        name,
        said: saidOfReports[name] ?? "",
        does: description,
        service: "report",
        arguments: metrics.map(({ label }) => label).join(" "),
        found: { report: name, version, measures: description },
      }),
    ),
    ...resources.map(
      ({ service, address, name, title, description, said: own }): SearchDocument => ({
        id: address,
        home: service,
        name: `${name} ${title}`,
        said: own ?? said[service]?.resources?.[name] ?? "",
        does: description,
        service: serviceWords(service),
        arguments: address,
        found: { resource: address, title, description },
      }),
    ),
  ];
}
