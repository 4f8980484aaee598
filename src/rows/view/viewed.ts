/** Views of rows: selected, sorted, grouped, summed, compared. */
import { type FieldProblem, quoteValue } from "../../language/failure.js";
import { isRecord } from "../../language/member.js";
import { isZone, zoneText } from "../../time/zone.js";
import type { Row } from "../index.js";
import { changeCells } from "./aggregate.js";
import { exactOf, jsonOf, plus } from "./decimal.js";
import type { ComparedRows, PeriodStarts } from "./group.js";
import { groupedRows } from "./groups.js";
import { columnOf, findColumn, parseUsable, type RowView, splitNames, type ViewColumn } from "./schema.js";
import { cellReader, completeProblems, createClock, createScope, momentsOf, type Scope } from "./scope.js";
import { earliest } from "./slots.js";
import { parseSort, restLabel, rowOrders, sortByOrders } from "./sort.js";
import { conditionsOf } from "./where.js";

/** The rows after the first ones, summed in the fields of the order; undefined if those are not numbers. */
function restOf(rest: readonly Row[], sorted: readonly ViewColumn[], names: readonly string[]): Row | undefined {
  const sums = sorted.flatMap(({ label, read, slot }) => {
    const numbers = slot ? [] : rest.flatMap((row) => exactOf(read(row)) ?? []);
    return numbers.length === 0 ? [] : [[label, jsonOf(numbers.reduce(plus))] as const];
  });
  const named = names.find((name) => !sums.some(([label]) => label === name));
  if (sums.length === 0 || named === undefined) return undefined;
  const cells = new Map<string, unknown>([...names.map((name) => [name, null] as const), ...sums]);
  return Object.fromEntries(cells.set(named, restLabel(rest.length, "row")));
}

/**
 * The previous row with which each row is compared: at the same distance from the start, and with the same identity.
 */
function counterparts(scope: Scope, rows: readonly Row[], previous: readonly Row[], starts: PeriodStarts | undefined) {
  const { time, clock } = scope;
  const reads = scope.keys.map(cellReader);
  const momentOf = time === undefined ? undefined : momentsOf(scope, time);
  const startOf = (given: number | undefined, of: readonly Row[]): number =>
    given ?? (time === undefined ? 0 : earliest(scope, of, time));
  const keyFrom = (start: number) => (row: Row) => {
    const moment = momentOf?.(row);
    return JSON.stringify([moment ? moment.ms - start : null, ...reads.map((read) => read(row) ?? null)]);
  };
  const keyOf = keyFrom(startOf(starts?.currentMs, rows));
  const keyBefore = keyFrom(startOf(starts?.previousMs, previous));
  const rowByKey = new Map<string, Row>();
  let repeated = 0;
  for (const row of previous) {
    const key = keyBefore(row);
    if (rowByKey.has(key)) repeated += 1;
    else rowByKey.set(key, row);
  }
  if (repeated > 0)
    scope.notes.push(
      "Several rows of the previous period have the same identity, and the first one is compared; group_by adds them up.",
    );
  const measures = scope.fieldPaths.filter((path) => {
    if (path === time || scope.keys.includes(path)) return false;
    const read = cellReader(path);
    return rows.slice(0, 20).some((row) => exactOf(read(row)) !== undefined && !clock.momentOf(read(row)));
  });
  return { measures, of: (row: Row): Row | undefined => rowByKey.get(keyOf(row)) };
}

/** The rows of a view without groups and aggregates. */
function recordsOf(scope: Scope, view: RowView, { rows, previous, starts }: ComparedRows): readonly Row[] {
  const fields = parseUsable(scope, splitNames(view.fields), (own, name) => columnOf(own, name, "fields"));
  const sorts = parseSort(view.sort);
  const orders = rowOrders(scope, sorts);
  if (scope.problems.length > 0) return [];
  const sorted = sortByOrders(rows, orders);
  const compared = previous && counterparts(scope, rows, previous, starts);
  let alone = 0;
  const changesOf = (row: Row): (readonly [string, unknown])[] => {
    if (!compared) return [];
    const before = compared.of(row);
    if (!before) alone += 1;
    return compared.measures.flatMap((path) => {
      const read = cellReader(path);
      return changeCells(path, exactOf(read(row)), before && exactOf(read(before)));
    });
  };
  const shownOf = (row: Row): Row => {
    const cells: [string, unknown][] =
      fields.length === 0 ? Object.entries(row) : fields.map(({ label, read }) => [label, read(row) ?? null]);
    return fields.length === 0 && !compared ? row : Object.fromEntries([...cells, ...changesOf(row)]);
  };
  const count = view.top ?? sorted.length;
  const first = sorted.slice(0, count).map(shownOf);
  if (alone > 0) scope.notes.push(`${alone} of ${first.length} rows have no counterpart in the previous period.`);
  const others = sorted.slice(count);
  if (others.length === 0) return first;
  const columns = sorts.flatMap(({ member }) => {
    const one = findColumn(scope, member, "sort");
    return "column" in one ? [one.column] : [];
  });
  const rest = restOf(others, columns, Object.keys(first[0] ?? {}));
  scope.notes.push(
    rest === undefined
      ? `The first ${first.length} of ${sorted.length} rows are shown${orders.length === 0 ? ", in the API's order" : ""}.`
      : `The last row is the sum of the other ${others.length} rows.`,
  );
  return rest === undefined ? first : [...first, rest];
}

/** The dependencies of a view, in addition to the rows. */
export interface ViewOptions {
  /** The rows of the previous period, for a comparison. */
  readonly previous?: readonly Row[];
  /** When the period of the rows begins and ends, and the previous one; without it each begins with its first row. */
  readonly starts?: PeriodStarts | undefined;
  /** The declared field with the time of each row. */
  readonly time?: string | undefined;
  readonly nowMs?: number;
}

/** The rows of a view with notes, or its problems. */
export type ViewResult =
  | { readonly rows: readonly Row[]; readonly notes: readonly string[] }
  | { readonly problems: readonly FieldProblem[] };

/** Applies a view to rows, which are not changed; rows that are shown whole are the same objects. */
export function applyView(rows: readonly Row[], view: RowView, options: ViewOptions = {}): ViewResult {
  const { previous, starts, time, nowMs = Date.now() } = options;
  const zone = view.time_zone ?? "UTC";
  if (!isZone(zone)) return { problems: [{ field: "time_zone", given: quoteValue(zone), takes: zoneText }] };
  if (view.compare !== undefined && previous === undefined)
    return {
      problems: [
        {
          field: "compare",
          given: quoteValue(view.compare),
          takes: "a call that has a period, so that there is a previous one",
        },
      ],
    };
  const period = starts && { startMs: starts.currentMs, endMs: starts.endMs };
  const scope = createScope(rows, createClock(zone), nowMs, time, period);
  const isGrouped = view.group_by !== undefined || view.aggregate !== undefined;
  const { ofRow, ofGroup } = conditionsOf(scope, view.where, isGrouped);
  const matchingRows = ofRow ? rows.filter(ofRow) : rows;
  const before = view.compare === undefined ? undefined : ofRow ? previous?.filter(ofRow) : previous;
  if (ofRow) scope.notes.push(`where matches ${matchingRows.length} of ${rows.length} rows.`);
  if (isGrouped && view.fields !== undefined)
    scope.notes.push("fields is for rows; with group_by or aggregate these determine the columns.");
  const periods = { rows: matchingRows, previous: before, starts };
  const result = isGrouped ? groupedRows(scope, view, ofGroup, periods) : recordsOf(scope, view, periods);
  const { problems, leftOut, notes } = scope;
  if (problems.length > 0) return { problems: completeProblems([...problems, ...leftOut]) };
  const without = completeProblems(leftOut).map(
    ({ field, given, takes }) => `${field}: ${given ?? "it"} is left out; it takes ${takes}.`,
  );
  return { rows: result, notes: [...without, ...notes] };
}

/** Whether a view is of the fields of an object instead of its rows. */
export function isObjectView(body: Row, view: RowView, rows: readonly Row[] | undefined): boolean {
  const { fields, time_zone: _, ...others } = view;
  if (fields === undefined || Object.values(others).some((one) => one !== undefined)) return false;
  return (
    splitNames(fields).every((name) => cellReader(name)(body) !== undefined) ||
    !rows ||
    "problems" in applyView(rows, view)
  );
}

/**
 * A result as one row, for a view of fields; undefined if the view is of its rows. The object's own fields take
 * precedence, because objects often contain lists whose rows have an id and a name as well.
 */
export function applyViewToObject(
  body: unknown,
  view: RowView,
  rows: readonly Row[] | undefined,
): ViewResult | undefined {
  if (!isRecord(body) || !isObjectView(body, view, rows)) return undefined;
  const result = applyView([body], view);
  return rows && "problems" in result ? undefined : result;
}
