/** A prompt that guides the explanation of a month's usage: what it came to, what differs from before, and why. */
import type { Prompt } from "../../language/reading.js";
import { z } from "../../language/z.js";

const contractIds = z.array(z.string()).catch([]);

export const explainUsage: Prompt = {
  name: "usage_explain",
  title: "Explain a month's usage",
  description:
    "Says what a contract used in a month, how that differs from the month before, and which traffic and events explain it. Changes nothing.",
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
    `Call contract_product_summary_get with contractId ${contractId}. Say which products the contract has.`,
    `Call usage_summary with contractId ${contractId} and month ${month}. Keep final and provisional values apart: provisional ones still change.`,
    "For each statistic that rose or fell by a tenth or more, call traffic_compare with the same days. It compares them with the days before, and says which CP codes moved.",
    `Call events_list for ${month}. A planned event on the day of the highest usage may explain it.`,
    `Call change_timeline for ${month}. A new site, an activation or a changed caching rule may explain a step that stays.`,
    "Report in this order: what was used, what differs from the month before, what explains it with the call that shows it, and what nothing explains. Name no price: the API has none.",
  ],
};
