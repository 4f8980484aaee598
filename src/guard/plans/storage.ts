/** The storage of plans and their marks, of which the first one counts, and of unanswered questions. */
import { randomBytes } from "node:crypto";
import type { Transaction } from "../../language/transaction.js";
import { z } from "../../language/z.js";
import type { damaged } from "../../system/private-directory.js";
import { dayMs } from "../../time/durations.js";
import { type Plan, principalOf } from "../plan.js";
import { type Holder, holderSchema, thisProcess } from "./process.js";

/** The form of a plan's id; nothing else is accepted as one, or as part of a path. */
export const planIdPattern = /^plan_[A-Za-z0-9_-]{22}$/;

const id = z.string().regex(planIdPattern);
const instant = z.int().nonnegative();
const channel = z.enum(["confirm", "elicitation", "terminal", "page", "policy"]);

/** Who decided, and why; older versions only stored the name. */
const person = {
  by: z.string().optional(),
  subject: z.strictObject({ subject: z.string(), issuer: z.string().optional() }).optional(),
  reason: z.string().optional(),
};

const approvedByPerson = z.strictObject({ id, channel: z.enum(["terminal", "page"]), atMs: instant, ...person });

/**
 * The marks, in the order of a plan's life cycle. Where two persons have to approve, `first` is the approval of the
 * first one; `approved` always completes the approvals, so that a program that knows only one never uses a plan too early.
 * `taken` is the one decision: redeemed, refused or void, whichever is first.
 */
export const planMarkSchemas = {
  first: approvedByPerson,
  approved: approvedByPerson,
  taken: z.discriminatedUnion("as", [
    z.strictObject({
      id,
      as: z.literal("redeemed"),
      atMs: instant,
      channel,
      approvedAtMs: instant,
      ...person,
      /** The approval of the first of two persons. */
      first: z.strictObject({ channel, atMs: instant, ...person }).optional(),
      process: holderSchema,
    }),
    z.strictObject({ id, as: z.literal("refused"), atMs: instant, channel: channel.optional(), ...person }),
    z.strictObject({
      id,
      as: z.literal("void"),
      atMs: instant,
      because: z.enum(["arguments", "state", "newer", "asked", "approvers", "freeze", "restored"]),
    }),
  ]),
  sending: z.strictObject({ id, atMs: instant }),
  settled: z.strictObject({
    id,
    atMs: instant,
    state: z.enum(["done", "failed", "not_sent", "unknown"]),
    says: z.string(),
    unmade: z.array(z.int().nonnegative()).readonly().optional(),
    made: z.array(z.record(z.string(), z.unknown()).nullable()).readonly().optional(),
  }),
} as const;

export type PlanMark = keyof typeof planMarkSchemas;
export const planMarks = Object.keys(planMarkSchemas) as readonly PlanMark[];
export type PlanMarkOf<M extends PlanMark> = z.infer<(typeof planMarkSchemas)[M]>;

/** A plan with its marks. A damaged one never permits anything, and still ends what it would have ended. */
export type PlanHistory = {
  readonly plan: Plan;
  /** Whether the instance that redeemed it still has its lease; absent if a process redeemed it. */
  readonly isHeld?: boolean;
} & { readonly [M in PlanMark]?: PlanMarkOf<M> | typeof damaged };

/** The parts of a plan that limits need, without its content. */
export interface PlanEntry extends Pick<Plan, "id" | "owner" | "createdAtMs" | "expiresAtMs" | "awaits" | "account"> {
  /** Identifies the change: the hashes of the arguments, and of each request. */
  readonly changes: readonly string[];
  readonly marks: ReadonlySet<PlanMark>;
}

/** The parts of a plan that limits need, without its marks. */
export function planEntryOf({ requestHash, requests = [], ...plan }: Plan): Omit<PlanEntry, "marks"> {
  const { id, owner, createdAtMs, expiresAtMs, awaits, account } = plan;
  return { id, owner, createdAtMs, expiresAtMs, awaits, account, changes: [requestHash, ...requests] };
}

/** The storage of plans. Writes are atomic. */
export interface PlanStorage {
  /** How long a plan is kept after it has expired, in milliseconds. */
  readonly keptMs: number;
  /**
   * The keys of all stored hashes, shared by all processes that share the storage: the one for new plans, then former
   * ones.
   */
  keys(): Promise<readonly [string, ...string[]]>;
  /** Who redeems plans here. */
  holder(): Holder;
  /** Whether all who share it serve the same clients, so that a question of one of them counts for each. */
  readonly isOfOneServer?: boolean;
  /** Every readable plan. */
  entries(): Promise<readonly PlanEntry[]>;
  add(plan: Plan): Promise<void>;
  /** Undefined for an unknown id or a damaged plan. */
  read(id: string): Promise<PlanHistory | undefined>;
  /** Creates a mark; false if this or another process has created it before. */
  mark<M extends PlanMark>(name: M, content: PlanMarkOf<M>, transaction?: Transaction): Promise<boolean>;
  /** Removes a plan before its marks, so that a plan never loses a mark. */
  remove(id: string): Promise<void>;
}

interface StoredMarks {
  readonly plan: Plan;
  readonly marks: Map<PlanMark, object>;
}

export function memoryPlanStorage(): PlanStorage {
  const all = new Map<string, StoredMarks>();
  const key = randomBytes(32).toString("base64url");
  return {
    keptMs: dayMs,
    keys: async () => [key],
    holder: thisProcess,
    entries: async () =>
      [...all.values()].map(({ plan, marks }) => ({ ...planEntryOf(plan), marks: new Set(marks.keys()) })),
    add: async (plan) => void all.set(plan.id, { plan, marks: new Map() }),
    read: async (id) => {
      const record = all.get(id);
      return record && { plan: record.plan, ...Object.fromEntries(record.marks) };
    },
    // The check and the mark are one step, without an await between them.
    mark: async <M extends PlanMark>(name: M, content: PlanMarkOf<M>) => {
      const record = all.get(content.id);
      if (!record || record.marks.has(name)) return false;
      record.marks.set(name, content);
      return true;
    },
    remove: async (id) => void all.delete(id),
  };
}

/** More unanswered questions of one principal than anyone answers; beyond this limit a yes no longer clears them. */
const maxRemembered = 1_000;

/** Whether an entry is a question that was not answered with yes; only those with a yes are ever sent or settled. */
const isUnanswered = ({ awaits, marks }: PlanEntry): boolean =>
  awaits === "question" && !marks.has("sending") && !marks.has("settled");

/** Unanswered questions, which prevent an approval by `confirm`. */
export function createOpenQuestions() {
  const unanswered = new Map<string, Set<string>>();
  const of = (owner: string): Set<string> => unanswered.get(principalOf(owner)) ?? new Set();
  return {
    /** Records a question, which counts as unanswered until it is answered with yes. */
    add({ id, owner }: Plan): void {
      const ids = of(owner);
      if (ids.size < maxRemembered) ids.add(id);
      unanswered.set(principalOf(owner), ids);
    },
    /** Records a yes. */
    remove({ id, owner }: Plan): void {
      const ids = of(owner);
      if (ids.size < maxRemembered) ids.delete(id);
    },
    /**
     * Whether an unanswered question prevents the approval of a plan by `confirm`. Within this process it does for
     * everything of the same principal: a client that could ask has a user, whatever it claims later. Questions of
     * other processes only count for the same change, because they may come from another client, unless all are
     * instances of one server.
     * @param entries The plans of all processes.
     */
    holdBack(plan: Plan, entries: readonly PlanEntry[], isOfOneServer: boolean): boolean {
      // What one instance asks may be answered on another, so that only the storage knows.
      if (!isOfOneServer && of(plan.owner).size > 0) return true;
      const { owner, account, changes } = planEntryOf(plan);
      const isMeant = (entry: PlanEntry): boolean =>
        principalOf(entry.owner) === principalOf(owner) &&
        (isOfOneServer || (entry.account === account && entry.changes.some((change) => changes.includes(change))));
      return entries.some((entry) => isUnanswered(entry) && isMeant(entry));
    },
  };
}
