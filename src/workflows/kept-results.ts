/**
 * The tools that read stored results in parts, view their rows and run SQL over them, for clients that do not read
 * resources.
 */
import { countWithin, type RowPage, type RowPageOptions, rowPageOf, tokensAsMember } from "../answers/parts.js";
import { answerText } from "../answers/text.js";
import type { CallerResults, QueryRows } from "../calls/results.js";
import { viewAnswer, viewOf } from "../calls/row-view.js";
import { workflow } from "../calls/workflow.js";
import { Failure, quoteValue } from "../language/failure.js";
import { introduction } from "../language/reading.js";
import { queryTool, resultTool, viewTool } from "../language/server-tools.js";
import { z } from "../language/z.js";
import type { Row } from "../rows/index.js";
import type { StoredResult } from "../rows/result-store.js";
import { RowFile } from "../rows/row-file.js";
import { rowFormats, rowTexts } from "../rows/row-text.js";
import { unitsOf } from "../rows/units.js";
import { RowView } from "../rows/view/schema.js";
import { invalidInput, ViewArgument } from "../schema/arguments.js";

const Handle = z.string().regex(/^(?:result:\/\/)?[\w-]{8,64}(?:\?profile=[\w.-]+)?$/);
/** A handle without its scheme and profile; results of other profiles are not found. */
export const bareHandle = (handle: string): string => handle.replace("result://", "").replace(/\?.*/s, "");

/**
 * The result with a handle.
 * @throws Failure if there is none for this caller.
 */
async function storedResultAt(results: CallerResults, handle: string, field: string): Promise<StoredResult> {
  const stored = await results.get(bareHandle(handle));
  if (stored === undefined)
    throw new Failure("not_found", `There is no stored result ${quoteValue(bareHandle(handle))}.`, {
      why: "A result is stored for a limited time, for the client that requested it, and new results can displace older ones.",
      next: "Repeat the call whose result was stored, and use the handle that it returns.",
      atShell: {
        why: "A command stores no results.",
        next: "Make the call whose result you want to read again, and read its rows with --output csv.",
      },
      fields: [{ field, given: quoteValue(handle), takes: "the handle of a stored result" }],
    });
  return stored;
}

/** The text of a result that has rows as text: the rows unchanged, followed by the other fields. */
function resultTexts({ text, ...rest }: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  return typeof text === "string" ? [text, answerText(rest)] : undefined;
}

const partContent = ({ at, total, offset, count, format, content }: RowPage) => ({
  ...(at === "" ? {} : { at }),
  total,
  offset,
  ...(format === "json" ? { rows: content } : { text: content }),
  ...(offset + count < total ? { nextOffset: offset + count } : {}),
});

export const resultPart = workflow({
  title: "Stored result in parts",
  does: "Reads rows of a stored result, by its handle. Call again with offset set to nextOffset.",
  servesAllTools: true,
  input: z.strictObject({
    handle: Handle,
    format: z.enum(rowFormats).default("json"),
    offset: z.int().min(0).default(0).describe("First row, from 0"),
    limit: z.int().min(1).max(10_000).default(1_000),
  }),
  example: { handle: "AAAAAAAAAAAAAAAAAAAAAA", format: "csv" },
  introduction: introduction`A result with a handle is stored: ${resultTool} reads its rows, ${queryTool} runs SQL over them.`,
  texts: resultTexts,

  async run({ handle, format, offset, limit }, { results }) {
    const options: RowPageOptions = {
      format,
      offset,
      limit,
      maxTokens: results.maxTokens,
      clean: (value) => JSON.parse(results.json(value)),
    };
    const { content, shows } = await storedResultAt(results, handle, "handle");
    const part = rowPageOf(content, shows, options);
    if (part.count === 0 && offset > 0)
      throw invalidInput(resultTool, [
        { field: "offset", given: String(offset), takes: `a number below ${part.total}, the number of rows` },
      ]);
    return { handle: bareHandle(handle), ...partContent(part) };
  },
});

const maxRows = 100_000;
const maxTables = 8;
const tableName = /^[A-Za-z_]\w{0,39}$/;

/** Names for handles without one: a single one is the table `result`, several are numbered. */
function withNames(given: unknown): unknown {
  const handles = typeof given === "string" ? [given] : given;
  if (!Array.isArray(handles)) return given;
  return Object.fromEntries(handles.map((handle, at) => [handles.length === 1 ? "result" : `result${at + 1}`, handle]));
}

const NamedHandles = z.preprocess(
  withNames,
  z.record(z.string().regex(tableName), Handle).refine((named) => {
    const count = Object.keys(named).length;
    return count > 0 && count <= maxTables;
  }, `one to ${maxTables} handles, each under the name of its table`),
);

/** A stored result in the form that the engine needs: without secrets, or as the file of its rows, which has none. */
function querySource(
  name: string,
  { content, shows }: StoredResult,
  results: CallerResults,
): Parameters<CallerResults["query"]>[0]["sources"][number] {
  if (!(content instanceof RowFile)) return { name, json: results.json(content), shows };
  const shownName = (column: string): string => JSON.parse(results.json(column)) as string;
  return {
    name,
    path: content.path,
    columns: content.columns.map((column) => ({ name: shownName(column.name), type: column.type })),
  };
}

/** As many rows as fit, as CSV, and how to get the others. */
async function queryContent(
  { columns, rows, hasMore }: QueryRows,
  results: CallerResults,
): Promise<Readonly<Record<string, unknown>>> {
  const { head, row } = rowTexts.csv;
  const header = head(columns.map(({ name }) => name));
  const lines = rows.map(row);
  const beside = tokensAsMember(header.join()) + tokensAsMember(JSON.stringify(columns));
  const count = countWithin(lines, results.maxTokens - beside);
  const isPart = count < rows.length;
  const handle = isPart ? await results.keep({ columns, rows }) : undefined;
  const wayToOthers =
    handle === undefined ? "select fewer" : `${resultTool} reads the others, and ${queryTool} queries them`;
  const notes = [
    ...(hasMore
      ? [`There are more than the ${rows.length} rows that were read; max_rows takes up to ${maxRows}.`]
      : []),
    ...(isPart ? [`${count} of ${rows.length} rows are shown; ${wayToOthers}.`] : []),
  ];
  return {
    columns,
    total: rows.length,
    text: `${[...header, ...lines.slice(0, count)].join("\n")}\n`,
    ...(isPart || hasMore ? { cut: true } : {}),
    ...(handle === undefined ? {} : { handle, nextOffset: count }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

export const resultQuery = workflow({
  title: "SQL over stored results",
  does: "Runs one SELECT (DuckDB) over the rows of stored results, each a table named in results. DESCRIBE shows its columns.",
  servesAllTools: true,
  input: z.strictObject({
    sql: z.string().min(1).max(10_000),
    results: NamedHandles.describe("Handle by table name"),
    max_rows: z.int().min(1).max(maxRows).default(1_000),
    timeZone: z.string().max(60).default("UTC"),
  }),
  example: { sql: "select class, sum(hits) from report group by all", results: { report: "AAAAAAAAAAAAAAAAAAAAAA" } },
  texts: resultTexts,

  async run({ sql, results: handles, max_rows: rowLimit, timeZone }, { results }) {
    // The engine ends a text at a null character, after which the syntax tree would belong to a different query.
    const control = /[^\P{Cc}\n\r\t]/u.exec(sql);
    if (control)
      throw invalidInput(queryTool, [
        { field: "sql", given: quoteValue(sql), takes: "a query without control characters" },
      ]);
    const named = Object.entries(handles).map(async ([name, handle]) =>
      querySource(name, await storedResultAt(results, handle, "results"), results),
    );
    const sources = await Promise.all(named);
    return queryContent(await results.query({ sql, sources, timeZone, maxRows: rowLimit }), results);
  },
});

export const resultView = workflow({
  title: "View of a stored result",
  does: "Selects, sorts, groups, sums or compares rows of a stored result, as view does elsewhere.",
  servesAllTools: true,
  // Its schema is longer than what the other tools leave of the short list's budget.
  isFrontLine: false,
  input: z.strictObject({ handle: Handle, ...RowView.shape, view: ViewArgument.optional() }),
  steps: [
    "Find the rows of the stored result, or the list that rows names.",
    "Keep those that match where; for compare, read the previous period with the call that produced the result.",
    "Group and sum them, or show the fields in fields, in the order of sort, limited to the first top.",
  ],
  example: { handle: "AAAAAAAAAAAAAAAAAAAAAA", group_by: ["day(time)"], aggregate: ["sum(hits)", "max(hits)"] },

  introduction: introduction`${viewTool} shows a view of one.`,

  async run({ handle, view: viewArgument, ...fields }, { results, invoke }) {
    const beside = Object.keys(fields).filter((name) => fields[name as keyof RowView] !== undefined);
    if (viewArgument !== undefined && beside.length > 0)
      throw invalidInput(
        viewTool,
        beside.map((field) => ({ field, takes: "nothing beside view, which can have it" })),
      );
    const view = viewArgument === undefined ? fields : viewOf(viewTool, viewArgument);
    const stored = await storedResultAt(results, handle, "handle");
    const whole = await results.whole(stored.content);
    const answer = {
      ...stored,
      content: JSON.parse(results.json(whole)) as unknown,
      at: viewArgument === undefined ? [] : ["view"],
    };
    const { value, notes } = await viewAnswer(viewTool, answer, view, invoke);
    const rows = Array.isArray(value) ? (value as readonly Row[]) : undefined;
    const units = unitsOf(answer.content, answer.shows ?? {}, rows ?? []);
    return {
      handle: bareHandle(handle),
      [rows ? "rows" : "members"]: value,
      ...(units ? { units } : {}),
      ...(notes.length === 0 ? {} : { notes }),
    };
  },
});
