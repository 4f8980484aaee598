/** What became of a plan, read from its marks. */
import type { Approval, PlanRecord, PlanStatus, VoidBecause } from "../plan.js";
import { isAtWork } from "./process.js";
import { damaged, type MarkOf, type Story } from "./storage.js";

type Redeemed = Extract<MarkOf<"taken">, { as: "redeemed" }>;

/** Who approved a plan and when: as it was redeemed, or as a person outside has said; undefined when nobody has. */
export function approvalOf({ taken, approved }: Story): Approval | undefined {
  if (taken !== undefined && taken !== damaged && taken.as === "redeemed") {
    const { channel, approvedAtMs: atMs, by } = taken;
    return { channel, atMs, ...(by === undefined ? {} : { by }) };
  }
  if (approved === undefined || approved === damaged) return undefined;
  const { channel, atMs, by } = approved;
  return { channel, atMs, ...(by === undefined ? {} : { by }) };
}

/** The status of a plan that was neither redeemed nor ended. */
function statusOfUntaken({ plan, approved, sending }: Story, nowMs: number): PlanStatus {
  if (sending !== undefined) return "unknown";
  if (plan.expiresAtMs <= nowMs) return "expired";
  return approved === undefined || approved === damaged ? "open" : "approved";
}

/** The status of a plan that was redeemed and has no outcome. */
function statusOfRedeemed(taken: Redeemed, sending: Story["sending"], nowMs: number): PlanStatus {
  const sinceMs = sending === undefined || sending === damaged ? taken.atMs : sending.atMs;
  if (isAtWork(taken.process, sinceMs, nowMs)) return sending === undefined ? "redeemed" : "sending";
  return sending === undefined ? "not_sent" : "unknown";
}

/** The status at a time. A damaged mark leads to the status that promises least. */
export function statusOf(story: Story, nowMs: number): PlanStatus {
  const { taken, sending, settled } = story;
  if (settled !== undefined) return settled === damaged ? "unknown" : settled.state;
  if (taken === undefined) return statusOfUntaken(story, nowMs);
  if (taken === damaged) return "unknown";
  return taken.as === "redeemed" ? statusOfRedeemed(taken, sending, nowMs) : taken.as;
}

const becauseOf: Readonly<Record<VoidBecause, string>> = {
  arguments: "it was tried with other arguments than were shown",
  state: "the state changed after it was shown",
  asked: "the user was asked and has not said yes, so that confirm approves it no more",
  newer: "its owner opened too many newer ones",
};

const voidBecauseOf = ({ taken }: Story): VoidBecause | undefined =>
  taken !== undefined && taken !== damaged && taken.as === "void" ? taken.because : undefined;

/** What became of it, as the continuation of a sentence; undefined while it waits. */
function outcomeOf(story: Story, status: PlanStatus): string | undefined {
  const { plan, settled } = story;
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
      const because = voidBecauseOf(story);
      return because && becauseOf[because];
    }
    default:
      return "whether it was done is unknown: no answer was recorded";
  }
}

/** A plan as its owner and the operator see it. */
export function recordOf(story: Story, nowMs: number): PlanRecord {
  const status = statusOf(story, nowMs);
  const approval = approvalOf(story);
  const outcome = outcomeOf(story, status);
  const voidBecause = voidBecauseOf(story);
  const { unmade, made } = story.settled === undefined || story.settled === damaged ? {} : story.settled;
  return {
    plan: story.plan,
    status,
    ...(approval === undefined ? {} : { approval }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(unmade === undefined ? {} : { unmade }),
    ...(made === undefined ? {} : { made }),
    ...(voidBecause === undefined ? {} : { voidBecause }),
  };
}
