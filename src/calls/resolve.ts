/** Arguments that a caller wrote in other words than the API takes, replaced by what its declaration finds for them. */
import { type CheckedArguments, invalidInput } from "../api/arguments.js";
import type { AnyOperation } from "../api/define.js";
import type { Context, Invoke } from "./context.js";

/**
 * The arguments as they are sent.
 * @throws Failure `invalid_input` for what stands for nothing, or the failure of a read.
 */
export async function withResolved(
  { client }: Pick<Context, "client">,
  tool: string,
  declared: AnyOperation,
  checked: CheckedArguments,
  invoke: Invoke,
): Promise<CheckedArguments> {
  const { spec } = declared;
  if (spec.resolves === undefined) return checked;
  // What could not be sent as it is must not be sent by a read either.
  await client.resolve(tool, declared, checked);
  const found = await spec.resolves({
    args: checked.values,
    read: async (name, args) => (await invoke(name, args)).body,
  });
  if ("problems" in found) throw invalidInput(tool, found.problems);
  const { values, notes } = found;
  const within = (declared: object = {}) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(declared, name)));
  return {
    ...checked,
    path: { ...checked.path, ...within(spec.path) },
    query: { ...checked.query, ...within(spec.query) },
    values: { ...checked.values, ...values },
    notes: [...checked.notes, ...notes],
  };
}
