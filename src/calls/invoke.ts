/** Calls made from within a call: any unguarded operation by its tool's name, checked and sent as every call is. */
import type { Deadline } from "../api/deadline.js";
import { isRead } from "../api/effect.js";
import { Failure } from "../api/failure.js";
import type { Reply } from "../client/index.js";
import { canonical } from "../guard/canonical.js";
import type { Caller } from "./caller.js";
import type { Context, Invoke } from "./context.js";
import { permit } from "./permit.js";
import { prepare } from "./prepare.js";

/**
 * Creates the function that calls operations internally; all its calls share one deadline.
 * @param caller For whom they are made; absent for what the server reads for itself.
 */
export function createInvoke(context: Context, deadline: Deadline, caller?: Pick<Caller, "isReadOnly">): Invoke {
  const invoke: Invoke = async (tool, args) => {
    const prepared = await prepare(context, tool, args, invoke, caller);
    const { service, declared, request } = prepared;
    const { decision } = await permit(context, prepared, caller);
    if (declared.spec.secretTo)
      throw new Error("An operation whose answer holds a secret cannot be called internally.");
    if (declared.spec.guard) throw new Error("An operation that needs an approval cannot be called internally.");
    if (decision.effect === "approve")
      throw new Failure("not_allowed", `${tool} needs an approval of its own.`, {
        why: `The policy's rule ${decision.rule} asks for it, and ${tool} was called on the way to something else. Nothing was sent.`,
        next: `Call ${tool} by itself, and have it approved.`,
      });
    const reply = await context.client.call(tool, service, declared, request, deadline);
    if (reply.rows === undefined) return reply;
    // What is called from within works with the whole body and keeps no file.
    const { withAllRows } = await import("./row-file.js");
    try {
      return withAllRows(reply);
    } finally {
      reply.rows.drop();
    }
  };
  return invoke;
}

/** The same, with every answer remembered: what a call's checks, its composition and its preview read is read once. */
export function remembering(invoke: Invoke): Invoke {
  const known = new Map<string, Promise<Reply>>();
  return (tool, args) => {
    const key = canonical([tool, args]);
    const found = known.get(key) ?? invoke(tool, args);
    known.set(key, found);
    return found;
  };
}

/** The same for operations that read and no others, because nothing is changed before it is approved. */
export function onlyReads(context: Context, invoke: Invoke): Invoke {
  return async (tool, args) => {
    const found = await context.operationOf(tool);
    if (found && !isRead(found.declared)) throw new Error("A change is composed of reads alone.");
    return invoke(tool, args);
  };
}
