/** A prompt for explaining a month's usage: the total, the change, and the causes. */
import type { Prompt } from "../../language/reading.js";
import { z } from "../../language/z.js";

const contractIds = z.array(z.string()).catch([]);

export const explainUsage: Prompt = {
  name: "usage_explain",
  title: "Explain a month's usage",
  description:
    "Reports what a contract used in a month, how that differs from the previous month, and which traffic and events explain it. Changes nothing.",
  arguments: [
    {
      name: "contractId",
      description: "The contract",
      values: { tool: "contract_ids_list", args: { depth: "ALL" }, of: contractIds },
    },
    {
      name: "month",
      description: "The month",
      form: { pattern: "20\\d\\d-(0[1-9]|1[0-2])", takes: "a month such as 2026-04" },
    },
  ],
  task: ({ contractId = "", month = "" }) => `Explain the usage of contract ${contractId} in ${month}.`,
  steps: ({ contractId = "", month = "" }) => [
    `Call contract_product_summary_get with contractId ${contractId}. List the contract's products.`,
    `Call usage_summary with contractId ${contractId} and month ${month}. Keep final and provisional values apart: provisional ones can still change.`,
    "For each statistic that rose or fell by a tenth or more, call traffic_compare for the same days. It compares them with the preceding days, and shows which CP codes changed.",
    `Call events_list for ${month}. A planned event on the day of the highest usage may explain it.`,
    `Call change_timeline for ${month}. A new site, an activation or a changed caching rule may explain a permanent change.`,
    "Report in this order: what was used, what differs from the previous month, what explains it with the call that shows it, and what remains unexplained. Do not mention prices: the API has none.",
  ],
};
