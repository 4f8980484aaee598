/** The aggregates of a view: parsed from short texts such as `sum(hits)`, and computed for each group. */
import { quoteValue } from "../../language/failure.js";
import { didYouMean } from "../../text/nearest.js";
import type { Row } from "../index.js";
import { compareExact, decimalsOf, type Exact, exactOf, jsonOf, minus, quotient } from "./decimal.js";
import type { CountedField, Extreme, FieldTally } from "./group.js";
import { callIn, columnOf, parseUsable, splitAtCommas, splitNames, type ViewColumn } from "./schema.js";
import { cellReader, type Scope, type ViewProblem } from "./scope.js";

type Kind = "sum" | "mean" | "min" | "max" | "count" | "distinct" | "percentile" | "share";

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["sum", "sum"],
  ["total", "sum"],
  ["mean", "mean"],
  ["avg", "mean"],
  ["average", "mean"],
  ["min", "min"],
  ["max", "max"],
  ["count", "count"],
  ["distinct", "distinct"],
  ["median", "percentile"],
  ["share", "share"],
]);
const kindTexts = [
  "sum, mean, min, max, count, count(distinct …), p95 (any percentile), share, each of a field: sum(hits)",
];

export interface Aggregate {
  readonly label: string;
  /** Its default name. */
  readonly defaultName: string;
  readonly kind: Kind;
  /** The index of its field among the counted ones; undefined for the number of rows. */
  readonly fieldIndex: number | undefined;
  readonly path: string | undefined;
  readonly percent: number;
}

/** The aggregates of a view, and the fields that they use, each counted once. */
export interface Aggregates {
  readonly list: readonly Aggregate[];
  readonly members: readonly CountedField[];
}

/** The percentile in a function's name: 95 for `p95`. */
function percentIn(name: string): number | undefined {
  if (name === "median") return 50;
  const [, digits] = /^p(\d{1,2}(?:\.\d{1,3})?|100)$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const kindOf = (name: string): Kind | undefined => (percentIn(name) === undefined ? kinds.get(name) : "percentile");

/** A text such as `sum_hits`, which means `sum(hits)`. */
function joinedIn(text: string): { readonly name: string; readonly inside: string } | undefined {
  const at = text.indexOf("_");
  const name = text.slice(0, Math.max(at, 0)).toLowerCase();
  return kindOf(name) === undefined ? undefined : { name, inside: text.slice(at + 1) };
}

interface ParsedAggregate {
  readonly name: string;
  readonly inside: string;
  readonly alias: string | undefined;
}

function parseAggregate(text: string): ParsedAggregate {
  const at = text.toLowerCase().lastIndexOf(" as ");
  const alias = at > 0 && !text.slice(at).includes(")") ? text.slice(at + 4).trim() : undefined;
  const bare = alias === undefined ? text : text.slice(0, at).trim();
  const call = callIn(bare) ?? joinedIn(bare) ?? { name: bare.toLowerCase(), inside: "" };
  const [, distinct] = call.name === "count" ? (/^distinct[\s(](.+)$/i.exec(call.inside) ?? []) : [];
  if (distinct === undefined) return { ...call, alias };
  return { name: "distinct", inside: distinct.trim().replace(/\)$/, ""), alias };
}

/** Whether any row has a number in the field, which sums and means require. */
function hasNumbers({ rows }: Scope, column: ViewColumn): boolean {
  return rows.length === 0 || rows.some((row) => exactOf(column.read(row)) !== undefined);
}

function numericMembers({ rows, fieldPaths }: Scope): string[] {
  return fieldPaths.filter((path) => {
    const read = cellReader(path);
    return rows.slice(0, 20).some((row) => exactOf(read(row)) !== undefined);
  });
}

/** The problem of an aggregate with an unknown function or without a field. */
function faultOf(text: string, name: string, kind: Kind | undefined): ViewProblem {
  const also =
    kind === undefined ? didYouMean(name.slice(0, 100), kinds.keys()) : `; ${name} takes a field: ${name}(…)`;
  return { field: "aggregate", given: quoteValue(text), takes: "an aggregate", names: kindTexts, also };
}

/** The index of the field of an aggregate among the counted ones, with the counts that it needs. */
function countedIndex(members: CountedField[], column: ViewColumn, kind: Kind): number {
  const known = members.findIndex((one) => one.column.label === column.label);
  const at = known >= 0 ? known : members.push({ column, options: { values: false, distinct: false } }) - 1;
  const options = members[at]?.options;
  if (options && kind === "percentile") options.values = true;
  if (options && kind === "distinct") options.distinct = true;
  return at;
}

/** An aggregate of a field; undefined if that has no numbers. */
function aggregateOf(
  scope: Scope,
  text: string,
  { name, alias }: Pick<ParsedAggregate, "name" | "alias">,
  kind: Kind,
  column: ViewColumn,
  members: CountedField[],
): Aggregate | undefined {
  if (kind !== "count" && kind !== "distinct" && !hasNumbers(scope, column)) {
    const takes = "a field whose values are numbers";
    scope.problems.push({ field: "aggregate", given: quoteValue(text), takes, names: numericMembers(scope) });
    return undefined;
  }
  const defaultName = kind === "distinct" ? `count(distinct ${column.label})` : `${name}(${column.label})`;
  const fieldIndex = countedIndex(members, column, kind);
  const percent = percentIn(name) ?? 0;
  return { label: alias ?? defaultName, defaultName, kind, fieldIndex, path: column.path, percent };
}

/** The context for parsing an aggregate. */
interface AggregateContext {
  readonly scope: Scope;
  /** Where an unknown field is reported. */
  readonly fieldScope: Scope;
  /** The field of the only sum next to it. */
  readonly onlySum: string | undefined;
  readonly members: CountedField[];
}

/** Parses one aggregate; undefined if it is invalid, which is reported. */
function aggregateIn(text: string, { scope, fieldScope, onlySum, members }: AggregateContext): Aggregate | undefined {
  const { name, inside: argument, alias } = parseAggregate(text);
  const kind = kindOf(name);
  const isOfAll = argument === "" || argument === "*";
  const isBareShare = kind === "share" && isOfAll;
  // Next to a sum, a share means the share of that sum.
  const inside = isBareShare ? (onlySum ?? "") : argument;
  if ((kind === "count" && isOfAll) || (kind === "share" && inside === ""))
    return { label: alias ?? name, defaultName: name, kind, fieldIndex: undefined, path: undefined, percent: 0 };
  if (kind === undefined || inside === "") {
    scope.problems.push(faultOf(text, name, kind));
    return undefined;
  }
  const column = columnOf(fieldScope, inside, "aggregate");
  const aggregate = column && aggregateOf(scope, text, { name, alias }, kind, column, members);
  return aggregate && isBareShare ? { ...aggregate, defaultName: name } : aggregate;
}

/** A name without case and spaces, in which people differ. */
export const comparableName = (name: string): string => name.toLowerCase().replaceAll(" ", "");

/** Whether a text means an aggregate, however it is written: `total_hits` means `sum(hits)`. */
export function meansAggregate(text: string, { kind, path = "", percent }: Aggregate): boolean {
  const { name, inside } = parseAggregate(text);
  const of = inside === "*" ? "" : inside;
  return kindOf(name) === kind && (percentIn(name) ?? 0) === percent && comparableName(of) === comparableName(path);
}

/** Parses the aggregates of a view, with names that are already used by columns; problems are reported to the scope. */
export function aggregatesOf(scope: Scope, input: string | readonly string[], taken: readonly string[]): Aggregates {
  const members: CountedField[] = [];
  const texts = splitNames(input).flatMap(splitAtCommas);
  const sums = texts
    .map(parseAggregate)
    .flatMap(({ name, inside }) => (kinds.get(name) === "sum" && inside !== "" ? [inside] : []));
  const [onlySum] = new Set(sums).size === 1 ? sums : [];
  const read = (fieldScope: Scope, text: string) => aggregateIn(text, { scope, fieldScope, onlySum, members });
  const list = parseUsable(scope, texts, read);
  if (
    list.some(({ kind, fieldIndex }) => kind === "share" && fieldIndex === undefined) &&
    list.some(({ kind }) => kind === "sum")
  )
    scope.notes.push(`share is of the number of rows; share(${sums[0]}) is of that sum.`);
  const labels = list.map(({ label }) => label);
  const repeated = labels.find((label, at) => taken.includes(label) || labels.indexOf(label) !== at);
  if (repeated !== undefined)
    scope.problems.push({ field: "aggregate", given: quoteValue(repeated), takes: "a name that no other column has" });
  return { list, members };
}

/**
 * The value at a percentile by the nearest-rank method: the smallest value that at least this percentage of all do not
 * exceed.
 */
function percentileOf(values: Exact[], percent: number): Exact | undefined {
  values.sort(compareExact);
  // In thousandths, because 0.07 × 100 is more than 7 in binary fractions.
  const rank = Math.ceil((Math.round(percent * 1_000) * values.length) / 100_000);
  return values[Math.max(0, rank - 1)];
}

// Additional decimals of a mean.
const meanDecimals = 4;
const percentDecimals = 2;

const percentOf = (part: Exact, whole: Exact): Exact | undefined => {
  const share = quotient(part, whole, percentDecimals + 2);
  // Shifting the decimal point by two places gives the percentage.
  return share === undefined ? undefined : quotient(share, { units: 1n, scale: 2 }, percentDecimals);
};

/** The value of an aggregate for a group with `rows` rows; `all` are the counts of all groups together. */
export function aggregateValue(
  { kind, fieldIndex, percent }: Aggregate,
  { rows, tallies }: { readonly rows: number; readonly tallies: readonly FieldTally[] },
  all: { readonly rows: number; readonly tallies: readonly FieldTally[] },
): Exact | undefined {
  const tally = fieldIndex === undefined ? undefined : tallies[fieldIndex];
  if (!tally) return kind === "count" ? rows : percentOf(rows, all.rows);
  switch (kind) {
    case "count":
      return tally.filled;
    case "distinct":
      return tally.distinct?.size ?? 0;
    case "sum":
      return tally.sum;
    case "mean":
      return quotient(tally.sum, tally.numbers, decimalsOf(tally.sum) + meanDecimals);
    case "min":
      return tally.min?.value;
    case "max":
      return tally.max?.value;
    case "percentile":
      return percentileOf(tally.values ?? [], percent);
    case "share":
      return percentOf(tally.sum, all.tallies[fieldIndex ?? 0]?.sum ?? 0);
  }
}

/** The row with an extreme. */
export function extremeOf({ kind, fieldIndex }: Aggregate, tallies: readonly FieldTally[]): Extreme | undefined {
  const tally = fieldIndex === undefined ? undefined : tallies[fieldIndex];
  return kind === "min" ? tally?.min : kind === "max" ? tally?.max : undefined;
}

/** The change between two values, also in percent of the earlier one unless that is zero. */
export function changeBetween(
  now: Exact | undefined,
  before: Exact | undefined,
): readonly [change: Exact | undefined, percent: Exact | undefined] {
  if (now === undefined || before === undefined) return [undefined, undefined];
  const change = minus(now, before);
  return [change, percentOf(change, compareExact(before, 0) < 0 ? minus(0, before) : before)];
}

/** The previous period's value and the change since, next to its column. */
export function changeCells(
  name: string,
  now: Exact | undefined,
  before: Exact | undefined,
): readonly (readonly [string, unknown])[] {
  const [change, percent] = changeBetween(now, before);
  return [
    [`${name} previous`, cellOf(before)],
    [`${name} change`, cellOf(change)],
    [`${name} change %`, cellOf(percent)],
  ];
}

/** A number as a cell, null if there is none. */
export const cellOf = (value: Exact | undefined): unknown => (value === undefined ? null : jsonOf(value));

/** A cell with the time and identity of the row with an extreme. */
export function extremeCell(scope: Scope, row: Row, path: string): unknown {
  const cell = cellReader(path)(row);
  const moment = path === scope.time ? scope.clock.momentOf(cell, { epoch: true }) : undefined;
  return moment && !moment.isDay ? scope.clock.textOf(moment.ms) : (cell ?? null);
}
