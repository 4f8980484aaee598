/** The search for properties by the APIs of today, which list the active hostnames of the whole account. */
import { ActiveHostnames, todaysGeneration } from "../site/generation-today.js";
import { findingBy } from "./properties-find.js";
import type { ActiveNames, SweepCalls } from "./properties-sweep.js";

const [perPage, maxPages] = [1_000, 100];

/** The active hostnames of the account, page by page. */
async function activeNames(calls: SweepCalls): Promise<ActiveNames | undefined> {
  const names = new Map<string, { readonly production: string[]; readonly staging: string[] }>();
  let read = 0;
  for (let offset = 0; offset < maxPages; offset += 1) {
    const step = `page ${offset + 1} of the active hostnames`;
    const args = { offset, limit: perPage };
    const page = await calls.call(step, "property_account_hostnames_list", args, ActiveHostnames);
    if (page === undefined) return undefined;
    const { items, totalItems = Number.POSITIVE_INFINITY } = page.hostnames;
    for (const { propertyId, cnameFrom, productionCnameTo, stagingCnameTo } of items) {
      const active = names.get(propertyId) ?? { production: [], staging: [] };
      names.set(propertyId, active);
      if (productionCnameTo !== undefined) active.production.push(cnameFrom);
      if (stagingCnameTo !== undefined) active.staging.push(cnameFrom);
    }
    read += items.length;
    if (items.length === 0 || read >= totalItems) return names;
  }
  return undefined;
}

export const propertiesFindToday = findingBy({
  site: async () => todaysGeneration,
  activeNames,
});
