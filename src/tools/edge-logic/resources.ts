/** What can be read of edge logic: the JSON Schemas of its requests, by their names. */
import type { DeclaredResource } from "../../language/reading.js";
import { SchemaList } from "./shapes.js";

/** The last part of each schema's address is its name. */
const Names = SchemaList.transform(({ schemas }) =>
  schemas.flatMap(({ location }) => /(?<![^/])[^/]+$/.exec(location)?.[0] ?? []),
).catch([]);

export const edgeLogicResources: readonly DeclaredResource[] = [
  {
    address: "edgelogic://schemas",
    name: "edge-logic-schemas",
    title: "Schemas of edge logic",
    description: "The names of the JSON Schemas of edge-logic requests, read from the account.",
    content: { tool: "edgelogic_schemas_list" },
  },
  {
    address: "edgelogic://schemas/{schemaName}",
    name: "edge-logic-schema",
    title: "Schema of an edge-logic request",
    description: "The API's own JSON Schema of a policy, a version or a match rule of an application.",
    mimeType: "application/schema+json",
    content: {
      tool: "edgelogic_schema_get",
      values: { schemaName: { tool: "edgelogic_schemas_list", of: Names } },
    },
  },
];
