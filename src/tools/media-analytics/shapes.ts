/** The schemas of media analytics: report packs, data stores, and the table of a report's data. */
import { json } from "../../language/define.js";
import { z } from "../../language/z.js";
import { EpochSeconds, members } from "../fields.js";

const Named = z.looseObject({ id: z.int(), name: z.string() });
const text = z.string().optional();
const Dimension = Named.extend({ type: text.describe("standard or custom"), description: text, dataType: text });
const Metric = Named.extend({ description: text, dataType: text, unit: text });

export const Family = z.enum(["audience-analytics", "qos-monitor", "viewer-diagnostics", "download-analytics"]);
export const ReportPack = Named.extend({ isActive: z.boolean(), ...members(text, "type", "subType", "timezone") });
export const ReportPackDetail = ReportPack.extend({
  dataSources: z.array(Named),
  dimensions: z.array(Dimension),
  metrics: z.array(Metric),
  filters: z.array(z.unknown()).nullable().optional(),
  dataStores: z.array(Named.extend({ type: text, description: text })),
});
export const DataStore = Named.extend({
  ...members(text, "type", "description"),
  dimensions: z.array(Dimension),
  metrics: z.array(Metric),
  aggregation: z.int().optional().describe("Seconds that a row covers"),
  purgeIntervalInDays: z.int().describe("Older data is deleted"),
  maxQueryDurationInMinutes: z.int().describe("The longest period of a query"),
});
export const DataSources = json(z.array(Named));

const Column = Named.extend({
  index: z.int(),
  type: z.string().describe("dimension or metric"),
  ...members(text, "description", "dataType", "unit", "aggregate"),
});
export const Data = json(
  z.looseObject({
    columns: z.array(Column),
    rows: z.array(z.array(z.string())).describe("Time is in seconds since 1970"),
    metaData: z.looseObject({
      ...members(z.int(), "aggregation", "limit", "offset"),
      ...members(EpochSeconds, "startTimeInEpoch", "endTimeInEpoch"),
      timeZone: z.string(),
      hasMoreData: z.boolean(),
      reportPack: z.int().optional(),
      messages: z.array(z.string()).optional(),
    }),
  }),
);
