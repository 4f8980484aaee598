/** Contract information: current contracts, an expired one, and groups of one contract and of several. */
import { dayMs } from "../../../time/durations.js";
import { contracts as declared } from "../../../tools/contracts/index.js";
import { findIn } from "../../primitives/store.js";
import { badRequest, type ErrorFormat, notFound, ok, type RequestRefusal, replyWith } from "../../reply.js";
import { emulateService } from "../../service.js";
import { utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { type AccountContract, contracts as all } from "../account.js";
import { groupsOf } from "../groups.js";

/** The contract service's own error format, where most statuses are text (public facts A, 0.2). */
const errorFormat: ErrorFormat = ({ status, title, detail, extras: { field = "request" } }) => {
  const type = `/contract-api/error-types/E${status}`;
  if (status === 400)
    return { body: { type, status: "400", title: "Erroneous data input.", errors: [{ title: field, detail }] } };
  return { body: { type, status: String(status), title: status === 404 ? "Resource not found." : title } };
};
const erroneous = (field: string, detail: string): RequestRefusal => badRequest(detail, { field });
const unknown = "There is no such contract or group";

/** The same day of the month, a number of months earlier. */
function monthsBefore(now: number, months: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, date.getUTCDate());
}

interface Window {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}
function checkWindow(world: World, { isExpired }: AccountContract, query: Window): void {
  const today = Math.floor(world.now() / dayMs) * dayMs;
  const from = query.from === undefined ? today - 30 * dayMs : utcOf(query.from);
  const to = query.to === undefined ? today : utcOf(query.to);
  if (from < monthsBefore(today, 15))
    throw erroneous("from", "From date must be within 15 months in past from the current date");
  if (to > today) throw erroneous("to", "To date must be on or before the current date");
  if (to < from) throw erroneous("to", "To date must be on or after the from date");
  if (isExpired && to - from > 30 * dayMs) throw erroneous("from", "An expired contract allows a range of 30 days");
}

function summary(world: World, id: string, query: Window) {
  const contract = findIn(all, { id }, unknown);
  checkWindow(world, contract, query);
  const products = contract.products.map(({ id: marketingProductId, name: marketingProductName }) => ({
    marketingProductId,
    marketingProductName,
  }));
  return { products: { contractId: contract.id, "marketing-products": products } };
}

export const contracts = emulateService(declared, errorFormat, {
  contract_ids_list: ({ query }) =>
    ok(all.filter(({ isChild }) => query.depth === "ALL" || !isChild).map(({ id }) => id)),
  contract_product_summary_get: ({ path, query }, world) => ok(summary(world, path.contractId, query)),
  contract_groups_list: (_, world) => ok(groupsOf(world).map(({ id, name }) => ({ id, name }))),
  contract_group_ids_list: (_, world) => ok(groupsOf(world).map(({ id }) => id)),
  contract_group_product_summary_get: ({ path, query }, world) => {
    const contractIds = groupsOf(world).find(({ id }) => id === path.reportingGroupId)?.contractIds ?? [];
    const [first, second] = contractIds;
    if (first === undefined) throw notFound(unknown);
    if (second === undefined) return ok(summary(world, first, query));
    return replyWith(300)({
      contracts: contractIds.map((contractId) => ({
        contractId,
        href: `/contract-api/v1/contracts/${contractId}/products/summaries`,
      })),
    });
  },
});
