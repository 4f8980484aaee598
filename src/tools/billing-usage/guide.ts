/** The text of the guide to billing usage. */
import type { Guide } from "../../language/guide.js";
import type { billingUsage as service } from "./index.js";

export const billingUsage = {
  purpose:
    "Use it to explain a bill or to estimate a month. Usage is reported for a contract or a reporting group and one product, by statistic and day. Check `final` before you report a value as a result; `usage_summary` adds up months and shows which of their days can still change.",
  objects: {
    "contract measure": "The usage of a product under a contract, by day and statistic.",
    "group measure": "The same for a reporting group.",
    "contract statistic": "The metrics of a product under a contract: the names that `statisticName` takes.",
    "group statistic": "The same for a reporting group.",
  },
  lives: [
    {
      of: "a day's value",
      moves: [
        { to: "provisional", when: "usage is measured" },
        { from: "provisional", to: "provisional", when: "it is corrected" },
        { from: "provisional", to: "final", when: "the billing of its month is closed" },
      ],
    },
  ],
  limits: ["usage-forms-exclusive"],
} satisfies Guide<typeof service>;
