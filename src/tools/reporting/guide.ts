/** The written part of the guide to traffic reports. */
import type { Guide } from "../../language/guide.js";
import type { reporting as service } from "./index.js";

export const reporting = {
  purpose:
    "Use it to learn how much traffic there was, to whom and with which result. A report is chosen by its type and version; `objectIds` say which CP codes or other objects it is about, `metrics` and `filters` narrow it down, and `interval` cuts the period. Reports tell the past: what was served in the last minutes is not in them yet.",
  objects: {
    type: "What can be reported: a name, a version, metrics, filters and intervals. `report_types_list` has all of them.",
    data: "The rows of one report for a period. A long list of objects goes into a body, by `report_data_find`.",
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
