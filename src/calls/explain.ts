/** Refusals by the API, with the service's explanation. */
import { Failure } from "../language/failure.js";
import { mendsOfAll } from "../schema/problems.js";
import type { Invoke, ResolvedCall } from "./context.js";

/**
 * The error of a call that was sent, with the arguments that most likely caused it.
 * @param invoke Reads the values for comparison.
 */
export async function explainError(
  error: unknown,
  { tool, declared, checked }: ResolvedCall,
  invoke: Invoke,
): Promise<unknown> {
  const { explains } = declared.spec;
  const status = error instanceof Failure ? (error.detail.status ?? 0) : 0;
  if (!(error instanceof Failure) || explains === undefined || status < 400 || status >= 500) return error;
  try {
    const read = async (name: string, args: object) => (await invoke(name, { ...args })).body;
    const problems = await explains({ status, args: checked.values, read, nowMs: Date.now() });
    if (problems.length === 0) return error;
    const fields = problems.map(({ mends: _, ...field }) => field);
    const sentences = fields.map(
      ({ field, given, takes }) => `${field}${given ? `: ${given} was given` : ""}; takes ${takes}`,
    );
    return new Failure(error.code, error.message, {
      ...error.detail,
      why: `${sentences.join(". ")}.`,
      fields,
      ...mendsOfAll(tool, problems),
    });
  } catch (thrown) {
    // If the comparison fails, the original refusal is used.
    if (thrown instanceof Failure) return error;
    throw thrown;
  }
}
