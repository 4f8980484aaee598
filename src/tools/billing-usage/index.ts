/** Billing usage (document A): the usage of a contract or a reporting group, by day and statistic. */
import { oneGroupOf } from "../../language/check.js";
import { contractArgument } from "../../language/defaults.js";
import { json, op, undocumented } from "../../language/define.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";

const month = z.int().min(1).max(12);
const year = z.int().min(2000).max(2100);
const months = {
  month: month.optional().describe("With year"),
  year: year.optional().describe("With month"),
  fromMonth: month.optional().describe("With the other from and to fields"),
  fromYear: year.optional(),
  toMonth: month.optional(),
  toYear: year.optional(),
};
const contract = "/billing-center-api/v2/contracts/{contractId}/products/{productId}";
const group = "/billing-center-api/v2/reporting-groups/{reportingGroupId}/products/{productId}";
const measured = {
  ...months,
  statisticName: z.string().min(1).optional().describe("Default all"),
  billingDayOnly: z.boolean().optional().describe("True: one figure as of the end of the billing period"),
};
const period = {
  form: "month",
  one: ["month", "year"],
  range: ["fromMonth", "fromYear", "toMonth", "toYear"],
} as const;
const checks = [oneGroupOf(period.one, period.range)];
const productId = z.string().min(1);
const ofContract = { contractId: contractArgument(z.string().min(1), "contract_ids_list"), productId };
const ofGroup = { reportingGroupId: z.string().min(1), productId };
const Statistic = z.looseObject({ name: z.string(), unit: z.string() });
const Usage = z.looseObject({
  date: z.string().describe("YYYY-MM-DD"),
  value: z.number(),
  final: z.boolean().describe("False while the value can still change"),
  statistic: Statistic,
  ...members(z.string().optional(), "contractId", "productId"),
});
const unknownContract = {
  404: "Check the ids: contract_ids_list lists contracts, contract_product_summary_get the products of one.",
};
const unknownGroup = {
  404: "Check the ids: contract_groups_list lists groups, contract_group_product_summary_get the products of one.",
};
const daily = {
  date: "date",
  value: "value",
  final: "final",
  of: { statistic: "statistic.name", unit: "statistic.unit" },
};
const usage = { 200: json(z.array(Usage)) };
const statistics = { 200: json(z.array(Statistic)) };

export const billingUsage = service("usage", {
  name: "billing-usage",
  document: "A",
  title: "Billing usage",
  about: "Reports usage per day and statistic, for a month or a range of months.",
  standing: { state: "superseded", successor: "Billing v1 (/billing/v1)" },
  ids: {
    contractId: "contract_ids_list",
    reportingGroupId: "contract_groups_list",
    productId: "contract_product_summary_get",
  },
  rules: {
    "usage-forms-exclusive":
      "month and year are used together, the four of from and to are used together, and one form excludes the other.",
    "usage-daily-value": "There is one value per day and statistic.",
    "usage-final": "A value whose final is false may still change.",
    "usage-billing-day": "With billingDayOnly the data is cumulative as of the end of the billing period.",
    "usage-all-statistics": "Without statisticName the response contains all statistics.",
  },
  operations: {
    usage_contract_measures_list: op(`GET ${contract}/measures`, {
      does: "Lists a contract's daily usage of a product.",
      path: ofContract,
      query: measured,
      checks,
      period,
      returns: usage,
      shows: { daily },
      rules: ["usage-forms-exclusive", "usage-daily-value", "usage-final", "usage-billing-day", "usage-all-statistics"],
      means: unknownContract,
      example: { contractId: "C-1FRYVV3", productId: "M-SITE-7", month: 5, year: 2026 },
    }),
    usage_contract_statistics_list: op(`GET ${contract}/statistics`, {
      does: "Lists a contract's statistics for a product.",
      path: ofContract,
      query: months,
      checks,
      period,
      returns: statistics,
      rules: ["usage-forms-exclusive"],
      means: unknownContract,
      example: { contractId: "C-1FRYVV3", productId: "M-SITE-7", month: 5, year: 2026 },
    }),
    usage_group_measures_list: op(`GET ${group}/measures`, {
      does: "Lists a reporting group's daily usage of a product.",
      path: ofGroup,
      query: measured,
      checks,
      period,
      returns: usage,
      shows: { daily },
      rules: ["usage-forms-exclusive", "usage-daily-value", "usage-final"],
      means: unknownGroup,
      example: { reportingGroupId: "11111", productId: "M-SITE-7", month: 5, year: 2026 },
    }),
    usage_group_statistics_list: op(`GET ${group}/statistics`, {
      does: "Lists a reporting group's statistics for a product.",
      path: ofGroup,
      query: months,
      checks,
      period,
      returns: statistics,
      rules: ["usage-forms-exclusive"],
      means: unknownGroup,
      example: { reportingGroupId: "11111", productId: "M-SITE-7", month: 5, year: 2026 },
    }),
    usage_measure_find: op("POST /billing-center-api/v2/measures/find", {
      does: "Finds usage by a query with undocumented fields, which are sent as given.",
      body: json(z.looseObject({}).describe("Any JSON object")),
      returns: undocumented,
      effect: "read",
      note: "Neither the body nor the response is public. The emulator reads contractId, productId, month and year.",
      example: { body: { contractId: "C-1FRYVV3", productId: "M-SITE-7", month: 5, year: 2026 } },
    }),
  },
});
