/**
 * Plans: one approval for one request, bound to its bytes, its account, its owner and the previewed state, and used
 * once.
 */
import { type AccountOwner, profileArgument } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import type { Transaction } from "../language/transaction.js";
import type { Identity } from "../policy/principal.js";
import type { Tier } from "../policy/tier.js";
import type { FieldDifference } from "./difference.js";
import type { Preview } from "./preview.js";
import type { UndoRecord } from "./undo.js";

const sessionMark = "/session:";

/** The owner for a principal, whose name contains no slash. */
export const ownerOfPlans = (principal: string, session: string | undefined): string =>
  session === undefined ? principal : `${principal}${sessionMark}${session}`;

/** The principal of an owner, independent of the session. */
export const principalOf = (owner: string): string => owner.split(sessionMark, 1)[0] ?? owner;

/** The way in which an approval reaches a plan. */
export type ApprovalChannel = "confirm" | "elicitation" | "terminal" | "page" | "policy";

/** The values to which an approval is bound. */
export interface Binding extends AccountOwner {
  /** Set for a call of today's APIs: the same arguments may mean something else with the documents'. */
  readonly apis?: "today" | undefined;
  readonly tool: string;
  readonly requestHash: string;
  /** The hash of each request, which does not depend on the tool; absent from plans of older versions. */
  readonly requests?: readonly string[];
  /** The hash of the previewed state; undefined if there was none. */
  readonly stateHash: string | undefined;
  /** Set if two persons have to approve the call. */
  readonly approvers?: 2 | undefined;
  /** The ticket that was given with the call. */
  readonly ticket?: string | undefined;
  /** The rules that deny the call to all but two persons, each of whom has to give a reason: the gravest first. */
  readonly breaks?: readonly string[] | undefined;
}

/** Who made the call of a plan, and with which program. */
export interface Requester extends Identity {
  /** The OAuth client to which the token was issued. */
  readonly client?: string | undefined;
  /** The name and version of the program, as it introduced itself. */
  readonly software?: string | undefined;
}

/**
 * What a plan waits for: the model's `confirm`, the answer to a question (elicitation), a person outside, or nothing if
 * the policy allows it.
 */
export type AwaitedApproval = "confirm" | "question" | "person" | "policy";

/**
 * A preview as it is stored: only its complete lines, because a user is asked about a plan only once. Older versions did
 * not store the kinds of lines.
 */
export type KeptPreview = Omit<Preview, "ranked" | "outline" | "actsOn"> & Partial<Pick<Preview, "outline" | "actsOn">>;
export const keptPreviewOf = ({ ranked: _, ...kept }: Preview): KeptPreview => kept;

/** The preview, who asked for the change, and who has to approve it. */
export interface PlanContent {
  readonly awaits: AwaitedApproval;
  /** Absent over stdio and at a shell, where the local user asked. */
  readonly requester?: Requester | undefined;
  readonly tier: Tier;
  /** Why the call needs an approval, in a sentence; absent from plans of older versions. */
  readonly why?: string | undefined;
  readonly preview: KeptPreview;
  /** The state before the change, without secrets, for the undo. */
  readonly before?: readonly UndoRecord[];
}

export interface Plan extends Binding, PlanContent {
  readonly id: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * The URI of a plan's whole preview.
 * @param profile The profile of the plan, if there are several.
 */
export const planAddress = (id: string, profile?: string): string =>
  `plan://${id}${profile === undefined ? "" : `?${profileArgument}=${profile}`}`;

/** How an approval reaches the call that redeems the plan; `person` was recorded before, at a terminal or on a page. */
export type ApprovalRoute = "confirm" | "elicitation" | "person" | "policy";

/** A person who approves or refuses a plan, and why. */
export interface Approver {
  readonly name: string;
  /** The identity with which the person signed in; the name is the identity without it. */
  readonly subject?: Identity | undefined;
  readonly reason?: string | undefined;
}

/** Who decided on a plan, and when. */
interface PersonDecision {
  readonly atMs: number;
  /** The name of the person, if the channel knows it. */
  readonly by?: string | undefined;
  readonly subject?: Identity | undefined;
  readonly reason?: string | undefined;
}

export interface ApprovalRecord extends PersonDecision {
  readonly channel: ApprovalChannel;
}

export interface PlanRefusal extends PersonDecision {
  readonly channel?: ApprovalChannel | undefined;
}

/**
 * The status of a plan. `open` and `approved` plans wait, `redeemed` and `sending` ones are in progress, all others
 * have ended. If the process dies, the status is `not_sent` before sending began and `unknown` after that.
 */
export type PlanStatus =
  | "open"
  | "approved"
  | "redeemed"
  | "sending"
  | "done"
  | "failed"
  | "unknown"
  | "not_sent"
  | "refused"
  | "void"
  | "expired";

/** A plan with its status. */
export interface PlanRecord extends Pick<Settlement, "unmade" | "made"> {
  readonly plan: Plan;
  readonly status: PlanStatus;
  /** In their order; fewer than the plan needs while it waits. */
  readonly approvals: readonly ApprovalRecord[];
  readonly refusal?: PlanRefusal;
  /** The outcome as the rest of a sentence, such as "it answered 201"; absent while the plan waits. */
  readonly outcome?: string;
  /** Whether this process or instance has redeemed it; absent if nobody asks. */
  readonly wasRedeemedHere?: boolean;
  /** Why the plan is void, if that can be read. */
  readonly voidBecause?: VoidReason;
}

/**
 * Why a plan ends without a decision: different arguments, a different state, too many newer plans of its owner, an
 * elicitation that the user did not answer with yes, a policy that now asks for two persons, or for their reasons, or a
 * restored database.
 */
export type VoidReason = "arguments" | "state" | "newer" | "asked" | "approvers" | "freeze" | "restored";

/**
 * Redeems a plan before anything is sent; at most one caller across all processes succeeds.
 * @param transaction The transaction with which the redemption stands or falls.
 * @returns The approvals, of which there are as many as it needs.
 * @throws Failure `approval_refused` if the plan has been used or ended since it was checked.
 */
export type RedeemPlan = (transaction?: Transaction) => Promise<readonly ApprovalRecord[]>;

/** A plan that is valid for a call. */
export interface RedeemablePlan {
  readonly plan: Plan;
  readonly redeem: RedeemPlan;
}

/** How the caller of a plan that is not valid can read the present state. */
export interface RefusalContext {
  /** The tool that reads the state. */
  readonly reader?: string | undefined;
  /** The composed change to call again instead, which reads the state itself. */
  readonly composedBy?: string | undefined;
  /** The differences between the plan and the present state or arguments, as far as the plan recorded them. */
  readonly differences?: (plan: Plan, of: "arguments" | "state") => readonly FieldDifference[];
}

/** The end of a redeemed plan; `says` continues a sentence ("it answered 201") and contains no upstream text. */
export interface Settlement {
  readonly state: "done" | "failed" | "not_sent" | "unknown";
  readonly says: string;
  /** The indexes of requests that changed nothing, because they were refused or not made. */
  readonly unmade?: readonly number[];
  /** For each request, the fields of its response that the declared undo needs; null if there are none. */
  readonly made?: readonly (Arguments | null)[];
}

/**
 * The plans of a process, or of all processes that share a directory. A plan is only found for its owner and account.
 * If the directory cannot be used, every method throws a Failure `not_allowed`, and nothing is approved.
 */
export interface Plans {
  /**
   * Records a plan that can be approved until it expires. The newest plan of an owner displaces the oldest one. A plan
   * for `confirm` waits for a person instead if the user was asked about it and has not said yes.
   * @throws Failure `not_allowed` if there are too many open plans, `too_large` for a preview that cannot be stored.
   */
  open(binding: Binding, shown: PlanContent): Promise<Plan>;
  /**
   * The id of the plan that a person has approved for this call, so that repeating the call executes it, even in a new
   * process. A plan whose state has changed is returned as well: redeeming it reports that.
   */
  approvedFor(binding: Binding): Promise<string | undefined>;
  /** A plan with its status; undefined for plans of other owners or accounts. */
  findOwn(id: string, whose: AccountOwner): Promise<PlanRecord | undefined>;
  /** The account, in words, of a plan that this owner made for another account, so that the owner can find it. */
  madeElsewhere(id: string, whose: AccountOwner): Promise<string | undefined>;
  /**
   * Checks that a plan is valid for a call in the present state; if it is for another call or state, it is ended.
   * @param reread How to read the state again, for the failure's next step.
   * @throws Failure `approval_refused` if it is not valid.
   */
  redeemable(id: string, binding: Binding, through: ApprovalRoute, reread?: RefusalContext): Promise<RedeemablePlan>;
  /**
   * Records that sending begins, on disk before it returns; called directly before each request is written to the wire.
   * If it throws, nothing may be sent.
   * @throws Failure `approval_refused` unless this process has redeemed the plan and not settled it.
   */
  sending(id: string): Promise<void>;
  /** Records the outcome of a plan that this process has redeemed; the first outcome counts. */
  settle(id: string, outcome: Settlement): Promise<void>;
  /**
   * Refuses a plan of this owner. A plan that is in progress or has ended is not changed.
   * @param channel Where it was declined.
   * @returns Whether the plan is refused now.
   */
  refuseOwn(id: string, whose: AccountOwner, channel: ApprovalChannel): Promise<boolean>;
}

/**
 * All plans, of any owner and account, for the operator at a terminal or at the approvals desk. Calls have no access to
 * this.
 */
export interface OperatorPlans extends Plans {
  /** Any plan with its status. */
  find(id: string): Promise<PlanRecord | undefined>;
  /** All stored plans, newest first. */
  list(): Promise<readonly PlanRecord[]>;
  /**
   * The plans that wait for a person, newest first, and their number.
   * @param most The maximum number to read.
   */
  waitingForPerson(most: number): Promise<{ readonly records: readonly PlanRecord[]; readonly count: number }>;
  /**
   * The plans that persons have approved or refused, newest first.
   * @param most The maximum number to read.
   */
  decidedLately(most: number): Promise<readonly PlanRecord[]>;
  /** Changes when a plan for a person is opened, decided on, used, or expires; computing it reads no plan. */
  version(): Promise<string>;
  /**
   * Records an approval by a person.
   * @param by The approver, if known; two persons whose names are not both known count as one.
   * @returns How many more persons have to approve it.
   * @throws Failure `approval_refused` for a plan that does not wait for this person, or no longer waits.
   */
  approve(id: string, channel: "terminal" | "page", by?: Approver): Promise<number>;
  /** Refuses any plan, like `refuseOwn`. */
  refuse(id: string, channel?: ApprovalChannel, by?: Approver): Promise<boolean>;
}
