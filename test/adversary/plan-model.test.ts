/** The life of plans against a model of it: whatever happens in whatever order, one approved request at most. */
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { ApprovalRoute, AwaitedApproval, OperatorPlans } from "../../src/guard/plan.js";
import { createPlans } from "../../src/guard/plans/index.js";
import type { PlanStorage } from "../../src/guard/plans/storage.js";
import { binding, shownTo } from "../guard/plan-binding.js";
import { removeDirectories, stores } from "../guard/plan-stores.js";
import { redeemed } from "../guard/redeemed.js";
import { runs } from "../lab/depth.js";
import { promise } from "../lab/rules.js";

const ttlMs = 50;
const own: Readonly<Record<AwaitedApproval, ApprovalRoute>> = {
  confirm: "confirm",
  question: "elicitation",
  person: "person",
  policy: "policy",
};

const people = ["asker", "ann", "bob"] as const;

/** What must be true of a plan, independent of how the product itself reads its marks. */
interface Modelled {
  readonly id: string;
  readonly awaits: AwaitedApproval;
  readonly bornAt: number;
  readonly isForTwo: boolean;
  readonly approvedBy: Set<string>;
  isOver: boolean;
  isRefused: boolean;
  isSettled: boolean;
  hasBegun: boolean;
  redeemedBy: number | undefined;
}

const isApproved = ({ isForTwo, approvedBy }: Modelled): boolean => approvedBy.size >= (isForTwo ? 2 : 1);

const awaited = fc.constantFrom<AwaitedApproval>("confirm", "question", "person");
const which = fc.nat(3);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ act: fc.constant("open" as const), awaits: awaited, isForTwo: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("approve" as const),
      which,
      by: fc.constantFrom(...people),
      process: fc.nat(1),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant("redeem" as const),
      which,
      through: fc.option(fc.constantFrom<ApprovalRoute>("confirm", "elicitation", "person"), { nil: undefined }),
      change: fc.option(fc.constantFrom("owner", "requestHash", "stateHash", "account", "tool"), {
        nil: undefined,
        freq: 4,
      }),
      process: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("sending" as const), which, process: fc.nat(1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("settle" as const), which, process: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("refuse" as const), which }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 30 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The message of a refused attempt; undefined if it succeeds. */
const refusalOf = (attempt: Promise<unknown>): Promise<string | undefined> =>
  attempt.then(
    () => undefined,
    ({ message }: Error) => message,
  );

/** Why a plan that has ended can neither be approved nor redeemed; undefined while it waits. */
function endOf({ isOver, isRefused, redeemedBy, bornAt }: Modelled, now: number): string | undefined {
  if (redeemedBy !== undefined) return "This plan has been used.";
  if (isOver) return isRefused ? "This plan was refused." : "This plan is void.";
  return now - bornAt < ttlMs ? undefined : "This plan has expired.";
}

function whyNotApproved({ awaits, isForTwo, approvedBy }: Modelled, by: string, end?: string): string | undefined {
  if (awaits !== "person") return "This plan does not wait for a person's approval.";
  if (end !== undefined || !isForTwo) return end;
  if (by === "asker") return "Who asked for a change is none of the two persons who approve it.";
  // A third person's approval is accepted but not counted; a sole approver is never refused.
  return [...approvedBy][0] === by ? "This person has approved the plan already." : undefined;
}

function whyUnapproved({ isForTwo, approvedBy: { size } }: Modelled): string {
  const soFar = size === 0 ? "no one has yet" : "only one has";
  return isForTwo ? `Two persons have to approve this plan, and ${soFar}.` : "No person has approved this plan yet.";
}

async function follow(storage: PlanStorage, history: readonly Step[]): Promise<void> {
  let now = 1_000;
  const processes: OperatorPlans[] = [0, 1].map(() => createPlans({ ttlMs, storage, now: () => now }));
  const [first] = processes;
  const modelled: Modelled[] = [];
  /** Whether, as far as a process can know, a question was not answered with yes; the first process asks them all. */
  const hasAsked = (process: number): boolean =>
    modelled.some(
      ({ awaits, hasBegun, isSettled, redeemedBy }) =>
        awaits === "question" && (!(hasBegun || isSettled) || (process === 0 && redeemedBy !== 0)),
    );
  for (const one of history) {
    if (one.act === "wait") now += one.ms;
    if (one.act === "open") {
      const isForTwo = one.isForTwo && one.awaits === "person";
      const bound = isForTwo ? { ...binding, approvers: 2 as const } : binding;
      const plan = await first?.open(bound, { ...shownTo(one.awaits), requester: { subject: "asker" } });
      const awaits = one.awaits === "confirm" && hasAsked(0) ? "person" : one.awaits;
      const fresh = { isOver: false, isRefused: false, isSettled: false, hasBegun: false, redeemedBy: undefined };
      expect(plan?.awaits).toBe(awaits);
      modelled.push({ id: plan?.id ?? "", awaits, isForTwo, approvedBy: new Set(), bornAt: now, ...fresh });
    }
    if (!("which" in one) || modelled.length === 0) continue;
    const model = modelled[one.which % modelled.length] as Modelled;
    const { id } = model;
    const end = endOf(model, now);
    if (one.act === "approve") {
      const approval = (processes[one.process] as OperatorPlans).approve(id, "page", { name: one.by });
      const why = whyNotApproved(model, one.by, end);
      expect(await refusalOf(approval)).toBe(why);
      if (why === undefined) model.approvedBy.add(one.by);
    } else if (one.act === "refuse") {
      model.isRefused ||= end === undefined;
      expect(await first?.refuse(id)).toBe(model.isRefused);
      if (end === undefined) model.isOver = true;
    } else {
      const plans = processes[one.process] as OperatorPlans;
      if (one.act === "sending") {
        const begins = model.redeemedBy === one.process && !model.isSettled;
        expect(await refusalOf(plans.sending(id))).toBe(begins ? undefined : "This plan does not permit sending.");
        model.hasBegun ||= begins;
      } else if (one.act === "settle") {
        await plans.settle(id, { state: "done", says: "it answered 201" });
        if (model.redeemedBy === one.process) model.isSettled = true;
      } else {
        const through = one.through ?? own[model.awaits];
        const given = one.change === undefined ? binding : { ...binding, [one.change]: "other" };
        const makesVoid =
          (model.awaits === "confirm" && hasAsked(one.process) && "The user was asked and has not said yes.") ||
          (one.change === "stateHash" && "The state has changed since the preview.") ||
          (one.change && "These are not the arguments that were approved.");
        const why =
          (one.change === "owner" && "There is no such plan.") ||
          end ||
          (through !== own[model.awaits] && "This plan cannot be approved in this way.") ||
          makesVoid ||
          (model.awaits === "person" && !isApproved(model) && whyUnapproved(model)) ||
          undefined;
        expect(await refusalOf(redeemed(plans, id, given, through))).toBe(why);
        if (why === undefined) model.redeemedBy = one.process;
        else if (why === makesVoid) model.isOver = true;
      }
    }
  }
  const approved = modelled.filter((model) => isApproved(model) && endOf(model, now) === undefined);
  const ids = approved.map(({ id }) => id);
  expect(ids.length === 0 ? [undefined] : ids).toContain(await first?.approvedFor(binding));
  for (const model of modelled) {
    const { id, redeemedBy, isSettled, isOver, bornAt } = model;
    const status = (await first?.find(id))?.status;
    if (isSettled) expect(status).toBe("done");
    else if (redeemedBy !== undefined) expect(["redeemed", "sending"]).toContain(status);
    else if (isOver) expect(["refused", "void"]).toContain(status);
    else expect(status).toBe(now - bornAt >= ttlMs ? "expired" : isApproved(model) ? "approved" : "open");
  }
}

afterAll(removeDirectories);

// A history in memory takes a hundredth of the time of one with files or a database.
it.each(stores.map(([where, storage]) => [runs(where === "in memory" ? 600 : 8), where, storage] as const))(
  promise("plan-model", "a plan follows its model in %i histories %s"),
  async (numRuns, _, storage) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), (history) => follow(storage(), history)),
      { numRuns },
    );
  },
);
