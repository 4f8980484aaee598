/** The result of a call as a person or a script wants it: a table, JSON, CSV or NDJSON. */

import { cleanJson } from "../answers/clean.js";
import { labels } from "../answers/labels.js";
import type { Presentation, ToolResult } from "../answers/result.js";
import { rowTexts } from "../answers/row-text.js";
import { failureText, previewText } from "../answers/text.js";
import { Failure } from "../api/failure.js";
import type { Outcome } from "../calls/index.js";
import { resultOf } from "../mcp/result.js";
import { answerLines, type Shown } from "./answer-text.js";
import { flagValue } from "./command.js";
import { outputs } from "./outputs.js";
import { cellsOf, type ResultRows, resultRows } from "./result-rows.js";
import type { NextLine } from "./shell-terms.js";
import { detailLines } from "./terminal-lines.js";
import { wrapped } from "./wrapped.js";

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
  throw new Failure("bad_configuration", `--output takes ${outputs.join(", ")}, not ${JSON.stringify(given)}.`, {
    next: "Write it as one of them, or leave it out.",
  });
}

/** What is written where. */
export interface Written {
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
export interface Readers {
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
  const { head, row: lineOf } = rowTexts.csv;
  return { out: [...head(columns), ...rows.map((row) => lineOf(columns.map((name) => row[name])))], err };
}
