/** The result of a call as a person or a script wants it: a table, JSON, CSV or NDJSON. */
import { cleanJson } from "../answers/clean.js";
import type { Presentation, ToolResult } from "../answers/result.js";
import { rowTexts } from "../answers/row-text.js";
import { type Row, type Rows, rowsIn } from "../answers/rows.js";
import { answerText } from "../answers/text.js";
import type { Shows } from "../api/conduct.js";
import { Failure } from "../api/failure.js";
import { isRecord, withMember } from "../api/member.js";
import type { Outcome } from "../calls/index.js";
import { resultOf } from "../mcp/result.js";
import { outputs } from "./outputs.js";
import { cellsOf, type ResultRows, resultRows } from "./result-rows.js";
import { tableLines } from "./terminal-table.js";

export type Output = (typeof outputs)[number];

/**
 * The form that a command line asks for: without `--output` a table for a terminal, and JSON for anything else.
 * @throws Failure `bad_configuration` for a form that there is not.
 */
export function outputOf(words: readonly string[], isTerminal: boolean): Output {
  const given = words.findLast((word) => word.startsWith("--output="))?.slice("--output=".length);
  if (given === undefined) return isTerminal ? "table" : "json";
  const found = outputs.find((one) => one === given);
  if (found) return found;
  throw new Failure("bad_configuration", `--output takes ${outputs.join(", ")}, not ${JSON.stringify(given)}.`, {
    next: "Write it as one of them, or leave it out.",
  });
}

/** What is written where. */
export interface Written {
  readonly out: readonly string[];
  readonly err: readonly string[];
}

interface Shown {
  readonly body: unknown;
  readonly shows: Shows;
  readonly rows: Rows | undefined;
}

const steps = (path: string): string[] => (path === "" ? [] : path.split("."));

/** What a call returned, without secrets and with its rows; a value that has none is a row of its own. */
function shownOf(outcome: Outcome, secrets: readonly string[]): Shown {
  const whole =
    outcome.kind === "answer" ? outcome.reply.body : outcome.kind === "workflow" ? outcome.result : undefined;
  const shows = (outcome.kind === "answer" ? outcome.declared.shows : undefined) ?? {};
  if (whole === undefined) return { body: undefined, shows, rows: undefined };
  const body: unknown = JSON.parse(cleanJson(whole, secrets));
  return { body, shows, rows: rowsIn(body, shows) };
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

/** A list of the answer, as a table under its path and its length. */
function tableAt(path: string, rows: readonly Row[], width: number | undefined): string[] {
  const count = rows.length === 1 ? "1 row" : `${rows.length} rows`;
  return ["", path === "" ? count : `${path} (${count}):`, ...tableLines(rows, width)];
}

/** The answer as text, in which tables stand for its lists. */
function tableText(
  { body, rows, shows }: Shown,
  { structuredContent }: ToolResult,
  width: number | undefined,
): string[] {
  const lists = rows ? [rows.path, ...rows.others.map(({ path }) => path)] : [];
  const tables = lists.flatMap((path) => {
    const found = rowsIn(body, shows, path)?.rows ?? [];
    return found.length === 0 ? [] : [{ path, found }];
  });
  const beside = tables.reduce<unknown>((rest, { path }) => withMember(rest, steps(path), undefined), body);
  const { status, headers, location, times, notes, upstream, profile } = structuredContent;
  const about = { status, headers, location, times, notes, upstream, profile };
  const isWorkflow = status === undefined && isRecord(beside);
  const others = isWorkflow ? beside : beside === undefined ? {} : { data: beside };
  return [answerText({ ...others, ...about }), ...tables.flatMap(({ path, found }) => tableAt(path, found, width))];
}

/**
 * Writes an outcome in one of the forms. All but JSON write nothing but the answer on stdout; a failure and a preview are
 * texts on stderr.
 * @param width The columns of the terminal that the result is for; undefined where there is none.
 */
export function written(
  outcome: Exclude<Outcome, { kind: "question" }>,
  presentation: Presentation,
  output: Output,
  width: number | undefined,
): Written {
  const result = resultOf(outcome, presentation);
  if (output === "json") return { out: [JSON.stringify(result.structuredContent, null, 2)], err: [] };
  if (outcome.kind === "failure" || outcome.kind === "preview") return { out: [], err: [result.content[0].text] };
  const shown = shownOf(outcome, presentation.secrets);
  if (output === "table") return { out: tableText(shown, result, width), err: [] };
  const found = resultRows(shown.body, shown.shows);
  const err = remarks(found, result);
  if (output === "ndjson") return { out: found.rows.map((row) => JSON.stringify(row)), err };
  const { columns, rows } = cellsOf(found);
  if (columns.length === 0) return { out: [], err };
  const { head, row: lineOf } = rowTexts.csv;
  return { out: [...head(columns), ...rows.map((row) => lineOf(columns.map((name) => row[name])))], err };
}
