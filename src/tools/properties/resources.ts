/** What can be read of properties besides their rule trees: rule formats, what a product's trees may hold, and request bodies. */
import type { DeclaredResource } from "../../language/reading.js";
import { productIds, ruleFormats } from "./completion.js";

const mimeType = "application/schema+json";

export const schemaResources: readonly DeclaredResource[] = [
  {
    address: "property://rule-formats",
    name: "property-rule-formats",
    title: "Rule formats",
    description: "The dated versions of the options of behaviors and criteria, read from the account.",
    content: { tool: "property_rule_formats_list" },
  },
  {
    address: "property://schemas/products/{productId}/{ruleFormat}",
    name: "property-rule-schema",
    title: "Behaviors and criteria",
    description:
      "The JSON Schema of a product's rule trees: which behaviors and criteria there are, with their options.",
    mimeType,
    content: { tool: "property_rule_schema_get", values: { productId: productIds, ruleFormat: ruleFormats } },
  },
  {
    address: "property://schemas/request/{filename}",
    name: "property-request-schema",
    title: "Schema of a request of properties",
    description: "The API's own JSON Schema of a request body.",
    mimeType,
    content: {
      tool: "property_request_schema_get",
      // The API lists no names; these are those that the documents show.
      values: { filename: ["CreateNewCpcodeRequestV0.json", "CreateNewEdgeHostnameRequestV0.json"] },
    },
  },
];
