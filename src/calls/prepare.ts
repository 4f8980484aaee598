/** Everything that is done before a call is sent: look-up, the arguments, the service's own checks, the request. */
import { argumentsSchema, type CheckedArguments, checkArguments, invalidInput, keysAt } from "../api/arguments.js";
import type { Arguments } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { isRead } from "../api/effect.js";
import { Failure } from "../api/failure.js";
import type { Context, Invoke, Prepared } from "./context.js";
import { readPresent, withPresent } from "./state.js";

/** Refuses what a read-only server must not send. */
function refuseChange({ isReadOnly }: Context, tool: string, declared: AnyOperation): void {
  if (isReadOnly && !isRead(declared))
    throw new Failure("not_allowed", `${tool} is not a read, and this server is read-only.`, {
      why: "It was started with --read-only.",
      next: "Start it without --read-only to make changes.",
    });
}

/** Runs the checks that the service declares for an operation. */
async function runChecks(
  context: Context,
  tool: string,
  declared: AnyOperation,
  { values }: CheckedArguments,
  invoke: Invoke,
): Promise<void> {
  const call = {
    args: values,
    namesAt: (path: readonly string[]) => keysAt(argumentsSchema(declared), path),
    present: async () => (await readPresent(context, declared, values, invoke))?.body,
    read: async (name: string, args: Arguments) => (await invoke(name, args)).body,
  };
  for (const check of declared.spec.checks ?? []) {
    const problems = await check(call);
    if (problems.length > 0) throw invalidInput(tool, problems);
  }
}

/**
 * Prepares a call of an operation.
 * @param invoke Makes the calls that the service's checks ask for.
 * @throws Failure `not_allowed` or `invalid_input`, or the failure of a read that a check makes.
 */
export async function prepare(context: Context, tool: string, args: Arguments, invoke: Invoke): Promise<Prepared> {
  const found = await context.operationOf(tool);
  if (!found) throw new Error("The catalogue names an operation that is not declared.");
  const { declared } = found;
  refuseChange(context, tool, declared);
  const given = checkArguments(tool, declared, args);
  await runChecks(context, tool, declared, given, invoke);
  const checked = await withPresent(context, tool, declared, given, invoke);
  const request = await context.client.resolve(tool, declared, checked);
  return { tool, ...found, checked, request };
}
