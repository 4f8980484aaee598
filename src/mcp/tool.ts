/** How an operation looks as a tool: its lean listing, made by the build, never at start-up. */
import { argumentsSchema } from "../api/arguments.js";
import type { AnyOperation, Service } from "../api/define.js";
import { effectOf } from "../api/effect.js";
import { jsonSchemaOf } from "../api/json-schema.js";
import type { Workflow } from "../workflows/workflow.js";
import type { Catalogue, JsonSchema, ToolEntry, ToolListing } from "./catalogue.js";

/** The whole JSON Schema of an operation's arguments. */
export const wholeSchema = (operation: AnyOperation): JsonSchema => jsonSchemaOf(argumentsSchema(operation), "input");

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const kept = ["type", "enum", "const", "description", "default"];

/**
 * A schema down to some depth of named fields; what is deeper is in `operation://{tool}`. Bounds and patterns are left
 * out, as are fields that the server ignores: the validating schema has them all, and its errors name the field.
 */
function lean(schema: JsonSchema, depth: number): JsonSchema {
  const out: JsonSchema = {};
  for (const key of kept) if (schema[key] !== undefined) out[key] = schema[key];
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[key];
    if (!Array.isArray(branches)) continue;
    const useful = branches.filter(isObject).filter((branch) => branch["type"] !== "null");
    const [first] = useful;
    if (useful.length === 1 && first) Object.assign(out, { ...lean(first, depth), ...out });
    else out[key] = useful.map((branch) => lean(branch, depth));
  }
  if (isObject(schema["items"]) && depth > 0) out["items"] = lean(schema["items"], depth - 1);
  const properties = schema["properties"];
  if (isObject(properties) && depth > 0) {
    out["properties"] = Object.fromEntries(
      Object.entries(properties)
        .filter(([, inner]) => !(isObject(inner) && inner["readOnly"] === true))
        .map(([name, inner]) => [name, isObject(inner) ? lean(inner, depth - 1) : inner]),
    );
    const required = schema["required"];
    if (Array.isArray(required) && required.length > 0) out["required"] = required;
  }
  return out;
}

/** The lean form of a tool's arguments: the arguments, and the top level of the body. */
function leanSchema(whole: JsonSchema): JsonSchema {
  const { description: _, ...schema } = lean(whole, 2);
  return { ...schema, type: "object", properties: schema["properties"] ?? {} };
}

const words = (text: string): string => text.replaceAll("_", " ");

/** The title of a tool: the service's, and what the rest of the name says. */
const titleOf = (name: string, service: Service): string =>
  `${service.title}: ${words(name.slice(name.indexOf("_", service.id.length) + 1))}`;

function descriptionOf({ route, spec }: AnyOperation): string {
  const parts = [
    spec.does,
    spec.needs,
    spec.lock ? `Pass the stamp that ${spec.lock.from} read in ${spec.lock.field}.` : undefined,
    spec.guard ? "Without confirm it only previews." : undefined,
    spec.status === "deprecated" ? "Deprecated." : spec.status === "beta" ? "Beta." : undefined,
    route.replace("<vendor>", "vendor"),
  ];
  return parts.filter(Boolean).join(" ");
}

/** An operation as a listed tool. */
function listing(name: string, operation: AnyOperation, service: Service): ToolListing {
  const effect = effectOf(operation);
  const method = operation.route.split(" ")[0] ?? "";
  return {
    name,
    title: titleOf(name, service),
    description: descriptionOf(operation),
    inputSchema: leanSchema(wholeSchema(operation)),
    annotations: {
      readOnlyHint: effect === "read",
      destructiveHint: effect === "destructive",
      idempotentHint: effect === "read" || (method === "PUT" && effect !== "create") || method === "DELETE",
      openWorldHint: true,
    },
  };
}

/** A workflow as a listed tool. All that there are read: what they make the edge request is a page, as a visitor does. */
const workflowEntry = (name: string, { title, does, input }: Workflow): ToolEntry => ({
  service: "workflows",
  effect: "read",
  tool: {
    name,
    title,
    description: does,
    inputSchema: leanSchema(jsonSchemaOf(input, "input")),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
});

/** The catalogue from the declarations themselves; for the build and the tests. */
export function catalogueOf(
  services: readonly Service[],
  workflows: readonly (readonly [string, Workflow])[] = [],
): Catalogue {
  return new Map([
    ...workflows.map(([name, workflow]): [string, ToolEntry] => [name, workflowEntry(name, workflow)]),
    ...services.flatMap((service) =>
      Object.entries(service.operations).map(([name, operation]): [string, ToolEntry] => [
        name,
        { service: service.name, effect: effectOf(operation), tool: listing(name, operation, service) },
      ]),
    ),
  ]);
}

/** The text of the generated file; sorted as declared, so the same in every run. */
export const catalogueText = (catalogue: Catalogue): string => JSON.stringify([...catalogue.values()]);
