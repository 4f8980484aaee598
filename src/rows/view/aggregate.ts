/** The aggregates of a view: read from short texts such as `sum(hits)`, and computed of what was counted of a group. */
import { type FieldProblem, shown } from "../../language/failure.js";
import { didYouMean } from "../../language/nearest.js";
import type { Row } from "../index.js";
import { compareExact, decimalsOf, type Exact, exactOf, jsonOf, minus, quotient } from "./decimal.js";
import type { Counted, Extreme, Tally } from "./group.js";
import { asFarAsNamed, type Column, callIn, columnOf, namesIn, partsOf } from "./schema.js";
import { listed, readerOf, type Scope } from "./scope.js";

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
const kindText = "sum, mean, min, max, count, count(distinct …), p95 (any percentile), share";

/** One aggregate of a view. */
export interface Aggregate {
  readonly label: string;
  /** What it is called without a name of the caller's own. */
  readonly usual: string;
  readonly kind: Kind;
  /** The member, by its place among those that are counted; undefined for the rows themselves. */
  readonly of: number | undefined;
  readonly path: string | undefined;
  readonly percent: number;
}

/** The aggregates of a view, and the members that they are about, each counted once. */
export interface Aggregates {
  readonly list: readonly Aggregate[];
  readonly members: readonly Counted[];
}

/** The percentile that a function's name is: 95 for `p95`. */
function percentIn(name: string): number | undefined {
  if (name === "median") return 50;
  const [, digits] = /^p(\d{1,2}(?:\.\d{1,3})?|100)$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

interface Written {
  readonly name: string;
  readonly inside: string;
  readonly alias: string | undefined;
}

function writtenIn(text: string): Written {
  const at = text.toLowerCase().lastIndexOf(" as ");
  const alias = at > 0 && !text.slice(at).includes(")") ? text.slice(at + 4).trim() : undefined;
  const bare = alias === undefined ? text : text.slice(0, at).trim();
  const call = callIn(bare) ?? { name: bare.toLowerCase(), inside: "" };
  const [, distinct] = call.name === "count" ? (/^distinct[\s(](.+)$/i.exec(call.inside) ?? []) : [];
  if (distinct === undefined) return { ...call, alias };
  return { name: "distinct", inside: distinct.trim().replace(/\)$/, ""), alias };
}

/** Whether any row has a number there; what a sum or a mean is asked of has to have one. */
function hasNumbers({ rows }: Scope, column: Column): boolean {
  return rows.length === 0 || rows.some((row) => exactOf(column.read(row)) !== undefined);
}

function numericMembers({ rows, known }: Scope): string[] {
  return known.filter((path) => {
    const read = readerOf(path);
    return rows.slice(0, 20).some((row) => exactOf(read(row)) !== undefined);
  });
}

/** The fault of an aggregate whose function is none, or has no member. */
function faultOf(text: string, name: string, kind: Kind | undefined): FieldProblem {
  const takes =
    kind === undefined ? didYouMean(name.slice(0, 100), kinds.keys()) : `; ${name} takes a member: ${name}(…)`;
  return { field: "aggregate", given: shown(text), takes: `${kindText}, each of a member: sum(hits)${takes}` };
}

/** The members that are counted, as aggregates name them. */
class Members {
  readonly list: Counted[] = [];

  /** The place of the member that an aggregate is of, which keeps what that needs. */
  placeOf(column: Column, kind: Kind): number {
    const known = this.list.findIndex((one) => one.column.label === column.label);
    const at = known >= 0 ? known : this.list.push({ column, kept: { values: false, distinct: false } }) - 1;
    const kept = this.list[at]?.kept;
    if (kept && kind === "percentile") kept.values = true;
    if (kept && kind === "distinct") kept.distinct = true;
    return at;
  }
}

/** An aggregate of a member; undefined where that has no numbers to compute with. */
function aggregateOf(
  scope: Scope,
  text: string,
  { name, alias }: Pick<Written, "name" | "alias">,
  kind: Kind,
  column: Column,
  members: Members,
): Aggregate | undefined {
  if (kind !== "count" && kind !== "distinct" && !hasNumbers(scope, column)) {
    const takes = `a member whose values are numbers: ${listed(numericMembers(scope))}`;
    scope.problems.push({ field: "aggregate", given: shown(text), takes });
    return undefined;
  }
  const usual = kind === "distinct" ? `count(distinct ${column.label})` : `${name}(${column.label})`;
  const of = members.placeOf(column, kind);
  return { label: alias ?? usual, usual, kind, of, path: column.path, percent: percentIn(name) ?? 0 };
}

/** What an aggregate is read against. */
interface Reading {
  readonly scope: Scope;
  /** Where it is reported that a member is none of the rows'. */
  readonly own: Scope;
  /** The member of the one sum beside it. */
  readonly onlySum: string | undefined;
  readonly members: Members;
}

/** Reads one aggregate; undefined where it is none, which is reported. */
function aggregateIn(text: string, { scope, own, onlySum, members }: Reading): Aggregate | undefined {
  const { name, inside: given, alias } = writtenIn(text);
  const kind = percentIn(name) === undefined ? kinds.get(name) : "percentile";
  const isOfAll = given === "" || given === "*";
  const isBareShare = kind === "share" && isOfAll;
  // Whoever asks for a sum and a share means the share of that sum.
  const inside = isBareShare ? (onlySum ?? "") : given;
  if ((kind === "count" && isOfAll) || (kind === "share" && inside === ""))
    return { label: alias ?? name, usual: name, kind, of: undefined, path: undefined, percent: 0 };
  if (kind === undefined || inside === "") {
    scope.problems.push(faultOf(text, name, kind));
    return undefined;
  }
  const column = columnOf(own, inside, "aggregate");
  const aggregate = column && aggregateOf(scope, text, { name, alias }, kind, column, members);
  return aggregate && isBareShare ? { ...aggregate, usual: name } : aggregate;
}

/** Reads the aggregates of a view, beside columns whose names are taken; faults are reported to the scope. */
export function aggregatesOf(scope: Scope, given: string | readonly string[], taken: readonly string[]): Aggregates {
  const members = new Members();
  const texts = namesIn(given).flatMap(partsOf);
  const sums = texts
    .map(writtenIn)
    .flatMap(({ name, inside }) => (kinds.get(name) === "sum" && inside !== "" ? [inside] : []));
  const [onlySum] = new Set(sums).size === 1 ? sums : [];
  const read = (own: Scope, text: string) => aggregateIn(text, { scope, own, onlySum, members });
  const list = asFarAsNamed(scope, texts, read);
  if (list.some(({ kind, of }) => kind === "share" && of === undefined) && list.some(({ kind }) => kind === "sum"))
    scope.notes.push(`share is of the number of rows; share(${sums[0]}) is of that sum.`);
  const labels = list.map(({ label }) => label);
  const repeated = labels.find((label, at) => taken.includes(label) || labels.indexOf(label) !== at);
  if (repeated !== undefined)
    scope.problems.push({ field: "aggregate", given: shown(repeated), takes: "a name that no other column has" });
  return { list, members: members.list };
}

/** The value at a percentile by the nearest rank: the least value that at least so many percent of all do not exceed. */
function percentileOf(values: Exact[], percent: number): Exact | undefined {
  values.sort(compareExact);
  // Whole thousandths, because 0.07 × 100 is more than 7 in binary fractions.
  const rank = Math.ceil((Math.round(percent * 1_000) * values.length) / 100_000);
  return values[Math.max(0, rank - 1)];
}

// A mean has so many decimals more than its values.
const meanDecimals = 4;
const percentDecimals = 2;

const percentOf = (part: Exact, whole: Exact): Exact | undefined => {
  const share = quotient(part, whole, percentDecimals + 2);
  // Moving the point by two places makes the percent of it.
  return share === undefined ? undefined : quotient(share, { units: 1n, scale: 2 }, percentDecimals);
};

/** What an aggregate is of a group, whose rows `rows` are; `all` is what was counted of all groups together. */
export function figureOf(
  { kind, of, percent }: Aggregate,
  { rows, tallies }: { readonly rows: number; readonly tallies: readonly Tally[] },
  all: { readonly rows: number; readonly tallies: readonly Tally[] },
): Exact | undefined {
  const tally = of === undefined ? undefined : tallies[of];
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
      return percentOf(tally.sum, all.tallies[of ?? 0]?.sum ?? 0);
  }
}

/** The row in which an extreme is. */
export function extremeOf({ kind, of }: Aggregate, tallies: readonly Tally[]): Extreme | undefined {
  const tally = of === undefined ? undefined : tallies[of];
  return kind === "min" ? tally?.min : kind === "max" ? tally?.max : undefined;
}

/** The change between two values, and the same in percent of the earlier one, which a value of zero has not. */
export function changeOf(
  now: Exact | undefined,
  before: Exact | undefined,
): readonly [change: Exact | undefined, percent: Exact | undefined] {
  if (now === undefined || before === undefined) return [undefined, undefined];
  const change = minus(now, before);
  return [change, percentOf(change, compareExact(before, 0) < 0 ? minus(0, before) : before)];
}

/** What a value was in the period before, and the change since, under the name of its column. */
export function changeCells(
  name: string,
  now: Exact | undefined,
  before: Exact | undefined,
): readonly (readonly [string, unknown])[] {
  const [change, percent] = changeOf(now, before);
  return [
    [`${name} previous`, cellOf(before)],
    [`${name} change`, cellOf(change)],
    [`${name} change %`, cellOf(percent)],
  ];
}

/** A figure as a cell, which is null where there is none. */
export const cellOf = (value: Exact | undefined): unknown => (value === undefined ? null : jsonOf(value));

/** A cell of a row that stands for a group's row with an extreme: where and when it happened. */
export function placeOf(scope: Scope, row: Row, path: string): unknown {
  const cell = readerOf(path)(row);
  const moment = path === scope.time ? scope.clock.momentOf(cell, { epoch: true }) : undefined;
  return moment && !moment.isDay ? scope.clock.textOf(moment.ms) : (cell ?? null);
}
