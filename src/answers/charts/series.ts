/**
 * Turns rows into series: values over time, or a value for each group; many groups are reduced to the largest and the
 * rest.
 */
import { Failure } from "../../language/failure.js";
import { isEmpty } from "../../language/member.js";
import { epochMs, isNumber, isTimeName, numberOf, timeOf } from "../../rows/cell-type.js";
import { type Row, rowsIn } from "../../rows/index.js";
import { cellText } from "../../rows/row-text.js";
import { dayMs } from "../../time/durations.js";
import { type Unit, unitOfName } from "./figures.js";

/** Rows with the columns of the first ones, in order. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

// All rows have the columns of the first ones.
const sampled = 50;

/** The rows in a value; none if it has no list of them. */
export function tableIn(value: unknown): Table {
  const rows = rowsIn(value)?.rows ?? [];
  return { rows, columns: [...new Set(rows.slice(0, sampled).flatMap((row) => Object.keys(row)))] };
}

/** The non-empty cells among the first ones of a column. */
const sampleOf = ({ rows }: Table, column: string): unknown[] =>
  rows
    .slice(0, sampled)
    .map((row) => row[column])
    .filter((cell) => !isEmpty(cell));

const every = (cells: readonly unknown[], fits: (cell: unknown) => boolean): boolean =>
  cells.length > 0 && cells.every(fits);

/** A cell as an instant in milliseconds since 1970, from a time or from epoch seconds or milliseconds. */
const instantOf = (cell: unknown): number | undefined => timeOf(cell)?.ms ?? epochMs(cell);

/** The column of the rows' times: the first whose cells are all instants. */
export const timeColumnOf = (table: Table): string | undefined =>
  table.columns.find((column) => {
    const read = isTimeName(column) ? instantOf : timeOf;
    return every(sampleOf(table, column), (cell) => read(cell) !== undefined);
  });

/** Whether a column contains numbers, including those written as text. */
export const isNumeric = (table: Table, column: string): boolean => every(sampleOf(table, column), isNumber);

export interface Point {
  readonly at: number;
  readonly value: number;
  /** Whether its step is incomplete. */
  readonly isIncomplete?: boolean;
}

/** Values over time, in order, one per instant. */
export interface ChartSeries {
  readonly name: string;
  readonly unit: Unit;
  readonly points: readonly Point[];
  /** Whether it is the rest of the groups. */
  readonly isRest?: boolean;
}

/** A metric, in groups without a time. */
export interface Groups {
  readonly name: string;
  readonly unit: Unit;
  /** The largest first, the rest last. */
  readonly values: readonly { readonly group: string; readonly value: number }[];
}

/** Series over time with their common properties. */
export interface TimeData {
  readonly series: readonly ChartSeries[];
  /** The period of a point, which is the distance of most neighbors. */
  readonly stepMs: number;
}

/** When series begin, and when their last points begin. */
export function endsOf(series: readonly ChartSeries[]): readonly [first: number, last: number] {
  const times = series.flatMap(({ points }) => [points[0], points.at(-1)].flatMap((point) => point?.at ?? []));
  return [Math.min(...times), Math.max(...times)];
}

export type ChartData = { readonly over: TimeData } | { readonly groups: readonly Groups[] };

/** The requested parts of the rows. */
export interface DataSelection {
  readonly metrics?: readonly string[] | undefined;
  /** The column by which values are grouped. */
  readonly by?: string | undefined;
  /** How many metrics can be drawn, and how many are by default. */
  readonly maxMetrics: number;
  readonly usualMetrics: number;
  /** How many groups are shown over time, and how many without; the others are combined. */
  readonly maxSeries: number;
  readonly maxBars: number;
  /** The length of a step, which cannot be derived from a single one. */
  readonly stepMs?: number | undefined;
  /** What is declared of a column: its label and its unit. */
  readonly declared: (column: string) => { readonly label: string; readonly unit: Unit } | undefined;
}

export const chartRefusal = (field: string, given: string, takes: string): Failure =>
  new Failure("invalid_input", `The chart cannot be drawn: ${field} does not fit the rows.`, {
    fields: [{ field, given: JSON.stringify(given), takes }],
    next: "Call again with a value that the field takes.",
  });

const identifiers = /(^|_|\b)(id|code|cpcode|key|version)$|(Id|Code|Key)$/;

/** The columns to measure: the named ones, or else the first numeric ones that are not identifiers. */
function metricColumns(
  table: Table,
  time: string | undefined,
  { metrics, by, maxMetrics, usualMetrics }: DataSelection,
): readonly string[] {
  const numeric = table.columns.filter((column) => column !== time && column !== by && isNumeric(table, column));
  if (numeric.length === 0)
    throw new Failure("invalid_input", "The rows have no numbers to draw.", {
      next: "Ask for a period with data, or name a result that has numbers.",
    });
  const takes = `columns of numbers: ${numeric.slice(0, 20).join(", ")}`;
  for (const metric of metrics ?? []) if (!numeric.includes(metric)) throw chartRefusal("metrics", metric, takes);
  if (metrics !== undefined && metrics.length > maxMetrics)
    throw chartRefusal("metrics", metrics.join(","), `at most ${maxMetrics} here`);
  const likely = numeric.filter((column) => !identifiers.test(column));
  return metrics ?? (likely.length > 0 ? likely : numeric).slice(0, usualMetrics);
}

/** Adds numbers, or takes their mean, by key. */
export class PointTally<K> {
  readonly #sums = new Map<K, { sum: number; count: number }>();
  constructor(private readonly unit: Unit) {}
  add(key: K, value: number): void {
    const held = this.#sums.get(key);
    if (held) {
      held.sum += value;
      held.count += 1;
    } else this.#sums.set(key, { sum: value, count: 1 });
  }
  entries(): (readonly [K, number])[] {
    return [...this.#sums].map(([key, { sum, count }]) => [key, this.unit.isSummed ? sum : sum / count] as const);
  }
}

/** The points of rows in one column; rows with the same time are combined. */
function pointsOf(rows: readonly Row[], time: string, column: string, unit: Unit): Point[] {
  const tally = new PointTally<number>(unit);
  for (const row of rows) {
    const at = instantOf(row[time]);
    const value = numberOf(row[column]);
    if (at !== undefined && value !== undefined) tally.add(at, value);
  }
  return tally
    .entries()
    .map(([at, value]) => ({ at, value }))
    .sort((a, b) => a.at - b.at);
}

/** The rows of each group, the largest groups first, and those of the rest last. */
function groupsOf(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  column: string,
  maxGroups: number,
): { readonly name: string; readonly rows: readonly Row[]; readonly isRest: boolean }[] {
  const groups = new Map<string, { rows: Row[]; size: number }>();
  for (const row of rows) {
    const name = nameOf(row);
    const group = groups.get(name) ?? { rows: [], size: 0 };
    group.rows.push(row);
    group.size += Math.abs(numberOf(row[column]) ?? 0);
    groups.set(name, group);
  }
  const sorted = [...groups].sort(([, a], [, b]) => b.size - a.size);
  // A rest of one is shown as a group.
  const namedCount = sorted.length <= maxGroups + 1 ? sorted.length : maxGroups;
  const rest = sorted.slice(namedCount).flatMap(([, group]) => group.rows);
  const named = sorted.slice(0, namedCount).map(([name, group]) => ({ name, rows: group.rows, isRest: false }));
  return rest.length > 0
    ? [...named, { name: `others (${sorted.length - namedCount})`, rows: rest, isRest: true }]
    : named;
}

/** The distance of most neighbors; undefined if there is only one point. */
function stepOf(series: readonly ChartSeries[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { points } of series)
    for (let index = 1; index < points.length; index += 1) {
      const step = (points[index]?.at ?? 0) - (points[index - 1]?.at ?? 0);
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
  return [...counts].sort(([a, m], [b, n]) => n - m || a - b)[0]?.[0];
}

const groupName = (cell: unknown): string => (isEmpty(cell) ? "(none)" : cellText(cell));

/**
 * The series in a value that has rows, and the label of the first metric.
 * @throws Failure `invalid_input` if there are no rows, or none with what was requested.
 */
export function chartDataOf(value: unknown, choice: DataSelection): ChartData & { readonly metric: string } {
  const table = tableIn(value);
  if (table.rows.length === 0)
    throw new Failure("invalid_input", "There are no rows to draw.", {
      next: "Ask for a longer period, other objects or fewer filters, or name a result that has rows.",
    });
  const { by, declared } = choice;
  const time = timeColumnOf(table);
  const others = table.columns.filter((column) => column !== time);
  if (by !== undefined && !others.includes(by))
    throw chartRefusal("by", by, `a column of the rows: ${others.slice(0, 20).join(", ")}`);
  const columns = metricColumns(
    table,
    time,
    time !== undefined && by === undefined ? choice : { ...choice, maxMetrics: 1, usualMetrics: 1 },
  );
  const known = (column: string) => declared(column) ?? { label: column, unit: unitOfName(column) };
  const [first = ""] = columns;
  if (time === undefined) {
    const labels = table.columns.filter((column) => !columns.includes(column) && !isNumeric(table, column));
    const identifying = others.filter((column) => identifiers.test(column) && !columns.includes(column));
    const names = by === undefined ? [...new Set([...labels, ...identifying])] : [by];
    const nameOf = (row: Row) => names.map((column) => groupName(row[column])).join(" · ") || "all rows";
    const groups = groupsOf(table.rows, nameOf, first, choice.maxBars);
    return {
      metric: known(first).label,
      groups: columns.map((column) => {
        const { label: name, unit } = known(column);
        const values = groups.map(({ name: group, rows }) => {
          const tally = new PointTally<string>(unit);
          for (const row of rows) tally.add(group, numberOf(row[column]) ?? 0);
          return { group, value: tally.entries()[0]?.[1] ?? 0 };
        });
        return { name, unit, values };
      }),
    };
  }
  const { label, unit } = known(first);
  const series: ChartSeries[] =
    by === undefined
      ? columns.map((column) => {
          const { label: name, unit: own } = known(column);
          return { name, unit: own, points: pointsOf(table.rows, time, column, own) };
        })
      : groupsOf(table.rows, (row) => `${by} ${groupName(row[by])}`, first, choice.maxSeries).map(
          ({ name, rows, isRest }) => ({
            name,
            isRest,
            unit,
            points: pointsOf(rows, time, first, unit),
          }),
        );
  if (series.every(({ points }) => points.length === 0))
    throw chartRefusal("metrics", columns.join(","), "columns with numbers in them");
  return { metric: label, over: { series, stepMs: stepOf(series) ?? choice.stepMs ?? dayMs } };
}
