/** The five-minute traffic figures that an alert definition monitors, and whether each is beyond its threshold. */
import { hourMs } from "../../../time/durations.js";
import type { World } from "../../world.js";
import { deliveryNetworks, serviceLevelTests } from "../account.js";
import { type CurrentCpCode, currentCpCodes } from "../properties/served.js";
import {
  bytesPerHit,
  expectedHits,
  failingShare,
  hitsBySlot,
  responseMix,
  slotMs,
  sum,
  usualMix,
  warmOriginShare,
} from "../reporting/series.js";
import type { AlertDefinition } from "./definitions.js";

/** The figure of one slot, with its details. */
export interface SlotFigure {
  readonly value: number;
  /** What a model expects; for adaptive definitions only. */
  readonly expected?: number;
  readonly hits: number;
  readonly errors: number;
  readonly isBeyond: boolean;
  readonly isBelow: boolean;
}

/** One series that a definition monitors. With isSum false it monitors one for each CP code. */
export interface MeasuredSeries {
  /** The CP codes, or the test, that the traffic belongs to. */
  readonly ids: readonly string[];
  /** The figures of the twelve slots of an hour. */
  figures(world: World, hour: number): readonly SlotFigure[];
}

/** The model's standard deviation, as a share of the expected value. */
const deviation = 0.07;

/** Connections are those to the origin, and failures the refused ones among them. */
const noTraffic = { hits: 0, mbps: 0, connections: 0, failures: 0 };
type Traffic = typeof noTraffic;

const megabits = (bytes: number): number => (bytes * 8) / (slotMs / 1000) / 1e6;

/** The bytes of a request on average, with these shares of response codes. */
const bytesOf = (mix: Readonly<Record<string, number>>): number =>
  sum(Object.entries(mix).map(([code, part]) => part * bytesPerHit(code)));

/** The total traffic of some CP codes in each slot of an hour, on the monitored network. */
const trafficOf =
  (ids: readonly string[], share = 1) =>
  (world: World, hour: number): readonly Traffic[] => {
    const sums = Array.from({ length: hourMs / slotMs }, () => ({ ...noTraffic }));
    for (const id of ids) {
      const mix = responseMix(world, id, hour);
      const bytes = bytesOf(mix);
      const connections = warmOriginShare(world, id, hour, mix);
      const bySlot = hitsBySlot(world, id, hour);
      sums.forEach((total, slot) => {
        const hits = (bySlot[slot] ?? 0) * share;
        total.hits += hits;
        total.mbps += megabits(hits * bytes);
        total.connections += hits * connections;
        total.failures += hits * (mix["503"] ?? 0);
      });
    }
    return sums;
  };

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const numberOf = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);

/** Series of fixed criteria: one of all CP codes, or one of each. */
function fixed(
  { fields }: AlertDefinition,
  measure: (traffic: Traffic) => { readonly value: number; readonly isBeyond: boolean },
): readonly MeasuredSeries[] {
  const ids = textsOf(fields["aca_cpcode"]);
  const share = deliveryNetworks[String(fields["network"])]?.share ?? 1;
  const groups = fields["isSum"] === false ? ids.map((id) => [id]) : [ids];
  return groups.map((group) => {
    const trafficIn = trafficOf(group, share);
    const figureOf = (traffic: Traffic): SlotFigure => {
      return { ...measure(traffic), hits: traffic.hits, errors: traffic.failures, isBelow: false };
    };
    return { ids: group, figures: (world, hour) => trafficIn(world, hour).map(figureOf) };
  });
}

const usualModel = { deviations: 2, windowSize: 12, anomalyCount: 4 };
type Model = Readonly<typeof usualModel>;

/** The models of an adaptive definition, above and below; a side that is left out is not monitored. */
export function modelsOf({ fields }: AlertDefinition): readonly (readonly ["above" | "below", Model])[] {
  return (["above", "below"] as const).flatMap((side) => {
    const model = fields[`${side}Model`] as Partial<Model> | undefined;
    return model === undefined || model === null ? [] : [[side, { ...usualModel, ...model }] as const];
  });
}

/** The range that a model expects of a value; without a definition, two standard deviations. */
export function rangeOf(expected: number, definition: AlertDefinition | undefined) {
  const of = Object.fromEntries(definition ? modelsOf(definition) : []) as Partial<Record<"above" | "below", Model>>;
  const edge = (model: Model | undefined): number => (model ?? usualModel).deviations * deviation;
  return { high: expected * (1 + edge(of.above)), low: Math.max(0, expected * (1 - edge(of.below))) };
}

/** The series of a metric of one CP code, compared with a model of its traffic. */
export function metricSeries(cpCode: string, metric: string, definition?: AlertDefinition): MeasuredSeries {
  const bytes = bytesOf(usualMix);
  const trafficIn = trafficOf([cpCode]);
  return {
    ids: [cpCode],
    figures: (world, hour) => {
      const hits = (expectedHits(cpCode, hour) * slotMs) / hourMs;
      const isMegabits = metric === "mbps_to_user";
      const expected = isMegabits ? megabits(hits * bytes) : hits / (slotMs / 1000);
      const { high, low } = rangeOf(expected, definition);
      return trafficIn(world, hour).map((traffic) => {
        const value = isMegabits ? traffic.mbps : traffic.hits / (slotMs / 1000);
        const isBelow = value < low;
        const isBeyond = isBelow || value > high;
        return { value, expected, hits: traffic.hits, errors: traffic.failures, isBelow, isBeyond };
      });
    },
  };
}

const cpCodeOfTest = (id: string) => serviceLevelTests.find((test) => test.id === id)?.cpCode;

/** A test sends requests all the time, so its availability falls by the share of requests that fail. */
function availabilitySeries({ fields }: AlertDefinition): readonly MeasuredSeries[] {
  const limit = numberOf(fields["param"], 0);
  return textsOf(fields["aca_slatest"]).map((id) => {
    return {
      ids: [id],
      figures: (world, hour) => {
        const value = 100 * (1 - failingShare(world, cpCodeOfTest(id) ?? "", hour));
        const figure: SlotFigure = { value, hits: 0, errors: 0, isBeyond: value < limit, isBelow: true };
        return Array.from({ length: hourMs / slotMs }, () => figure);
      },
    };
  });
}

/** The series that a definition monitors. */
export function seriesOf(definition: AlertDefinition): readonly MeasuredSeries[] {
  const { fields } = definition;
  const limit = numberOf(fields["param"], Number.POSITIVE_INFINITY);
  switch (fields.templateId) {
    case "s@1":
      return fixed(definition, ({ mbps }) => ({ value: mbps, isBeyond: mbps > limit }));
    case "s@7": {
      const least = numberOf(fields["alertLowerBound"], 0);
      return fixed(definition, ({ connections, failures }) => {
        const value = connections === 0 ? 0 : (failures / connections) * 100;
        return { value, isBeyond: value > limit && connections >= least };
      });
    }
    case "s@134":
      return availabilitySeries(definition);
    default:
      return [metricSeries(String(fields["adaptivecpcode"]), String(fields["adaptivemetric"]), definition)];
  }
}

/** The CP codes behind a series' ids, where a test id means the test's CP code. */
export const cpCodesBehind = (world: World, ids: readonly string[]): readonly CurrentCpCode[] =>
  ids.flatMap((id) => currentCpCodes(world).filter((one) => one.id === (cpCodeOfTest(id) ?? id)));
