/** Answers without what their operations declare as secret: masked before a view, a row, a kept result or a workflow has them. */
import { returnedSchemas } from "../language/choice.js";
import type { AnyOperation } from "../language/define.js";
import { maskedAnswer } from "../secrets/masking.js";
import type { Reply } from "../wire/index.js";
import type { Context, Invoke } from "./context.js";

const note =
  "Secrets are masked, and a mask is refused in an argument: before this is written back, put the secret itself in its place, or leave the member out where the API keeps what is there.";

/** An answer with masks in the place of its secrets, and a note where there are any. */
export function withMasks(declared: AnyOperation, reply: Reply): Reply {
  const body = maskedAnswer(returnedSchemas(declared), reply.body);
  return body === reply.body ? reply : { ...reply, body, notes: [...reply.notes, note] };
}

/** The same for all that is read on the way to an answer; what the guard reads is compared and hashed as it is. */
export const masking =
  ({ operationOf }: Context, invoke: Invoke): Invoke =>
  async (tool, args) => {
    const reply = await invoke(tool, args);
    const found = await operationOf(tool);
    return found ? withMasks(found.declared, reply) : reply;
  };
