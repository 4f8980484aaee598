/** Whether a call may be made here at all, and what its arguments are by their declaration, before anything is read. */
import { type CheckedArguments, checkArguments } from "../arguments/index.js";
import type { Purpose } from "../audit/index.js";
import type { Composed } from "../guard/index.js";
import type { Arguments } from "../language/conduct.js";
import { isRead } from "../language/effect.js";
import { Failure } from "../language/failure.js";
import type { ResolvedRequest } from "../wire/index.js";
import type { Reader } from "./caller.js";
import type { Context, Declared } from "./context.js";
import { isMadeAnyway, refusalOf } from "./offer.js";

/**
 * Refuses a change where the server is read-only, or reads alone for this caller.
 * @throws Failure `not_allowed`
 */
export function refuseChange({ isReadOnly }: Context, tool: string, caller?: Pick<Reader, "isReadOnly">): void {
  if (isReadOnly)
    throw new Failure("not_allowed", `${tool} is not a read, and this server is read-only.`, {
      why: "It was started with --read-only.",
      next: "Start it without --read-only to make changes.",
    });
  if (caller?.isReadOnly)
    throw new Failure("not_allowed", `${tool} is not a read, and this client only reads.`, {
      why: "Over HTTP a change takes a token of the server's --token-file, a server started with --allow-writes, no X-Edgewise-Read-Only header, and an address that does not end in /readonly.",
      next: "Do not try again: ask the user to give this client the right to make changes, or make the change elsewhere.",
    });
}

/** On whose way a call is made. */
export interface Way {
  /** The composed change that it is called for, in whose name a check refuses it. */
  readonly composed?: Composed | undefined;
  /** What it is made for, where nobody called its tool. */
  readonly purpose?: Purpose;
  /** The tool that calls it. */
  readonly through?: string | undefined;
}

/** A call as its caller wrote it. */
export interface Written extends Declared {
  readonly tool: string;
  readonly checked: CheckedArguments;
  readonly request: ResolvedRequest;
}

/**
 * The arguments of a call, checked, and the request that they make. What could not be sent as it is written must not be
 * sent by a read on the way either.
 * @throws Failure `invalid_input`
 */
export async function written(
  { client, profile }: Pick<Context, "client" | "profile">,
  tool: string,
  { service, declared }: Declared,
  args: Arguments,
): Promise<Written> {
  const checked = checkArguments(tool, declared, args, Date.now(), profile?.defaults);
  return { tool, service, declared, checked, request: await client.resolve(tool, declared, checked) };
}

/**
 * Checks a call of an operation.
 * @throws Failure `not_allowed` or `invalid_input`
 */
export async function check(
  { context, caller }: { readonly context: Context; readonly caller: Pick<Reader, "isReadOnly" | "offer"> },
  tool: string,
  found: Declared,
  args: Arguments,
  { composed, purpose, through = composed?.tool }: Way,
): Promise<Written> {
  const refusal = refusalOf(caller.offer, tool, through);
  if (refusal && !isMadeAnyway(purpose, isRead(found.declared))) throw refusal;
  if (!isRead(found.declared)) refuseChange(context, tool, caller);
  return written(context, tool, found, args);
}
