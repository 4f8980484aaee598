/** Sparklines: a definition's series as evenly spaced points, with its firings and, for a model, its estimates. */
import { hourMs } from "../../../time/durations.js";
import type { alertsV2 } from "../../../tools/alerts-v2/index.js";
import type { Call } from "../../behaviour.js";
import { instant, utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { slotMs } from "../reporting/series.js";
import type { AlertDefinition } from "./definitions.js";
import { firingsOf } from "./firings.js";
import { type MeasuredSeries, metricSeries, rangeOf, type SlotFigure, seriesOf } from "./measures.js";
import { illegalArgument, isChoice } from "./templates.js";

type Query = Call<(typeof alertsV2)["operations"]["alert_sparklines_list"]>["query"];

const maxDays = 30;

/** Hours of an ISO 8601 duration, within what a sparkline covers. */
function hoursOf(duration: string | undefined): number {
  const [, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0"] =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(duration ?? "P7D") ?? [];
  const total =
    (Number(weeks) * 7 + Number(days)) * 24 + Number(hours) + Number(minutes) / 60 + Number(seconds) / 3_600;
  if (total <= 0 || total > maxDays * 24) throw illegalArgument(`Not a valid duration: at most P${maxDays}D`);
  return total;
}

/** The instants of the points, each the start of a completed slot. */
function instantsOf(world: World, options: Query, isAdaptive: boolean): readonly number[] {
  const { points = 100 } = options;
  const hours = hoursOf(options.duration);
  // A model is kept for a week or for a month (public facts A, 6).
  const covered = isAdaptive ? (hours <= 7 * 24 ? 7 * 24 : maxDays * 24) : hours;
  const end = Math.floor(world.now() / slotMs) * slotMs;
  const stepMs = Math.max(slotMs, (covered * hourMs) / (points === 0 ? (covered * hourMs) / slotMs : points));
  const count = Math.round((covered * hourMs) / stepMs);
  return Array.from(
    { length: count },
    (_, index) => Math.floor((end - covered * hourMs + index * stepMs) / slotMs) * slotMs,
  );
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

function pointsOf(
  world: World,
  series: MeasuredSeries,
  instants: readonly number[],
  definition: AlertDefinition | undefined,
  hasRange: boolean,
) {
  const figuresByHour = new Map<number, readonly SlotFigure[]>();
  return instants.map((atMs) => {
    const hour = Math.floor(atMs / hourMs) * hourMs;
    const figures = figuresByHour.get(hour) ?? series.figures(world, hour);
    figuresByHour.set(hour, figures);
    const { value = 0, expected } = figures[(atMs - hour) / slotMs] ?? {};
    const point = { x: instant(atMs), y: rounded(value) };
    // Fixed criteria have no model, and so no estimates.
    if (!hasRange || expected === undefined) return point;
    const { high, low } = rangeOf(expected, definition);
    return { ...point, high: rounded(high), low: rounded(low) };
  });
}

/** The sparkline of a definition. With isSum false it shows the first CP code. */
export function sparklineOf(world: World, definition: AlertDefinition, options: Query) {
  const instants = instantsOf(world, options, definition.origin === "ADAPTIVE");
  const [series] = seriesOf(definition);
  const first = instants[0] ?? world.now();
  const firings = firingsOf(world, definition).filter(({ endTime }) => endTime === null || utcOf(endTime) > first);
  return {
    definitionId: definition.definitionId,
    points: series ? pointsOf(world, series, instants, definition, options.inclRange ?? false) : [],
    anomalies: firings.map(({ firingId, startTime, endTime }) => ({
      start: startTime,
      ...(endTime !== null && { end: endTime }),
      firingId,
    })),
    suppressions: [...definition.suppressions],
  };
}

/** The sparkline of a CP code's metric, without a definition. */
export function plainSparkline(world: World, query: Query) {
  const { adaptivecpcode: cpCode, adaptivemetric: metric, inclRange = false } = query;
  if (!isChoice(world, "adaptivecpcode", cpCode) || !isChoice(world, "adaptivemetric", metric))
    throw illegalArgument("Give definitionIds, or a known adaptivecpcode with a known adaptivemetric");
  const series = metricSeries(String(cpCode), String(metric));
  const points = pointsOf(world, series, instantsOf(world, query, true), undefined, inclRange);
  return { definitionId: "", points, anomalies: [], suppressions: [] };
}
