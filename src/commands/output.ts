/** The result of a call as a person or a script wants it: a table, JSON, or its rows as CSV or NDJSON. */
import { resultOf } from "../answers/outcome.js";
import type { Presentation, ToolResult } from "../answers/result.js";
import { failureText, previewText } from "../answers/text.js";
import type { Outcome } from "../calls/index.js";
import type { Shows } from "../language/conduct.js";
import { isRecord } from "../language/member.js";
import { type Row, rowsIn } from "../rows/index.js";
import { columnsOf, labels, rowLines } from "../rows/row-text.js";
import { cleanJson } from "../secrets/held-secrets.js";
import { answerLines, detailLines, type Shown } from "./answer-text.js";
import { flagValue, outputs, refuse } from "./command.js";
import type { NextLine } from "./shell-terms.js";
import { wrapped } from "./terminal.js";

/** The rows of a result, and what is not in them. */
interface ResultRows {
  readonly rows: readonly Row[];
  /** The list that they are of; left out where they are all there is. */
  readonly list?: string;
  /** Whether the one row is a thing by itself, and no item of a list. */
  readonly isOne?: boolean;
  /** The members that are not in the rows, by their paths. */
  readonly left: readonly string[];
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0);

/** The members beside a path, from the root on; empty ones are nothing to miss. */
function besides(body: unknown, path: readonly string[], above = ""): string[] {
  const [name, ...rest] = path;
  if (name === undefined || !isRecord(body)) return [];
  const own = Object.entries(body).flatMap(([key, value]) => (key === name || isNothing(value) ? [] : [above + key]));
  return [...own, ...besides(body[name], rest, `${above}${name}.`)];
}

/** The path of a list as names; a name may have dots in it. */
function namesOf(body: unknown, path: string): string[] {
  if (path === "" || !isRecord(body)) return [];
  const name = Object.keys(body).find((key) => path === key || path.startsWith(`${key}.`));
  return name === undefined ? [] : [name, ...namesOf(body[name], path.slice(name.length + 1))];
}

const holderOf = (body: unknown, names: readonly string[]): unknown =>
  names.slice(0, -1).reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), body);

/** What any list may have beside it, which makes no thing of what holds both. */
const besideLists = /count|total|page|offset|limit|size|code|message|status|error|next|prev|href|etag|more/i;
const isOwn = (path: string): boolean => !besideLists.test(path.slice(path.lastIndexOf(".") + 1));
/** Lists that say where else to look. */
const links = /(^|\.)_?links$/;
const fewest = 3;

/** Whether an object is a thing by itself, of which the list is one member: it has several others that are plain values. */
const isThing = (holder: unknown): boolean =>
  isRecord(holder) &&
  Object.entries(holder).filter(([name, value]) => typeof value !== "object" && isOwn(name)).length >= fewest;

/** Whether records have at least half of their members in common, so that they are rows of one table. */
function areAlike(groups: readonly (readonly Row[])[]): boolean {
  const columns = groups.map((rows) => new Set(columnsOf(rows)));
  const all = new Set(columns.flatMap((names) => [...names]));
  const shared = [...all].filter((name) => columns.every((names) => names.has(name)));
  return groups.length > 1 && all.size > 0 && 2 * shared.length >= all.size;
}

/** The members of a map of like things, each with its key; undefined where an object is no such map. */
function thingsIn(body: unknown): Row[] | undefined {
  const things = Object.entries(isRecord(body) ? body : {});
  const records = things.map(([, thing]) => thing).filter(isRecord);
  return records.length === things.length && areAlike(records.map((record) => [record]))
    ? things.map(([key, thing]) => ({ key, ...(thing as Row) }))
    : undefined;
}

/** The rows of like lists in one object, each with the name of its list, such as the records of a zone by their types. */
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

/** The members of a record and of the records in it, these under dotted names. */
const flat = (record: Row, above = ""): (readonly [name: string, value: unknown])[] =>
  Object.entries(record).flatMap(([name, value]) =>
    isRecord(value) && Object.keys(value).length > 0
      ? flat(value, `${above}${name}.`)
      : [[above + name, value] as const],
  );

/**
 * The rows of a result without secrets.
 * @param body undefined where there is none.
 */
export function resultRows(body: unknown, shows: Shows): ResultRows {
  if (body === undefined) return { rows: [], left: [] };
  const things = thingsIn(body);
  if (things) return { rows: things, left: [] };
  const found = rowsIn(body, shows);
  if (found?.path === "") return { rows: found.rows, left: [] };
  if (!isRecord(body)) return { rows: [{ value: body }], left: [] };
  if (found === undefined) return { rows: [body], isOne: true, left: [] };
  const names = namesOf(body, found.path);
  const holder = holderOf(body, names);
  const left = besides(body, names);
  const isAside = links.test(found.path) || found.rows.every((row) => Object.keys(row).join() === "value");
  if ((isAside && left.some(isOwn)) || isThing(holder)) return { rows: [body], isOne: true, left: [] };
  const alike = listsIn(holder);
  if (alike) {
    const above = names.slice(0, -1).map((name) => `${name}.`);
    const paths = alike.names.map((name) => above.join("") + name);
    return { rows: alike.rows, list: paths.join(", "), left: left.filter((path) => !paths.includes(path)) };
  }
  return { rows: found.rows, list: found.path, left };
}

/** The rows as a table of cells: a thing alone has the members of its objects under dotted names. */
export function cellsOf({ rows, isOne = false }: ResultRows): {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
} {
  const flatRows = isOne ? rows.map((row) => Object.fromEntries(flat(row))) : rows;
  return { columns: columnsOf(flatRows), rows: flatRows };
}

export type Output = (typeof outputs)[number];

/**
 * The form that a command line asks for: without `--output` a table for a terminal, and JSON for anything else.
 * @throws Failure `bad_configuration` for a form that there is not.
 */
export function outputOf(words: readonly string[], isTerminal: boolean): Output {
  const given = flagValue(words, "--output");
  if (given === undefined) return isTerminal ? "table" : "json";
  const found = outputs.find((one) => one === given);
  if (found) return found;
  refuse(
    `--output takes ${outputs.join(", ")}, not ${JSON.stringify(given)}.`,
    "Write it as one of them, or leave it out.",
  );
}

/** What is written where. */
interface Written {
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** What a call returned, without secrets. */
function shownOf(outcome: Outcome, secrets: readonly string[]): Shown {
  const whole =
    outcome.kind === "answer" ? outcome.reply.body : outcome.kind === "workflow" ? outcome.result : undefined;
  const shows = (outcome.kind === "answer" ? outcome.declared.shows : undefined) ?? {};
  return { body: whole === undefined ? undefined : JSON.parse(cleanJson(whole, secrets)), shows };
}

/** What a reader of rows alone would miss. */
function remarks({ rows, list, left }: ResultRows, { structuredContent }: ToolResult): string[] {
  const { notes } = structuredContent;
  const also = left.length === 0 ? "" : `; --output json also has ${left.join(", ")}`;
  const which = rows.length === 0 ? `there are no rows in ${list}` : `these are the rows of ${list}`;
  return [
    ...(Array.isArray(notes) ? notes.map((note) => `Note: ${note}`) : []),
    ...(list !== undefined && (also !== "" || rows.length === 0) ? [`Note: ${which}${also}.`] : []),
  ];
}

/** The lines to paste that come after a result, under what each is for. */
const nextLines = (next: readonly NextLine[]): string[] =>
  next.flatMap(({ label, line }, at) => [...(label === next[at - 1]?.label ? [] : [`${label}:`]), `  ${line}`]);

/** A failure: what, why, what next; then what the upstream said, member by member. */
function failureLines(
  { changed, upstreamSaid, corrected: _, ...content }: Readonly<Record<string, unknown>>,
  width: number | undefined,
): string[] {
  const quoted = (label: string, value: unknown) =>
    value === undefined ? [] : [`${label}:`, ...detailLines(value, width && width - 2).map((line) => `  ${line}`)];
  return [
    ...failureText(content)
      .split("\n")
      .flatMap((line) => wrapped(line, width, "  ")),
    ...quoted(labels.differs, changed),
    ...quoted(labels.upstreamSaid, upstreamSaid),
  ];
}

/** Where a result is read. */
interface Readers {
  /** The columns of the terminal that stdout is; undefined where it is none. */
  readonly out?: number | undefined;
  /** The same of stderr. */
  readonly err?: number | undefined;
  /** The calls that the result offers, as lines; only for a person. */
  readonly next?: readonly NextLine[];
  /** How a plan is approved. */
  readonly howToApprove: (plan: string) => string;
}

/**
 * Writes an outcome in one of the forms. All but JSON write nothing but the answer on stdout; a failure and a preview are
 * texts on stderr.
 */
export function written(
  outcome: Exclude<Outcome, { kind: "question" }>,
  presentation: Presentation,
  output: Output,
  { out: width, err: errWidth, next = [], howToApprove }: Readers,
): Written {
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
    return { out: [], err: text.flatMap((line) => wrapped(line, errWidth, "  ")) };
  }
  const shown = shownOf(outcome, presentation.secrets);
  if (output === "table")
    return { out: [...answerLines(shown, result, width), ...(ending.length === 0 ? [] : ["", ...ending])], err: [] };
  const found = resultRows(shown.body, shown.shows);
  const err = [...remarks(found, result), ...ending];
  if (output === "ndjson") return { out: found.rows.map((row) => JSON.stringify(row)), err };
  const { columns, rows } = cellsOf(found);
  if (columns.length === 0) return { out: [], err };
  return { out: rowLines("csv", columns, rows), err };
}
