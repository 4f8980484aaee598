/** The context for evaluating a view: the rows, their fields and times, and the time zone. */
import type { FieldProblem } from "../../language/failure.js";
import { isEmpty, isRecord } from "../../language/member.js";
import { dayMs, minuteMs } from "../../time/durations.js";
import { firstInstantOf, localMs, offsetText } from "../../time/zone.js";
import { epochMs, isTimeName, timeOf } from "../cell-type.js";
import type { Row } from "../index.js";
import { exactOf } from "./decimal.js";

const quarterMs = 15 * minuteMs;

/** An instant, and its local time in milliseconds since the local 1970. */
export interface LocalMoment {
  readonly ms: number;
  readonly local: number;
  /** Whether it represents a whole day. */
  readonly isDay: boolean;
}

interface MomentOptions {
  /** Whether a number is an instant, in seconds or milliseconds since 1970. */
  readonly epoch?: true;
  /** Whether a time without an offset is in the zone; otherwise it is in UTC, as in the APIs. */
  readonly zoned?: true;
}

/** Converts instants to the local times of a zone. */
export interface Clock {
  readonly zone: string;
  /** The moment of a value; undefined if it has none. */
  momentOf(value: unknown, how?: MomentOptions): LocalMoment | undefined;
  /** The first instant of the next day. */
  dayAfter(moment: LocalMoment): number;
  /** The first instant with a local time. */
  instantOf(local: number): number;
  /** An instant in ISO form with the zone's offset. */
  textOf(ms: number): string;
}

// Three months of five minutes are 26,000.
const maxRemembered = 50_000;

/** Creates the clock of a time zone. */
export function createClock(zone: string): Clock {
  // Computing an offset takes microseconds, and a report has a million rows; a day without a clock change has one
  // offset.
  const ofDays = new Map<number, number | undefined>();
  const ofQuarters = new Map<number, number>();
  const askedOffset = (ms: number): number => localMs(zone, ms) - ms;
  function offsetAt(ms: number): number {
    if (zone === "UTC") return 0;
    const day = Math.floor(ms / dayMs);
    if (!ofDays.has(day)) {
      const [first, next] = [askedOffset(day * dayMs), askedOffset((day + 1) * dayMs)];
      ofDays.set(day, first === next ? first : undefined);
    }
    const known = ofDays.get(day);
    if (known !== undefined) return known;
    // Clocks change at whole quarters of an hour.
    const quarter = Math.floor(ms / quarterMs);
    const offset = ofQuarters.get(quarter) ?? askedOffset(quarter * quarterMs);
    ofQuarters.set(quarter, offset);
    return offset;
  }
  const at = (ms: number): LocalMoment => ({ ms, local: ms + offsetAt(ms), isDay: false });
  const ofDay = (local: number): LocalMoment => ({ ms: firstInstantOf(zone, local), local, isDay: true });
  function ofText(value: string, isZoned: boolean): LocalMoment | undefined {
    const time = timeOf(value);
    if (!time) return undefined;
    // A date without a time is the same day in every zone: it is not converted.
    if (time.kind === "day") return ofDay(time.ms);
    return at(isZoned && time.kind === "local" ? firstInstantOf(zone, time.ms) : time.ms);
  }
  // Most times occur in a report as often as it has groups.
  const moments = new Map<string, LocalMoment>();
  function rememberedMoment(value: string): LocalMoment | undefined {
    const known = moments.get(value);
    if (known) return known;
    const moment = ofText(value, false);
    if (moments.size >= maxRemembered) moments.clear();
    if (moment) moments.set(value, moment);
    return moment;
  }

  return {
    zone,
    momentOf(value, { epoch = false, zoned = false } = {}) {
      const moment = typeof value !== "string" ? undefined : zoned ? ofText(value, true) : rememberedMoment(value);
      const ms = moment || !epoch ? undefined : epochMs(value);
      return ms === undefined ? moment : at(ms);
    },
    dayAfter: ({ local }) => firstInstantOf(zone, (Math.floor(local / dayMs) + 1) * dayMs),
    instantOf: (local) => (zone === "UTC" ? local : firstInstantOf(zone, local)),
    textOf(ms) {
      const offset = offsetAt(ms);
      const text = new Date(ms + offset).toISOString();
      const short = text.replace(/(?::00)?\.000Z$/, "").replace(/Z$/, "");
      return short + (offset === 0 ? "Z" : offsetText(offset));
    },
  };
}

/** From its first instant to the one after its last. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/** A problem of a view. What it could name is listed by one of the problems that could name the same. */
export interface ViewProblem extends FieldProblem {
  readonly names?: readonly string[];
  /** What it takes besides these names. */
  readonly also?: string;
}

/** The context for parsing the parts of a view, with their problems. */
export interface Scope {
  readonly rows: readonly Row[];
  readonly clock: Clock;
  readonly nowMs: number;
  readonly problems: ViewProblem[];
  /** Unknown names that are left out, unless there are problems, to which they then belong. */
  readonly leftOut: ViewProblem[];
  readonly notes: string[];
  /** The paths of the rows' fields, according to the first rows. */
  readonly fieldPaths: readonly string[];
  /** The fields whose values are times. */
  readonly times: readonly string[];
  /** The field with the time of a row, if there is one: the declared one, or the first. */
  readonly time: string | undefined;
  /** Whether that field is declared, so that `time` means it even if others are times, too. */
  readonly isTimeDeclared: boolean;
  /** The requested period of the rows, if the call had one. */
  readonly period: Period | undefined;
  /** The fields that identify a row. */
  readonly keys: readonly string[];
}

/** The cell at a path, ignoring inherited members. A name with a dot takes precedence over a path. */
export function cellReader(path: string): (row: Row) => unknown {
  const steps = path.split(".");
  return (row) => {
    if (Object.hasOwn(row, path)) return row[path];
    let value: unknown = row;
    for (const step of steps) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
      value = (value as Row)[step];
    }
    return value;
  };
}

const maxDepth = 4;

function collect(row: Row, into: Set<string>, within = "", depth = 1): void {
  for (const [name, value] of Object.entries(row)) {
    const path = within + name;
    if (isRecord(value) && depth < maxDepth && Object.keys(value).length > 0)
      collect(value, into, `${path}.`, depth + 1);
    else into.add(path);
  }
}

const sampleSize = 200;

/** The paths of all fields of rows, according to the first rows. */
export function columnsIn(rows: readonly Row[]): readonly string[] {
  const known = new Set<string>();
  for (const row of rows.slice(0, sampleSize)) collect(row, known);
  return [...known];
}

// Records whose member names are data can have any number of them.
const maxSampled = 300;

const isIdName = (path: string): boolean => /(?:^|[^a-zA-Z])id$|[a-z]Id$|(?:code|key|class|name|zone)$/i.test(path);

/** The cells of a field in the first rows that have it. */
export function sampleCells(rows: readonly Row[], path: string): unknown[] {
  const read = cellReader(path);
  return rows.slice(0, sampleSize).flatMap((row) => {
    const cell = read(row);
    return isEmpty(cell) ? [] : [cell];
  });
}

const maxKeys = 3;
const maxKeyLength = 100;

/**
 * Creates the scope of a view from its rows.
 * @param time The declared field with the time of each row.
 */
export function createScope(
  rows: readonly Row[],
  clock: Clock,
  nowMs: number,
  time: string | undefined,
  period: Period | undefined,
): Scope {
  const fieldPaths = columnsIn(rows);
  const samples = fieldPaths
    .slice(0, maxSampled)
    .map((path) => [path, sampleCells(rows, path)] as const)
    .filter(([, cells]) => cells.length > 0);
  const isMoment = (cell: unknown) => clock.momentOf(cell) !== undefined;
  const isEpoch = (cell: unknown) => clock.momentOf(cell, { epoch: true }) !== undefined;
  const momentSamples = samples.filter(([, cells]) => cells.every(isMoment));
  const times = (
    momentSamples.length > 0
      ? momentSamples
      : samples.filter(([path, cells]) => isTimeName(path) && cells.every(isEpoch))
  ).map(([path]) => path);
  const isTimeDeclared = time !== undefined && times.includes(time);
  const first = isTimeDeclared ? time : times[0];
  const isKey = (path: string) => (cell: unknown) =>
    (typeof cell === "string" || typeof cell === "number") &&
    String(cell).length <= maxKeyLength &&
    !isMoment(cell) &&
    (exactOf(cell) === undefined || isIdName(path));
  const keys = samples.filter(([path, cells]) => path !== first && cells.every(isKey(path))).map(([path]) => path);
  return {
    rows,
    clock,
    nowMs,
    problems: [],
    leftOut: [],
    notes: [],
    fieldPaths,
    times,
    time: first,
    isTimeDeclared,
    period,
    keys: keys.slice(0, maxKeys),
  };
}

const maxListed = 40;

/** A list of names for an error, limited in length. */
function limitedList(names: readonly string[]): string {
  const rest = names.length - maxListed;
  const first = names.slice(0, maxListed).map((name) => (name.length > 60 ? `${name.slice(0, 59)}…` : name));
  return first.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** The problems with all that they take, each list of names once. */
export function completeProblems(problems: readonly ViewProblem[]): readonly FieldProblem[] {
  const lists = new Set<string>();
  return problems.map(({ names, also = "", takes, ...problem }) => {
    const list = names === undefined ? "" : `: ${limitedList(names)}`;
    const isListed = lists.has(takes + list);
    lists.add(takes + list);
    return { ...problem, takes: `${takes}${isListed ? "" : list}${also}` };
  });
}

/** The moments of a field. */
export function momentsOf(scope: Scope, path: string): (row: Row) => LocalMoment | undefined {
  const read = cellReader(path);
  return (row) => scope.clock.momentOf(read(row), { epoch: true });
}
