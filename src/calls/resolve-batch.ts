/** Several calls of one operation: all are resolved before any is sent, and the problems of all are listed. */
import type { Arguments } from "../language/conduct.js";
import { Failure, type FailureCode, type FieldProblem } from "../language/failure.js";
import { pageTool } from "../language/server-tools.js";
import { invalidInput } from "../schema/arguments.js";
import type { ResolvedCall } from "./context.js";
import type { LocatedCall } from "./locate.js";

/** Failures of a single call; any other failure would affect the following calls, too. */
const codesOfOneCall: readonly FailureCode[] = ["invalid_input", "not_found", "conflict", "rejected"];

interface CallFault {
  readonly at: number;
  readonly failure: Failure;
}

const fieldsAt = (at: number, fields: readonly FieldProblem[]): FieldProblem[] =>
  fields.map((one) => ({ ...one, field: `arguments[${at}].${one.field}` }));

/** The failure of one call, with fields named by its index. */
function failureAt({ at, failure }: CallFault, count: number): Failure {
  const { fields, ...detail } = failure.detail;
  return new Failure(failure.code, `Call ${at + 1} of ${count}: ${failure.message}`, {
    ...detail,
    ...(fields === undefined ? {} : { fields: fieldsAt(at, fields) }),
  });
}

/** The failure for several invalid calls, limited to the first ones. */
function failureOfAll(tool: string, operationName: string, faults: readonly CallFault[], count: number): Failure {
  const problems = faults.flatMap(({ at, failure: { message, detail } }) =>
    detail.fields === undefined
      ? [{ field: `arguments[${at}]`, takes: `valid arguments: ${message}` }]
      : fieldsAt(at, detail.fields),
  );
  const { code, message, detail } = invalidInput(tool, problems);
  return new Failure(code, `${faults.length} of ${count} calls cannot be made: ${message}`, {
    ...detail,
    why: `Every call is checked before the first is sent, and calls ${faults.map(({ at }) => at + 1).join(", ")} are not valid; nothing was sent.`,
    next: `Correct the fields and call again; ${pageTool} gives the whole schema of ${operationName}.`,
  });
}

/** A resolved call of a batch, or its fault, which is listed with the others. */
async function resolveOrFault(
  at: number,
  args: Arguments,
  { tool, itemArguments: all, composed }: LocatedCall,
  resolveItem: (args: Arguments) => Promise<ResolvedCall>,
): Promise<ResolvedCall | CallFault> {
  try {
    const controlName = ["confirm", "view"].find((name) => name in args);
    if (controlName === undefined) return await resolveItem(args);
    const takes = `nothing: a single ${controlName} next to the list applies to all calls`;
    throw invalidInput(composed?.tool ?? tool, [{ field: controlName, takes }]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const fault = { at, failure: error };
    if (!codesOfOneCall.includes(error.code)) throw failureAt(fault, all.length);
    return fault;
  }
}

const isFault = (one: ResolvedCall | CallFault): one is CallFault => "failure" in one;

/**
 * Takes each call of a batch through the steps before sending, so that nothing is sent if one of them is invalid.
 * @throws Failure with the problems of all invalid calls.
 */
export async function resolveEach(
  located: LocatedCall,
  resolveItem: (args: Arguments) => Promise<ResolvedCall>,
): Promise<[ResolvedCall, ...ResolvedCall[]]> {
  const { tool, itemArguments: all, composed } = located;
  const resolvedOrFaults: (ResolvedCall | CallFault)[] = [];
  for (const [at, args] of all.entries()) resolvedOrFaults.push(await resolveOrFault(at, args, located, resolveItem));
  const faults = resolvedOrFaults.filter(isFault);
  const [fault, ...others] = faults;
  if (fault !== undefined)
    throw others.length === 0
      ? failureAt(fault, all.length)
      : failureOfAll(composed?.tool ?? tool, tool, faults, all.length);
  const [first, ...rest] = resolvedOrFaults.filter((one): one is ResolvedCall => !isFault(one));
  if (first === undefined) throw new Error("A batch has at least one call.");
  return [first, ...rest];
}
