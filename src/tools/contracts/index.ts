/** Contract information (document A): contracts, reporting groups, and the products of either in a time frame. */
import type { Explain } from "../../language/check.js";
import { contractArgument } from "../../language/defaults.js";
import { json, op } from "../../language/define.js";
import type { LiveContent } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { tooEarly } from "../../time/instant.js";
import { Day } from "../fields.js";

const reportingGroups = "/contract-api/v1/reportingGroups";
const window = {
  from: Day.optional().describe("UTC date, from 00:00:00; 30 days ago by default"),
  to: Day.optional().describe("UTC date, to 23:59:59; today by default"),
};
const period = { start: "from", end: "to", form: "date", isPast: true } as const;
const contractIds: LiveContent = { tool: "contract_ids_list", args: { depth: "ALL" } };
const Products = z.looseObject({
  products: z.looseObject({
    contractId: z.string(),
    "marketing-products": z.array(z.looseObject({ marketingProductId: z.string(), marketingProductName: z.string() })),
  }),
});
const outsideWindow =
  "A date is outside what the contract allows: 15 months back, or 30 days within them for an expired contract.";
const needsRole = "Reporting groups need the CP code reporting-group role.";
const monthsBack = 15;
/** The reason for refusing a time frame: a day before the earliest one that a contract allows. */
const explains: Explain = ({ status, args, nowMs }) => {
  const now = new Date(nowMs);
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBack, now.getUTCDate());
  const earliest = new Date(first).toISOString().slice(0, 10);
  return status === 400
    ? tooEarly(args, { argument: "from", earliest, because: `a contract allows ${monthsBack} months` })
    : [];
};

export const contracts = service("contract", {
  name: "contracts",
  document: "A",
  title: "Contract information",
  about: "Lists contracts, reporting groups, and the products of each.",
  standing: { state: "alive" },
  frontLine: ["contract_ids_list", "contract_groups_list"],
  ids: { contractId: "contract_ids_list" },
  rules: {
    "contract-depth": "depth TOP lists parent contracts only, ALL parents and children.",
    "contract-group-300": "A group with several contracts returns 300 and lists them; each has its own products.",
    "contract-dates-default": "from defaults to 30 days before today, to defaults to today.",
    "contract-dates-whole-days": "from begins at 00:00:00 UTC of its date, and to ends at 23:59:59 UTC of its date.",
    "contract-dates-window": "A current contract allows dates in the past 15 months.",
    "contract-dates-expired": "An expired contract allows a 30-day range inside the 15 months.",
  },
  operations: {
    contract_ids_list: op("GET /contract-api/v1/contracts/identifiers", {
      does: "Lists the contract ids of the account.",
      query: { depth: z.enum(["TOP", "ALL"]).optional().describe("TOP (default): parents only; ALL: children too") },
      returns: { 200: json(z.array(z.string())) },
      rules: ["contract-depth"],
      example: { depth: "ALL" },
    }),
    contract_product_summary_get: op("GET /contract-api/v1/contracts/{contractId}/products/summaries", {
      does: "Lists a contract's products in a time frame.",
      path: {
        contractId: contractArgument(
          z.string().regex(/^[A-Z0-9.-]{3,15}$/, "a contract id such as C-1FRYVV3"),
          "contract_ids_list",
        ),
      },
      query: window,
      period,
      explains,
      returns: { 200: json(Products) },
      rules: ["contract-dates-default", "contract-dates-whole-days", "contract-dates-window", "contract-dates-expired"],
      means: {
        400: outsideWindow,
        404: "There is no such contract: contract_ids_list with depth ALL lists the ids.",
      },
      example: { contractId: "C-1FRYVV3" },
    }),
    contract_groups_list: op(`GET ${reportingGroups}/`, {
      does: "Lists the CP code reporting groups with their names.",
      returns: { 200: json(z.array(z.looseObject({ id: z.int(), name: z.string() }))) },
      means: { 403: needsRole },
    }),
    contract_group_ids_list: op(`GET ${reportingGroups}/identifiers`, {
      does: "Lists the ids of the CP code reporting groups.",
      returns: { 200: json(z.array(z.int())) },
      means: { 403: needsRole },
    }),
    contract_group_product_summary_get: op(`GET ${reportingGroups}/{reportingGroupId}/products/summaries`, {
      does: "Lists a reporting group's products, or its contracts when it belongs to several.",
      path: { reportingGroupId: z.int().positive() },
      query: window,
      period,
      explains,
      returns: {
        200: json(Products),
        300: json(z.looseObject({ contracts: z.array(z.looseObject({ contractId: z.string(), href: z.string() })) })),
      },
      means: {
        300: "The group belongs to several contracts: call contract_product_summary_get for each contractId of the list.",
        400: outsideWindow,
        403: needsRole,
      },
      rules: ["contract-group-300", "contract-dates-default"],
      example: { reportingGroupId: 11111 },
    }),
  },
  resources: [
    {
      address: "contract://contracts",
      name: "contracts",
      title: "Contracts",
      description: "The account's contract ids, parents and children.",
      content: contractIds,
    },
    {
      address: "contract://contracts/{contractId}/products",
      name: "contract-products",
      title: "Products of a contract",
      description: "The contract's current products.",
      content: {
        tool: "contract_product_summary_get",
        values: { contractId: { ...contractIds, of: z.array(z.string()).catch([]) } },
      },
    },
  ],
});
