/** The state that a call would change, read with the operation in `shownBy` and the arguments they share. */
import type { PresentState } from "../guard/index.js";
import { mediaArguments, returnedSchemas } from "../language/choice.js";
import type { Arguments, UpstreamAnswer } from "../language/conduct.js";
import type { AnyOperation, DestinationReading, RelatedReading } from "../language/define.js";
import { type Destination, destinationsIn } from "../language/destination.js";
import { readerOf } from "../language/effect.js";
import { Failure } from "../language/failure.js";
import { z } from "../language/z.js";
import { argumentsSchema } from "../schema/arguments.js";
import type { CallContext, Invoke } from "./context.js";

/** Reads the state; undefined if no operation can show it for these arguments, or if it does not exist. */
export async function readState(
  { operationOf }: Pick<CallContext, "operationOf">,
  reader: string | undefined,
  args: Arguments,
  invoke: Invoke,
): Promise<(UpstreamAnswer & PresentState) | undefined> {
  const reads = reader === undefined ? undefined : (await operationOf(reader))?.declared;
  if (reader === undefined || !reads) return undefined;
  // Arguments that choose the response's form are shared, too: a body of one version cannot be compared with a state of
  // another.
  const known = new Set(
    [reads.spec.path ?? {}, reads.spec.query ?? {}, mediaArguments(reads)].flatMap((one) => Object.keys(one)),
  );
  const isShared = ([key, value]: [string, unknown]) => known.has(key) && value !== undefined;
  const shared = Object.fromEntries(Object.entries(args).filter(isShared));
  return readIfPresent(reader, reads, shared, invoke);
}

/** Calls an operation that reads; undefined if required arguments are missing, or if the object does not exist. */
async function readIfPresent(
  reader: string,
  reads: AnyOperation,
  args: Arguments,
  invoke: Invoke,
): Promise<(UpstreamAnswer & PresentState) | undefined> {
  // The shared arguments may be insufficient.
  if (!argumentsSchema(reads).safeParse(args).success) return undefined;
  try {
    return { ...(await invoke(reader, args)), schemas: returnedSchemas(reads), asked: args };
  } catch (error) {
    // An object that does not exist has no state; any other failure would make the preview blind.
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
}

/** Reads the state that an operation changes, as declared by `shownBy`. */
export async function readPresent(
  context: Pick<CallContext, "operationOf">,
  operation: AnyOperation,
  args: Arguments,
  invoke: Invoke,
): Promise<(UpstreamAnswer & PresentState) | undefined> {
  const reader = readerOf(operation);
  return readState(context, reader?.by, { ...args, ...reader?.args(args) }, invoke);
}

/**
 * The destinations that a call uses without naming them; empty if the object that has them does not exist. They are
 * only read if the policy has lists of destinations.
 */
export async function readDestinations(
  { operationOf, policy }: Pick<CallContext, "operationOf" | "policy">,
  sendsTo: DestinationReading,
  args: Arguments,
  invoke: Invoke,
): Promise<readonly Destination[]> {
  const isListed = Object.values(policy.egress).some((list) => list !== undefined);
  const reads = isListed ? (await operationOf(sendsTo.by))?.declared : undefined;
  if (!reads) return [];
  const found = await readIfPresent(sendsTo.by, reads, sendsTo.args(args), invoke);
  const destinations = (found?.schemas ?? []).flatMap((schema) =>
    destinationsIn(schema, found?.body).map((one) => ({ ...one, field: `${one.field} of ${sendsTo.by}` })),
  );
  // A response with several media has several schemas, which find the same destinations.
  return [...new Map(destinations.map((one) => [`${one.kind} ${one.field}`, one])).values()];
}

/** Reads further context of a preview; several responses form a list. */
async function readRelated(
  { operationOf }: Pick<CallContext, "operationOf">,
  { by, args: from }: RelatedReading,
  args: Arguments,
  present: unknown,
  invoke: Invoke,
): Promise<PresentState | undefined> {
  const reads = (await operationOf(by))?.declared;
  const relatedArgs = from(args, present);
  if (!reads) return undefined;
  if (!Array.isArray(relatedArgs)) return readIfPresent(by, reads, relatedArgs as Arguments, invoke);
  const answers: unknown[] = [];
  // Sequentially, because many parallel reads would hit the rate limit.
  for (const one of relatedArgs as readonly Arguments[])
    answers.push((await readIfPresent(by, reads, one, invoke))?.body ?? null);
  return { body: answers, schemas: returnedSchemas(reads).map((schema) => z.array(schema.nullable())) };
}

/**
 * Reads the state that an operation changes, with the further context of its preview. Failing to read context does not
 * prevent a decision; if the approval is bound to it, the approval becomes void when its readability changes.
 * @param how.isBoundOnly Whether to read only what the approval is bound to.
 * @param how.isDrafted Whether the object is a draft that is not written yet, so that only the context exists.
 */
export async function readForPreview(
  context: Pick<CallContext, "operationOf">,
  declared: AnyOperation,
  args: Arguments,
  invoke: Invoke,
  { isBoundOnly, isDrafted }: { readonly isBoundOnly: boolean; readonly isDrafted: boolean },
): Promise<PresentState | undefined> {
  const unwritten = isDrafted ? { body: undefined, schemas: [] } : undefined;
  const state: PresentState | undefined = (await readPresent(context, declared, args, invoke)) ?? unwritten;
  const relatedReads = Object.entries(declared.spec.relatedReads ?? {}).filter(
    ([, { isBound }]) => isBound || !isBoundOnly,
  );
  if (state === undefined || relatedReads.length === 0) return state;
  const related: Record<string, PresentState | undefined> = {};
  const bound: Record<string, unknown> = {};
  const unread: string[] = [];
  for (const [name, relatedRead] of relatedReads) {
    try {
      related[name] = await readRelated(context, relatedRead, args, state.body, invoke);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      unread.push(relatedRead.by);
    }
    if (relatedRead.isBound) bound[name] = related[name]?.body ?? null;
  }
  return { ...state, related, unread, ...(Object.keys(bound).length === 0 ? {} : { bound }) };
}
