/** The schema of a view, and the fields of rows that it names. */
import { quoteValue } from "../../language/failure.js";
import { z } from "../../language/z.js";
import { didYouMean, guessName } from "../../text/nearest.js";
import type { Row } from "../index.js";
import { cellReader, momentsOf, type Scope, sampleCells, type ViewProblem } from "./scope.js";
import { type Slot, slotByName, slotText, startOf } from "./slots.js";

const text = z.string().min(1).max(1_000);
/** A list of short texts; a single text is accepted as a list, because it is often written that way. */
const texts = z.union([z.array(text).min(1).max(50), text]);

/** The view of a result's rows. */
export const RowView = z.strictObject({
  rows: text.optional().describe("Path of the list, if there are several"),
  fields: texts.optional().describe("name, period.start"),
  where: texts
    .optional()
    .describe('All hold: "status = 404", "name contains shop", "type in A,AAAA", "end is empty", "end < now+30d"'),
  sort: texts.optional().describe("-hits for descending"),
  top: z.int().min(1).max(10_000).optional().describe("First n; the rest is summed"),
  group_by: texts.optional().describe("Fields, or hour (of day), weekday, hours, day, 7 days, week, month: hour(time)"),
  aggregate: texts.optional().describe("sum(hits), mean, min, max, count, count(distinct x), p95, share"),
  compare: z.literal("previous_period").optional().describe("Adds the change"),
  time_zone: z.string().min(1).max(60).optional().describe("Default UTC"),
});
export type RowView = z.output<typeof RowView>;

/** Whether a character opens a quoted name. */
export const opensName = (sign: string): boolean => sign === '"' || sign === "`";

/**
 * The positions in a text outside of quotes.
 * @param opens Whether a character opens a quote, given the one before it; the same one closes it.
 */
export function* placesOutsideQuotes(
  text: string,
  opens: (sign: string, before: string) => boolean,
): Generator<number> {
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (opens(sign, text[at - 1] ?? "")) quote = sign;
    else yield at;
  }
}

/** The parts of a text between commas outside of brackets and quotes. */
export function splitAtCommas(input: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const at of placesOutsideQuotes(input, opensName)) {
    const sign = input[at];
    if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
    else if (sign === "," && depth <= 0) {
      parts.push(input.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, input.slice(start)].map((part) => part.trim()).filter((part) => part !== "");
}

/** The texts of a list that may have been written as one text with commas. */
export const splitNames = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined ? [] : typeof given === "string" ? splitAtCommas(given) : given.map((one) => one.trim());

/** A field of a row, or the part of time into which one falls. */
export interface ViewColumn {
  readonly label: string;
  readonly path: string;
  readonly read: (row: Row) => unknown;
  readonly slot?: Slot;
}

/** A text without quotes around the whole of it. */
export function unquote(text: string): string {
  const trimmed = text.trim();
  const mark = trimmed[0] ?? "";
  const isQuoted = trimmed.length > 1 && "\"'`".includes(mark) && trimmed.endsWith(mark);
  return isQuoted ? trimmed.slice(1, -1) : trimmed;
}

/** The name for the time of each row, whatever its field is called. */
const timeAlias = "time";

/** The meaning of a name: a field, several ambiguous ones, or none. */
interface FieldMeaning {
  readonly path?: string | undefined;
  readonly several?: readonly string[];
}

/** The field with the time of a row; several if it is ambiguous. */
const meantTime = ({ time, times, isTimeDeclared }: Scope): FieldMeaning =>
  isTimeDeclared || times.length < 2 ? { path: time } : { several: times };

/** The field that a name means: exact, ignoring case, the last step of a unique path, or the time. */
function meantIn(scope: Scope, name: string): FieldMeaning {
  if (scope.rows.length === 0 || scope.fieldPaths.includes(name)) return { path: name };
  const read = cellReader(name);
  if (scope.rows.some((row) => read(row) !== undefined)) return { path: name };
  const lower = name.toLowerCase();
  const alike = scope.fieldPaths.filter((path) => path.toLowerCase() === lower);
  const ending = scope.fieldPaths.filter((path) => path.toLowerCase().endsWith(`.${lower}`));
  const [only] = alike.length === 1 ? alike : ending.length === 1 ? ending : [];
  return only === undefined && lower === timeAlias ? meantTime(scope) : { path: only };
}

/** A text that has the form `name(inside)`. */
export function callIn(text: string): { readonly name: string; readonly inside: string } | undefined {
  const open = text.indexOf("(");
  if (open < 1 || !text.endsWith(")")) return undefined;
  return { name: text.slice(0, open).trim().toLowerCase(), inside: text.slice(open + 1, -1).trim() };
}

/** A column, or the problem of the text that should name one. */
type ColumnResult = { readonly column: ViewColumn } | { readonly problem: ViewProblem };

function slotColumn(scope: Scope, name: string, named: Slot, path: string, field: string): ColumnResult {
  const momentOf = momentsOf(scope, path);
  const label = `${name}(${path})`;
  if (scope.rows.length > 0 && !scope.rows.some((row) => momentOf(row) !== undefined)) {
    const times = scope.fieldPaths.filter((one) =>
      sampleCells(scope.rows, one).some((cell) => scope.clock.momentOf(cell)),
    );
    const told = times.length === 0 ? { also: "; no field of these rows has one" } : { names: times };
    return { problem: { field, given: quoteValue(label), takes: "a field that has a date or a time", ...told } };
  }
  const slot = named.countedFrom?.(startOf(scope, path)) ?? named;
  const read = (row: Row): unknown => {
    const moment = momentOf(row);
    return moment && slot.labelOf(slot.numberOf(moment), scope.clock);
  };
  return { column: { label, path, read, slot } };
}

/** The problem of a text that names neither a field nor a part of time. */
function unknownMember(
  { fieldPaths }: Scope,
  reference: { readonly field: string; readonly text: string; readonly meant: string; readonly isFunction: boolean },
): ViewProblem {
  const { field, text, meant, isFunction } = reference;
  const functions = isFunction ? `; of a time also ${slotText}` : "";
  const near = guessName(meant.slice(0, 100), fieldPaths);
  return {
    field,
    given: quoteValue(text),
    takes: "a field of the rows",
    names: fieldPaths,
    also: `${functions}${didYouMean(meant.slice(0, 100), fieldPaths)}`,
    ...(near === undefined ? {} : { mends: [{ at: [field], from: meant, to: near }] }),
  };
}

/** The column that a text names, or its problem. */
export function findColumn(scope: Scope, text: string, field: string): ColumnResult {
  const name = unquote(text);
  const direct = meantIn(scope, name);
  if (direct.path !== undefined && (scope.rows.length > 0 || !callIn(name)))
    return { column: { label: direct.path, path: direct.path, read: cellReader(direct.path) } };
  const call = callIn(name);
  const slot = slotByName(call?.name ?? name.toLowerCase());
  const inner = !slot ? direct : call ? meantIn(scope, unquote(call.inside)) : meantTime(scope);
  if (slot && inner.path !== undefined)
    return slotColumn(scope, call?.name ?? name.toLowerCase(), slot, inner.path, field);
  if (inner.several)
    return { problem: { field, given: quoteValue(text), takes: "the name of one of the times", names: inner.several } };
  const meant = slot && call ? unquote(call.inside) : name;
  return { problem: unknownMember(scope, { field, text, meant, isFunction: call !== undefined && !slot }) };
}

/**
 * The column that a text names: a field, or a part of time such as `weekday(start)`. Unknown names are reported with
 * the nearest name and all known ones.
 */
export function columnOf(scope: Scope, text: string, field: string): ViewColumn | undefined {
  const result = findColumn(scope, text, field);
  if ("column" in result) return result.column;
  scope.problems.push(result.problem);
  return undefined;
}

/**
 * Parses texts that are independent of each other: invalid ones are left out, and reported if nothing remains.
 * @param parse Parses one of them, with a scope for its problems.
 */
export function parseUsable<Text, T>(
  scope: Scope,
  texts: readonly Text[],
  parse: (partScope: Scope, text: Text) => T | undefined,
): readonly T[] {
  const leftOut: ViewProblem[] = [];
  const read = texts.flatMap((text): readonly T[] => {
    const partScope: Scope = { ...scope, problems: [] };
    const part = parse(partScope, text);
    leftOut.push(...partScope.problems);
    return part === undefined ? [] : [part];
  });
  (read.length === 0 ? scope.problems : scope.leftOut).push(...leftOut);
  return read;
}
