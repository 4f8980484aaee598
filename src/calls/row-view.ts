/** A call with a view: its rows over all pages, selected, grouped and added up before they are shown. */
import { noRowsAt, rowsIn } from "../answers/rows.js";
import { View } from "../answers/view/schema.js";
import { viewed } from "../answers/view/viewed.js";
import { checkValues } from "../api/arguments.js";
import type { Arguments } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { Failure, type FieldProblem } from "../api/failure.js";
import { mostRecords } from "../api/paging.js";
import { previousPeriod } from "../api/previous-period.js";
import { z } from "../api/z.js";
import type { Reply } from "../client/index.js";
import type { Invoke, Prepared } from "./context.js";
import { withAllRows } from "./row-file.js";

const Asked = z.strictObject({ view: View });

/**
 * The view that a call asks for, checked before anything is sent.
 * @throws Failure `invalid_input` naming the member of the view.
 */
export const viewOf = (tool: string, given: unknown): View => checkValues(tool, Asked, { view: given }).view;

/** The arguments of a call with a view: a list is read to its end, unless the call says which part of it is wanted. */
export function withAllPages({ spec: { paging } }: AnyOperation, args: Arguments): Arguments {
  if (
    !paging ||
    !mostRecords(paging) ||
    [paging.start, paging.size, "allPages"].some((name) => args[name] !== undefined)
  )
    return args;
  return { ...args, allPages: true };
}

function unusable(tool: string, problems: readonly FieldProblem[]): Failure {
  const fields = problems.map((problem) => ({ ...problem, field: `view.${problem.field}` }));
  const text = fields.map(({ field, given, takes }) => `${field}: ${given ?? "it"} was given; takes ${takes}`);
  return new Failure("invalid_input", `${tool} cannot show its rows so: ${text.join(". ")}`, {
    why: "The rows were read, and what the view names is not among them.",
    next: "Correct the view and call again; without view the rows are shown as they are.",
    fields,
  });
}

/** The rows of the period before, and where both periods begin; nothing where the call has no period. */
async function readPrevious({ tool, declared, checked }: Prepared, { rows: path }: View, invoke: Invoke) {
  const { period, shows } = declared.spec;
  const before = period && previousPeriod(period, checked.values);
  if (!before) return {};
  const { period: _, view: __, ...args } = checked.values;
  const { body } = await invoke(tool, { ...args, ...before.args });
  return { previous: rowsIn(body, shows, path)?.rows ?? [], starts: before.starts };
}

/**
 * The part of an answer that a view asks for, with the whole beside it.
 * @param invoke Reads the period before, for a comparison.
 * @throws Failure `invalid_input` where the view names what the rows do not have, or the failure of that read.
 */
export async function withView(prepared: Prepared, view: View, given: Reply, invoke: Invoke): Promise<Reply> {
  const { tool, declared } = prepared;
  const { shows } = declared.spec;
  // The rows of a view are no CSV of the API's any more.
  const { csv: _, ...reply } = withAllRows(given);
  const found = rowsIn(reply.body, shows, view.rows);
  if (!found) {
    const problem = noRowsAt(reply.body, shows, view.rows);
    throw unusable(tool, [problem]);
  }
  const result = viewed(found.rows, view, view.compare === undefined ? {} : await readPrevious(prepared, view, invoke));
  if ("problems" in result) throw unusable(tool, result.problems);
  const others = found.others.map(({ path, length }) => `${path} (${length})`);
  const notes = [
    ...reply.notes,
    ...result.notes,
    ...(others.length > 0 && view.rows === undefined
      ? [`These are the rows at ${found.path || "the top"}; view.rows can name ${others.join(", ")}.`]
      : []),
  ];
  return { ...reply, body: result.rows, whole: given.rows ?? reply.body, notes };
}
