/** The status of a plan, read from its marks, and whether the process that redeemed it is still running. */
import { isDeepStrictEqual } from "node:util";
import { damaged } from "../../system/private-directory.js";
import type { ApprovalRecord, PlanRecord, PlanRefusal, PlanStatus, VoidReason } from "../plan.js";
import { missingApprovals } from "./persons.js";
import { type Holder, isAtWork } from "./process.js";
import type { PlanHistory, PlanMarkOf } from "./storage.js";

type Redeemed = Extract<PlanMarkOf<"taken">, { as: "redeemed" }>;

/** The members that say who decided and why, as far as they are known. */
export const personDecisionOf = ({ by, subject, reason }: Pick<ApprovalRecord, "by" | "subject" | "reason">) => ({
  ...(by === undefined ? {} : { by }),
  ...(subject === undefined ? {} : { subject }),
  ...(reason === undefined ? {} : { reason }),
});

/** Who approved a plan and when: recorded with its redemption, or by persons outside. */
export function approvalsOf({ first, approved, taken }: PlanHistory): readonly ApprovalRecord[] {
  if (taken !== undefined && taken !== damaged && taken.as === "redeemed") {
    const { channel, approvedAtMs: atMs } = taken;
    return [...(taken.first === undefined ? [] : [taken.first]), { channel, atMs, ...personDecisionOf(taken) }];
  }
  return [first, approved].flatMap((mark) =>
    mark === undefined || mark === damaged
      ? []
      : [{ channel: mark.channel, atMs: mark.atMs, ...personDecisionOf(mark) }],
  );
}

/** Whether a process or instance has redeemed a plan. */
export const wasRedeemedBy = ({ taken }: PlanHistory, holder: Holder): boolean =>
  taken !== undefined && taken !== damaged && taken.as === "redeemed" && isDeepStrictEqual(taken.process, holder);

/** Who refused a plan; undefined if no one did. */
function refusalOf({ taken }: PlanHistory): PlanRefusal | undefined {
  if (taken === undefined || taken === damaged || taken.as !== "refused") return undefined;
  const { channel, atMs } = taken;
  return { atMs, ...(channel === undefined ? {} : { channel }), ...personDecisionOf(taken) };
}

function statusOfUntaken(history: PlanHistory, nowMs: number): PlanStatus {
  const { plan, sending } = history;
  if (sending !== undefined) return "unknown";
  if (plan.expiresAtMs <= nowMs) return "expired";
  return missingApprovals(plan, approvalsOf(history)) > 0 ? "open" : "approved";
}

function statusOfRedeemed(
  { process }: Redeemed,
  sinceMs: number,
  { sending, isHeld }: PlanHistory,
  nowMs: number,
): PlanStatus {
  if ("instance" in process ? isHeld : isAtWork(process, sinceMs, nowMs))
    return sending === undefined ? "redeemed" : "sending";
  return sending === undefined ? "not_sent" : "unknown";
}

/** The status at a time. A damaged mark counts as the most restrictive status. */
export function planStatusOf(history: PlanHistory, nowMs: number): PlanStatus {
  const { taken, sending, settled } = history;
  if (settled !== undefined) return settled === damaged ? "unknown" : settled.state;
  if (taken === undefined) return statusOfUntaken(history, nowMs);
  if (taken === damaged) return "unknown";
  if (taken.as !== "redeemed") return taken.as;
  const sinceMs = sending === undefined || sending === damaged ? taken.atMs : sending.atMs;
  return statusOfRedeemed(taken, sinceMs, history, nowMs);
}

const becauseOf: Readonly<Record<VoidReason, string>> = {
  arguments: "it was used with arguments other than the previewed ones",
  state: "the state changed after the preview",
  approvers: "the policy asks for two persons since",
  freeze: "a freeze has begun since, which two persons can break with a reason each",
  asked: "the user was asked and has not said yes, so confirm no longer approves it",
  newer: "its owner opened too many newer plans",
  restored: "the database was restored from a backup, and it may have been used since then",
};

const voidBecauseOf = ({ taken }: PlanHistory): VoidReason | undefined =>
  taken !== undefined && taken !== damaged && taken.as === "void" ? taken.because : undefined;

/** The outcome as the rest of a sentence; undefined while the plan waits. */
function outcomeOf(history: PlanHistory, status: PlanStatus): string | undefined {
  const { plan, settled } = history;
  if (settled !== undefined && settled !== damaged) return settled.says;
  switch (status) {
    case "open":
    case "approved":
      return undefined;
    case "redeemed":
    case "sending":
      return "it is in progress";
    case "not_sent":
      return "the process ended before anything was sent";
    case "refused":
      return "it was refused";
    case "expired":
      return `it expired at ${new Date(plan.expiresAtMs).toISOString()}`;
    case "void": {
      const because = voidBecauseOf(history);
      return because && becauseOf[because];
    }
    default:
      return "whether it was done is unknown, because no response was recorded";
  }
}

/** A plan, for its owner and the operator. */
export function planRecordOf(history: PlanHistory, nowMs: number): PlanRecord {
  const status = planStatusOf(history, nowMs);
  const refusal = refusalOf(history);
  const outcome = outcomeOf(history, status);
  const voidBecause = voidBecauseOf(history);
  const { unmade, made } = history.settled === undefined || history.settled === damaged ? {} : history.settled;
  return {
    plan: history.plan,
    status,
    approvals: approvalsOf(history),
    ...(refusal === undefined ? {} : { refusal }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(unmade === undefined ? {} : { unmade }),
    ...(made === undefined ? {} : { made }),
    ...(voidBecause === undefined ? {} : { voidBecause }),
  };
}
