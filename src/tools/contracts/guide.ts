/** The text of the guide to contract information. */
import type { Guide } from "../../language/guide.js";
import type { contracts as service } from "./index.js";

export const contracts = {
  purpose:
    "Use it to find the ids that other services need: contracts, reporting groups and their products. This service makes no changes.",
  objects: {
    id: "The contracts of the account, with their children if `depth` is `ALL`.",
    "product summary": "The products of a contract in a range of dates.",
    group: "Reporting groups, by which usage and reports are divided.",
    "group product summary":
      "The products of a reporting group; a group with several contracts has a separate list for each.",
  },
  lives: [
    {
      of: "a contract",
      moves: [
        { to: "current", when: "it begins" },
        { from: "current", to: "expired", when: "it ends" },
      ],
    },
  ],
  limits: [
    "contract-depth",
    "contract-dates-default",
    "contract-dates-whole-days",
    "contract-dates-window",
    "contract-dates-expired",
  ],
} satisfies Guide<typeof service>;
