/** The answers of several calls of one read in one table: the rows of all, each with the arguments in which its call differs. */
import { onceKept } from "../answers/kept-once.js";
import { type Row, rowsIn, type Telling } from "../answers/rows.js";
import type { Previous } from "../answers/store.js";
import { tellingOf } from "../answers/times.js";
import { isOfObject } from "../answers/view/object.js";
import type { View } from "../answers/view/schema.js";
import { invalidInput } from "../api/arguments.js";
import type { Arguments } from "../api/conduct.js";
import { isRead } from "../api/effect.js";
import { isRecord } from "../api/member.js";
import type { Reply } from "../client/index.js";
import type { Prepared, Series } from "./context.js";
import { masking } from "./mask.js";
import type { Outcome } from "./outcome.js";
import { previousOf } from "./previous.js";
import { withAllRows } from "./row-file.js";
import { answerViewed, viewOf, withAllPages, withKept } from "./row-view.js";
import type { Run } from "./run.js";

/** A call of a series that was answered. */
export interface Answered {
  readonly at: number;
  readonly prepared: Prepared;
  readonly reply: Reply;
}

/** What an argument is in a cell. */
function cellOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null;
  return value.length === 1 ? value[0] : value.join(", ");
}

/** The arguments in which calls differ, in the order in which they first come. */
function differing(each: readonly Arguments[]): readonly string[] {
  const names = new Set(each.flatMap((args) => Object.keys(args)));
  return [...names].filter((name) => new Set(each.map((args) => JSON.stringify(args[name] ?? null))).size > 1);
}

/** The rows of an answer, each behind some columns; an object that is asked for as such, or has no list, is one row. */
function rowsBehind(columns: Row, body: unknown, shows: Telling, view: View): readonly Row[] {
  const behind = (row: Row): Row => {
    const own = Object.entries(columns).map(([name, value]) => [
      Object.hasOwn(row, name) ? `${name} (argument)` : name,
      value,
    ]);
    return { ...Object.fromEntries(own), ...row };
  };
  const rows = rowsIn(body, shows, view.rows)?.rows.map(behind);
  if (!isRecord(body)) return rows ?? [];
  const isOne = rows === undefined ? view.rows === undefined : isOfObject(behind(body), view, rows);
  return isOne ? [behind(body)] : (rows ?? []);
}

/** A view, and the arguments of the calls as they were given. */
interface Of {
  readonly each: readonly Arguments[];
  readonly view: View;
}

/** The rows of answers, each with the arguments in which its call differs from the others. */
async function joined(
  answered: readonly Answered[],
  { each, view }: Of,
  bodyOf: (one: Answered) => Promise<Pick<Reply, "body" | "status">>,
): Promise<readonly Row[]> {
  const names = differing(each);
  const all: Row[] = [];
  for (const one of answered) {
    const { body, status } = await bodyOf(one);
    const columns = Object.fromEntries(names.map((name) => [name, cellOf(each[one.at]?.[name])]));
    for (const row of rowsBehind(columns, body, tellingOf(one.prepared.declared.spec, status), view)) all.push(row);
  }
  return all;
}

/** The period before of all calls; undefined where they are for several or for none. */
function previousOfAll(answered: readonly Answered[]): Previous | undefined {
  const all = answered.map(({ prepared }) => previousOf(prepared));
  return new Set(all.map((one) => JSON.stringify(one?.starts))).size === 1 ? all[0] : undefined;
}

/** What came of a series so far. */
interface Made {
  readonly answered: readonly Answered[];
  readonly results: readonly object[];
}

const maxNotes = 8;

/** The notes of the answers, each once, however many calls have it. */
function notesOf(answered: readonly Answered[]): readonly string[] {
  const notes = [...new Set(answered.flatMap(({ reply }) => reply.notes))];
  const rest = notes.length - maxNotes;
  return rest > 0 ? [...notes.slice(0, maxNotes), `${rest} more notes of single calls are left out.`] : notes;
}

/** The rows of all answers as a view shows them; they are kept as they are, also where the view fails. */
async function seriesViewed({ context, invoke, keep }: Run, tool: string, asked: Of, { answered }: Made) {
  const [first] = answered;
  const content = await joined(answered, asked, async ({ reply }) => {
    try {
      return withAllRows(reply);
    } finally {
      reply.rows?.drop();
    }
  });
  const shows = first && tellingOf(first.prepared.declared.spec, first.reply.status);
  const kept = { content, shows, previous: previousOfAll(answered) };
  const read = masking(context, invoke("step"));
  const before = async (_: string, args: Arguments) => ({
    body: await joined(answered, asked, ({ prepared }) => read(prepared.tool, previousOf(prepared)?.args ?? args)),
  });
  // The list that it names is that of each answer.
  const { rows: _, ...view } = asked.view;
  const shown = answerViewed(tool, { ...kept, at: ["view"] }, view, before);
  const { value, notes } = await shown.catch((error: unknown) => {
    // A period before is read call by call, which a view of all rows together cannot repeat.
    throw withKept(error, { content, shows }, keep);
  });
  return {
    rows: value,
    notes: [...notesOf(answered), ...notes, ...onceKept(content, (whole) => keep(whole, { shows })).note()],
  };
}

/**
 * What a view makes of a series: the calls as it needs them, lists being read to their ends, and their outcome with the rows
 * of all in place of the answer of each.
 * @param tool The tool that makes the series.
 * @throws Failure `invalid_input` for a view that cannot be used, or of calls that do not read.
 */
export async function viewOfSeries(run: Run, series: Series, tool: string) {
  const found = await run.context.operationOf(series.tool);
  if (!found || !isRead(found.declared))
    throw invalidInput(tool, [
      { field: "view", takes: "nothing here: it shows what calls read, and these change something" },
    ]);
  const of = { each: series.each, view: viewOf(tool, series.view) };
  return {
    each: series.each.map((args) => withAllPages(found.declared, args)),
    shown: async (outcome: Outcome, made: Made): Promise<Outcome> => {
      if (outcome.kind !== "workflow" || made.answered.length === 0) return outcome;
      const { rows, notes } = await seriesViewed(run, tool, of, made);
      const isAnswered = (call: number) => made.answered.some(({ at }) => at === call);
      const failures = made.results.flatMap((result, at) => (isAnswered(at) ? [] : [{ call: at + 1, ...result }]));
      const { results: _, ...counts } = outcome.result;
      const told = failures.length === 0 ? { tool: series.tool, calls: series.each.length } : { ...counts, failures };
      return { ...outcome, result: { ...told, rows }, notes: [...(outcome.notes ?? []), ...notes] };
    },
  };
}
