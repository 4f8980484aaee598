/** What people say for billed usage. */
import type { Said } from "../../api/said.js";
import type { billingUsage as service } from "../billing-usage.js";

export const billingUsage = {
  service: "billing; the bill; invoice; what we pay for; billable usage of a month; consumption",
  operations: {
    usage_contract_measures_list:
      "how many gigabytes did the contract use each day this month; what will the bill of the contract be; daily billable usage of a contract; are we over the commit",
    usage_contract_statistics_list:
      "which billing statistics does a contract have for a product; what units is the contract billed by; names of the metrics on the invoice of a contract",
    usage_group_measures_list:
      "daily usage of a reporting group; how much did one department or brand use per day; split the bill by reporting group; chargeback by group",
    usage_group_statistics_list:
      "which billing statistics does a reporting group have for a product; what is measured and billed for the group",
    usage_measure_find:
      "search usage with a query of my own; ask for usage by free criteria; usage query by POST, filtered",
  },
} satisfies Said<typeof service>;
