/** Reporting resources: the document's catalogue of reports, as a whole and by type. */
import type { DeclaredResource } from "../../language/reading.js";
import { reportTypes } from "./catalogue.js";

const names = reportTypes.map(({ name }) => name);

export const reportResources: readonly DeclaredResource[] = [
  {
    address: "report://catalogue",
    name: "report-catalogue",
    title: "Traffic reports",
    description: "Every report type with its version, object type, intervals, metrics and filters.",
    content: { value: () => ({ reports: reportTypes }), values: [] },
  },
  {
    address: "report://types/{reportName}",
    name: "report-type",
    title: "Report type",
    description: "One report type: metrics, filters, intervals.",
    content: { value: (wanted) => reportTypes.find(({ name }) => name === wanted), values: names },
  },
];
