/** The audit lines of one call: what has been written of it decides how its end is recorded. */
import { accountText } from "../api/account.js";
import type { Arguments } from "../api/conduct.js";
import type { Failure } from "../api/failure.js";
import { type AuditedCall, argumentsHash, type Note, type Recorded } from "../audit/index.js";
import type { Approval } from "../guard/index.js";
import type { Tier } from "../guard/tier.js";
import type { Caller } from "./caller.js";
import type { Context } from "./context.js";

/** The rule by which a call goes on. */
interface Ruled {
  readonly tier: Tier;
  readonly rule: string;
}

export interface Trail {
  /**
   * Records that a request is about to be sent.
   * @throws Failure `not_allowed` when a guarded call's line cannot be written: it must not be sent.
   */
  intent(ruled: Ruled, plan?: string, approval?: Approval): Promise<void>;
  previewed(ruled: Ruled, plan: string): Promise<void>;
  denied(ruled: Ruled): Promise<void>;
  declined(tier: Tier, plan: string): Promise<void>;
  /** Records how the call has ended, unless a line above has said it. */
  ended(end: { readonly status?: number; readonly requestId?: string; readonly failure?: Failure }): Promise<void>;
}

/** Begins the record of a call. */
export function startTrail(
  { audit, account, policy }: Pick<Context, "audit" | "policy"> & Partial<Pick<Context, "account">>,
  tool: string,
  args: Arguments,
  { owner, client, session }: Caller,
): Trail {
  const startedMs = performance.now();
  const { confirm: _, ...given } = args;
  const call: Omit<AuditedCall, "tier"> = {
    who: owner,
    client,
    session,
    account: account === undefined ? "no profile" : accountText(account),
    tool,
    args: argumentsHash(given),
  };
  let recorded: Recorded | undefined;
  let isOver = false;
  const note = async (line: Note): Promise<void> => {
    isOver = true;
    await audit.note(line);
  };
  const policyOf = ({ rule }: Ruled) => ({ rule, hash: policy.hash });
  return {
    async intent(ruled, plan, approval) {
      recorded = await audit.intent({ ...call, tier: ruled.tier, plan, approval, policy: policyOf(ruled) });
    },
    previewed: (ruled, plan) => note({ ...call, event: "preview", tier: ruled.tier, plan, policy: policyOf(ruled) }),
    denied: (ruled) => note({ ...call, event: "denied", tier: ruled.tier, policy: policyOf(ruled) }),
    declined: (tier, plan) => note({ ...call, event: "declined", tier, plan, channel: "elicitation" }),
    async ended({ status, requestId, failure }) {
      if (isOver) return;
      isOver = true;
      if (recorded) {
        const written = audit.outcome(recorded, {
          code: failure?.code ?? "ok",
          status: status ?? failure?.detail.status,
          upstreamRequestId: requestId ?? failure?.detail.requestId,
          ms: Math.round(performance.now() - startedMs),
        });
        // The answer of a read does not wait for a line that nothing depends on.
        if (!recorded.isRead) await written;
      } else if (failure) await audit.note({ ...call, event: "refused", code: failure.code });
    },
  };
}
