/** Output formats of results: a table, JSON, or rows as CSV or NDJSON. */
import { resultOf } from "../answers/outcome.js";
import type { Presentation, ToolResult } from "../answers/result.js";
import { failureText, previewText } from "../answers/text.js";
import type { FinalOutcome } from "../calls/index.js";
import type { AnswerDisplay } from "../language/conduct.js";
import { Failure, quoteValue as shownText } from "../language/failure.js";
import { isEmpty, isRecord } from "../language/member.js";
import { type Row, recordLists, rowsIn } from "../rows/index.js";
import { columnsOf, labels, rowLines } from "../rows/row-text.js";
import { cleanJson } from "../secrets/held-secrets.js";
import { answerLines, detailLines, type PrintableResult } from "./answer-text.js";
import { choiceIn, outputs, refuse } from "./command.js";
import type { NextLine } from "./shell-terms.js";
import { wrapText } from "./terminal.js";

/** The rows of a result, and the fields that are not in them. */
interface ResultRows {
  readonly rows: readonly Row[];
  /** The path of their list; absent if there is nothing else. */
  readonly list?: string;
  /** The paths of the rows, for those of their fields that CSV cannot have; none for the result itself. */
  readonly at?: readonly string[];
  /** The paths of fields that are not in the rows. */
  readonly left: readonly string[];
  /** The paths of other lists at the same level as that of the rows, if nothing declares which is the main one. */
  readonly rivals?: readonly string[];
}

/** The non-empty fields outside of a path. */
function fieldsBeside(body: unknown, path: readonly string[], above = ""): string[] {
  const [name, ...rest] = path;
  if (name === undefined || !isRecord(body)) return [];
  const own = Object.entries(body).flatMap(([key, value]) => (key === name || isEmpty(value) ? [] : [above + key]));
  return [...own, ...fieldsBeside(body[name], rest, `${above}${name}.`)];
}

/** The path of a list as names, which can contain dots. */
function namesOf(body: unknown, path: string): string[] {
  if (path === "" || !isRecord(body)) return [];
  const name = Object.keys(body).find((key) => path === key || path.startsWith(`${key}.`));
  return name === undefined ? [] : [name, ...namesOf(body[name], path.slice(name.length + 1))];
}

const holderOf = (body: unknown, names: readonly string[]): unknown =>
  names.slice(0, -1).reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), body);

/** Fields that any list can have next to it, which do not make their parent significant. */
const readForLists = /count|total|page|offset|limit|size|code|message|status|error|next|prev|href|etag|more/i;
const isSignificant = (path: string): boolean => !readForLists.test(path.slice(path.lastIndexOf(".") + 1));
/** Lists of links. */
const links = /(^|\.)_?links$/;
const fewest = 3;

/**
 * Whether an object is significant in itself, with the list as one of its fields: it has several other plain values.
 */
const isSignificantObject = (holder: unknown): boolean =>
  isRecord(holder) &&
  Object.entries(holder).filter(([name, value]) => typeof value !== "object" && isSignificant(name)).length >= fewest;

/** Whether records have at least half of their fields in common, so that they form a table. */
function areAlike(groups: readonly (readonly Row[])[]): boolean {
  const columns = groups.map((rows) => new Set(columnsOf(rows)));
  const all = new Set(columns.flatMap((names) => [...names]));
  const shared = [...all].filter((name) => columns.every((names) => names.has(name)));
  return groups.length > 1 && all.size > 0 && 2 * shared.length >= all.size;
}

/** The values of a map of similar objects, each with its key; undefined if an object is not such a map. */
function mapRows(body: unknown): Row[] | undefined {
  const things = Object.entries(isRecord(body) ? body : {});
  const records = things.map(([, thing]) => thing).filter(isRecord);
  return records.length === things.length && areAlike(records.map((record) => [record]))
    ? things.map(([key, thing]) => ({ key, ...(thing as Row) }))
    : undefined;
}

/** The rows of similar lists in one object, each with the name of its list, such as the records of a zone by type. */
function listsIn(holder: unknown): { readonly names: readonly string[]; readonly rows: readonly Row[] } | undefined {
  const lists = Object.entries(isRecord(holder) ? holder : {}).filter(
    (entry): entry is [string, Row[]] => Array.isArray(entry[1]) && entry[1].length > 0 && entry[1].every(isRecord),
  );
  return areAlike(lists.map(([, rows]) => rows))
    ? {
        names: lists.map(([name]) => name),
        rows: lists.flatMap(([list, rows]) => rows.map((row) => ({ list, ...row }))),
      }
    : undefined;
}

/** The fields of a record, nested ones under dotted names. */
const flatFields = (record: Row, above = ""): (readonly [name: string, value: unknown])[] =>
  Object.entries(record).flatMap(([name, value]) =>
    isRecord(value) && Object.keys(value).length > 0
      ? flatFields(value, `${above}${name}.`)
      : [[above + name, value] as const],
  );

/** The lists of records in a result that can be chosen, by their paths. */
const listsToChoose = (body: unknown): readonly string[] => recordLists(body).filter((path) => !links.test(path));

/** The rows of the list that was asked for. */
function rowsOfList(body: unknown, shows: AnswerDisplay, path: string): ResultRows {
  const lists = listsToChoose(body);
  const found = lists.includes(path) ? rowsIn(body, shows, path) : undefined;
  if (found) return { rows: found.rows, list: path, at: [path], left: fieldsBeside(body, namesOf(body, path)) };
  throw new Failure("not_found", `The call is done, and its result has no list ${shownText(path)}.`, {
    next: lists.length === 0 ? "It has no list of objects: leave out --list." : `Its lists are ${lists.join(", ")}.`,
  });
}

/**
 * The rows of a result, without secrets.
 * @param body undefined if there is none.
 * @param isReport Whether it is the result of a workflow, whose other fields only say what its list is about.
 * @param listPath The path of the list that was asked for.
 * @throws Failure `not_found` if there is no such list.
 */
export function resultRows(body: unknown, shows: AnswerDisplay, isReport = false, listPath?: string): ResultRows {
  if (body === undefined) return { rows: [], left: [] };
  if (listPath !== undefined) return rowsOfList(body, shows, listPath);
  const things = mapRows(body);
  if (things) return { rows: things, at: things.map(({ key }) => String(key)), left: [] };
  const mainList = rowsIn(body, shows);
  if (mainList?.path === "") return { rows: mainList.rows, left: [] };
  if (!isRecord(body)) return { rows: [{ value: body }], left: [] };
  if (mainList === undefined) return { rows: [body], left: [] };
  const names = namesOf(body, mainList.path);
  const holder = holderOf(body, names);
  const leftOut = fieldsBeside(body, names);
  const isAside = links.test(mainList.path) || mainList.rows.every((row) => Object.keys(row).join() === "value");
  if ((isAside && leftOut.some(isSignificant)) || (!isReport && isSignificantObject(holder)))
    return { rows: [body], left: [] };
  const alike = listsIn(holder);
  if (alike) {
    const above = names.slice(0, -1).map((name) => `${name}.`);
    const paths = alike.names.map((name) => above.join("") + name);
    return {
      rows: alike.rows,
      list: paths.join(", "),
      at: paths,
      left: leftOut.filter((path) => !paths.includes(path)),
    };
  }
  const depth = mainList.path.split(".").length;
  const hasMain = isReport || shows.columns !== undefined;
  const isEqual = (path: string) => path !== mainList.path && path.split(".").length <= depth;
  const rivals = hasMain ? [] : listsToChoose(body).filter(isEqual);
  return { rows: mainList.rows, list: mainList.path, at: [mainList.path], left: leftOut, rivals };
}

const isNested = (value: unknown): boolean =>
  Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null);

/** A value as a cell: a list of plain values in one text, and nothing for an empty one. */
const cellOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => String(item ?? "")).join("; ") : isEmpty(value) ? "" : value;

/**
 * The rows as a table of cells, none of which is JSON: nested fields have dotted names, and lists of objects are left out.
 * @returns Also the paths of all fields that are not in it.
 */
export function cellTable({ rows, at = [""], left: leftOut }: ResultRows) {
  const fields = rows.map((row) => flatFields(row));
  const nested = new Set(fields.flatMap((row) => row.flatMap(([name, value]) => (isNested(value) ? [name] : []))));
  const cells = fields.map((row) =>
    Object.fromEntries(row.flatMap(([name, value]) => (nested.has(name) ? [] : [[name, cellOf(value)]]))),
  );
  const paths = at.flatMap((path) => [...nested].map((name) => (path === "" ? name : `${path}.${name}`)));
  return { columns: columnsOf(cells), rows: cells, left: [...leftOut, ...paths] };
}

export type OutputFormat = (typeof outputs)[number];

/**
 * The output format of a command line: by default a table for a terminal, and JSON for anything else.
 * @throws Failure `bad_configuration` for an unknown format.
 */
export function outputOf(words: readonly string[], isTerminal: boolean): OutputFormat {
  const given = choiceIn(words, "--output", outputs);
  if (!words.includes("--json")) return given ?? (isTerminal ? "table" : "json");
  return (given ?? "json") === "json"
    ? "json"
    : refuse(`--json does not fit --output ${given}.`, "Leave one of them out.");
}

/** The result of a call, without secrets. */
function printableResult(outcome: FinalOutcome, secrets: readonly string[]): PrintableResult {
  const clean = (whole: unknown) => (whole === undefined ? undefined : JSON.parse(cleanJson(whole, secrets)));
  if (outcome.kind === "answer") return { body: clean(outcome.reply.body), shows: outcome.declared.shows ?? {} };
  return { body: outcome.kind === "workflow" ? clean(outcome.result) : undefined, shows: {} };
}

/** A note about the fields that rows leave out, and the lists that can be chosen instead. */
function leftOutNotes(
  { rows, list, at = [""] }: ResultRows,
  leftOut: readonly string[],
  { structuredContent }: ToolResult,
  body: unknown,
): string[] {
  const { notes } = structuredContent;
  const others = listsToChoose(body).filter((path) => !at.includes(path));
  const also = [
    ...(leftOut.length === 0 ? [] : [`--output json also has ${leftOut.join(", ")}`]),
    ...(others.length === 0 ? [] : [`--list writes another list: ${others.join(", ")}`]),
  ];
  const which =
    list === undefined ? [] : [rows.length === 0 ? `there are no rows in ${list}` : `these are the rows of ${list}`];
  const isSaid = also.length > 0 || (list !== undefined && rows.length === 0);
  const own = isSaid ? [`${[...which, ...also].join("; ")}.`] : [];
  return [...(Array.isArray(notes) ? notes : []), ...own].map((note) => `Note: ${note}`);
}

/** The lines to paste after a result, each with its purpose. */
const nextLines = (next: readonly NextLine[]): string[] =>
  next.flatMap(({ label, line }, at) => [...(label === next[at - 1]?.label ? [] : [`${label}:`]), `  ${line}`]);

/** A failure: what, why and what next, then the upstream's message, field by field. */
function failureLines(
  { changed, upstreamSaid, corrected: _, ...content }: Readonly<Record<string, unknown>>,
  width: number | undefined,
): string[] {
  const quoted = (label: string, value: unknown) =>
    value === undefined ? [] : [`${label}:`, ...detailLines(value, width && width - 2).map((line) => `  ${line}`)];
  return [
    ...failureText(content)
      .split("\n")
      .flatMap((line) => wrapText(line, width, "  ")),
    ...quoted(labels.differs, changed),
    ...quoted(labels.upstreamSaid, upstreamSaid),
  ];
}

/** The destination of a result. */
interface OutputOptions {
  /** The columns of stdout; undefined if it is not a terminal. */
  readonly out?: number | undefined;
  /** The same of stderr. */
  readonly err?: number | undefined;
  /** The path of the list that the rows are of, if one was asked for. */
  readonly list?: string | undefined;
  /** Whether the call only reads, so that it can be made again with the list that is meant. */
  readonly isRead?: boolean;
  /** The calls that the result offers, as lines; only for people. */
  readonly next?: readonly NextLine[];
  /** How to approve the plan. */
  readonly howToApprove: (plan: string) => string;
}

/**
 * Writes an outcome in an output format. Except for JSON, only the result goes to stdout; failures and previews go to
 * stderr.
 * @throws Failure `invalid_input` if rows could be those of several lists, none was asked for, and the call can be repeated.
 */
export function outcomeLines(
  outcome: FinalOutcome,
  presentation: Presentation,
  output: OutputFormat,
  { out: width, err: errWidth, list, isRead, next = [], howToApprove }: OutputOptions,
): { readonly out: readonly string[]; readonly err: readonly string[] } {
  const result = resultOf(outcome, presentation);
  const content =
    outcome.kind === "preview"
      ? { ...result.structuredContent, next: howToApprove(outcome.plan.id) }
      : result.structuredContent;
  if (output === "json") return { out: [JSON.stringify(content, null, 2)], err: [] };
  const ending = nextLines(next);
  if (outcome.kind === "failure") return { out: [], err: [...failureLines(content, errWidth), ...ending] };
  if (outcome.kind === "preview") {
    const text = previewText(content).split("\n");
    return { out: [], err: text.flatMap((line) => wrapText(line, errWidth, "  ")) };
  }
  const printable = printableResult(outcome, presentation.secrets);
  if (output === "table")
    return {
      out: [...answerLines(printable, result, width), ...(ending.length === 0 ? [] : ["", ...ending])],
      err: [],
    };
  const selection = resultRows(printable.body, printable.shows, outcome.kind === "workflow", list);
  const { rivals = [] } = selection;
  if (isRead && rivals.length > 0)
    throw new Failure("invalid_input", `The result has several lists: ${[selection.list, ...rivals].join(", ")}.`, {
      next: `Say which one the rows are of: --list ${selection.list}, or --list ${rivals[0]}.`,
    });
  const errWith = (leftOut: readonly string[]) => [
    ...leftOutNotes(selection, leftOut, result, printable.body),
    ...ending,
  ];
  if (output === "ndjson")
    return { out: selection.rows.map((row) => JSON.stringify(row)), err: errWith(selection.left) };
  const { columns, rows, left: leftOut } = cellTable(selection);
  const err = errWith(leftOut);
  if (columns.length === 0) return { out: [], err };
  return { out: rowLines("csv", columns, rows), err };
}
