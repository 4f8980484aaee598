/** Calls made on the way to an answer: any unguarded operation by its tool's name, checked and sent as every call is. */
import { type CheckedArguments, checkArguments } from "../api/arguments.js";
import type { AnyOperation } from "../api/define.js";
import { Failure } from "../api/failure.js";
import type { Invoke, ResolvedRequest } from "../client/index.js";
import { operation, type ServiceName } from "../tools/index.js";
import type { Engine, Surface } from "./engine.js";

/** Refuses what a server that only reads must not send. */
function refuseChange(surface: Surface, tool: string, effect: string): void {
  if (surface.isReadOnly && effect !== "read")
    throw new Failure("not_allowed", `${tool} is not a read, and this server is read-only.`, {
      why: "It was started with --read-only.",
      next: "Start it without --read-only to make changes.",
    });
}

/** A call that can be made: what is declared of it, its arguments after the check, and its request. */
interface Prepared {
  readonly service: string;
  readonly declared: AnyOperation;
  readonly checked: CheckedArguments;
  readonly request: ResolvedRequest;
}

/**
 * Everything of a call that comes before it is sent.
 * @throws Failure `not_allowed` or `invalid_input`.
 */
export async function prepare(
  surface: Surface,
  { client }: Engine,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Prepared> {
  const entry = surface.catalogue.get(tool);
  const declared = entry && (await operation(entry.service as ServiceName, tool));
  if (!entry || !declared) throw new Error(`There is no operation ${tool}.`);
  refuseChange(surface, tool, entry.effect);
  const checked = checkArguments(tool, declared, args);
  return { service: entry.service, declared, checked, request: await client.resolve(tool, declared, checked) };
}

/** Makes the way to call operations from inside. */
export function createInvoke(surface: Surface, engine: Engine): Invoke {
  return async (tool, args, signal) => {
    const { service, declared, request } = await prepare(surface, engine, tool, args);
    if (declared.spec.guard) throw new Error(`${tool} needs an approval and cannot be called on the way.`);
    return engine.client.call(tool, service, declared, request, signal);
  };
}
