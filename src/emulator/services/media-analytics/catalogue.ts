/** The report packs of the emulated account: the data stores of each, and what they have as columns. */
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

const dimension = (
  id: number,
  name: string,
  dataType: string,
  description: string,
  values: Dimension["values"],
): Dimension => ({ id, name, type: id < 1_000 ? "standard" : "custom", description, dataType, values });

const began = "The beginning of the row's interval, in seconds since 1970.";
export const time = dimension(1, "Time", "TIME", began, () => ({}));
const stream = dimension(2, "Stream", "STREAM", "The live stream.", ({ name }) => ({ [name]: 1 }));
const cpCode = dimension(3, "CP Code", "CPCODE", "The CP code of the traffic.", (subject) => ({ [subject.cpCode]: 1 }));
const host = dimension(4, "Host", "DOMAIN", "The host that delivers it.", ({ hostName }) => ({ [hostName]: 1 }));
// The world's visitors are all in one place.
const countryCode = placeOf(visitorIp(0))?.place.countryCode ?? "";
const country = dimension(5, "Country", "COUNTRY", "Where the viewer is.", () => ({ [countryCode]: 1 }));
const devices = { Phone: 0.46, Desktop: 0.31, TV: 0.23 };
const device = dimension(6, "Device", "STRING", "What the viewer watches on.", () => devices);
const viewer = dimension(7, "Viewer", "STRING", "The viewer's address.", (subject) => ({ [subject.viewer ?? ""]: 1 }));
const clients = { "download manager": 0.6, browser: 0.4 };
const client = dimension(8, "Client", "STRING", "What downloads.", () => clients);
const campaigns = { newsletter: 0.35, "none given": 0.65 };
const campaign = dimension(1001, "Campaign", "STRING", "How the viewer came to the stream.", () => campaigns);

/** What the figures of a row are made of: its sessions, those that succeeded, and the share that failed. */
interface Basis extends Sums {
  readonly done: number;
  readonly failing: number;
}
const metric = (
  id: number,
  name: string,
  dataType: string,
  unit: string,
  description: string,
  figure: (basis: Basis, seconds: number) => number,
): Metric => ({
  id,
  name,
  description,
  dataType,
  unit,
  of: ({ plays, failures }, seconds) => {
    const failing = plays === 0 ? 0 : failures / plays;
    return figure({ plays, failures, done: plays - failures, failing }, seconds);
  },
});
const count = (id: number, name: string, description: string, figure: Parameters<typeof metric>[5]): Metric =>
  metric(id, name, "COUNT", "COUNT", description, figure);

/** How long a session is, in minutes. */
const lasts = 18.5;
const onceEach = "Viewers, each counted once in an interval.";
const together = "Viewers at the same time, on average.";
const fromPlay = "From the play button to the picture.";
const plays = count(40, "Plays", "Sessions that began.", (row) => row.plays);
const uniqueViewers = count(41, "Unique Viewers", onceEach, (row) => row.plays * 0.72);
const playMinutes = metric(42, "Play Duration", "TIME", "MINUTES", "How long was watched.", ({ done }) => done * lasts);
const concurrent = count(43, "Concurrent Viewers", together, (row, seconds) => (row.plays * lasts * 60) / seconds);
const startup = metric(50, "Startup Time", "TIME", "MS", fromPlay, ({ failing }) => 820 + 9_000 * failing);
const rebuffers = count(51, "Rebuffers", "Interruptions.", (row) => row.plays * (0.11 + 4 * row.failing));
const perSecond = ["Average Bitrate", "BANDWIDTH", "KBPS"] as const;
const bitrate = metric(52, ...perSecond, "Of what was played.", ({ failing }) => 5_200 * (1 - failing));
const errors = count(53, "Errors", "Sessions that failed.", ({ failures }) => failures);
const percent = ["Availability", "PERCENT", "%"] as const;
const availability = metric(54, ...percent, "Sessions that did not fail.", ({ failing }) => 100 * (1 - failing));
const started = count(60, "Downloads Started", "Downloads that began.", (row) => row.plays);
const completed = count(61, "Downloads Completed", "Downloads that ended well.", ({ done }) => done * 0.93);
const volume = metric(62, "Volume", "VOLUME", "GB", "What was downloaded.", ({ done }) => done * 0.0184);

const store = (
  id: number,
  name: string,
  description: string,
  {
    keeps: [aggregation, purgeIntervalInDays, maxDays],
    columns: [dimensions, metrics],
  }: {
    /** The seconds of a row, the days for which it is kept, and the days that a query may cover. */
    readonly keeps: readonly [number, number, number];
    readonly columns: readonly [readonly Dimension[], readonly Metric[]];
  },
): DataStore => {
  const maxQueryDurationInMinutes = maxDays * 1_440;
  return { id, name, description, dimensions, metrics, aggregation, purgeIntervalInDays, maxQueryDurationInMinutes };
};
const pack = (id: number, name: string, subType: string, subjects: SubjectKind, dataStores: Pack["dataStores"]) => [
  { id, name, subType, subjects, dataStores },
];

export const packs: Readonly<Record<Family, readonly Pack[]>> = {
  "audience-analytics": pack(6831, "Shop audience", "live", "streams", [
    store(101, "audience_stream", "Viewers of each stream.", {
      keeps: [300, 30, 31],
      columns: [
        [time, stream, cpCode, host],
        [plays, uniqueViewers, playMinutes, concurrent],
      ],
    }),
    store(102, "audience_place", "Where viewers are and how they came.", {
      keeps: [3_600, 90, 90],
      columns: [
        [time, stream, country, campaign],
        [plays, playMinutes],
      ],
    }),
    store(103, "audience_device", "What viewers watch on.", {
      keeps: [86_400, 365, 365],
      columns: [
        [time, stream, device],
        [plays, uniqueViewers],
      ],
    }),
  ]),
  "qos-monitor": pack(6833, "ReportPack Qos", "live", "streams", [
    store(201, "qos_stream", "Quality of each stream.", {
      keeps: [300, 30, 31],
      columns: [
        [time, stream, cpCode],
        [plays, startup, rebuffers, bitrate, errors, availability],
      ],
    }),
    store(202, "qos_device", "Quality by device.", {
      keeps: [3_600, 90, 90],
      columns: [
        [time, stream, device],
        [plays, startup, errors],
      ],
    }),
  ]),
  "viewer-diagnostics": pack(6835, "Shop viewers", "live", "streamsByViewer", [
    store(301, "viewer_stream", "What a viewer played.", {
      keeps: [3_600, 7, 7],
      columns: [
        [time, viewer, stream, host],
        [plays, playMinutes, startup, rebuffers, errors],
      ],
    }),
  ]),
  "download-analytics": pack(6837, "Shop downloads", "download", "downloads", [
    store(401, "download_cpcode", "Downloads by CP code.", {
      keeps: [3_600, 90, 90],
      columns: [
        [time, cpCode, host],
        [started, completed, volume],
      ],
    }),
    store(402, "download_client", "Downloads by client.", {
      keeps: [86_400, 365, 365],
      columns: [
        [time, client],
        [started, completed],
      ],
    }),
  ]),
};
