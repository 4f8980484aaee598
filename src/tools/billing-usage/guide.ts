/** The written part of the guide to billing usage. */
import type { Guide } from "../../language/guide.js";
import type { billingUsage as service } from "./index.js";

export const billingUsage = {
  purpose:
    "Use it to explain a bill or to see where a month is heading. Usage is told for a contract or for a reporting group and one product, by statistic and day. Read `final` before a figure is called a result; `usage_summary` adds up months and says which of their days can still change.",
  objects: {
    "contract measure": "The usage of a product under a contract, a value for each day and statistic.",
    "group measure": "The same for a reporting group.",
    "contract statistic": "What is measured of a product under a contract: the names that `statisticName` takes.",
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
