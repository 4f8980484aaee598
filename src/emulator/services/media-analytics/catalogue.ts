/** The report packs of the emulated account: the data stores of each, and what they have as columns. */
import { seedsOf } from "../../primitives/seeds.js";
import { geoLocationOf, visitorIp } from "../account.js";
import type { MediaSubject, SessionSums, SubjectKind } from "./audience.js";
import catalogue from "./packs.json" with { type: "json" };

export type MediaFamily = keyof typeof catalogue.packs;
export type MediaDimension = (typeof catalogue.dimensions)[number];
export type MediaMetric = (typeof catalogue.metrics)[number];

type PackSeed = (typeof catalogue.packs)[MediaFamily][number];
type StoreSeed = PackSeed["dataStores"][number];
/** A data store with its columns; each of its rows covers `aggregation` seconds. */
export type MediaDataStore = Omit<StoreSeed, "dimensions" | "metrics"> & {
  readonly dimensions: MediaDimension[];
  readonly metrics: MediaMetric[];
};
export type MediaPack = Omit<PackSeed, "subjects" | "dataStores"> & {
  readonly subjects: SubjectKind;
  readonly dataStores: readonly MediaDataStore[];
};

type Seeds = Readonly<Record<MediaFamily, readonly (PackSeed & Pick<MediaPack, "subjects">)[]>>;
const seeds = seedsOf<Seeds>(catalogue.packs, 0);
/** The dimensions or metrics with some ids, in the order of these. */
export const pickByIds = <T extends { readonly id: number }>(
  all: readonly T[],
  ids: readonly (string | number)[] = [],
): T[] => ids.flatMap((id) => all.filter((one) => String(one.id) === String(id)));

export const packsOf = (family: MediaFamily): readonly MediaPack[] =>
  seeds[family].map((pack) => ({
    ...pack,
    dataStores: pack.dataStores.map((store) => ({
      ...store,
      dimensions: pickByIds(catalogue.dimensions, store.dimensions),
      metrics: pickByIds(catalogue.metrics, store.metrics),
    })),
  }));

/** The id of the dimension that is the time of a row. */
export const timeId = 1;
// The world's visitors are all in one place.
const countryCode = geoLocationOf(visitorIp(0))?.place.countryCode ?? "";
type Shares = Readonly<Record<string, number>>;
const values: Readonly<Record<number, (subject: MediaSubject) => Shares>> = {
  2: ({ name }) => ({ [name]: 1 }),
  3: ({ cpCode }) => ({ [cpCode]: 1 }),
  4: ({ hostName }) => ({ [hostName]: 1 }),
  5: () => ({ [countryCode]: 1 }),
  6: () => ({ Phone: 0.46, Desktop: 0.31, TV: 0.23 }),
  7: ({ viewer = "" }) => ({ [viewer]: 1 }),
  8: () => ({ "download manager": 0.6, browser: 0.4 }),
  1001: () => ({ newsletter: 0.35, "none given": 0.65 }),
};
/** A dimension's values for a subject, each with its share of the subject's sessions; the time is no value of a subject. */
export const valuesOf = ({ id }: MediaDimension, subject: MediaSubject): Shares => values[id]?.(subject) ?? {};

/** What the figures of a row are made of: its sessions, those that succeeded, and the share that failed. */
interface Basis extends SessionSums {
  readonly done: number;
  readonly failing: number;
}
/** How long a session is, in minutes. */
const sessionMinutes = 18.5;
const figures: Readonly<Record<number, (basis: Basis, seconds: number) => number>> = {
  40: ({ plays }) => plays,
  41: ({ plays }) => plays * 0.72,
  42: ({ done }) => done * sessionMinutes,
  43: ({ plays }, seconds) => (plays * sessionMinutes * 60) / seconds,
  50: ({ failing }) => 820 + 9_000 * failing,
  51: ({ plays, failing }) => plays * (0.11 + 4 * failing),
  52: ({ failing }) => 5_200 * (1 - failing),
  53: ({ failures }) => failures,
  54: ({ failing }) => 100 * (1 - failing),
  60: ({ plays }) => plays,
  61: ({ done }) => done * 0.93,
  62: ({ done }) => done * 0.0184,
};
/** The figure of a metric, from the sessions of a row and the seconds that it covers. */
export function figureOf({ id }: MediaMetric, { plays, failures }: SessionSums, seconds: number): number {
  const failing = plays === 0 ? 0 : failures / plays;
  return figures[id]?.({ plays, failures, done: plays - failures, failing }, seconds) ?? 0;
}
