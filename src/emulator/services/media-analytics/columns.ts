/** What media reports have as columns in the emulated account: dimensions with their values, and metrics with their figures. */
import { placeOf, visitorIp } from "../account.js";
import type { Subject, Sums } from "./audience.js";

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

const only = (value: string): Readonly<Record<string, number>> => ({ [value]: 1 });
const dimension = (
  id: number,
  name: string,
  dataType: string,
  description: string,
  values: Dimension["values"],
  type: Dimension["type"] = "standard",
): Dimension => ({ id, name, type, description, dataType, values });

export const time = dimension(
  1,
  "Time",
  "TIME",
  "The beginning of the row's interval, in seconds since 1970.",
  () => ({}),
);
export const stream = dimension(2, "Stream", "STREAM", "The live stream.", ({ name }) => only(name));
export const cpCode = dimension(3, "CP Code", "CPCODE", "The CP code of the traffic.", (subject) =>
  only(subject.cpCode),
);
export const host = dimension(4, "Host", "DOMAIN", "The host that delivers it.", ({ hostName }) => only(hostName));
// The world's visitors are all in one place.
const countryCode = placeOf(visitorIp(0))?.place.countryCode ?? "";
export const country = dimension(5, "Country", "COUNTRY", "Where the viewer is.", () => only(countryCode));
export const device = dimension(6, "Device", "STRING", "What the viewer watches on.", () => ({
  Phone: 0.46,
  Desktop: 0.31,
  TV: 0.23,
}));
export const viewer = dimension(7, "Viewer", "STRING", "The viewer's address.", (subject) =>
  only(subject.viewer ?? ""),
);
export const campaign = dimension(
  1001,
  "Campaign",
  "STRING",
  "How the viewer came to the stream.",
  () => ({ newsletter: 0.35, "none given": 0.65 }),
  "custom",
);
export const client = dimension(8, "Client", "STRING", "What downloads.", () => ({
  "download manager": 0.6,
  browser: 0.4,
}));

const metric = (
  id: number,
  name: string,
  dataType: string,
  unit: string,
  description: string,
  of: Metric["of"],
): Metric => ({ id, name, description, dataType, unit, of });

const count = (id: number, name: string, description: string, of: Metric["of"]): Metric =>
  metric(id, name, "COUNT", "COUNT", description, of);

/** How long a session is, in minutes. */
const sessionMinutes = 18.5;
const failingShare = ({ plays, failures }: Sums): number => (plays === 0 ? 0 : failures / plays);
export const plays = count(40, "Plays", "Sessions that began.", (sums) => sums.plays);
export const uniqueViewers = count(
  41,
  "Unique Viewers",
  "Viewers, each counted once in an interval.",
  (sums) => sums.plays * 0.72,
);
export const playMinutes = metric(
  42,
  "Play Duration",
  "TIME",
  "MINUTES",
  "How long was watched.",
  (sums) => (sums.plays - sums.failures) * sessionMinutes,
);
export const concurrent = count(
  43,
  "Concurrent Viewers",
  "Viewers at the same time, on average.",
  (sums, seconds) => (sums.plays * sessionMinutes * 60) / seconds,
);
export const startup = metric(
  50,
  "Startup Time",
  "TIME",
  "MS",
  "From the play button to the picture.",
  (sums) => 820 + 9_000 * failingShare(sums),
);
export const rebuffers = count(
  51,
  "Rebuffers",
  "Interruptions.",
  (sums) => sums.plays * (0.11 + 4 * failingShare(sums)),
);
export const bitrate = metric(
  52,
  "Average Bitrate",
  "BANDWIDTH",
  "KBPS",
  "Of what was played.",
  (sums) => 5_200 * (1 - failingShare(sums)),
);
export const errors = count(53, "Errors", "Sessions that failed.", (sums) => sums.failures);
export const availability = metric(
  54,
  "Availability",
  "PERCENT",
  "%",
  "Sessions that did not fail.",
  (sums) => 100 * (1 - failingShare(sums)),
);
export const started = count(60, "Downloads Started", "Downloads that began.", (sums) => sums.plays);
export const completed = count(
  61,
  "Downloads Completed",
  "Downloads that ended well.",
  (sums) => (sums.plays - sums.failures) * 0.93,
);
export const volume = metric(
  62,
  "Volume",
  "VOLUME",
  "GB",
  "What was downloaded.",
  (sums) => (sums.plays - sums.failures) * 0.0184,
);
