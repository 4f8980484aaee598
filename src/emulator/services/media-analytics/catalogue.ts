/** The report packs of the emulated account, and the data stores that combine their dimensions and metrics. */
import type { SubjectKind } from "./audience.js";
import {
  availability,
  bitrate,
  campaign,
  client,
  completed,
  concurrent,
  country,
  cpCode,
  type Dimension,
  device,
  errors,
  host,
  type Metric,
  playMinutes,
  plays,
  rebuffers,
  started,
  startup,
  stream,
  time,
  uniqueViewers,
  viewer,
  volume,
} from "./columns.js";

export type Family = "audience-analytics" | "qos-monitor" | "viewer-diagnostics" | "download-analytics";

export interface DataStore {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly dimensions: readonly Dimension[];
  readonly metrics: readonly Metric[];
  readonly aggregation: number;
  readonly purgeIntervalInDays: number;
  readonly maxQueryDurationInMinutes: number;
}

export interface Pack {
  readonly id: number;
  readonly name: string;
  readonly subType: string;
  readonly subjects: SubjectKind;
  readonly dataStores: readonly DataStore[];
}

const daysInMinutes = 1_440;
const store = (
  id: number,
  name: string,
  description: string,
  [aggregation, purgeIntervalInDays, maxDays]: readonly [number, number, number],
  dimensions: readonly Dimension[],
  metrics: readonly Metric[],
): DataStore => ({
  id,
  name,
  description,
  dimensions,
  metrics,
  aggregation,
  purgeIntervalInDays,
  maxQueryDurationInMinutes: maxDays * daysInMinutes,
});

export const packs: Readonly<Record<Family, readonly Pack[]>> = {
  "audience-analytics": [
    {
      id: 6831,
      name: "Shop audience",
      subType: "live",
      subjects: "streams",
      dataStores: [
        store(
          101,
          "audience_stream",
          "Viewers of each stream.",
          [300, 30, 31],
          [time, stream, cpCode, host],
          [plays, uniqueViewers, playMinutes, concurrent],
        ),
        store(
          102,
          "audience_place",
          "Where viewers are and how they came.",
          [3_600, 90, 90],
          [time, stream, country, campaign],
          [plays, playMinutes],
        ),
        store(
          103,
          "audience_device",
          "What viewers watch on.",
          [86_400, 365, 365],
          [time, stream, device],
          [plays, uniqueViewers],
        ),
      ],
    },
  ],
  "qos-monitor": [
    {
      id: 6833,
      name: "ReportPack Qos",
      subType: "live",
      subjects: "streams",
      dataStores: [
        store(
          201,
          "qos_stream",
          "Quality of each stream.",
          [300, 30, 31],
          [time, stream, cpCode],
          [plays, startup, rebuffers, bitrate, errors, availability],
        ),
        store(
          202,
          "qos_device",
          "Quality by device.",
          [3_600, 90, 90],
          [time, stream, device],
          [plays, startup, errors],
        ),
      ],
    },
  ],
  "viewer-diagnostics": [
    {
      id: 6835,
      name: "Shop viewers",
      subType: "live",
      subjects: "streamsByViewer",
      dataStores: [
        store(
          301,
          "viewer_stream",
          "What a viewer played.",
          [3_600, 7, 7],
          [time, viewer, stream, host],
          [plays, playMinutes, startup, rebuffers, errors],
        ),
      ],
    },
  ],
  "download-analytics": [
    {
      id: 6837,
      name: "Shop downloads",
      subType: "download",
      subjects: "downloads",
      dataStores: [
        store(
          401,
          "download_cpcode",
          "Downloads by CP code.",
          [3_600, 90, 90],
          [time, cpCode, host],
          [started, completed, volume],
        ),
        store(402, "download_client", "Downloads by client.", [86_400, 365, 365], [time, client], [started, completed]),
      ],
    },
  ],
};
