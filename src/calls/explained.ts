/** A refusal by the API, with what its service finds to be wrong with the arguments. */
import { mendsOfAll } from "../arguments/problems.js";
import { Failure } from "../language/failure.js";
import type { Invoke, Prepared } from "./context.js";

/**
 * The error of a call that was sent, with the arguments that it was most likely refused for.
 * @param invoke Reads what the arguments are compared with.
 */
export async function explained(
  error: unknown,
  { tool, declared, checked }: Prepared,
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
    const said = fields.map(
      ({ field, given, takes }) => `${field}${given ? `: ${given} was given` : ""}; takes ${takes}`,
    );
    return new Failure(error.code, error.message, {
      ...error.detail,
      why: `${said.join(". ")}.`,
      fields,
      ...mendsOfAll(tool, problems),
    });
  } catch (thrown) {
    // What cannot be compared is refused as it was.
    if (thrown instanceof Failure) return error;
    throw thrown;
  }
}
