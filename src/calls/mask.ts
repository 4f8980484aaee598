/** Masks declared secrets in responses before views, rows, stored results or workflows use them. */
import { returnedSchemas } from "../language/choice.js";
import type { AnyOperation } from "../language/define.js";
import { maskAnswer } from "../secrets/masking.js";
import type { Reply } from "../wire/index.js";
import type { CallContext, Invoke } from "./context.js";

const note =
  "Secrets are masked, and a mask is refused in an argument: before you write this back, replace it by the secret, or leave the field out if the API then keeps the present value.";

/** A response with its secrets masked, and a note if there are any. */
export function withSecretsMasked(declared: AnyOperation, reply: Reply): Reply {
  const body = maskAnswer(returnedSchemas(declared), reply.body);
  return body === reply.body ? reply : { ...reply, body, notes: [...reply.notes, note] };
}

/** The same for everything that is read for a result; the guard compares and hashes unmasked values. */
export const withMaskedReplies =
  ({ operationOf }: CallContext, invoke: Invoke): Invoke =>
  async (tool, args) => {
    const reply = await invoke(tool, args);
    const found = await operationOf(tool);
    return found ? withSecretsMasked(found.declared, reply) : reply;
  };
