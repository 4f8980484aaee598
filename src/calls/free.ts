/** Requests that need no approval: counted against the quotas, with a line of the record before them and one after. */
import type { Outcome } from "./outcome.js";
import type { Permit } from "./permit.js";
import type { Run } from "./run.js";

/** What came of them, with what the record says of an answer. */
interface Sent {
  readonly outcome: Outcome;
  readonly status?: number;
  readonly requestId?: string;
}

/**
 * Sends what the policy lets go on.
 * @throws Failure `not_allowed` when a quota is used up, or the failure of the sending.
 */
export async function performFreely(
  { trail }: Pick<Run, "trail">,
  { facts, decision }: Permit,
  send: () => Promise<Sent>,
): Promise<Outcome> {
  await trail.sending(facts, decision.rule);
  const { outcome, ...answer } = await send();
  await trail.ended(answer);
  return outcome;
}
