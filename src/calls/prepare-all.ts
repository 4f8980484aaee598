/** The checks of several calls of one operation: every call is checked before one is sent, and the faults of all are listed. */
import { invalidInput } from "../api/arguments.js";
import { Failure, type FailureCode, type FieldProblem } from "../api/failure.js";
import { pageTool } from "../api/own-tools.js";
import type { Composed } from "../guard/index.js";
import type { Prepared, Series } from "./context.js";
import { prepare } from "./prepare.js";
import type { Run } from "./run.js";

/** What is wrong with one call; any other failure would be that of the calls after it, too. */
const ofOneCall: readonly FailureCode[] = ["invalid_input", "not_found", "conflict", "rejected"];

interface Fault {
  readonly at: number;
  readonly failure: Failure;
}

const fieldsAt = (at: number, fields: readonly FieldProblem[]): FieldProblem[] =>
  fields.map((one) => ({ ...one, field: `arguments[${at}].${one.field}` }));

/** The failure of one call, whose fields are named by their place in the list. */
function failureAt({ at, failure }: Fault, count: number): Failure {
  const { fields, ...detail } = failure.detail;
  return new Failure(failure.code, `Call ${at + 1} of ${count}: ${failure.message}`, {
    ...detail,
    ...(fields === undefined ? {} : { fields: fieldsAt(at, fields) }),
  });
}

/** The failure that lists the faults of several calls, the first of them where they are many. */
function failureOfAll(tool: string, made: string, faults: readonly Fault[], count: number): Failure {
  const problems = faults.flatMap(({ at, failure: { message, detail } }) =>
    detail.fields === undefined
      ? [{ field: `arguments[${at}]`, takes: `a call that can be made, because ${message}` }]
      : fieldsAt(at, detail.fields),
  );
  const { code, message, detail } = invalidInput(tool, problems);
  return new Failure(code, `${faults.length} of ${count} calls cannot be made: ${message}`, {
    ...detail,
    why: `Every call is checked before the first is sent, and calls ${faults.map(({ at }) => at + 1).join(", ")} do not pass; nothing was sent.`,
    next: `Correct the fields and call again; ${pageTool} gives the whole schema of ${made}.`,
  });
}

/**
 * Prepares all calls, so that nothing is sent when one of them cannot be made.
 * @throws Failure that names what is wrong with every call that cannot be made.
 */
export async function prepareAll(
  { context, caller, read }: Run,
  { tool, each }: Series,
  composed: Composed,
): Promise<[Prepared, ...Prepared[]]> {
  const all: Prepared[] = [];
  const faults: Fault[] = [];
  for (const [at, args] of each.entries()) {
    try {
      const own = ["confirm", "view"].find((name) => name in args);
      if (own !== undefined)
        throw invalidInput(composed.tool, [
          { field: own, takes: `nothing: one ${own} beside the list holds for all calls` },
        ]);
      all.push(await prepare(context, tool, args, read, caller, { composed }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const fault = { at, failure: error };
      if (!ofOneCall.includes(error.code)) throw failureAt(fault, each.length);
      faults.push(fault);
    }
  }
  const [fault, ...others] = faults;
  if (fault !== undefined)
    throw others.length === 0 ? failureAt(fault, each.length) : failureOfAll(composed.tool, tool, faults, each.length);
  const [first, ...rest] = all;
  if (first === undefined) throw new Error("A series has at least one call.");
  return [first, ...rest];
}
