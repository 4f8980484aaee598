/** What people say for billed usage. */
import type { Said } from "../../api/said.js";
import type { billingUsage as service } from "../billing-usage.js";

export const billingUsage = {
  service: "billing; the bill; invoice; what we pay for; billable usage of a month; consumption",
  operations: {
    usage_contract_measures_list:
      "how many gigabytes did the contract use each day this month; what will the bill of the contract be; daily billable usage of a contract; are we over the commit; monthly consumption on a contract per day; burn rate; overage; which day was the most expensive; forecast of the invoice; contract's gigabytes and hits billed; final billing day only; see in time whether the month gets more expensive than planned; check the invoice against daily figures",
    usage_contract_statistics_list:
      "which billing statistics does a contract have for a product; what units is the contract billed by; names of the metrics on the invoice of a contract; which kinds of usage, meters or statistic names are counted for a contract's product; is it billed by bytes, hits or 95th percentile; billing dimensions of a contract; available measures before pulling daily usage",
    usage_group_measures_list:
      "daily usage of a reporting group; how much did one department or brand use per day; split the bill by reporting group; chargeback by group; reporting group's gigabytes per day in a month; consumption of a business unit; internal recharge; one team's share of the bill; see which days made a business unit's bill high",
    usage_group_statistics_list:
      "which billing statistics does a reporting group have for a product; what is measured and billed for the group; which kinds of usage, meters or statistic names are counted for a reporting group; what a CP code group is billed on; billing dimensions of a reporting group; available measures of a group before pulling its usage; what do they even bill a group for",
    usage_measure_find:
      "search usage with a query of my own; ask for usage by free criteria; usage query by POST, filtered; custom usage lookup with my own criteria; ad hoc usage query in a request body; usage across many contracts or groups; raw billing query",
  },
} satisfies Said<typeof service>;
