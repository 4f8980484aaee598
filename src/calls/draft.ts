/** The draft of a composed change: it is written after the approval, and the call of the operation puts it into effect. */
import type { ComposedCall } from "../guard/index.js";
import { guardOf } from "../language/effect.js";
import { asFailure, Failure } from "../language/failure.js";
import type { Draft, ResolvedCall } from "./context.js";
import { operationOf } from "./locate.js";
import { isOutcomeUnknown } from "./outcome.js";
import { validateWithTicket } from "./permit.js";
import { resolveCall } from "./resolve.js";
import type { CallRun } from "./run.js";
import { withoutEcho } from "./sanitize.js";
import type { ValidatedCall } from "./validate.js";

/** A draft whose calls are checked against their declarations. */
export interface ValidatedDraft extends Omit<Draft, "calls"> {
  readonly calls: readonly ValidatedCall[];
}

/** A draft whose calls are ready to be sent. */
export interface ResolvedDraft extends Omit<Draft, "calls"> {
  readonly calls: readonly ResolvedCall[];
}

/**
 * The draft of a call, before anything is read for it.
 * @param composed The change for which the call is made.
 * @throws Failure of a call that cannot be made, or that lacks its ticket.
 */
export async function validateDraft(
  run: CallRun,
  draft: Draft,
  composed: ComposedCall | undefined,
): Promise<ValidatedDraft> {
  const calls: ValidatedCall[] = [];
  for (const { tool, args } of draft.calls) {
    const found = await operationOf(run.context, tool);
    if (guardOf(found.declared)) throw new Error(`${tool} needs an approval, and is not a call for a draft.`);
    calls.push(await validateWithTicket(run, tool, found, args, { composed }));
  }
  return { ...draft, calls };
}

/**
 * The same, ready to be sent.
 * @throws Failure of a call that cannot be made.
 */
export async function resolveDraft(
  run: CallRun,
  draft: ValidatedDraft,
  composed: ComposedCall | undefined,
): Promise<ResolvedDraft> {
  const calls: ResolvedCall[] = [];
  for (const call of draft.calls) calls.push(await resolveCall(run, call, { composed }));
  return { ...draft, calls };
}

/** A failure with what to do about a draft that is left. */
function withDraftLeft({ code, message, detail }: Failure, { ifLeft }: ResolvedDraft): Failure {
  const { atShell } = detail;
  const then = (next: string): string => `${ifLeft} ${next}`;
  return new Failure(code, message, {
    ...detail,
    next: then(detail.next),
    ...(atShell?.next === undefined ? {} : { atShell: { ...atShell, next: then(atShell.next) } }),
  });
}

/**
 * Writes a draft.
 * @param write Sends one request.
 * @throws Failure of the first request that failed: nothing of the draft is in effect then.
 */
export async function writeDraft(draft: ResolvedDraft, write: (call: ResolvedCall) => Promise<unknown>): Promise<void> {
  for (const [at, call] of draft.calls.entries())
    try {
      await write(call);
    } catch (error) {
      const { code, message, detail } = asFailure(withoutEcho(error, call));
      const what = `The draft could not be completed, and nothing of it is in effect: ${message}`;
      const failure = new Failure(code, what, detail);
      throw at === 0 ? failure : withDraftLeft(failure, draft);
    }
}

/** The failure of the call that a draft is for, with what to do about the draft, unless that may be in effect. */
export function errorBesideDraft(error: unknown, draft: ResolvedDraft): unknown {
  const failure = asFailure(error);
  return isOutcomeUnknown(failure) ? error : withDraftLeft(failure, draft);
}
