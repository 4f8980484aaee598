/** Calls made on the way to an answer: any unguarded operation by its tool's name, checked and sent as every call is. */
import { checkArguments } from "../api/arguments.js";
import { Failure } from "../api/failure.js";
import type { Invoke } from "../client/index.js";
import { operation, type ServiceName } from "../tools/index.js";
import type { Engine, Surface } from "./engine.js";

/** Refuses what a server that only reads must not send. */
export function refuseChange(surface: Surface, tool: string, effect: string): void {
  if (surface.isReadOnly && effect !== "read")
    throw new Failure("not_allowed", `${tool} is not a read, and this server is read-only.`, {
      why: "It was started with --read-only.",
      next: "Start it without --read-only to make changes.",
    });
}

/** Makes the way to call operations from inside. */
export function createInvoke(surface: Surface, { client }: Engine): Invoke {
  return async (tool, args, signal) => {
    const entry = surface.catalogue.get(tool);
    const declared = entry && (await operation(entry.service as ServiceName, tool));
    if (!entry || !declared) throw new Error(`There is no operation ${tool}.`);
    if (declared.spec.guard) throw new Error(`${tool} needs an approval and cannot be called on the way.`);
    refuseChange(surface, tool, entry.effect);
    const checked = checkArguments(tool, declared, args);
    const request = await client.resolve(tool, declared, checked);
    return client.call(tool, entry.service, declared, request, signal);
  };
}
