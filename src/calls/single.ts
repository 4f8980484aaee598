/** A call of one operation: under a plan where it is guarded or the policy wants it approved, at once where it is not. */

import type { View } from "../answers/view/schema.js";
import { invalidInput } from "../api/arguments.js";
import type { Arguments } from "../api/conduct.js";
import type { Reply } from "../client/index.js";
import { type Composed, madeBy } from "../guard/index.js";
import { askedOf } from "./asked.js";
import { wasAsked } from "./caller.js";
import type { Prepared } from "./context.js";
import { withoutEcho } from "./echo.js";
import { performFreely } from "./free.js";
import { performGuarded } from "./guarded.js";
import { fileFor } from "./keep-secret.js";
import { masking } from "./mask.js";
import type { Outcome } from "./outcome.js";
import { isFree, permit } from "./permit.js";
import { prepare } from "./prepare.js";
import { previousOf } from "./previous.js";
import { guardedCall, type Run } from "./run.js";
import { send } from "./send.js";

/** A reply as it is shown: its view, where one was asked for, or what rows in a file come to. */
async function shown(
  { context, invoke, keep }: Run,
  prepared: Prepared,
  view: View | undefined,
  answered: Reply,
): Promise<Reply> {
  const file = answered.rows && (await import("./row-file.js"));
  const { shows } = prepared.declared.spec;
  if (view === undefined) return file?.withSummary(answered, shows) ?? answered;
  const unviewed = file?.withoutView(answered, shows);
  if (unviewed) return unviewed;
  const { readWith, withKept, withView } = await import("./row-view.js");
  return withView(prepared, view, answered, masking(context, invoke("step"))).catch((error: unknown) => {
    throw withKept(error, readWith(prepared, answered), keep);
  });
}

/**
 * Calls an operation.
 * @param composed The composed change that it is called for; such a call always needs a plan.
 */
export async function callOperation(run: Run, tool: string, args: Arguments, composed?: Composed): Promise<Outcome> {
  const { context, caller, trail, read } = run;
  const declared = (await context.operationOf(tool))?.declared;
  const { given, confirm, view } = declared ? await askedOf(declared, tool, args) : { given: args };
  const prepared = await prepare(context, tool, given, read, caller, { composed });
  const sendIt = async (sending: () => Promise<void>) => {
    const file = await fileFor(context, prepared, caller);
    await sending().catch(async (error: unknown) => {
      await file?.discard();
      throw error;
    });
    const { onSecret, ...answered } = await send(run, prepared, caller.progress, file);
    const told = onSecret === undefined ? answered : { ...answered, notes: [...answered.notes, onSecret] };
    const reply = await shown(run, prepared, view, told);
    const outcome: Outcome = {
      kind: "answer",
      reply,
      declared: prepared.declared.spec,
      previous: previousOf(prepared),
    };
    const made = madeBy(prepared.declared, answered);
    const says = `it answered ${reply.status}`;
    const settlement = { state: "done", says, ...(made === undefined ? {} : { made: [made] }) } as const;
    return { outcome, settlement, ...reply };
  };
  try {
    const brought = prepared.checked.confirm ?? confirm;
    if (!composed && !wasAsked(caller)) {
      const permitted = await permit(context, prepared, caller, trail);
      if (isFree(permitted)) {
        if (brought !== undefined)
          throw invalidInput(tool, [{ field: "confirm", takes: "nothing: this call needs no approval" }]);
        return run.withStanding(
          await performFreely(run, permitted, () => sendIt(async () => undefined)),
          prepared,
          caller,
        );
      }
    }
    const work = {
      call: guardedCall(run, [prepared]),
      prepared: [prepared],
      confirm: composed ? composed.confirm : brought,
      send: sendIt,
    };
    return run.withStanding(await performGuarded(context, work, caller, trail), prepared, caller);
  } catch (error) {
    const told = withoutEcho(error, prepared);
    throw prepared.declared.spec.explains
      ? await (await import("./explained.js")).explained(told, prepared, read("check"))
      : told;
  }
}
