/** The state that a call would change, read with an operation that its declaration names and the arguments they share. */
import { argumentsSchema } from "../api/arguments.js";
import { returnedSchemas } from "../api/choice.js";
import type { Answered, Arguments } from "../api/conduct.js";
import type { AnyOperation, Beside } from "../api/define.js";
import { Failure } from "../api/failure.js";
import { z } from "../api/z.js";
import type { State } from "../guard/index.js";
import type { Context, Invoke } from "./context.js";

/** Reads the state; undefined when no operation can show it for these arguments, or when nothing is there. */
export async function readState(
  { operationOf }: Pick<Context, "operationOf">,
  reader: string | undefined,
  args: Arguments,
  invoke: Invoke,
): Promise<(Answered & State) | undefined> {
  const reads = reader === undefined ? undefined : (await operationOf(reader))?.declared;
  if (reader === undefined || !reads) return undefined;
  const known = new Set([...Object.keys(reads.spec.path ?? {}), ...Object.keys(reads.spec.query ?? {})]);
  const isShared = ([key, value]: [string, unknown]) => known.has(key) && value !== undefined;
  const shared = Object.fromEntries(Object.entries(args).filter(isShared));
  return readWith(reader, reads, shared, invoke);
}

/** Calls an operation that reads; undefined when its arguments do not suffice, or when nothing is there. */
async function readWith(
  reader: string,
  reads: AnyOperation,
  args: Arguments,
  invoke: Invoke,
): Promise<(Answered & State) | undefined> {
  // These arguments may not suffice to name the state.
  if (!argumentsSchema(reads).safeParse(args).success) return undefined;
  try {
    return { ...(await invoke(reader, args)), schemas: returnedSchemas(reads) };
  } catch (error) {
    // What does not exist yet has no state to show; any other failure means that a preview would be blind.
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
}

/** Reads what a preview tells of besides; several answers are one list. */
async function readBeside(
  { operationOf }: Pick<Context, "operationOf">,
  { by, args: from }: Beside,
  args: Arguments,
  invoke: Invoke,
): Promise<State | undefined> {
  const reads = (await operationOf(by))?.declared;
  const asked = from(args);
  if (!reads) return undefined;
  if (!Array.isArray(asked)) return readWith(by, reads, asked as Arguments, invoke);
  const answers: unknown[] = [];
  // One after the other: many reads at once would be refused for their number.
  for (const one of asked as readonly Arguments[]) answers.push((await readWith(by, reads, one, invoke))?.body ?? null);
  return { body: answers, schemas: returnedSchemas(reads).map((schema) => z.array(schema.nullable())) };
}

/**
 * Reads the state that an operation changes, with what the preview tells of besides: one of these that cannot be read
 * keeps nobody from deciding, unless the approval is bound to it.
 * @param how.isBoundOnly Whether to read no more than what the approval is bound to.
 */
export async function readForPreview(
  context: Pick<Context, "operationOf">,
  { spec }: AnyOperation,
  args: Arguments,
  invoke: Invoke,
  { isBoundOnly }: { readonly isBoundOnly: boolean },
): Promise<State | undefined> {
  const state = await readState(context, spec.shownBy, args, invoke);
  const besides = Object.entries(spec.shownBeside ?? {}).filter(([, { isBound }]) => isBound || !isBoundOnly);
  if (state === undefined || besides.length === 0) return state;
  const beside: Record<string, State | undefined> = {};
  const bound: Record<string, unknown> = {};
  const unread: string[] = [];
  for (const [name, declared] of besides)
    try {
      beside[name] = await readBeside(context, declared, args, invoke);
      if (declared.isBound) bound[name] = beside[name]?.body;
    } catch (error) {
      if (!(error instanceof Failure) || declared.isBound) throw error;
      unread.push(declared.by);
    }
  return { ...state, beside, unread, ...(Object.keys(bound).length === 0 ? {} : { bound }) };
}
