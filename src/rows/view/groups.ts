/**
 * Views with groups: the aggregates of each, sorted, with the rest in one row, and the previous period next to them.
 */
import type { Row } from "../index.js";
import {
  type Aggregate,
  aggregatesOf,
  aggregateValue,
  cellOf,
  changeBetween,
  changeCells,
  comparableName,
  extremeCell,
  extremeOf,
  meansAggregate,
} from "./aggregate.js";
import { addCounts, type ComparedRows, createCounts, type GroupCounts, groupRows, type RowGroup } from "./group.js";
import { columnOf, findColumn, parseUsable, type RowView, splitNames, type ViewColumn } from "./schema.js";
import type { Scope } from "./scope.js";
import { notePartial } from "./slots.js";
import { type CellKey, parseSort, reportUnsortable, restLabel, type SortOrder, sortByOrders } from "./sort.js";
import type { GroupCondition } from "./where.js";

/** The comparison columns of an aggregate, by the suffix of their names. */
const comparisons = ["previous", "change %", "change"] as const;
type Comparison = (typeof comparisons)[number] | undefined;

/** A column of the result: a group column, an aggregate, or a comparison of one. */
interface ResultColumn {
  readonly label: string;
  readonly comparison: Comparison;
}

/** The result's column that an order names: by its label, or by the field of the only aggregate or group with it. */
function resultColumnFor(
  member: string,
  columns: readonly ViewColumn[],
  list: readonly Aggregate[],
): ResultColumn | undefined {
  const comparison = comparisons.find((end) => member.toLowerCase().endsWith(end));
  const memberName = comparableName(member);
  const labelled = [...columns, ...list].find(({ label }) => comparableName(label) === memberName);
  const named = labelled ?? list.find(({ defaultName: usual }) => comparableName(usual) === memberName);
  if (named) return { label: named.label, comparison: undefined };
  const about = [...columns, ...list].filter(({ path }) => path !== undefined && comparableName(path) === memberName);
  const [meant] = about.length === 1 ? about : list.filter((one) => meansAggregate(member, one));
  if (meant) return { label: meant.label, comparison: undefined };
  if (comparison === undefined) return undefined;
  const rest = member.slice(0, -comparison.length).trim();
  const of = rest === "" && list.length === 1 ? list[0] : rest === "" ? undefined : resultColumnFor(rest, [], list);
  return of && { label: of.label, comparison };
}

/** The label of the column that an order names differently, such as the time by `time`. */
function labelIn(scope: Scope, member: string): string {
  const one = findColumn(scope, member, "sort");
  return "column" in one ? one.column.label : member;
}

/** The parts of a view with groups, after parsing. */
interface GroupingPlan {
  readonly columns: readonly ViewColumn[];
  readonly list: readonly Aggregate[];
  /** The counts of all rows, and of all previous ones. */
  readonly totals: GroupCounts;
  readonly totalsBefore: GroupCounts;
  readonly isCompared: boolean;
}

/** The fields that identify the row with an extreme, in addition to the group columns. */
const placesOf = ({ time, keys }: Scope, columns: readonly ViewColumn[]): readonly string[] =>
  (time === undefined ? keys : [time, ...keys]).filter((path) => !columns.some(({ label }) => label === path));

function rowOf(
  scope: Scope,
  { columns, list, totals, totalsBefore, isCompared }: GroupingPlan,
  group: RowGroup,
  label?: string,
): Row {
  const cells: (readonly [string, unknown])[] = columns.map((column, at) => [
    column.label,
    label === undefined ? (group.parts[at]?.label ?? null) : at === 0 ? label : null,
  ]);
  if (columns.length === 0 && label !== undefined) cells.push(["group", label]);
  for (const aggregate of list) {
    const value = aggregateValue(aggregate, group.counts, totals);
    cells.push([aggregate.label, cellOf(value)]);
    if (isCompared)
      cells.push(...changeCells(aggregate.label, value, aggregateValue(aggregate, group.before, totalsBefore)));
    if (aggregate.kind !== "min" && aggregate.kind !== "max") continue;
    const extreme = extremeOf(aggregate, group.counts.tallies);
    for (const path of placesOf(scope, columns))
      cells.push([`${aggregate.label} at ${path}`, extreme ? extremeCell(scope, extreme.row, path) : null]);
  }
  return Object.fromEntries(cells);
}

/** The value of a group in a column of the result that is an aggregate, or a comparison of one. */
function valueIn(
  { list, totals, totalsBefore }: GroupingPlan,
  { label, comparison }: ResultColumn,
  { counts, before }: RowGroup,
) {
  const aggregate = list.find((one) => one.label === label);
  const now = aggregate && aggregateValue(aggregate, counts, totals);
  if (!aggregate || comparison === undefined) return now;
  const earlier = aggregateValue(aggregate, before, totalsBefore);
  const [change, percent] = changeBetween(now, earlier);
  return { previous: earlier, change, "change %": percent }[comparison];
}

/** How an order by a column of the result reads a group. */
function sortOrderOf(
  plan: GroupingPlan,
  { label, comparison }: ResultColumn,
  isDescending: boolean,
): SortOrder<RowGroup> {
  const at = plan.columns.findIndex((column) => column.label === label);
  if (at >= 0) return { keyOf: ({ parts }) => parts[at]?.order ?? { kind: 3 }, isDescending };
  const keyOf = (group: RowGroup): CellKey => {
    const value = valueIn(plan, { label, comparison }, group);
    return value === undefined ? { kind: 3 } : { kind: 0, value };
  };
  return { keyOf, isDescending };
}

/** The groups that meet the conditions on what they have. */
function groupsMeeting(
  scope: Scope,
  plan: GroupingPlan,
  conditions: readonly (GroupCondition & { readonly named: ResultColumn })[],
  groups: readonly RowGroup[],
): readonly RowGroup[] {
  if (conditions.length === 0) return groups;
  const met = groups.filter((group) =>
    conditions.every(({ named, isMet }) => isMet(cellOf(valueIn(plan, named, group)))),
  );
  scope.notes.push(`where matches ${met.length} of ${groups.length} groups.`);
  return met;
}

/** One group, from all groups. */
function mergeGroups(groups: readonly RowGroup[], empty: () => GroupCounts): RowGroup {
  const [counts, before] = [empty(), empty()];
  for (const group of groups) {
    addCounts(counts, group.counts);
    addCounts(before, group.before);
  }
  return { key: "", parts: [], counts, before };
}

/** Notes on extremes that several rows share, of which one is shown. */
function noteRepeated({ notes }: Scope, list: readonly Aggregate[], all: GroupCounts): void {
  for (const aggregate of list) {
    const { rows = 0 } = extremeOf(aggregate, all.tallies) ?? {};
    if (rows > 1) notes.push(`${aggregate.label}: the first of ${rows} rows with this value is shown.`);
  }
}

/** Notes on rows that the aggregates leave out. */
function noteWhatIsMissing(scope: Scope, { list, columns, totals }: GroupingPlan): void {
  const paths = new Set<string>();
  for (const { kind, fieldIndex, path } of list) {
    const tally = fieldIndex === undefined ? undefined : totals.tallies[fieldIndex];
    if (!tally || path === undefined || kind === "count" || kind === "distinct" || paths.has(path)) continue;
    paths.add(path);
    const missing = totals.rows - tally.numbers;
    if (missing > 0) scope.notes.push(`${path}: ${missing} of ${totals.rows} rows have no number and are left out.`);
  }
  if (columns.length === 0) noteRepeated(scope, list, totals);
  if (list.some(({ kind }) => kind === "percentile"))
    scope.notes.push("Percentiles use the nearest-rank method: each is a value that occurs.");
}

/** The rows of a view with groups or aggregates. */
export function groupedRows(
  scope: Scope,
  view: RowView,
  conditions: readonly GroupCondition[],
  { rows, previous, starts }: ComparedRows,
): readonly Row[] {
  const columns = splitNames(view.group_by).flatMap((name) => columnOf(scope, name, "group_by") ?? []);
  const columnLabels = columns.map(({ label }) => label);
  const { list, members } = aggregatesOf(scope, view.aggregate ?? "count", columnLabels);
  const isCompared = previous !== undefined;
  const filters = conditions.flatMap((condition) => {
    const named = resultColumnFor(condition.member, [], list);
    if (named && (isCompared || named.comparison === undefined)) return [{ ...condition, named }];
    // It names neither a field nor an aggregate, which is a problem of its field.
    columnOf(scope, condition.member, "where");
    return [];
  });
  if (scope.problems.length > 0) return [];
  const sorts = parseUsable(scope, parseSort(view.sort), (partScope, { member, isDescending }) => {
    const named = resultColumnFor(member, columns, list) ?? resultColumnFor(labelIn(scope, member), columns, list);
    if (named && (isCompared || named.comparison === undefined)) return { named, isDescending };
    reportUnsortable(partScope, member, [...columnLabels, ...list.map(({ label }) => label)]);
    return undefined;
  });
  if (scope.problems.length > 0) return [];
  const { groups: allGroups, unplaced } = groupRows(scope, columns, members, { rows, previous, starts });
  const empty = () => createCounts(members);
  const { counts: totals, before: totalsBefore } = mergeGroups(allGroups, empty);
  const plan: GroupingPlan = { columns, list, totals, totalsBefore, isCompared };
  const groups = groupsMeeting(scope, plan, filters, allGroups);
  noteWhatIsMissing(scope, plan);
  if (unplaced > 0)
    scope.notes.push(`Rows of the previous period beyond the length of this one are left out: ${unplaced}.`);
  const timeColumns = columns.filter(({ slot }) => slot !== undefined);
  if (timeColumns.length > 0)
    scope.notes.push(
      `${timeColumns.map(({ label }) => label).join(", ")}: in ${scope.clock.zone}${view.time_zone === undefined ? "; time_zone chooses another" : ""}.`,
    );
  // Without an order, the groups with the most rows come first.
  const usual =
    view.top === undefined
      ? []
      : list.slice(0, 1).map(({ label }) => ({ named: { label, comparison: undefined }, isDescending: true }));
  const orders = (sorts.length > 0 ? sorts : usual).map(({ named, isDescending }) =>
    sortOrderOf(plan, named, isDescending),
  );
  const sorted = sortByOrders(groups, orders);
  const count = view.top ?? sorted.length;
  const first = sorted.slice(0, count).map((group) => rowOf(scope, plan, group));
  for (const [at, column] of columns.entries())
    if (column.slot)
      notePartial(
        scope,
        column,
        column.slot,
        sorted.slice(0, count).flatMap(({ parts }) => parts[at]?.number ?? []),
      );
  const others = sorted.slice(count);
  if (others.length === 0) return first;
  scope.notes.push(`The last row combines the other ${others.length} groups.`);
  return [...first, rowOf(scope, plan, mergeGroups(others, empty), restLabel(others.length, "group"))];
}
