/** The draft of a composed change: it is written after the approval, and the call of the operation puts it into effect. */
import { guardOf } from "../language/effect.js";
import { asFailure, Failure } from "../language/failure.js";
import type { Work } from "./approve.js";
import { check } from "./check.js";
import type { Draft, Prepared } from "./context.js";
import { withoutEcho } from "./echo.js";
import { type Found, operationOf } from "./find.js";
import { isUnknown } from "./outcome.js";
import { permit } from "./permit.js";
import { resolve } from "./resolve.js";
import type { Run } from "./run.js";

/**
 * The calls that write the draft, ready to be sent; none if there is no draft.
 * @throws Failure of a call that cannot be made, or that the policy denies.
 */
export async function draftOf(run: Run, { draft, composed }: Found): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  for (const { tool, args } of draft?.calls ?? []) {
    const found = await operationOf(run.context, tool);
    if (guardOf(found.declared)) throw new Error(`${tool} needs an approval, and is not a call for a draft.`);
    prepared.push(await resolve(run, await check(run, tool, found, args, { composed }), { composed }));
  }
  if (prepared.length > 0) await permit(run, prepared);
  return prepared;
}

/**
 * Writes the draft of a call.
 * @param write Sends one request.
 * @throws Failure of the first request that failed: nothing of the draft is in effect then.
 */
export async function writeDraft(
  { draft, drafted }: Work,
  write: (prepared: Prepared) => Promise<unknown>,
): Promise<void> {
  for (const [at, prepared] of drafted.entries())
    try {
      await write(prepared);
    } catch (error) {
      const { code, message, detail } = asFailure(withoutEcho(error, prepared));
      const next = at === 0 ? detail.next : nextWith(draft, detail.next);
      const what = `The draft could not be completed, and nothing of it is in effect: ${message}`;
      throw new Failure(code, what, { ...detail, next });
    }
}

const nextWith = (draft: Draft | undefined, next: string): string => [draft?.ifLeft, next].filter(Boolean).join(" ");

/** The failure of the call that a draft is for, with what to do about the draft, unless that may be in effect. */
export function leaving(error: unknown, draft: Draft | undefined): unknown {
  const failure = asFailure(error);
  if (draft === undefined || isUnknown(failure)) return error;
  const { code, message, detail } = failure;
  return new Failure(code, message, { ...detail, next: nextWith(draft, detail.next) });
}
