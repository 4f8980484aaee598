/** Plans: one approval for one request, bound to its bytes, its account, its owner and the state it was shown with, and used once. */
import { profileArgument, type Whose } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import type { Tier } from "../language/tier.js";
import type { Difference } from "./difference.js";
import type { Preview } from "./preview.js";
import type { Before } from "./undo.js";

const sessionMark = "/session:";

/** The owner for a principal, whose name holds no slash. */
export const ownerOfPlans = (principal: string, session: string | undefined): string =>
  session === undefined ? principal : `${principal}${sessionMark}${session}`;

/** Who an owner is, whatever session they came in. */
export const principalOf = (owner: string): string => owner.split(sessionMark, 1)[0] ?? owner;

/** How an approval reaches a plan. */
export type Channel = "confirm" | "elicitation" | "terminal" | "page" | "policy";

/** What an approval is bound to. */
export interface Binding extends Whose {
  readonly tool: string;
  readonly requestHash: string;
  /** Hashes of what it sends, each request by itself: the same whatever tool makes it, and absent from plans that are older. */
  readonly requests?: readonly string[];
  /** Hash of the state that the preview showed; undefined when there was none to show. */
  readonly stateHash: string | undefined;
}

/** What a plan waits for: the model's `confirm`, the answer to a question (elicitation), a person outside, or nothing, where the policy allows it. */
export type Awaited = "confirm" | "question" | "person" | "policy";

/**
 * A preview as it is kept: its complete lines alone, because nobody is asked about a plan a second time. An earlier version
 * did not keep what its lines are.
 */
export type KeptPreview = Omit<Preview, "brief" | "short" | "outline" | "actsOn"> &
  Partial<Pick<Preview, "outline" | "actsOn">>;
export const keptOf = ({ brief: _, short: __, ...kept }: Preview): KeptPreview => kept;

/** What was shown, and to whom it is shown. */
export interface Shown {
  readonly awaits: Awaited;
  readonly tier: Tier;
  readonly preview: KeptPreview;
  /** The state before the change, without secrets, for the way back. */
  readonly before?: readonly Before[];
}

export interface Plan extends Binding, Shown {
  readonly id: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * The address under which a plan's whole preview can be read.
 * @param profile The profile that it was made in, where there are several.
 */
export const planAddress = (id: string, profile?: string): string =>
  `plan://${id}${profile === undefined ? "" : `?${profileArgument}=${profile}`}`;

/** How an approved plan is brought to its call; a person's approval at a terminal or on a page has been recorded before. */
export type Through = "confirm" | "elicitation" | "person" | "policy";

/** Who approved a plan, and when. */
export interface Approval {
  readonly channel: Channel;
  readonly atMs: number;
  /** The name of the person, where the channel knows it. */
  readonly by?: string;
}

/**
 * What became of a plan. It waits while it is `open`, or `approved` by a person; it is in progress while it is `redeemed`
 * or `sending`; all others are ends. A process that died leaves `not_sent` before it began to send, and `unknown` after.
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

/** A plan and what became of it. */
export interface PlanRecord extends Pick<Settlement, "unmade" | "made"> {
  readonly plan: Plan;
  readonly status: PlanStatus;
  readonly approval?: Approval;
  /** The outcome in words, such as "it answered 201"; absent while the plan waits. */
  readonly outcome?: string;
  /** What ended a plan that is void, where that can be read. */
  readonly voidBecause?: VoidBecause;
}

/**
 * What ends a plan without a decision: other arguments, another state, too many newer plans of its owner, or a question
 * that its user was asked and did not answer with yes.
 */
export type VoidBecause = "arguments" | "state" | "newer" | "asked";

/** How whoever brings a plan that approves nothing can find out what is there now. */
export interface Reread {
  /** The tool that reads the state. */
  readonly reader?: string | undefined;
  /** The composed change to call again in its place, because it reads the state by itself. */
  readonly composedBy?: string | undefined;
  /** Where what was shown differs from what is there, or is asked, now; as far as the plan kept it. */
  readonly differences?: (plan: Plan, of: "arguments" | "state") => readonly Difference[];
}

/** The end of a redeemed plan; `says` continues a sentence ("it answered 201") and holds no words of an upstream. */
export interface Settlement {
  readonly state: "done" | "failed" | "not_sent" | "unknown";
  readonly says: string;
  /** Of several requests the places of those that changed nothing: they were refused, or not made at all. */
  readonly unmade?: readonly number[];
  /** For each request what its answer named of what it made, as the declared way back wants it; null where it named nothing. */
  readonly made?: readonly (Arguments | null)[];
}

/**
 * The plans of a process, or of all processes that share a directory, as calls use them: a plan that is brought by its id
 * is looked up for an owner's calls on an account, and is not there for any others. Where the directory cannot be used,
 * every method throws a Failure `not_allowed`, and nothing is approved.
 */
export interface Plans {
  /**
   * Records a plan that can be approved until it expires. An owner's oldest plan makes way for its newest. One that is to
   * wait for `confirm` waits for a person where a question stands against it that was not answered with yes.
   * @throws Failure `not_allowed` when there are too many open plans, `too_large` for a preview that cannot be kept.
   */
  open(binding: Binding, shown: Shown): Promise<Plan>;
  /**
   * The id of the plan that a person has approved for this call, so that the same call goes through in a new process. A
   * plan whose state has changed since is returned as well: redeeming it says so.
   */
  approvedFor(binding: Binding): Promise<string | undefined>;
  /** A plan and what became of it; undefined for another owner's, and for one that was made for another account. */
  findOwn(id: string, whose: Whose): Promise<PlanRecord | undefined>;
  /** In words, the account that a plan of this owner was made for where it was another one, so that its owner finds it. */
  madeElsewhere(id: string, whose: Whose): Promise<string | undefined>;
  /**
   * Consumes a plan before anything is sent; at most one caller in all processes gets through.
   * @param reread How the state is read again, for the refusal's way on.
   * @returns Who approved it, and when.
   * @throws Failure `approval_refused` when the plan does not hold for this call as things are now.
   */
  redeem(id: string, binding: Binding, through: Through, reread?: Reread): Promise<Approval>;
  /**
   * Records that sending begins, on disk before it returns; called directly before a request is written to the wire, and
   * for each request of a plan that has several. Nothing may be sent when it throws.
   * @throws Failure `approval_refused` unless this process has redeemed the plan and not settled it.
   */
  sending(id: string): Promise<void>;
  /** Records the outcome of a plan that this process has redeemed; a first outcome stands. */
  settle(id: string, outcome: Settlement): Promise<void>;
  /**
   * Ends a plan of one's own that was declined. One that is in progress or has ended stays as it is.
   * @param channel Where it was declined.
   * @returns Whether the plan is refused now.
   */
  refuseOwn(id: string, whose: Whose, channel: Channel): Promise<boolean>;
}

/** The same as the operator at a terminal or on the page sees them: of all owners and accounts. No call has this. */
export interface OperatorPlans extends Plans {
  /** A plan, whoever it was made for, and what became of it. */
  find(id: string): Promise<PlanRecord | undefined>;
  /** All plans that are kept, the newest first. */
  list(): Promise<readonly PlanRecord[]>;
  /**
   * The plans that a person has yet to decide on, the newest first, and how many there are.
   * @param most So many of them are read at most.
   */
  waitingForPerson(most: number): Promise<{ readonly plans: readonly Plan[]; readonly count: number }>;
  /**
   * Records a person's approval from outside.
   * @param by The name of the person, where it is known.
   * @throws Failure `approval_refused` for a plan that does not wait for a person, or no longer.
   */
  approve(id: string, channel: "terminal" | "page", by?: string): Promise<void>;
  /** Ends any plan as `refuseOwn` does. */
  refuse(id: string, channel?: Channel): Promise<boolean>;
}
