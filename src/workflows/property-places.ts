/** The contracts and groups in which the objects of an account's properties are looked for. */
import { z } from "../api/z.js";
import type { Steps } from "./steps.js";

const Groups = z.looseObject({
  groups: z.looseObject({
    items: z.array(z.looseObject({ groupId: z.string(), contractIds: z.array(z.string()).optional() })),
  }),
});

export interface Place {
  readonly contractId: string;
  readonly groupId: string;
}

/** Every group of the account with each of its contracts; undefined where the groups could not be read. */
export async function placesOf(steps: Steps): Promise<readonly Place[] | undefined> {
  const found = await steps.call("the groups", "property_groups_list", {}, Groups);
  return found?.groups.items.flatMap(({ groupId, contractIds = [] }) =>
    contractIds.map((contractId) => ({ groupId, contractId })),
  );
}
