/**
 * The responses of several calls of one read in one table: all rows, each with the arguments in which its call differs.
 */
import type { Arguments } from "../language/conduct.js";
import { isRecord } from "../language/member.js";
import { type Row, type RowsDeclaration, rowsDeclarationOf, rowsIn } from "../rows/index.js";
import { noteOnWhole, type PreviousPeriodCall } from "../rows/result-store.js";
import type { RowView } from "../rows/view/schema.js";
import { isObjectView } from "../rows/view/viewed.js";
import type { Reply } from "../wire/index.js";
import type { Submission } from "./approve.js";
import type { ResolvedCall } from "./context.js";
import { withMaskedReplies } from "./mask.js";
import type { Outcome } from "./outcome.js";
import { previousOf } from "./previous.js";
import { withAllRows } from "./row-file.js";
import { viewAnswer, withStoredResult } from "./row-view.js";
import type { CallRun } from "./run.js";
import type { SendResult } from "./send.js";

/** A successful call of a batch. */
interface SuccessfulCall {
  readonly at: number;
  readonly call: ResolvedCall;
  readonly reply: Reply;
}

/** An argument as a cell. */
function cellOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null;
  return value.length === 1 ? value[0] : value.join(", ");
}

/** The arguments in which calls differ, in order of appearance. */
function differingArguments(each: readonly Arguments[]): readonly string[] {
  const names = new Set(each.flatMap((args) => Object.keys(args)));
  return [...names].filter((name) => new Set(each.map((args) => JSON.stringify(args[name] ?? null))).size > 1);
}

/**
 * The rows of a response, with columns added in front; an object without a list, or whose fields are requested, is one
 * row.
 */
function rowsWithColumns(columns: Row, body: unknown, shows: RowsDeclaration, view: RowView): readonly Row[] {
  const behind = (row: Row): Row => {
    const columnEntries = Object.entries(columns).map(([name, value]) => [
      Object.hasOwn(row, name) ? `${name} (argument)` : name,
      value,
    ]);
    return { ...Object.fromEntries(columnEntries), ...row };
  };
  const rows = rowsIn(body, shows, view.rows)?.rows.map(behind);
  if (!isRecord(body)) return rows ?? [];
  const isOne = rows === undefined ? view.rows === undefined : isObjectView(behind(body), view, rows);
  return isOne ? [behind(body)] : (rows ?? []);
}

/** A view, and the calls' arguments as given. */
interface BatchView {
  readonly each: readonly Arguments[];
  readonly view: RowView;
}

/** The rows of all responses, each with the arguments in which its call differs from the others. */
async function joinRows(
  successfulCalls: readonly SuccessfulCall[],
  { each, view }: BatchView,
  bodyOf: (success: SuccessfulCall) => Promise<Pick<Reply, "body" | "status">>,
): Promise<readonly Row[]> {
  const names = differingArguments(each);
  const all: Row[] = [];
  for (const success of successfulCalls) {
    const { body, status } = await bodyOf(success);
    const columns = Object.fromEntries(names.map((name) => [name, cellOf(each[success.at]?.[name])]));
    for (const row of rowsWithColumns(columns, body, rowsDeclarationOf(success.call.declared.spec, status), view))
      all.push(row);
  }
  return all;
}

/** The previous period of all calls; undefined if they differ or have none. */
function previousOfAll(successfulCalls: readonly SuccessfulCall[]): PreviousPeriodCall | undefined {
  const all = successfulCalls.map(({ call }) => previousOf(call));
  return new Set(all.map((one) => JSON.stringify(one?.starts))).size === 1 ? all[0] : undefined;
}

const maxNotes = 8;

/** The distinct notes of all responses. */
function notesOf(successfulCalls: readonly SuccessfulCall[]): readonly string[] {
  const notes = [...new Set(successfulCalls.flatMap(({ reply }) => reply.notes))];
  const rest = notes.length - maxNotes;
  return rest > 0 ? [...notes.slice(0, maxNotes), `${rest} more notes of individual calls are left out.`] : notes;
}

/** The rows of all responses in a view; they are stored unchanged, even if the view fails. */
async function viewRows(
  { context, invoke, keep }: CallRun,
  tool: string,
  batchView: BatchView,
  successfulCalls: readonly SuccessfulCall[],
) {
  const [first] = successfulCalls;
  const content = await joinRows(successfulCalls, batchView, async ({ reply }) => {
    try {
      return withAllRows(reply);
    } finally {
      reply.rows?.drop();
    }
  });
  const shows = first && rowsDeclarationOf(first.call.declared.spec, first.reply.status);
  const viewable = { content, shows, previous: previousOfAll(successfulCalls) };
  const read = withMaskedReplies(context, invoke("step"));
  const before = async (_: string, args: Arguments) => ({
    body: await joinRows(successfulCalls, batchView, ({ call }) => read(call.tool, previousOf(call)?.args ?? args)),
  });
  // The list that it names is the one in each response.
  const { rows: _, ...view } = batchView.view;
  const shown = viewAnswer(tool, { ...viewable, at: ["view"] }, view, before);
  const { value, notes } = await shown.catch(async (error: unknown) => {
    // The previous period is read call by call, which a view of all rows together cannot repeat.
    throw await withStoredResult(error, { content, shows }, keep);
  });
  const handle = await keep(content, { shows });
  const whole = handle === undefined ? [] : [noteOnWhole(handle)];
  return { rows: value, notes: [...notesOf(successfulCalls), ...notes, ...whole] };
}

/**
 * The outcome of a batch with a view of the rows of all responses instead of each response.
 * @param outcome The outcome without the view.
 * @throws Failure `invalid_input` if the view names columns that the rows do not have.
 */
export async function withBatchView(
  run: CallRun,
  { tool, given, all, composed }: Submission,
  view: RowView,
  sendResults: readonly SendResult[],
  outcome: Extract<Outcome, { kind: "workflow" }>,
): Promise<Outcome> {
  const successfulCalls = all.flatMap((call, at): SuccessfulCall[] => {
    const sendResult = sendResults[at];
    return sendResult === undefined || sendResult.failure ? [] : [{ at, call, reply: sendResult.reply }];
  });
  if (successfulCalls.length === 0) return outcome;
  const { rows, notes } = await viewRows(run, composed?.tool ?? tool, { each: given, view }, successfulCalls);
  const { results = [], ...counts } = outcome.result as { readonly results?: readonly object[] };
  const failures = results.flatMap((result, at) => (sendResults[at]?.failure ? [{ call: at + 1, ...result }] : []));
  const summary = failures.length === 0 ? { tool, calls: all.length } : { ...counts, failures };
  return { ...outcome, result: { ...summary, rows }, notes: [...(outcome.notes ?? []), ...notes] };
}
