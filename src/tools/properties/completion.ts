/** What completes the ids of properties: the account's properties, products and rule formats, read group by group. */
import type { LiveValues } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { Contracts, Groups, Products, RuleFormats } from "./shapes.js";

export const propertyIds: LiveValues = {
  tool: "properties_list",
  of: z
    .looseObject({
      properties: z.looseObject({ items: z.array(z.looseObject({ propertyId: z.string() })) }),
    })
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

export const productIds: LiveValues = {
  tool: "property_products_list",
  of: Products.transform(({ products }) => products.items.map(({ productId }) => productId)).catch([]),
  per: {
    tool: "property_contracts_list",
    of: Contracts.transform(({ contracts }) => contracts.items.map(({ contractId }) => ({ contractId }))).catch([]),
  },
};

export const ruleFormats: LiveValues = {
  tool: "property_rule_formats_list",
  of: RuleFormats.transform(({ ruleFormats: { items } }) => items).catch([]),
};
