/** The resources of properties other than their rule trees, and the values that complete ids, read group by group. */
import type { DeclaredResource, LiveValues } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { Contracts, Groups, Products, RuleFormats } from "./shapes.js";

export const propertyIds: LiveValues = {
  tool: "properties_list",
  of: z
    .looseObject({ properties: z.looseObject({ items: z.array(z.looseObject({ propertyId: z.string() })) }) })
    .transform(({ properties }) => properties.items.map(({ propertyId }) => propertyId))
    .catch([]),
  per: {
    tool: "property_groups_list",
    of: Groups.transform(({ groups }) =>
      groups.items.flatMap(({ groupId, contractIds = [] }) =>
        contractIds.map((contractId) => ({ contractId, groupId })),
      ),
    ).catch([]),
  },
};

const productIds: LiveValues = {
  tool: "property_products_list",
  of: Products.transform(({ products }) => products.items.map(({ productId }) => productId)).catch([]),
  per: {
    tool: "property_contracts_list",
    of: Contracts.transform(({ contracts }) => contracts.items.map(({ contractId }) => ({ contractId }))).catch([]),
  },
};

const ruleFormats: LiveValues = {
  tool: "property_rule_formats_list",
  of: RuleFormats.transform(({ ruleFormats: { items } }) => items).catch([]),
};

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
    description: "The JSON Schema of a product's rule trees: the available behaviors and criteria, with their options.",
    mimeType,
    content: { tool: "property_rule_schema_get", values: { productId: productIds, ruleFormat: ruleFormats } },
  },
  {
    address: "property://schemas/request/{filename}",
    name: "property-request-schema",
    title: "Schema of a property request",
    description: "The API's own JSON Schema of a request body.",
    mimeType,
    content: {
      tool: "property_request_schema_get",
      // The API does not list the names; these are the ones that the documents show.
      values: { filename: ["CreateNewCpcodeRequestV0.json", "CreateNewEdgeHostnameRequestV0.json"] },
    },
  },
];
