/** Validated arguments for tests that build a request by hand. */
import type { AnswerMedia } from "../../src/language/choice.js";
import type { AnyOperation } from "../../src/language/define.js";
import { Failure, type FieldProblem } from "../../src/language/failure.js";
import { invalidInput, type ValidatedArguments, validateArguments } from "../../src/schema/arguments.js";

/** The answers of a request whose answer is not read. */
export const noAnswers: AnswerMedia = { byStatus: {}, wanted: [] };

/** Arguments with nothing beyond what is given. */
export const checkedWith = (given: Partial<ValidatedArguments>): ValidatedArguments => ({
  path: {},
  query: {},
  headers: {},
  body: undefined,
  answers: noAnswers,
  format: undefined,
  confirm: undefined,
  wait: false,
  allPages: false,
  values: {},
  notes: [],
  ...given,
});

/** Validates a call's arguments by their schema and by the operation's own checks, as far as those read nothing. */
export function checkFully(tool: string, operation: AnyOperation, args: object): ValidatedArguments {
  const checked = validateArguments(tool, operation, args);
  const call = {
    args: checked.values,
    namesAt: () => [],
    present: async () => undefined,
    read: async () => undefined,
    signer: undefined,
  };
  for (const check of operation.spec.checks ?? []) {
    const problems = check(call);
    // A check that reads has tests of its own.
    if (problems instanceof Promise) problems.catch(() => undefined);
    else if ("length" in problems && problems.length > 0) throw invalidInput(tool, problems);
  }
  return checked;
}

/** The failure with which a check refuses its input; undefined if it accepts it. */
export function refusalOf(check: () => unknown): Failure | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** What a call is refused for before anything is sent, field by field. */
export const problemsOf = (
  tool: string,
  operation: AnyOperation,
  args: unknown,
  nowMs?: number,
): readonly FieldProblem[] => refusalOf(() => validateArguments(tool, operation, args, nowMs))?.detail.fields ?? [];
