/** The catalogue of reports for assistants that are not shown resources: all in brief, or one with all that it takes. */
import { workflow } from "../calls/workflow.js";
import { z } from "../language/z.js";
import { type ReportType, reportTypes } from "../tools/reporting/catalogue.js";

const noInterval = "no interval";

const inBrief = ({ name, version, description, intervals }: ReportType) => ({
  name,
  version,
  measures: description,
  intervals: intervals?.join(" ") ?? noInterval,
});

export const reportTypeList = workflow({
  title: "Traffic report types",
  does: "Lists the traffic reports that report_data_get and report_data_find run: name, version, what each measures, and its intervals; with report, the metrics and filters of one.",
  input: z.strictObject({
    report: z
      .enum(reportTypes.map(({ name }) => name))
      .optional()
      .describe("Show this report in full"),
  }),
  example: { report: "endpoint-usage-by-time" },

  async run({ report: wanted }) {
    const report = reportTypes.find(({ name }) => name === wanted);
    if (report) return { report: { ...report, intervals: report.intervals ?? noInterval } };
    return { reports: reportTypes.map(inBrief) };
  },
});
