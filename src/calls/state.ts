/** The state that a call would change, read with an operation that its declaration names and the arguments they share. */
import { argumentsSchema } from "../api/arguments.js";
import { returnedSchemas } from "../api/choice.js";
import type { Answered, Arguments } from "../api/conduct.js";
import { Failure } from "../api/failure.js";
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
  // These arguments may not suffice to name the state.
  if (!argumentsSchema(reads).safeParse(shared).success) return undefined;
  try {
    return { ...(await invoke(reader, shared)), schemas: returnedSchemas(reads) };
  } catch (error) {
    // What does not exist yet has no state to show; any other failure means that a preview would be blind.
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
}
