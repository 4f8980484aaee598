/** The trail of a call: its counts in the quotas, and its audit lines with the number of requests. */
import {
  type AuditedCall,
  type AuditNote,
  type CallPurpose,
  newAuditedCall,
  type RecordedIntent,
} from "../audit/index.js";
import type { ApprovalRecord } from "../guard/index.js";
import { accountText } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import type { Failure } from "../language/failure.js";
import type { Transaction } from "../language/transaction.js";
import type { OnRequest } from "../language/wire.js";
import type { CallFacts, QuotaShare } from "../policy/index.js";
import type { Tier } from "../policy/tier.js";
import type { CallContext } from "./context.js";
import type { CallOrigin } from "./origin.js";
import { refuseIfStopped } from "./write-stop.js";

/** The rule that allows a call. */
interface TierRuling {
  readonly tier: Tier;
  readonly rule: string;
}

/** The rule that allows a call, and those that deny it unless two persons have approved it. */
interface AppliedRule {
  readonly rule: string;
  readonly breaks?: readonly string[];
}

/** The plan by which a call is admitted, its approvals, and the transaction with which this stands or falls. */
interface Admission {
  readonly plan?: string | undefined;
  readonly by?: readonly ApprovalRecord[] | undefined;
  readonly transaction?: Transaction | undefined;
}

export interface Trail {
  /** The tool, as the lines name it, and the tools within which it is called, outermost first. */
  readonly tool: string;
  readonly outerTools: readonly string[];
  /**
   * Counts the call, and records that its requests are about to be sent.
   * @throws Failure `not_allowed` if a quota is used up, or if the line of a guarded call cannot be written: then
   * nothing may be sent.
   */
  recordIntent(facts: CallFacts, by: AppliedRule, admission?: Admission): Promise<void>;
  /**
   * Counts a request that is about to be sent.
   * @throws Failure `not_allowed` if a quota is used up, or all changes were stopped.
   * @returns what to call once it has ended, if it is observed.
   */
  readonly countRequest: OnRequest;
  recordPreview(ruling: TierRuling, plan: string): Promise<void>;
  recordDenial(ruling: TierRuling): Promise<void>;
  recordDecline(tier: Tier, plan: string): Promise<void>;
  /** Records how the call has ended, unless an earlier line has. */
  recordEnd(end: { readonly status?: number; readonly requestId?: string; readonly failure?: Failure }): Promise<void>;
  /** Begins the record of a call within this one. */
  beginInner(tool: string, args: Arguments, purpose: CallPurpose): Trail;
}

/** The purpose of a call that is not a tool call, and the call within which it is made. */
interface Reason {
  readonly purpose: CallPurpose;
  readonly parent?: {
    readonly call: string;
    readonly within: readonly string[];
    /** Its count in the quotas, once it has been counted. */
    readonly taken: () => QuotaShare | undefined;
  };
}

/** Begins the record of a call. */
export function startTrail(
  context: Pick<CallContext, "audit" | "policy" | "quotas" | "writeStop"> & Partial<Pick<CallContext, "account">>,
  tool: string,
  args: Arguments,
  caller: Pick<CallOrigin, "owner" | "principal" | "client" | "session" | "ticket" | "observation">,
  reason?: Reason,
): Trail {
  const { audit, account, policy, quotas } = context;
  const { owner, principal, client, session, ticket, observation } = caller;
  const startedMs = performance.now();
  const { confirm: _, ...input } = args;
  const outerTools = reason?.parent?.within ?? [];
  const call: Omit<AuditedCall, "tier"> = {
    ...newAuditedCall(input),
    parent: reason?.parent?.call,
    purpose: reason?.purpose,
    who: owner,
    subject: principal?.subject,
    issuer: principal?.issuer,
    oauthClient: principal?.client,
    client,
    session,
    account: account === undefined ? "no profile" : accountText(account),
    tool,
    ticket,
  };
  if (reason?.parent === undefined) observation?.recordedAs(call.call);
  let taken: QuotaShare | undefined;
  let requests = 0;
  let recorded: RecordedIntent | undefined;
  let isOver = false;
  const note = async (line: AuditNote): Promise<void> => {
    isOver = true;
    await audit.note(line);
  };
  const policyOf = ({ rule }: Pick<TierRuling, "rule">) => ({ rule, hash: policy.hash });
  return {
    tool,
    outerTools,
    async recordIntent(facts, { rule, breaks }, { plan, by, transaction } = {}) {
      taken = await quotas.take({ ...facts, within: outerTools }, reason?.parent?.taken(), transaction);
      const makes = facts.tool === tool ? undefined : facts.tool;
      const intent = { ...call, makes, tier: facts.tier, plan, approvals: by, breaks, policy: policyOf({ rule }) };
      recorded = await audit.intent(intent, transaction);
    },
    async countRequest(sending) {
      if (taken === undefined || recorded === undefined)
        throw new Error("A request is sent only after its call was recorded.");
      // A change that is in progress stops before its next request.
      if (!recorded.isRead) await refuseIfStopped(context, tool);
      if (taken.request) await taken.request();
      requests += 1;
      return observation?.sending(sending);
    },
    recordPreview: (ruling, plan) =>
      note({ ...call, event: "preview", tier: ruling.tier, plan, policy: policyOf(ruling) }),
    recordDenial: (ruling) => note({ ...call, event: "denied", tier: ruling.tier, policy: policyOf(ruling) }),
    recordDecline: (tier, plan) => note({ ...call, event: "declined", tier, plan, channel: "elicitation" }),
    async recordEnd({ status, requestId, failure }) {
      if (taken?.release) await taken.release();
      if (isOver) return;
      isOver = true;
      if (recorded) {
        await audit.outcome(recorded, {
          code: failure?.code ?? "ok",
          status: status ?? failure?.detail.status,
          upstreamRequestId: requestId ?? failure?.detail.requestId,
          requests,
          ms: Math.round(performance.now() - startedMs),
        });
      } else if (failure) await audit.note({ ...call, event: "refused", code: failure.code });
    },
    beginInner: (innerTool, innerArgs, purpose) =>
      startTrail(context, innerTool, innerArgs, caller, {
        purpose,
        parent: { call: call.call, within: [...outerTools, tool], taken: () => taken },
      }),
  };
}
