/** The life cycle of a plan, over any storage: the transitions, who can cause them, and the limits. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { AccountOwner } from "../../language/account.js";
import { Failure } from "../../language/failure.js";
import { damaged } from "../../system/private-directory.js";
import type {
  ApprovalChannel,
  ApprovalRecord,
  ApprovalRoute,
  Approver,
  Binding,
  OperatorPlans,
  Plan,
  PlanContent,
  PlanRecord,
  PlanStatus,
  RedeemPlan,
  RefusalContext,
  VoidReason,
} from "../plan.js";
import { isOfRequester, isSamePerson, lacksReason, missingApprovals } from "./persons.js";
import * as refusals from "./refusals.js";
import { approvalsOf, personDecisionOf, planRecordOf, planStatusOf, wasRedeemedBy } from "./status.js";
import {
  createOpenQuestions,
  memoryPlanStorage,
  type PlanEntry,
  type PlanHistory,
  type PlanMarkOf,
  type PlanStorage,
  planIdPattern,
} from "./storage.js";

/** A binding whose hashes are useless without the key. */
function withKeyedHashes(binding: Binding, key: string): Binding {
  const under = (hash: string): string => createHmac("sha256", key).update(hash).digest("base64url");
  const { requestHash, requests, stateHash } = binding;
  return {
    ...binding,
    requestHash: under(requestHash),
    ...(requests === undefined ? {} : { requests: requests.map(under) }),
    stateHash: stateHash === undefined ? undefined : under(stateHash),
  };
}

const maxOpenPerOwner = 100;
const maxOpen = 2_000;
const maxEndedUnsent = 2_000;
const maxPlanBytes = 1_048_576;
const maxSaysLength = 500;
const maxReasonLength = 500;

export interface PlansOptions {
  /** How long a plan can be approved, in milliseconds. */
  readonly ttlMs: number;
  /** The memory of this process by default. */
  readonly storage?: PlanStorage;
  readonly now?: () => number;
  /** Whether the operator accepts `confirm` even if the user can be asked; unanswered questions then do not matter. */
  readonly isConfirmEnough?: boolean;
  /** Reports an outcome that could not be recorded, on stderr. */
  readonly log?: (line: string) => void;
}

const redeemedThrough = { confirm: "confirm", question: "elicitation", person: "person", policy: "policy" } as const;

/** The binding as a plan has it: with hashes under the key of this plan, or else under the present one. */
async function bindingKeyedLike(plan: Plan, binding: Binding, storage: PlanStorage): Promise<Binding> {
  const [present, ...former] = await storage.keys();
  const form = withKeyedHashes(binding, present);
  return [form, ...former.map((key) => withKeyedHashes(binding, key))].find((one) => isSameRequest(plan, one)) ?? form;
}

const belongsTo = (plan: Plan, { owner, account }: AccountOwner): boolean =>
  plan.owner === owner && plan.account === account;

const isSameRequest = (plan: Plan, binding: Binding): boolean =>
  belongsTo(plan, binding) &&
  plan.apis === binding.apis &&
  plan.tool === binding.tool &&
  plan.ticket === binding.ticket &&
  plan.requestHash === binding.requestHash;

/** Whether a plan still waits for its approval or its call. */
const isUnused = (status: PlanStatus): boolean => status === "open" || status === "approved";

/**
 * The plan in a form that can be stored: if it is too large, without the kinds of its lines, then without the earlier
 * state.
 */
function withinMaxSize(plan: Plan): Plan {
  const { outline: _, ...preview } = plan.preview;
  const { before: __, ...rest } = { ...plan, preview };
  const fitting = [plan, { ...plan, preview }, rest].find(
    (one) => Buffer.byteLength(JSON.stringify(one)) <= maxPlanBytes,
  );
  if (fitting === undefined) throw refusals.previewTooLarge(maxPlanBytes);
  return fitting;
}

interface PlansContext {
  readonly storage: PlanStorage;
  readonly now: () => number;
  readonly openQuestions: ReturnType<typeof createOpenQuestions>;
  /** Whether the user was asked and has not said yes, so that `confirm` cannot approve the plan. */
  readonly isUserAsked: (plan: Plan, entries: readonly PlanEntry[]) => boolean;
  /** A plan with its marks; undefined for an invalid or unknown id. */
  readonly historyOf: (id: string) => Promise<PlanHistory | undefined>;
  /** Ends a plan, unless it has been redeemed or ended before. */
  readonly end: (mark: Exclude<PlanMarkOf<"taken">, { as: "redeemed" }>) => Promise<boolean>;
  readonly endVoid: (id: string, because: VoidReason) => Promise<boolean>;
}

const isWaiting = ({ marks, expiresAtMs }: PlanEntry, nowMs: number): boolean =>
  !marks.has("taken") && expiresAtMs > nowMs;
const oldestFirst = (a: PlanEntry, b: PlanEntry): number => a.createdAtMs - b.createdAtMs;

/** Removes the oldest plans that ended unsent, if there are too many. */
async function removeUnsent({ storage, now }: PlansContext, unsent: readonly PlanEntry[]): Promise<void> {
  let excess = unsent.length - maxEndedUnsent;
  for (const { id } of unsent) {
    if (excess <= 0) break;
    const history = await storage.read(id);
    if (history && planStatusOf(history, now()) === "redeemed") continue;
    await storage.remove(id);
    excess -= 1;
  }
}

/** Removes expired plans, and makes room for a new plan of this owner. */
async function makeRoom(context: PlansContext, owner: string, allEntries: readonly PlanEntry[]): Promise<void> {
  const { storage, now, endVoid } = context;
  const entries = allEntries.toSorted(oldestFirst);
  const over = entries.filter(({ expiresAtMs }) => expiresAtMs + storage.keptMs < now());
  for (const { id } of over) await storage.remove(id);
  const currentEntries = entries.filter((entry) => !over.includes(entry));
  const waiting = currentEntries.filter((entry) => isWaiting(entry, now()));
  const ownerEntries = waiting.filter((entry) => entry.owner === owner);
  const pushedOut = ownerEntries.slice(0, Math.max(0, ownerEntries.length + 1 - maxOpenPerOwner));
  // Only the process that ends a plan may remove it, because it could be redeemed at this moment. A plan with a question stays
  // on record, because confirm cannot approve what the user was asked about.
  for (const { id, awaits } of pushedOut)
    if ((await endVoid(id, "newer")) && awaits !== "question") await storage.remove(id);
  if (waiting.length - pushedOut.length >= maxOpen) throw refusals.tooMany(maxOpen);
  // Sent plans are kept for the whole period; of the others, the oldest are removed first.
  const isUnsent = (entry: PlanEntry) => !isWaiting(entry, now()) && !entry.marks.has("sending");
  await removeUnsent(context, currentEntries.filter(isUnsent));
}

function openMethods(context: PlansContext, ttlMs: number): Pick<OperatorPlans, "open"> {
  const { storage, now, openQuestions, isUserAsked } = context;
  const add = async (draft: Plan): Promise<Plan> => {
    const entries = await storage.entries();
    const isForPerson = draft.awaits === "confirm" && isUserAsked(draft, entries);
    const plan = withinMaxSize(isForPerson ? { ...draft, awaits: "person" } : draft);
    await makeRoom(context, plan.owner, entries);
    await storage.add(plan);
    if (plan.awaits === "question") openQuestions.add(plan);
    return plan;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    async open(binding: Binding, content: PlanContent) {
      const [key] = await storage.keys();
      const bound = withKeyedHashes(binding, key);
      const createdAtMs = now();
      const id = `plan_${randomBytes(16).toString("base64url")}`;
      const plan: Plan = { ...bound, ...content, id, createdAtMs, expiresAtMs: createdAtMs + ttlMs };
      // Sequentially, because plans that are opened at the same time would all count on the same room.
      const opened = last.then(
        () => add(plan),
        () => add(plan),
      );
      last = opened;
      return opened;
    },
  };
}

type FindMethodNames = "approvedFor" | "findOwn" | "madeElsewhere" | "find" | "list";

function findMethods({ storage, now, historyOf }: PlansContext): Pick<OperatorPlans, FindMethodNames> {
  return {
    async approvedFor(callBinding) {
      const matches: { readonly plan: Plan; readonly isPresent: boolean }[] = [];
      const approved = (await storage.entries()).filter(
        ({ owner, marks }) => owner === callBinding.owner && marks.has("approved") && !marks.has("taken"),
      );
      if (approved.length === 0) return undefined;
      for (const { id } of approved) {
        const history = await storage.read(id);
        if (history === undefined || planStatusOf(history, now()) !== "approved") continue;
        const binding = await bindingKeyedLike(history.plan, callBinding, storage);
        if (isSameRequest(history.plan, binding))
          matches.push({ plan: history.plan, isPresent: history.plan.stateHash === binding.stateHash });
      }
      const newestFirst = matches.toSorted((a, b) => b.plan.createdAtMs - a.plan.createdAtMs);
      return (newestFirst.find(({ isPresent }) => isPresent) ?? newestFirst[0])?.plan.id;
    },

    async findOwn(id, owner) {
      const history = await historyOf(id);
      if (!history || !belongsTo(history.plan, owner)) return undefined;
      return { ...planRecordOf(history, now()), wasRedeemedHere: wasRedeemedBy(history, storage.holder()) };
    },

    async madeElsewhere(id, { owner, account }) {
      const plan = (await historyOf(id))?.plan;
      return plan?.owner === owner && plan.account !== account ? plan.preview.account : undefined;
    },

    async find(id) {
      const history = await historyOf(id);
      return history && planRecordOf(history, now());
    },

    async list() {
      const records: PlanRecord[] = [];
      for (const { id } of (await storage.entries()).toSorted(oldestFirst).reverse()) {
        const history = await storage.read(id);
        if (history) records.push(planRecordOf(history, now()));
      }
      return records;
    },
  };
}

/** What persons see: all plans that wait, or have waited, for a person. */
function reviewMethods({
  storage,
  now,
}: PlansContext): Pick<OperatorPlans, "waitingForPerson" | "decidedLately" | "version"> {
  return {
    async waitingForPerson(most) {
      const waiting = (await storage.entries())
        .filter((entry) => entry.awaits === "person" && !entry.marks.has("approved") && isWaiting(entry, now()))
        .toSorted(oldestFirst)
        .reverse();
      const records: PlanRecord[] = [];
      for (const { id } of waiting.slice(0, most)) {
        const history = await storage.read(id);
        if (history && planStatusOf(history, now()) === "open") records.push(planRecordOf(history, now()));
      }
      return { records, count: waiting.length };
    },

    async decidedLately(most) {
      const isDecided = ({ awaits, marks }: PlanEntry): boolean =>
        awaits === "person" && (marks.has("approved") || marks.has("taken"));
      const decided: (readonly [atMs: number, PlanRecord])[] = [];
      for (const { id } of (await storage.entries()).filter(isDecided).toSorted(oldestFirst).reverse()) {
        if (decided.length >= most) break;
        const history = await storage.read(id);
        const record = history && planRecordOf(history, now());
        const last = record && (record.refusal ?? record.approvals.at(-1));
        if (record && last) decided.push([last.atMs, record]);
      }
      return decided.toSorted(([one], [other]) => other - one).map(([, record]) => record);
    },

    async version() {
      const known = (await storage.entries())
        .filter(({ awaits }) => awaits === "person")
        .map(({ id, marks, expiresAtMs }) => [id, [...marks].sort(), expiresAtMs > now()].join());
      return createHash("sha256").update(known.sort().join("\n")).digest("base64url");
    },
  };
}

/** The members of a decision that say who made it and why. */
const approverMembers = ({ name, subject, reason }: Partial<Approver> = {}) =>
  personDecisionOf({
    by: name,
    subject: subject && {
      subject: subject.subject,
      ...(subject.issuer === undefined ? {} : { issuer: subject.issuer }),
    },
    reason: reason?.slice(0, maxReasonLength) || undefined,
  });

/** Refuses a plan that has ended or is in progress, with its outcome. */
function refuseEnded(history: PlanHistory, nowMs: number, refusalContext: RefusalContext = {}): void {
  const record = planRecordOf(history, nowMs);
  if (!isUnused(record.status)) throw refusals.ended(record, refusalContext);
}

function decisionMethods({
  storage,
  now,
  historyOf,
  end,
}: PlansContext): Pick<OperatorPlans, "approve" | "refuse" | "refuseOwn"> {
  const refuse = async (id: string, channel?: ApprovalChannel, by?: Approver): Promise<boolean> => {
    const history = await historyOf(id);
    if (history && isUnused(planStatusOf(history, now())))
      await end({
        id,
        as: "refused",
        atMs: now(),
        ...(channel === undefined ? {} : { channel }),
        ...approverMembers(by),
      });
    const after = await historyOf(id);
    return after !== undefined && planStatusOf(after, now()) === "refused";
  };
  /**
   * Records the first of two approvals, unless there is one.
   * @throws Failure `approval_refused` for a person who asked, or has approved before.
   */
  const isFirstOfTwo = async (plan: Plan, approval: ApprovalRecord & PlanMarkOf<"first">): Promise<boolean> => {
    if (isOfRequester(approval, plan)) throw refusals.ownRequest();
    if (await storage.mark("first", approval)) return true;
    const first = (await historyOf(plan.id))?.first;
    if (first === undefined || first === damaged) throw refusals.unreadableApproval();
    if (isSamePerson(first, approval)) throw refusals.approvedBefore();
    return false;
  };
  return {
    refuse,

    async refuseOwn(id, owner, channel) {
      const history = await historyOf(id);
      return history !== undefined && belongsTo(history.plan, owner) && refuse(id, channel);
    },

    async approve(id, channel, by) {
      const history = await historyOf(id);
      if (!history) throw refusals.noSuchPlan();
      if (history.plan.awaits !== "person") throw refusals.waitsForNoPerson(history.plan.awaits);
      refuseEnded(history, now());
      const approval = { id, channel, atMs: now(), ...approverMembers(by) };
      if (lacksReason(history.plan, approval)) throw refusals.needsReason();
      if (history.plan.approvers !== undefined && (await isFirstOfTwo(history.plan, approval))) return 1;
      if (await storage.mark("approved", approval)) return 0;
      // One more approval changes nothing; the earlier ones count, if they can be read.
      const after = await historyOf(id);
      if (after === undefined || missingApprovals(after.plan, approvalsOf(after)) > 0)
        throw refusals.unreadableApproval();
      return 0;
    },
  };
}

/** Ends and refuses a plan that is not valid for a call. */
async function checkBinding(
  { storage, endVoid, isUserAsked }: PlansContext,
  plan: Plan,
  callBinding: Binding,
  through: ApprovalRoute,
  refusalContext: RefusalContext,
): Promise<void> {
  const { id } = plan;
  if (through === "confirm" && isUserAsked(plan, await storage.entries())) {
    await endVoid(id, "asked");
    throw refusals.userWasAsked();
  }
  const binding = await bindingKeyedLike(plan, callBinding, storage);
  // The plan stays valid for a server with the setting under which it was made.
  if (plan.apis !== callBinding.apis) throw refusals.otherApis(plan);
  if (!isSameRequest(plan, binding)) {
    await endVoid(id, "arguments");
    throw refusals.otherArguments(plan, refusalContext);
  }
  if (callBinding.approvers !== undefined && plan.approvers === undefined) {
    await endVoid(id, "approvers");
    throw refusals.needsTwo();
  }
  // Who approved a call before its freeze did not approve it in spite of that.
  if (callBinding.breaks?.some((rule) => !plan.breaks?.includes(rule))) {
    await endVoid(id, "freeze");
    throw refusals.needsReasons();
  }
  if (plan.stateHash !== binding.stateHash) {
    await endVoid(id, "state");
    throw refusals.changedState(plan, refusalContext);
  }
}

/** How a plan is used: redeemed, sent, and settled. */
function redemptionMethods(
  context: PlansContext,
  log: (line: string) => void,
): Pick<OperatorPlans, "redeemable" | "sending" | "settle"> {
  const { storage, now, openQuestions, historyOf } = context;
  /** The plans that this process has redeemed and not settled; no others may be sent. */
  const redeemedIds = new Set<string>();
  const historyOfOwner = async (id: string, owner: string): Promise<PlanHistory> => {
    const history = await historyOf(id);
    if (history?.plan.owner !== owner) throw refusals.noSuchPlan();
    return history;
  };
  /** The function that redeems a plan that is valid for a call. */
  const redemptionOf =
    (history: PlanHistory, approvals: readonly ApprovalRecord[], refusalContext: RefusalContext): RedeemPlan =>
    async (transaction) => {
      const { plan } = history;
      const [{ atMs: approvedAtMs, ...who }, first] = approvals.toReversed() as [
        ApprovalRecord,
        ApprovalRecord | undefined,
      ];
      refuseEnded(history, now(), refusalContext);
      const process = storage.holder();
      const approved = { approvedAtMs, ...who, ...(first === undefined ? {} : { first }) };
      const taken = { id: plan.id, as: "redeemed" as const, atMs: now(), ...approved, process };
      const isFirst = await storage.mark("taken", taken, transaction);
      // Outside a transaction the plan must still exist: if it is being removed, the mark that would have stopped this
      // call may already be gone.
      const after = isFirst && transaction ? history : await historyOfOwner(plan.id, plan.owner);
      if (!isFirst) {
        refuseEnded(after, now(), refusalContext);
        throw refusals.noSuchPlan();
      }
      openQuestions.remove(plan);
      redeemedIds.add(plan.id);
      return approvals;
    };
  return {
    async redeemable(id, callBinding, through: ApprovalRoute, refusalContext: RefusalContext = {}) {
      const history = await historyOfOwner(id, callBinding.owner);
      const { plan } = history;
      refuseEnded(history, now(), refusalContext);
      if (redeemedThrough[plan.awaits] !== through) throw refusals.wrongChannel(plan.awaits);
      await checkBinding(context, plan, callBinding, through, refusalContext);
      const approvals = through === "person" ? approvalsOf(history) : [{ channel: through, atMs: now() }];
      // An approval counts as one, whichever way it came.
      if (missingApprovals(plan, approvals) > 0) throw refusals.notYetApproved(plan, approvals.length);
      return { plan, redeem: redemptionOf(history, approvals, refusalContext) };
    },

    async sending(id) {
      if (!redeemedIds.has(id)) throw refusals.notRedeemed();
      await storage.mark("sending", { id, atMs: now() });
    },

    async settle(id, { state, says, unmade, made }) {
      if (!redeemedIds.delete(id)) return;
      try {
        await storage.mark("settled", {
          id,
          atMs: now(),
          state,
          says: says.slice(0, maxSaysLength),
          ...(unmade === undefined ? {} : { unmade }),
          ...(made === undefined ? {} : { made }),
        });
      } catch (error) {
        // The result is more important than its record: without a record the status of the plan becomes `unknown`,
        // and it still approves nothing.
        if (!(error instanceof Failure)) throw error;
        log(`edgewise: the outcome of ${id} could not be recorded. ${error.message} ${error.detail.why ?? ""}`.trim());
      }
    },
  };
}

export function createPlans({
  ttlMs,
  storage = memoryPlanStorage(),
  now = Date.now,
  isConfirmEnough = false,
  log = () => undefined,
}: PlansOptions): OperatorPlans {
  const openQuestions = createOpenQuestions();
  const end: PlansContext["end"] = (mark) => storage.mark("taken", mark);
  const context: PlansContext = {
    storage,
    now,
    openQuestions,
    end,
    endVoid: (id, because) => end({ id, as: "void", atMs: now(), because }),
    isUserAsked: (plan, entries) =>
      !isConfirmEnough && openQuestions.holdBack(plan, entries, storage.isOfOneServer === true),
    historyOf: async (id) => (planIdPattern.test(id) ? storage.read(id) : undefined),
  };
  return {
    ...openMethods(context, ttlMs),
    ...findMethods(context),
    ...reviewMethods(context),
    ...decisionMethods(context),
    ...redemptionMethods(context, log),
  };
}
