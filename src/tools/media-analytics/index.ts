/** Media analytics (document C): report packs of four product families, their data stores, and the data of their reports. */
import { comma, json, jsonParam, op, writtenOut } from "../../language/define.js";
import { openObject } from "../../language/open-object.js";
import { introduction, type LiveValues } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { UsDate } from "../fields.js";
import { resolveNames } from "./combine.js";
import { Data, DataSources, DataStore, Family, ReportPack, ReportPackDetail } from "./shapes.js";

const packIds: LiveValues = {
  tool: "media_report_packs_list",
  of: z.array(z.looseObject({ id: z.int() }).transform(({ id }) => String(id))).catch([]),
  args: { family: "audience-analytics" },
};

const family = { family: writtenOut(Family) };
const packs = "/media-analytics/v1/{family}/report-packs/{reportPackId}";
const viewers = "/media-analytics/v1/viewer-diagnostics/report-packs/{reportPackId}/viewers/{viewerId}";
const reportPackId = z.int().positive();
const pack = { ...family, reportPackId };

const Id = z.union([z.string().min(1), z.int().min(0)]);
const type = z.enum(["dimension", "metric"]);
/** A report: the arguments that select its data, and its rows. */
const table = {
  query: {
    startDate: UsDate.describe("ISO 8601"),
    endDate: UsDate,
    aggregation: z
      .union([
        z.string().regex(/^([1-9]\d{0,8}|day|week|month|year)$/, "seconds, or day, week, month or year"),
        z.int().positive(),
      ])
      .optional()
      .describe("Seconds or day"),
    dimensions: comma(z.array(Id).min(1).optional().describe("Names or ids")),
    metrics: comma(z.array(Id).min(1).optional()),
    limit: z.int().min(1).max(10_000).optional().describe("Default 300"),
    offset: z.int().min(0).optional(),
    filterParams: jsonParam(
      z
        .array(
          openObject({
            type,
            id: Id,
            condition: z.string().min(1).describe("in, gt"),
            values: z.array(z.union([z.string(), z.number()])).min(1),
          }),
        )
        .min(1)
        .optional(),
    ),
    sortParams: jsonParam(
      z
        .array(openObject({ type, id: Id, order: z.enum(["asc", "desc"]) }))
        .min(1)
        .optional(),
    ),
  },
  period: { start: "startDate", end: "endDate", form: "usDate", isPast: true },
  paging: {
    start: "offset",
    counts: "records",
    size: "limit",
    defaultSize: 300,
    items: "rows",
    more: "metaData.hasMoreData",
    most: 10_000,
  },
  shows: { columns: { columns: "columns", rows: "rows", time: "Time" } },
  returns: { 200: Data },
} as const;

const unknownPack = {
  404: "There is no such report pack or data store in this family: media_report_packs_list lists its packs.",
};
const dataErrors = {
  400: "No data store has all of these dimensions and metrics for this period: media_data_stores_list shows what each one has.",
  ...unknownPack,
};
const dataNote =
  "The document shows neither the query formats nor the response; both are assumed to be those of the reports that run on the same back end, according to public facts. Whether an end date without a time includes that day is unknown: give a time.";

export const mediaAnalytics = service("media", {
  name: "media-analytics",
  document: "C",
  title: "Media analytics",
  about: "Reports on viewers, playback quality and downloads of media, from report packs and their data stores.",
  standing: { state: "retired", since: "2019-06" },
  resources: [
    {
      address: "media://{family}/report-packs",
      name: "media-report-packs",
      title: "Report packs",
      description: "The report packs of a family of media reports, read from the account.",
      content: { tool: "media_report_packs_list", values: { family: Family.options } },
    },
    {
      address: "media://{family}/report-packs/{reportPackId}",
      name: "media-report-pack",
      title: "Report pack",
      description: "A report pack's sources, dimensions, metrics and data stores.",
      content: { tool: "media_report_pack_get", values: { family: Family.options, reportPackId: packIds } },
    },
  ],
  ids: {
    "filterParams.id": "media_data_store_get",
    "sortParams.id": "media_data_store_get",
    viewerId: { given: "the viewer, as your player identifies it" },
  },
  rules: {
    "media-families": "Four families share the same operations.",
    "media-viewer-path": "Viewer diagnostics returns the data of one viewer, under a separate path.",
    "media-pack-detail":
      "The detail of a report pack has the fields of the list, its data sources, dimensions, metrics, filters and data stores.",
    "media-dimension-types": "A dimension is standard or custom.",
    "media-one-store": "Dimensions and metrics are combined within a data store and never across data stores.",
    "media-store-limits":
      "A data store states how long it keeps data, the longest period of a query, and how many seconds a row covers.",
    "media-dates": "Dates are written MM/dd/yyyy or MM/dd/yyyy:HH:mm.",
    "media-page": "A page has 300 rows by default and at most 10,000.",
  },
  introduction: introduction`${"media_data_get"} takes metrics by name; ${"media_data_stores_list"} says which go together.`,
  operations: {
    media_report_packs_list: op("GET /media-analytics/v1/{family}/report-packs", {
      does: "Lists a family's report packs.",
      path: family,
      returns: { 200: json(z.array(ReportPack)) },
      rules: ["media-families"],
      example: { family: "qos-monitor" },
    }),
    media_report_pack_get: op(`GET ${packs}`, {
      does: "Reads a report pack: its sources, dimensions, metrics and data stores.",
      path: pack,
      returns: { 200: json(ReportPackDetail) },
      rules: ["media-families", "media-pack-detail", "media-dimension-types"],
      means: unknownPack,
      example: { family: "qos-monitor", reportPackId: 6833 },
    }),
    media_data_stores_list: op(`GET ${packs}/data-stores`, {
      does: "Lists a report pack's data stores: which dimensions and metrics go together, and for how long a period.",
      path: pack,
      returns: { 200: json(z.array(DataStore)) },
      rules: ["media-families", "media-one-store", "media-store-limits"],
      means: unknownPack,
      example: { family: "audience-analytics", reportPackId: 6831 },
    }),
    media_data_store_get: op(`GET ${packs}/data-stores/{dataStoreId}`, {
      does: "Reads one data store of a report pack.",
      path: { ...pack, dataStoreId: z.int().positive() },
      returns: { 200: json(DataStore) },
      rules: ["media-families", "media-store-limits"],
      means: unknownPack,
      example: { family: "qos-monitor", reportPackId: 6833, dataStoreId: 201 },
    }),
    media_data_sources_list: op(`GET ${packs}/data-sources`, {
      does: "Lists a report pack's data sources, such as streams.",
      path: pack,
      returns: { 200: DataSources },
      rules: ["media-families"],
      means: unknownPack,
      note: "The document says only that the response is a list; its items are assumed to be those of the report pack's detail.",
      example: { family: "qos-monitor", reportPackId: 6833 },
    }),
    media_data_get: op(`GET ${packs}/data`, {
      does: "Runs a media report.",
      needs: "For one viewer: media_viewer_data_get.",
      path: { family: writtenOut(Family.exclude(["viewer-diagnostics"])), reportPackId },
      ...table,
      resolves: resolveNames(undefined),
      rules: ["media-families", "media-one-store", "media-dates", "media-page"],
      means: dataErrors,
      note: dataNote,
      example: {
        family: "audience-analytics",
        reportPackId: 6831,
        startDate: "{now-2d}",
        endDate: "{now}",
        aggregation: "3600",
        dimensions: ["1", "2"],
        metrics: ["40", "41"],
        sortParams: [{ type: "metric", id: "40", order: "desc" }],
      },
    }),
    media_viewer_data_get: op(`GET ${viewers}/data`, {
      does: "Runs a report on a viewer.",
      path: { reportPackId, viewerId: z.string().min(1) },
      ...table,
      resolves: resolveNames("viewer-diagnostics"),
      rules: ["media-viewer-path", "media-one-store", "media-dates", "media-page"],
      means: dataErrors,
      note: dataNote,
      example: {
        reportPackId: 6835,
        viewerId: "198.51.100.23",
        startDate: "{now-6d}",
        endDate: "{now}",
        dimensions: ["1", "2"],
        metrics: ["40", "50"],
      },
    }),
  },
});
