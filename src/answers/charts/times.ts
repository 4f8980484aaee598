/** The times of a chart: their notation in a time zone, and the ticks of its axis. */
import { dayMs, hourMs, minuteMs } from "../../time/durations.js";
import { firstInstantOf, localMs } from "../../time/zone.js";

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The local time as a date whose UTC parts are those of the time zone. */
const clockOf = (zone: string, at: number): Date => new Date(localMs(zone, at));
const month = (date: Date): string => months[date.getUTCMonth()] ?? "";

/** `Wed 28 Oct`. */
function dayText(zone: string, at: number): string {
  const date = clockOf(zone, at);
  return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${month(date)}`;
}

/** `13:05`. */
export const clockText = (zone: string, at: number): string => clockOf(zone, at).toISOString().slice(11, 16);

/** `28 Oct 2026`. */
export function dateText(zone: string, at: number): string {
  const date = clockOf(zone, at);
  return `${date.getUTCDate()} ${month(date)} ${date.getUTCFullYear()}`;
}

/** `Wed 28 Oct 13:05`; without the time of day if a point represents a day or more. */
export const momentText = (zone: string, at: number, stepMs: number): string =>
  stepMs >= dayMs ? dayText(zone, at) : `${dayText(zone, at)} ${clockText(zone, at)}`;

/** `Wed 2026-10-28 13:05+01:00`, which is unambiguous even if a local time occurs twice. */
export function exactText(zone: string, at: number): string {
  const date = clockOf(zone, at);
  const ahead = Math.round((date.getTime() - at) / minuteMs);
  const offset = new Date(Math.abs(ahead) * minuteMs).toISOString().slice(11, 16);
  const [day, time] = date.toISOString().slice(0, 16).split("T");
  return `${weekdays[date.getUTCDay()]} ${day} ${time}${ahead < 0 ? "-" : "+"}${offset}`;
}

/** The start of the local day of an instant; its first instant if midnight is skipped. */
export const startOfDay = (zone: string, at: number): number =>
  firstInstantOf(zone, Math.floor(localMs(zone, at) / dayMs) * dayMs);

/** The start of the local hour, which in some time zones differs from that of UTC. */
export const startOfHour = (zone: string, at: number): number =>
  at - (((localMs(zone, at) % hourMs) + hourMs) % hourMs);

/** A tick with its label. */
interface Tick {
  readonly at: number;
  readonly text: string;
}

type LocalTimes = (from: Date, to: Date) => Generator<number>;

/** Local times at a distance; days and weeks count from a Monday, so that weekly ticks are Mondays. */
const every = (stepMs: number): LocalTimes =>
  function* (from, to) {
    const monday = -3 * dayMs;
    const first = monday + Math.ceil((from.getTime() - monday) / stepMs) * stepMs;
    for (let local = first; local <= to.getTime(); local += stepMs) yield local;
  };
const everyMonths = (count: number): LocalTimes =>
  function* (from, to) {
    for (let at = from.getUTCFullYear() * 12 + from.getUTCMonth(); ; at += 1) {
      const local = Date.UTC(Math.floor(at / 12), at % 12);
      if (local > to.getTime()) return;
      if (at % count === 0 && local >= from.getTime()) yield local;
    }
  };

/** The label of a tick; with the month only if it differs from that of the previous tick. */
type TimeNotation = (local: Date, before: Date | undefined) => string;
const isSameMonth = (a: Date, b: Date | undefined): boolean =>
  a.toISOString().slice(0, 7) === b?.toISOString().slice(0, 7);
const byDay: TimeNotation = (local, before) =>
  `${weekdays[local.getUTCDay()]} ${local.getUTCDate()}${isSameMonth(local, before) ? "" : ` ${month(local)}`}`;
const byClock: TimeNotation = (local) =>
  local.getTime() % dayMs === 0 ? byDay(local, undefined) : local.toISOString().slice(11, 16);
const byDate: TimeNotation = (local) => `${local.getUTCDate()} ${month(local)}`;
const byMonth: TimeNotation = (local) => `${month(local)} ${local.getUTCFullYear()}`;

const spacings: readonly (readonly [LocalTimes, TimeNotation])[] = [
  ...[5, 15, 30].map((count) => [every(count * minuteMs), byClock] as const),
  ...[1, 3, 6, 12].map((count) => [every(count * hourMs), byClock] as const),
  ...[1, 2].map((count) => [every(count * dayMs), byDay] as const),
  ...[7, 14].map((count) => [every(count * dayMs), byDate] as const),
  ...[1, 3, 6, 12, 60].map((count) => [everyMonths(count), byMonth] as const),
];

/**
 * The ticks of a time axis: local full hours, midnights, Mondays or first days of months, as many as possible up to
 * `max`. If a local time is skipped, its tick is at the first instant after it.
 */
export function ticksOf(zone: string, from: number, to: number, max: number): Tick[] {
  const [first, last] = [clockOf(zone, from), clockOf(zone, to)];
  // Around a clock change the local times of the ends may be in the wrong order or too close by an hour.
  const [early, late] = [new Date(first.getTime() - dayMs), new Date(last.getTime() + dayMs)];
  for (const [times, labelOf] of spacings) {
    const ticks = new Map<number, string>();
    let before: Date | undefined;
    for (const local of times(early, late)) {
      const at = firstInstantOf(zone, local);
      if (at < from || at > to) continue;
      ticks.set(at, labelOf(new Date(local), before));
      before = new Date(local);
      if (ticks.size > max) break;
    }
    if (ticks.size <= max) return [...ticks].map(([at, text]) => ({ at, text }));
  }
  return [];
}

/** The labels of consecutive days, with the month only when it changes. */
export const dayTexts = (zone: string, days: readonly number[], each: number): string[] =>
  days.map((day, index) => {
    const before = days[index - each];
    return byDay(clockOf(zone, day), before === undefined ? undefined : clockOf(zone, before));
  });

/** The distance of points. */
export function stepText(stepMs: number): string {
  const known = new Map([
    [hourMs, "hourly"],
    [dayMs, "daily"],
    [7 * dayMs, "weekly"],
  ]);
  if (stepMs >= 28 * dayMs) return stepMs > 32 * dayMs ? `every ${Math.round(stepMs / dayMs)} days` : "monthly";
  const [size, unit] =
    stepMs % dayMs === 0
      ? [dayMs, "days"]
      : stepMs % hourMs === 0
        ? [hourMs, "hours"]
        : stepMs % minuteMs === 0
          ? [minuteMs, "minutes"]
          : [1_000, "seconds"];
  const count = Math.round(stepMs / size);
  return known.get(stepMs) ?? (count === 1 ? `every ${unit.slice(0, -1)}` : `every ${count} ${unit}`);
}
