/** Rows shown in groups: the aggregates of each, in an order, with the rest in one row, beside those of the period before. */
import type { Row } from "../rows.js";
import { type Aggregate, aggregatesOf, changeOf, extremeOf, figureOf, placeOf } from "./aggregate.js";
import { jsonOf } from "./decimal.js";
import { addCounts, type Counts, createCounts, type Group, groupsOf, type Starts } from "./group.js";
import { type Column, columnOf, type Scope } from "./members.js";
import { restLabel } from "./records.js";
import { namesIn, type View } from "./schema.js";
import { inOrder, type Order, reportUnsortable, sortedBy } from "./sort.js";

/** The result's column that an order names: by its label, by the member of the one aggregate or group that is of it. */
function labelOf(member: string, columns: readonly Column[], list: readonly Aggregate[]): string | undefined {
  const lower = member.toLowerCase().replaceAll(" ", "");
  const plain = (label: string) => label.toLowerCase().replaceAll(" ", "");
  const labelled = [...columns, ...list].find(({ label }) => plain(label) === lower);
  const named = labelled ?? list.find(({ usual }) => plain(usual) === lower);
  if (named) return named.label;
  const about = [...columns, ...list].filter(({ path }) => path !== undefined && plain(path) === lower);
  return about.length === 1 ? about[0]?.label : undefined;
}

/** What a view of groups is made of, once its texts are read. */
interface Plan {
  readonly columns: readonly Column[];
  readonly list: readonly Aggregate[];
  /** What was counted of all rows, and of all those before. */
  readonly all: Counts;
  readonly allBefore: Counts;
  readonly isCompared: boolean;
}

/** The members that say where an extreme happened, beside those that the group is made by. */
const placesOf = ({ time, keys }: Scope, columns: readonly Column[]): readonly string[] =>
  (time === undefined ? keys : [time, ...keys]).filter((path) => !columns.some(({ label }) => label === path));

function rowOf(scope: Scope, { columns, list, all, allBefore, isCompared }: Plan, group: Group, label?: string): Row {
  const cells: [string, unknown][] = columns.map((column, at) => [
    column.label,
    label === undefined ? (group.parts[at]?.label ?? null) : at === 0 ? label : null,
  ]);
  if (columns.length === 0 && label !== undefined) cells.push(["group", label]);
  for (const aggregate of list) {
    const value = figureOf(aggregate, group.counts, all);
    cells.push([aggregate.label, value === undefined ? null : jsonOf(value)]);
    if (isCompared) {
      const before = figureOf(aggregate, group.before, allBefore);
      const [change, percent] = changeOf(value, before);
      cells.push([`${aggregate.label} previous`, before === undefined ? null : jsonOf(before)]);
      cells.push([`${aggregate.label} change`, change], [`${aggregate.label} change %`, percent]);
    }
    if (aggregate.kind !== "min" && aggregate.kind !== "max") continue;
    const extreme = extremeOf(aggregate, group.counts.tallies);
    for (const path of placesOf(scope, columns))
      cells.push([`${aggregate.label} at ${path}`, extreme ? placeOf(scope, extreme.row, path) : null]);
  }
  return Object.fromEntries(cells);
}

/** What an order by a column of the result reads of a group. */
function orderOf(plan: Plan, label: string, isDescending: boolean): Order<Group> {
  const at = plan.columns.findIndex((column) => column.label === label);
  if (at >= 0) return { keyOf: ({ parts }) => parts[at]?.order ?? { kind: 3 }, isDescending };
  const aggregate = plan.list.find((one) => one.label === label);
  const keyOf = ({ counts }: Group) => {
    const value = aggregate && figureOf(aggregate, counts, plan.all);
    return value === undefined ? ({ kind: 3 } as const) : ({ kind: 0, value } as const);
  };
  return { keyOf, isDescending };
}

/** One group of all that are given. */
function merged(groups: readonly Group[], empty: () => Counts): Group {
  const [counts, before] = [empty(), empty()];
  for (const group of groups) {
    addCounts(counts, group.counts);
    addCounts(before, group.before);
  }
  return { key: "", parts: [], counts, before };
}

/** Says what the aggregates leave out, because a reader would take them for all rows. */
function noteWhatIsMissing(scope: Scope, { list, columns, all }: Plan): void {
  const paths = new Set<string>();
  for (const { kind, of, path } of list) {
    const tally = of === undefined ? undefined : all.tallies[of];
    if (!tally || path === undefined || kind === "count" || kind === "distinct" || paths.has(path)) continue;
    paths.add(path);
    const missing = all.rows - tally.numbers;
    if (missing > 0) scope.notes.push(`${path}: ${missing} of ${all.rows} rows have no number there and are left out.`);
  }
  if (columns.length === 0)
    for (const aggregate of list) {
      const extreme = extremeOf(aggregate, all.tallies);
      if (extreme && extreme.rows > 1)
        scope.notes.push(`${aggregate.label}: the first of ${extreme.rows} rows that have it is shown.`);
    }
  if (list.some(({ kind }) => kind === "percentile"))
    scope.notes.push("Percentiles are by the nearest rank: each is a value that occurs.");
}

/** The rows of a view that groups or aggregates. */
export function groupedRows(
  scope: Scope,
  view: View,
  rows: readonly Row[],
  previous: readonly Row[] | undefined,
  starts: Starts | undefined,
): readonly Row[] {
  const columns = namesIn(view.group_by).flatMap((name) => columnOf(scope, name, "group_by") ?? []);
  const { list, members } = aggregatesOf(scope, view.aggregate ?? "count");
  const labels = [...columns.map(({ label }) => label), ...list.map(({ label }) => label)];
  const sorts = sortedBy(view.sort).flatMap(({ member, isDescending }) => {
    const label = labelOf(member, columns, list);
    if (label === undefined && scope.problems.length === 0) reportUnsortable(scope, member, labels);
    return label === undefined ? [] : [{ label, isDescending }];
  });
  if (scope.problems.length > 0) return [];
  const { groups, unplaced } = groupsOf(scope, columns, members, { rows, previous, starts });
  const empty = () => createCounts(members);
  const { counts: all, before: allBefore } = merged(groups, empty);
  const plan: Plan = { columns, list, all, allBefore, isCompared: previous !== undefined };
  noteWhatIsMissing(scope, plan);
  if (unplaced > 0)
    scope.notes.push(`${unplaced} rows of the previous period lie beyond the length of this one and are left out.`);
  const slotted = columns.filter(({ slot }) => slot !== undefined);
  if (slotted.length > 0)
    scope.notes.push(
      `${slotted.map(({ label }) => label).join(", ")}: in ${scope.clock.zone}${view.time_zone === undefined ? "; time_zone chooses another" : ""}.`,
    );
  const lead = list[0];
  const orders =
    sorts.length > 0
      ? sorts.map(({ label, isDescending }) => orderOf(plan, label, isDescending))
      : view.top !== undefined && lead
        ? [orderOf(plan, lead.label, true)]
        : [];
  const sorted = inOrder(groups, orders);
  const count = view.top ?? sorted.length;
  const first = sorted.slice(0, count).map((group) => rowOf(scope, plan, group));
  const others = sorted.slice(count);
  if (others.length === 0) return first;
  scope.notes.push(`The last row is the other ${others.length} groups taken together.`);
  return [...first, rowOf(scope, plan, merged(others, empty), restLabel(others.length, "group"))];
}
