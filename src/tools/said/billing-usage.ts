/** What people say for billed usage. */
import type { Said } from "../../api/said.js";
import type { billingUsage as service } from "../billing-usage.js";

export const billingUsage = {
  service: "billing; the bill; invoice; what we pay for; billable usage of a month; consumption",
  operations: {
    usage_contract_measures_list:
      "how many gigabytes did the contract use each day this month; what will the bill of the contract be; daily billable usage of a contract; are we over the commit; monthly consumption on a contract per day; burn rate; overage; which day was the most expensive; forecast of the invoice; contract's gigabytes and hits billed; final billing day only; see in time whether the month gets more expensive than planned; check the invoice against daily figures; contract's day by day GB, bytes, hits; daily billed volume on a contract; usage trend in the billing month; consumption per day for a product under a contract; how much traffic are we billed for on a contract; 95/5; billing center; how many gigs on the contract each day; see which day blew the budget; keep an eye on the contract's burn",
    usage_contract_statistics_list:
      "which billing statistics does a contract have for a product; what units is the contract billed by; names of the metrics on the invoice of a contract; which kinds of usage, meters or statistic names are counted for a contract's product; is it billed by bytes, hits or 95th percentile; billing dimensions of a contract; available measures before pulling daily usage; statistic names, meters, units for a product under a contract; which numbers does the bill show; kinds of billing figures; what is metered on a contract; what are we charged by; which yardsticks is the contract metered with; what are the stat names before I ask for daily numbers",
    usage_group_measures_list:
      "daily usage of a reporting group; how much did one department or brand use per day; split the bill by reporting group; chargeback by group; reporting group's gigabytes per day in a month; consumption of a business unit; internal recharge; one team's share of the bill; see which days made a business unit's bill high; reporting group's daily GB, hits, bytes; usage by brand, department, subsidiary, cost center; cost allocation; show back; a group's billed volume per day; how much did a reporting group consume; what did the sports team's group chew through each day; recharge each division what it used",
    usage_group_statistics_list:
      "which billing statistics does a reporting group have for a product; what is measured and billed for the group; which kinds of usage, meters or statistic names are counted for a reporting group; what a CP code group is billed on; billing dimensions of a reporting group; available measures of a group before pulling its usage; what do they even bill a group for; statistic names, meters for a reporting group; which figures are there for a group's billing; kinds of usage of a group; what is metered for a group; which yardsticks is the group metered with; stat names for a group",
    usage_measure_find:
      "search usage with a query of my own; ask for usage by free criteria; usage query by POST, filtered; custom usage lookup with my own criteria; ad hoc usage query in a request body; usage across many contracts or groups; raw billing query; own usage query; advanced, custom, arbitrary usage search; query usage by body; flexible billing data request; dig through usage with my own filter",
  },
} satisfies Said<typeof service>;
