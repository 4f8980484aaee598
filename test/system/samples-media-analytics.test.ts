/** Every sample of media analytics, served by a replaying upstream, comes through unchanged. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const found = samplesIn("../shared/samples/C/media-analytics");
const family = { family: "qos-monitor" };
const pack = { ...family, reportPackId: 6833 };
const day = { startDate: "2016-08-21", endDate: "08/22/2016:10:00" };
/** The data stores in which the columns of the sample of data are. */
const ingest = JSON.stringify([
  {
    id: 102,
    name: "ingest",
    dimensions: [{ id: 5002, name: "Time" }],
    metrics: [{ id: 5002, name: "Hits" }],
    purgeIntervalInDays: 30,
    maxQueryDurationInMinutes: 43_200,
  },
]);
const storesOf = (path: string) => ({ [`/media-analytics/v1/${path}/data-stores`]: () => ingest });

describe("media analytics", () => {
  replaySamples({
    ...found,
    foreign: {
      "media-reports-v1-filter-params.json": "the value of an argument, which the golden exchanges send",
      "media-reports-v1-sort-params.json": "the same",
      "media-reports-v1-get-pmd-dimensions-200.json":
        "a list that the reports of the same back end have, and these not",
      "media-reports-v1-get-pmd-metrics-200.json": "the same",
    },
    rows: under(
      "",
      ["media_report_packs_list", family, "v1-report-packs-list.fragment.json", 200],
      [
        "media_data_stores_list",
        pack,
        "media-delivery-reports-v1-list-data-stores-download-delivery-200-trunc.json",
        200,
      ],
      [
        "media_data_store_get",
        { ...pack, dataStoreId: 102 },
        "media-reports-v1-get-http-ingest-datastores-id.json",
        200,
      ],
      [
        "media_data_get",
        { ...pack, ...day, dimensions: ["Time"], metrics: ["Hits"] },
        "media-reports-v1-get-http-ingest-data-200.json",
        200,
        { also: storesOf("qos-monitor/report-packs/6833") },
      ],
      [
        "media_viewer_data_get",
        { reportPackId: 7, viewerId: "v 1", ...day, dimensions: [5002], metrics: [5002] },
        "media-reports-v1-get-http-ingest-data-200.json",
        200,
        { also: storesOf("viewer-diagnostics/report-packs/7") },
      ],
    ),
  });
});
