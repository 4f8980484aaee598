/** Calls made from within a call: any unguarded operation by its tool's name, checked and sent as every call is. */
import type { Deadline } from "../api/deadline.js";
import { isRead } from "../api/effect.js";
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
    await permit(context, prepared, caller);
    if (declared.spec.guard) throw new Error("An operation that needs an approval cannot be called internally.");
    return context.client.call(tool, service, declared, request, deadline);
  };
  return invoke;
}

/** The same for operations that read and no others, because nothing is changed before it is approved. */
export function createRead(context: Context, deadline: Deadline, caller: Caller): Invoke {
  const invoke = createInvoke(context, deadline, caller);
  return async (tool, args) => {
    const found = await context.operationOf(tool);
    if (found && !isRead(found.declared)) throw new Error("A change is composed of reads alone.");
    return invoke(tool, args);
  };
}
