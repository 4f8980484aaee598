/** Reporting resources: the document's catalogue of reports, as a whole and by type. */
import type { Resource } from "../../language/reading.js";
import { reportTypes } from "./catalogue.js";

const mimeType = "application/json";
const names = reportTypes.map(({ name }) => name);

export const reportResources: readonly Resource[] = [
  {
    address: "report://catalogue",
    name: "report-catalogue",
    title: "Traffic reports",
    description: "Every report type with its version, object type, intervals, metrics and filters.",
    mimeType,
    content: { value: () => ({ reports: reportTypes }), values: [] },
  },
  {
    address: "report://types/{reportName}",
    name: "report-type",
    title: "Report type",
    description: "One report type: metrics, filters, intervals.",
    mimeType,
    content: { value: (wanted) => reportTypes.find(({ name }) => name === wanted), values: names },
  },
];
