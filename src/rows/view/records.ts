/** Rows shown as they are: some of their members, in an order, cut after the first, and beside those of the period before. */
import type { Row } from "../index.js";
import { changeCells } from "./aggregate.js";
import { exactOf, jsonOf, plus } from "./decimal.js";
import type { Starts } from "./group.js";
import { asFarAsNamed, type Column, columnOf, found } from "./members.js";
import { earliest } from "./period.js";
import { namesIn, type View } from "./schema.js";
import { momentsOf, readerOf, type Scope } from "./scope.js";
import { inOrder, rowOrders, sortedBy } from "./sort.js";

/** The row that stands for all after the first, as it is named. */
export const restLabel = (count: number, what: string): string => `rest (${count} ${what}${count === 1 ? "" : "s"})`;

/** The rows after the first, added up in the members that the order is by; undefined where those are no numbers. */
function restOf(rest: readonly Row[], sorted: readonly Column[], names: readonly string[]): Row | undefined {
  const sums = sorted.flatMap(({ label, read, slot }) => {
    const numbers = slot ? [] : rest.flatMap((row) => exactOf(read(row)) ?? []);
    return numbers.length === 0 ? [] : [[label, jsonOf(numbers.reduce(plus))] as const];
  });
  const named = names.find((name) => !sums.some(([label]) => label === name));
  if (sums.length === 0 || named === undefined) return undefined;
  const cells = new Map<string, unknown>([...names.map((name) => [name, null] as const), ...sums]);
  return Object.fromEntries(cells.set(named, restLabel(rest.length, "row")));
}

/** The row of the period before that each row is compared with: as far from its start, and about the same. */
function counterparts(scope: Scope, rows: readonly Row[], previous: readonly Row[], starts: Starts | undefined) {
  const { time, clock } = scope;
  const reads = scope.keys.map(readerOf);
  const momentOf = time === undefined ? undefined : momentsOf(scope, time);
  const startOf = (given: number | undefined, of: readonly Row[]): number =>
    given ?? (time === undefined ? 0 : earliest(scope, of, time));
  const keyFrom = (start: number) => (row: Row) => {
    const moment = momentOf?.(row);
    return JSON.stringify([moment ? moment.ms - start : null, ...reads.map((read) => read(row) ?? null)]);
  };
  const keyOf = keyFrom(startOf(starts?.currentMs, rows));
  const keyBefore = keyFrom(startOf(starts?.previousMs, previous));
  const found = new Map<string, Row>();
  let repeated = 0;
  for (const row of previous) {
    const key = keyBefore(row);
    if (found.has(key)) repeated += 1;
    else found.set(key, row);
  }
  if (repeated > 0)
    scope.notes.push(
      "Several rows of the previous period are about the same, of which the first is compared; group_by adds them up.",
    );
  const measures = scope.known.filter((path) => {
    if (path === time || scope.keys.includes(path)) return false;
    const read = readerOf(path);
    return rows.slice(0, 20).some((row) => exactOf(read(row)) !== undefined && !clock.momentOf(read(row)));
  });
  return { measures, of: (row: Row): Row | undefined => found.get(keyOf(row)) };
}

/** The rows of a view that neither groups nor aggregates. */
export function recordsOf(
  scope: Scope,
  view: View,
  rows: readonly Row[],
  previous: readonly Row[] | undefined,
  starts: Starts | undefined,
): readonly Row[] {
  const fields = asFarAsNamed(scope, namesIn(view.fields), (own, name) => columnOf(own, name, "fields"));
  const sorts = sortedBy(view.sort);
  const orders = rowOrders(scope, sorts);
  if (scope.problems.length > 0) return [];
  const sorted = inOrder(rows, orders);
  const compared = previous && counterparts(scope, rows, previous, starts);
  let alone = 0;
  const changesOf = (row: Row): (readonly [string, unknown])[] => {
    if (!compared) return [];
    const before = compared.of(row);
    if (!before) alone += 1;
    return compared.measures.flatMap((path) => {
      const read = readerOf(path);
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
    const one = found(scope, member, "sort");
    return "column" in one ? [one.column] : [];
  });
  const rest = restOf(others, columns, Object.keys(first[0] ?? {}));
  scope.notes.push(
    rest === undefined
      ? `The first ${first.length} of ${sorted.length} rows are shown${orders.length === 0 ? ", in the order in which the API has them" : ""}.`
      : `The last row is the sum of the other ${others.length} rows.`,
  );
  return rest === undefined ? first : [...first, rest];
}
