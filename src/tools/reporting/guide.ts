/** The written part of the guide to traffic reports. */
import type { Guide } from "../../language/guide.js";
import type { reporting as service } from "./index.js";

export const reporting = {
  purpose:
    "Use it to see how much traffic was served, to whom and with which result. A report is chosen by its name and version; `objectIds` lists the CP codes or other objects that it covers, `metrics` and `filters` narrow it down, and `interval` divides the period. Reports lag behind: they do not include the last few minutes yet.",
  objects: {
    type: "A kind of report, with its name, version, metrics, filters and intervals. `report_types_list` lists them all.",
    data: "The rows of one report for a period. For a long list of objects, use `report_data_find`, which sends it in the body.",
  },
  lives: [
    {
      of: "report data",
      moves: [
        { to: "available", when: "traffic is counted" },
        { from: "available", when: "90 days have passed" },
      ],
    },
  ],
  limits: [
    "report-interval-required",
    "report-availability-intervals",
    "report-retention",
    "report-filter-values",
    "report-catalogue",
  ],
} satisfies Guide<typeof service>;
