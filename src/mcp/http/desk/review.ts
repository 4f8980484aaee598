/** What the approvals desk knows of plans, and does with them. */
import type { Approver, Plan, PlanRecord } from "../../../guard/index.js";

/** The parts of a plan that the desk shows. */
export interface ShownPlan
  extends Pick<
    Plan,
    | "id"
    | "tool"
    | "owner"
    | "awaits"
    | "createdAtMs"
    | "expiresAtMs"
    | "approvers"
    | "requester"
    | "why"
    | "ticket"
    | "breaks"
  > {
  readonly tier: string;
  readonly preview: Pick<
    Plan["preview"],
    "summary" | "account" | "network" | "target" | "warnings" | "lines" | "digest" | "outline" | "actsOn"
  >;
}

/** A plan with what became of it. */
export interface ShownRecord extends Pick<PlanRecord, "status" | "approvals" | "refusal" | "outcome"> {
  readonly plan: ShownPlan;
}

/** The waiting plans: the newest of them, and their number. */
export interface WaitingPlans {
  readonly records: readonly ShownRecord[];
  readonly count: number;
}

/** Access to plans and decisions. */
export interface PlanReview {
  /** The service of a tool, as scopes name it; undefined for one that is not offered. */
  serviceOf(tool: string): string | undefined;
  /** A plan with what became of it; undefined if there is none. */
  find(id: string): Promise<ShownRecord | undefined>;
  /** The plans that wait for a decision, newest first, and their number. */
  waiting(most: number): Promise<WaitingPlans>;
  /** Differs as soon as anything has changed that the desk shows, but for the time that is left. */
  version(): Promise<string>;
  /** The plans that persons decided on, newest decision first. */
  decidedLately(most: number): Promise<readonly ShownRecord[]>;
  /**
   * Approves an open plan.
   * @returns How many more persons have to approve it.
   * @throws Failure if it is no longer open, or not for this person.
   */
  approve(id: string, channel: "page", by: Approver): Promise<number>;
  /** Refuses an open plan for good. */
  refuse(id: string, channel: "page", by: Approver): Promise<boolean>;
}
