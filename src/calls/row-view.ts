/** Calls with a view: the rows of all pages, selected, grouped and summed before they are shown. */
import { type Arguments, mostRecords } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { Failure, type FieldProblem, problemInWords, quoteValue } from "../language/failure.js";
import { applyMends, type Mend } from "../language/mend.js";
import { viewTool } from "../language/server-tools.js";
import { z } from "../language/z.js";
import { noRowsAt, type Row, rowsDeclarationOf, rowsIn } from "../rows/index.js";
import type { StoredResult } from "../rows/result-store.js";
import { RowFile } from "../rows/row-file.js";
import { RowView } from "../rows/view/schema.js";
import { applyView, applyViewToObject, type ViewOptions, type ViewResult } from "../rows/view/viewed.js";
import { invalidInput, validateValues } from "../schema/arguments.js";
import { mendsOfAll } from "../schema/problems.js";
import type { Reply } from "../wire/index.js";
import type { Invoke, ResolvedCall } from "./context.js";
import { previousOf } from "./previous.js";
import type { CallerResults } from "./results.js";
import { withAllRows } from "./row-file.js";

const ViewInput = z.strictObject({ view: RowView });

/**
 * The view of a call, checked before anything is sent.
 * @throws Failure `invalid_input` with the field of the view, and where the fields are documented.
 */
export function viewOf(tool: string, view: unknown): RowView {
  try {
    return validateValues(tool, ViewInput, { view }).view;
  } catch (error) {
    throw error instanceof Failure ? new Failure(error.code, error.message, { ...error.detail, next }) : error;
  }
}

/**
 * Refuses the fields of a view that stand beside the arguments of an operation, with the call that has them in `view`.
 * @throws Failure `invalid_input`
 */
export function refuseStrayViewFields(tool: string, args: Arguments, isDeclared: (name: string) => boolean): void {
  const entries = Object.entries(args);
  const stray = entries.filter(([name]) => !isDeclared(name) && Object.hasOwn(RowView.shape, name));
  if (stray.length === 0) return;
  const view = Object.fromEntries(stray);
  const value = { ...Object.fromEntries(entries.filter((one) => !stray.includes(one))), view };
  const takes = `nothing: it is a field of view, as in view: ${quoteValue(JSON.stringify(view))}`;
  const mends = args["view"] === undefined ? [{ at: [], value }] : undefined;
  throw invalidInput(
    tool,
    stray.map(([field]) => ({ field, takes, ...(mends ? { mends } : {}) })),
  );
}

/** The arguments of a call with a view: a list is read to its end, unless the call limits it. */
export function withAllPages({ spec: { paging } }: AnyOperation, args: Arguments): Arguments {
  if (
    !paging ||
    !mostRecords(paging) ||
    [paging.start, paging.size, "allPages"].some((name) => args[name] !== undefined)
  )
    return args;
  return { ...args, allPages: true };
}

const next = `Correct the view and call again; the schema of ${viewTool} documents each field. Without a view the rows are shown as they are.`;

/** The rows of a view, and how they were found originally. */
interface Viewable extends StoredResult {
  /** The path of the view's fields in the arguments. */
  readonly at: readonly string[];
}

const prefixOf = (at: readonly string[]): string => at.map((name) => `${name}.`).join("");

type Problems = readonly FieldProblem[];
// Sorting can use columns that are only known after the aggregation.
const maxRounds = 3;

/** Corrections that make a view valid; undefined if there are none. */
function mendsFor(tool: string, view: RowView, first: Problems, problemsWith: (view: RowView) => Problems) {
  const all: Mend[] = [];
  let problems = first;
  for (let round = 0; round < maxRounds && problems.length > 0; round += 1) {
    const { mends } = mendsOfAll(tool, problems);
    all.push(...(mends?.all ?? []));
    const { data } = RowView.safeParse(mends && applyMends(view, all));
    if (!data) return undefined;
    problems = problemsWith(data);
  }
  return problems.length === 0 ? all : undefined;
}

/** @param problemsWith Finds the problems of another view of the same rows. */
function unusableView(
  tool: string,
  problems: Problems,
  at: readonly string[],
  view: RowView,
  problemsWith: (view: RowView) => Problems,
): Failure {
  const fields = problems.map(({ mends: _, ...problem }) => ({ ...problem, field: prefixOf(at) + problem.field }));
  const all = mendsFor(tool, view, problems, problemsWith)?.map((mend) => ({ ...mend, at: [...at, ...mend.at] }));
  const text = fields.map((problem) => problemInWords({ given: "it", ...problem }));
  return new Failure("invalid_input", `${tool} cannot show its rows in this view: ${text.join(". ")}`, {
    why: "The rows were read, but do not have the columns that the view names.",
    next,
    fields,
    ...(all ? { mends: { tool, all } } : {}),
  });
}

/** Reads the previous period. */
type ReadPrevious = (tool: string, args: Arguments) => Promise<Pick<Reply, "body">>;

/** The rows of the previous period; undefined if the response has no period. */
async function readPrevious(
  { shows, previous }: StoredResult,
  { rows: path }: RowView,
  invoke: ReadPrevious,
): Promise<ViewOptions> {
  if (!previous) return {};
  const { body } = await invoke(previous.tool, previous.args);
  return { previous: rowsIn(body, shows, path)?.rows ?? [] };
}

/** Known properties of rows: their period, and the field with their time. */
const viewOptionsOf = ({ shows, previous }: StoredResult): ViewOptions => ({
  starts: previous?.starts,
  time: shows?.columns?.time ?? shows?.daily?.date,
});

/** The viewed part of a response: rows, or the fields of an object. */
interface ViewedAnswer {
  readonly value: readonly Row[] | Row;
  readonly notes: readonly string[];
}

/**
 * A response in a view, with notes.
 * @param tool The tool whose caller asks for the view.
 * @param invoke Reads the previous period for a comparison.
 * @throws Failure `invalid_input` if the view names columns that the rows do not have, or the failure of that read.
 */
export async function viewAnswer(
  tool: string,
  viewable: Viewable,
  view: RowView,
  invoke: ReadPrevious,
): Promise<ViewedAnswer> {
  const { content, shows, at } = viewable;
  const rowList = rowsIn(content, shows, view.rows);
  const compared = view.compare === undefined || !rowList ? {} : await readPrevious(viewable, view, invoke);
  const options = { ...viewOptionsOf(viewable), ...compared };
  const rowsAt = (path: string | undefined) => (path === view.rows ? rowList : rowsIn(content, shows, path))?.rows;
  const ofObject = (other: RowView): ViewResult | undefined => applyViewToObject(content, other, rowsAt(other.rows));
  const ofRows = (other: RowView): ViewResult => {
    const rows = rowsAt(other.rows);
    return rows ? applyView(rows, other, options) : { problems: [noRowsAt(content, shows, other.rows)] };
  };
  const object = ofObject(view);
  const result = object ?? ofRows(view);
  if ("problems" in result)
    throw unusableView(tool, result.problems, at, view, (other) => {
      const tried = ofObject(other) ?? ofRows(other);
      return "problems" in tried ? tried.problems : [];
    });
  const [members] = result.rows;
  if (object && members) return { value: members, notes: result.notes };
  const others = (rowList?.others ?? []).map(({ path, length }) => `${path} (${length})`);
  const place = `These are the rows at ${rowList?.path || "the top level"}; ${prefixOf(at)}rows can name ${others.join(", ")}.`;
  return {
    value: result.rows,
    notes: others.length > 0 && view.rows === undefined ? [...result.notes, place] : result.notes,
  };
}

/** A response, as it is stored and viewed. */
export const resultOfReply = (call: ResolvedCall, reply: Reply): StoredResult => ({
  content: reply.rows ?? reply.body,
  shows: rowsDeclarationOf(call.declared.spec, reply.status),
  previous: previousOf(call),
});

/**
 * The error of a failed view: the response was read, and is stored for another view.
 * @param keep Stores a result for the caller.
 */
export async function withStoredResult(
  error: unknown,
  { content, ...rowContext }: StoredResult,
  keep: CallerResults["keep"],
): Promise<unknown> {
  const handle = await keep(content, rowContext);
  if (handle === undefined && content instanceof RowFile) content.drop();
  if (handle === undefined || !(error instanceof Failure)) return error;
  const next = `${error.detail.next} The result is stored: ${viewTool} with handle ${handle} shows it in another view, without another call.`;
  return new Failure(error.code, error.message, { ...error.detail, next });
}

/**
 * The viewed part of a response, with the whole next to it.
 * @throws Failure like `viewAnswer`.
 */
export async function withView(call: ResolvedCall, view: RowView, wholeReply: Reply, invoke: Invoke): Promise<Reply> {
  // The rows of a view are no longer the API's CSV.
  const { csv: _, ...reply } = withAllRows(wholeReply);
  const answer = { ...resultOfReply(call, reply), at: ["view"] };
  const { value, notes } = await viewAnswer(call.tool, answer, view, invoke);
  return { ...reply, body: value, whole: wholeReply.rows ?? reply.body, notes: [...reply.notes, ...notes] };
}
