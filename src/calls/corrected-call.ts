/**
 * Corrected calls for invalid arguments: the call that was most likely meant, if it passes all checks that need no
 * request.
 */
import type { Arguments } from "../language/conduct.js";
import { effectOf, guardOf } from "../language/effect.js";
import { Failure } from "../language/failure.js";
import { isRecord } from "../language/member.js";
import { applyMends } from "../language/mend.js";
import type { z } from "../language/z.js";
import { argumentsSchema, validateValues } from "../schema/arguments.js";
import { coerce } from "../schema/coerce.js";
import { showHidden } from "../secrets/held-secrets.js";
import { holdsMask, maskSecrets } from "../secrets/masking.js";
import { separateControlArguments } from "./locate.js";
import { resolveArguments } from "./resolve.js";
import type { CallRun } from "./run.js";
import { validateRequest } from "./validate.js";
import { type AnyWorkflow, isChange } from "./workflow.js";

/** How the corrected arguments of a tool are validated. */
interface ArgumentsValidation {
  readonly schema: z.ZodObject;
  /** Whether a value may be chosen for the caller: never for a change of existing state. */
  readonly mayGuess: boolean;
  /** @throws Failure for invalid arguments. */
  readonly check: (args: Arguments) => unknown;
}

// Problems are found in several steps, each of which needs arguments that pass the previous one.
const maxRounds = 5;
// Longer arguments would not be reviewed before they are sent.
const maxChars = 4_000;

/** Thrown if a check would read from the upstream, which is too much for an error. */
class NeedsRead extends Error {}
const withoutRead = () => async (): Promise<never> => {
  throw new NeedsRead();
};

async function argumentsValidation(
  { context }: CallRun,
  tool: string,
  composed: AnyWorkflow | undefined,
): Promise<ArgumentsValidation | undefined> {
  if (composed) {
    const { input } = composed;
    return { schema: input, mayGuess: !isChange(composed), check: (args) => validateValues(tool, input, args) };
  }
  const operation = await context.operationOf(tool);
  if (!operation) return undefined;
  const { declared } = operation;
  const effect = effectOf(declared);
  return {
    schema: argumentsSchema(declared),
    mayGuess: guardOf(declared) === undefined && (effect === "read" || effect === "launch"),
    check: async (args) => {
      const { args: given } = await separateControlArguments(operation.declared, tool, args);
      await resolveArguments(context, tool, await validateRequest(context, tool, operation, given), withoutRead);
    },
  };
}

/** The problems that a check finds; undefined if it finds none, or would have to read. */
async function problemWith({ check }: ArgumentsValidation, args: Arguments): Promise<Failure | undefined> {
  try {
    await check(args);
  } catch (error) {
    if (error instanceof NeedsRead) return undefined;
    if (error instanceof Failure) return error;
    throw error;
  }
  return undefined;
}

/** The arguments with all corrections, found check by check; undefined if one problem has none. */
async function mendedArguments(
  tool: string,
  failure: Failure,
  callArguments: Arguments,
  validation: ArgumentsValidation,
): Promise<Arguments | undefined> {
  let args: unknown = callArguments;
  let problem: Failure | undefined = failure;
  for (let round = 0; round < maxRounds; round += 1) {
    const { mends } = problem.detail;
    if (mends?.tool !== tool || (!validation.mayGuess && mends.all.some(({ isGuess }) => isGuess))) return undefined;
    args = applyMends(args, mends.all);
    if (!isRecord(args)) return undefined;
    problem = await problemWith(validation, args);
    if (!problem) return args;
  }
  return undefined;
}

/**
 * Whether arguments can be shown and sent as they are: without secrets, marks, or an approval, which is only valid for
 * the approved arguments.
 */
function canBeRepeated(args: Arguments, schema: z.ZodObject, secrets: readonly string[]): boolean {
  const read = coerce(schema, args);
  const json = JSON.stringify(args);
  return (
    !Object.hasOwn(args, "confirm") &&
    json.length <= maxChars &&
    maskSecrets([schema], read) === read &&
    !holdsMask(read) &&
    showHidden(args).count === 0 &&
    !secrets.some((form) => json.includes(form))
  );
}

/**
 * The error of a call, with a corrected call if there is one.
 * @param composed The called workflow or composed change; undefined for an operation.
 */
export async function withCorrectedCall(
  error: Failure,
  run: CallRun,
  tool: string,
  composed: AnyWorkflow | undefined,
  args: Arguments,
): Promise<Failure> {
  if (error.detail.mends?.tool !== tool) return error;
  const validation = await argumentsValidation(run, tool, composed);
  // A composed change with valid arguments failed because of those of its operation, which the caller does not write.
  if (!validation || (composed && isChange(composed) && !(await problemWith(validation, args)))) return error;
  const corrected = await mendedArguments(tool, error, args, validation);
  if (corrected === undefined || !canBeRepeated(corrected, validation.schema, run.context.secrets)) return error;
  return new Failure(error.code, error.message, { ...error.detail, corrected: { tool, arguments: corrected } });
}
