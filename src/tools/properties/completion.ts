/** What completes the ids of properties: the account's properties, read group by group. */
import type { LiveValues } from "../../api/reading.js";
import { z } from "../../api/z.js";
import { Groups } from "./shapes.js";

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
