/** The emergency stop: while it is in force, nothing that changes anything is sent. */
import { Failure } from "../language/failure.js";
import type { CallContext } from "./context.js";

/**
 * Refuses a call that changes something while all changes are stopped.
 * @throws Failure `not_allowed` with the reason, and `failed` if it cannot be known whether they are.
 */
export async function refuseIfStopped({ writeStop }: Pick<CallContext, "writeStop">, tool: string): Promise<void> {
  const stop = await writeStop();
  if (stop === undefined) return;
  const { reason, by, atMs } = stop;
  throw new Failure("not_allowed", `${tool} is not sent: all changes are stopped.`, {
    why: `${by} stopped them at ${new Date(atMs).toISOString()}. The reason: ${reason}`,
    next: "Tell the user. Reads still work; an operator lets changes through again with edgewise resume-writes.",
  });
}
