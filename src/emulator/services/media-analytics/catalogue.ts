/** The report packs of the emulated account: their dimensions and metrics, and the data stores that combine them. */
import { placeOf, visitorIp } from "../account.js";
import type { Subject, SubjectKind, Sums } from "./audience.js";

export type Family = "audience-analytics" | "qos-monitor" | "viewer-diagnostics" | "download-analytics";

/** A dimension's values for a subject, each with its share of the subject's sessions; the time is no value of a subject. */
export interface Dimension {
  readonly id: number;
  readonly name: string;
  readonly type: "standard" | "custom";
  readonly description: string;
  readonly dataType: string;
  readonly values: (subject: Subject) => Readonly<Record<string, number>>;
}

export interface Metric {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly dataType: string;
  readonly unit: string;
  /** The figure, from the sessions of a row and the seconds that it covers. */
  readonly of: (sums: Sums, seconds: number) => number;
}

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

const only = (value: string): Readonly<Record<string, number>> => ({ [value]: 1 });
const dimension = (
  id: number,
  name: string,
  dataType: string,
  description: string,
  values: Dimension["values"],
  type: Dimension["type"] = "standard",
): Dimension => ({ id, name, type, description, dataType, values });

const time = dimension(1, "Time", "TIME", "The beginning of the row's interval, in seconds since 1970.", () => ({}));
export const timeId = time.id;
const stream = dimension(2, "Stream", "STREAM", "The live stream.", ({ name }) => only(name));
const cpCode = dimension(3, "CP Code", "CPCODE", "The CP code of the traffic.", (subject) => only(subject.cpCode));
const host = dimension(4, "Host", "DOMAIN", "The host that delivers it.", ({ hostName }) => only(hostName));
// The world's visitors are all in one place.
const countryCode = placeOf(visitorIp(0))?.place.countryCode ?? "";
const country = dimension(5, "Country", "COUNTRY", "Where the viewer is.", () => only(countryCode));
const device = dimension(6, "Device", "STRING", "What the viewer watches on.", () => ({
  Phone: 0.46,
  Desktop: 0.31,
  TV: 0.23,
}));
const viewer = dimension(7, "Viewer", "STRING", "The viewer's address.", (subject) => only(subject.viewer ?? ""));
const campaign = dimension(
  1001,
  "Campaign",
  "STRING",
  "How the viewer came to the stream.",
  () => ({ newsletter: 0.35, "none given": 0.65 }),
  "custom",
);
const client = dimension(8, "Client", "STRING", "What downloads.", () => ({ "download manager": 0.6, browser: 0.4 }));

const metric = (
  id: number,
  name: string,
  dataType: string,
  unit: string,
  description: string,
  of: Metric["of"],
): Metric => ({ id, name, description, dataType, unit, of });

/** How long a session is, in minutes. */
const sessionMinutes = 18.5;
const failingShare = ({ plays, failures }: Sums): number => (plays === 0 ? 0 : failures / plays);
const plays = metric(40, "Plays", "COUNT", "COUNT", "Sessions that began.", (sums) => sums.plays);
const uniqueViewers = metric(
  41,
  "Unique Viewers",
  "COUNT",
  "COUNT",
  "Viewers, each counted once in an interval.",
  (sums) => sums.plays * 0.72,
);
const playMinutes = metric(
  42,
  "Play Duration",
  "TIME",
  "MINUTES",
  "How long was watched.",
  (sums) => (sums.plays - sums.failures) * sessionMinutes,
);
const concurrent = metric(
  43,
  "Concurrent Viewers",
  "COUNT",
  "COUNT",
  "Viewers at the same time, on average.",
  (sums, seconds) => (sums.plays * sessionMinutes * 60) / seconds,
);
const startup = metric(
  50,
  "Startup Time",
  "TIME",
  "MS",
  "From the play button to the picture.",
  (sums) => 820 + 9_000 * failingShare(sums),
);
const rebuffers = metric(
  51,
  "Rebuffers",
  "COUNT",
  "COUNT",
  "Interruptions.",
  (sums) => sums.plays * (0.11 + 4 * failingShare(sums)),
);
const bitrate = metric(
  52,
  "Average Bitrate",
  "BANDWIDTH",
  "KBPS",
  "Of what was played.",
  (sums) => 5_200 * (1 - failingShare(sums)),
);
const errors = metric(53, "Errors", "COUNT", "COUNT", "Sessions that failed.", (sums) => sums.failures);
const availability = metric(
  54,
  "Availability",
  "PERCENT",
  "%",
  "Sessions that did not fail.",
  (sums) => 100 * (1 - failingShare(sums)),
);
const started = metric(60, "Downloads Started", "COUNT", "COUNT", "Downloads that began.", (sums) => sums.plays);
const completed = metric(
  61,
  "Downloads Completed",
  "COUNT",
  "COUNT",
  "Downloads that ended well.",
  (sums) => (sums.plays - sums.failures) * 0.93,
);
const volume = metric(
  62,
  "Volume",
  "VOLUME",
  "GB",
  "What was downloaded.",
  (sums) => (sums.plays - sums.failures) * 0.0184,
);

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
