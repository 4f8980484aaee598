/** Golden exchanges of media analytics: a family in the path, American dates, JSON in a query, rows under columns. */
import type { GoldenText } from "./goldens.js";

const base = "/media-analytics/v1";

export const mediaGoldens: readonly GoldenText[] = [
  {
    name: "a family in the path",
    tool: "media_report_packs_list",
    args: { family: "qos-monitor" },
    request: `GET ${base}/qos-monitor/report-packs`,
    answer: {
      status: 200,
      body: '[{"id":6833,"name":"ReportPack Qos","isActive":true,"type":"internal","subType":"«text»","timezone":"«text»"}]',
    },
  },
  {
    name: "a report pack with its dimensions, metrics and data stores",
    tool: "media_report_pack_get",
    args: { family: "viewer-diagnostics", reportPackId: 6835 },
    request: `GET ${base}/viewer-diagnostics/report-packs/6835`,
    answer: {
      status: 200,
      body: '{"id":6835,"name":"pack","isActive":true,"type":"internal","subType":"live","timezone":"GMT","dataSources":[{"id":201044,"name":"shop-show"}],"dimensions":[{"id":1001,"name":"Campaign","type":"custom"}],"metrics":[{"id":40,"name":"Plays"}],"filters":null,"dataStores":[{"id":301,"name":"store","type":"STANDARD","description":"A store."}]}',
    },
    isEmulated: false,
  },
  {
    name: "a data store of a report pack",
    tool: "media_data_store_get",
    args: { family: "download-analytics", reportPackId: 6837, dataStoreId: 402 },
    request: `GET ${base}/download-analytics/report-packs/6837/data-stores/402`,
    answer: {
      status: 200,
      body: '{"id":402,"name":"«text»","type":"STANDARD","description":"«text»","dimensions":["«any»","«any»"],"metrics":["«any»","«any»"],"aggregation":86400,"purgeIntervalInDays":365,"maxQueryDurationInMinutes":525600}',
    },
  },
  {
    name: "data sources as a bare list",
    tool: "media_data_sources_list",
    args: { family: "audience-analytics", reportPackId: 6831 },
    request: `GET ${base}/audience-analytics/report-packs/6831/data-sources`,
    answer: {
      status: 200,
      body: '[{"id":201044,"name":"shop-show"},{"id":201045,"name":"workshop"},{"id":201046,"name":"product-launch"}]',
    },
  },
  {
    name: "dates in the American form, ids with commas, filters and order as JSON",
    tool: "media_data_get",
    args: {
      family: "audience-analytics",
      reportPackId: 6831,
      startDate: "2026-05-18",
      endDate: "2026-05-19T02:00:00+02:00",
      aggregation: "day",
      dimensions: [1, 2],
      metrics: [40],
      limit: 2,
      filterParams: [{ type: "dimension", id: 2, condition: "in", values: ["shop-show", "workshop"] }],
      sortParams: [{ type: "metric", id: 40, order: "desc" }],
    },
    request: `GET ${base}/audience-analytics/report-packs/6831/data?startDate=05%2F18%2F2026&endDate=05%2F19%2F2026%3A00%3A00&aggregation=day&dimensions=1%2C2&metrics=40&limit=2&filterParams=%5B%7B%22type%22%3A%22dimension%22%2C%22id%22%3A2%2C%22condition%22%3A%22in%22%2C%22values%22%3A%5B%22shop-show%22%2C%22workshop%22%5D%7D%5D&sortParams=%5B%7B%22type%22%3A%22metric%22%2C%22id%22%3A40%2C%22order%22%3A%22desc%22%7D%5D`,
    answer: {
      status: 200,
      body: '{"columns":[{"index":0,"id":1,"name":"Time","type":"dimension","description":"«text»","dataType":"TIME"},{"index":1,"id":2,"name":"Stream","type":"dimension","description":"«text»","dataType":"STREAM"},{"index":2,"id":40,"name":"Plays","type":"metric","description":"«text»","dataType":"COUNT","unit":"COUNT"}],"rows":[["1779062400","«text»","«text»"],["1779062400","«text»","«text»"]],"metaData":{"aggregation":86400,"limit":2,"offset":0,"startTimeInEpoch":1779062400,"endTimeInEpoch":1779148800,"timeZone":"GMT","hasMoreData":false,"reportPack":6831}}',
    },
  },
  {
    name: "one viewer in the path, and no rows",
    tool: "media_viewer_data_get",
    args: {
      reportPackId: 6835,
      viewerId: "nobody",
      startDate: "05/18/2026",
      endDate: "05/19/2026:12:30",
      metrics: [40],
      offset: 5,
    },
    request: `GET ${base}/viewer-diagnostics/report-packs/6835/viewers/nobody/data?startDate=05%2F18%2F2026&endDate=05%2F19%2F2026%3A12%3A30&metrics=40&offset=5`,
    answer: {
      status: 200,
      body: '{"columns":[{"index":0,"id":40,"name":"Plays","type":"metric","description":"«text»","dataType":"COUNT","unit":"COUNT"}],"rows":[],"metaData":{"aggregation":3600,"limit":300,"offset":5,"startTimeInEpoch":1779062400,"endTimeInEpoch":1779193800,"timeZone":"GMT","hasMoreData":false,"reportPack":6835}}',
    },
  },
];
