/** Validates a call before anything is read: whether its tool can be called here at all, and its arguments. */
import type { CallPurpose } from "../audit/index.js";
import type { ComposedCall } from "../guard/index.js";
import type { Arguments } from "../language/conduct.js";
import { isRead } from "../language/effect.js";
import { Failure } from "../language/failure.js";
import { type ValidatedArguments, validateArguments } from "../schema/arguments.js";
import type { ResolvedRequest } from "../wire/index.js";
import type { CallContext, DeclaredOperation } from "./context.js";
import { canCallExcluded, refusalOfTool } from "./offer.js";
import type { ReadOrigin } from "./origin.js";

/**
 * Refuses a change if the server, or this caller, is read-only.
 * @throws Failure `not_allowed`
 */
export function refuseIfReadOnly(
  { isReadOnly }: CallContext,
  tool: string,
  caller?: Pick<ReadOrigin, "isReadOnly">,
): void {
  if (isReadOnly)
    throw new Failure("not_allowed", `${tool} is not a read, and this server is read-only.`, {
      why: "It was started with --read-only.",
      next: "Start it without --read-only to make changes.",
    });
  if (caller?.isReadOnly)
    throw new Failure("not_allowed", `${tool} is not a read, and this client can only read.`, {
      why: "Over HTTP a change needs a token of the server's --token-file, a server started with --allow-writes, no X-Edgewise-Read-Only header, and a URL that does not end in /readonly.",
      next: "Do not try again: ask the user to give this client the right to make changes, or make the change elsewhere.",
    });
}

/** The context of a call that is made for another one. */
export interface CallCause {
  /** The composed change for which it is called, which is named in refusals. */
  readonly composed?: ComposedCall | undefined;
  /** The purpose of a call that is not a tool call. */
  readonly purpose?: CallPurpose;
  /** The tool that makes the call. */
  readonly through?: string | undefined;
}

/** A call with its arguments checked against the declaration, and its request. */
export interface ValidatedCall extends DeclaredOperation {
  readonly tool: string;
  readonly checked: ValidatedArguments;
  readonly request: ResolvedRequest;
}

/**
 * The validated arguments of a call, and its request. If they cannot be sent, reads on their behalf must not be sent
 * either.
 * @throws Failure `invalid_input`
 */
export async function validateRequest(
  { client, profile }: Pick<CallContext, "client" | "profile">,
  tool: string,
  { service, declared }: DeclaredOperation,
  args: Arguments,
): Promise<ValidatedCall> {
  const checked = validateArguments(tool, declared, args, Date.now(), profile?.defaults);
  return { tool, service, declared, checked, request: await client.resolve(tool, declared, checked) };
}

/**
 * Validates a call of an operation.
 * @throws Failure `not_allowed` for a tool that is left out, or for a change where only reads may be made;
 * `invalid_input` for its arguments.
 */
export async function validateCall(
  { context, caller }: { readonly context: CallContext; readonly caller: Pick<ReadOrigin, "isReadOnly" | "offer"> },
  tool: string,
  operation: DeclaredOperation,
  args: Arguments,
  { composed, purpose, through = composed?.tool }: CallCause,
): Promise<ValidatedCall> {
  const refusal = refusalOfTool(caller.offer, tool, through);
  if (refusal && !canCallExcluded(purpose, isRead(operation.declared))) throw refusal;
  if (!isRead(operation.declared)) refuseIfReadOnly(context, tool, caller);
  return validateRequest(context, tool, operation, args);
}
