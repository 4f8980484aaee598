/** The life of plans against a model of it: whatever happens in whatever order, one approved request at most. */
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { Awaited, OperatorPlans, Through } from "../../src/guard/plan.js";
import { createPlans } from "../../src/guard/plans/index.js";
import type { Storage } from "../../src/guard/plans/storage.js";
import { binding, shownTo } from "../guard/plan-binding.js";
import { removeDirectories, stores } from "../guard/plan-stores.js";
import { redeemed } from "../guard/redeemed.js";
import { runs } from "../lab/depth.js";
import { promise } from "../lab/rules.js";

const ttlMs = 50;
const own: Readonly<Record<Awaited, Through>> = {
  confirm: "confirm",
  question: "elicitation",
  person: "person",
  policy: "policy",
};

const people = ["asker", "ann", "bob"] as const;

/** What must be true of a plan, kept apart from the product's own reading of its marks. */
interface Modelled {
  readonly id: string;
  readonly awaits: Awaited;
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

const awaited = fc.constantFrom<Awaited>("confirm", "question", "person");
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
      through: fc.option(fc.constantFrom<Through>("confirm", "elicitation", "person"), { nil: undefined }),
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

const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );

async function follow(storage: Storage, history: readonly Step[]): Promise<void> {
  let now = 1_000;
  const processes: OperatorPlans[] = [0, 1].map(() => createPlans({ ttlMs, storage, now: () => now }));
  const [first] = processes;
  const modelled: Modelled[] = [];
  /** Whether a question was put that was not answered with yes, as far as a process can know; the first one puts all. */
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
    const isWaiting = !model.isOver && model.redeemedBy === undefined && now - model.bornAt < ttlMs;
    if (one.act === "approve") {
      const { by } = one;
      const isTaken = await succeeds((processes[one.process] as OperatorPlans).approve(id, "page", { name: by }));
      // A third person's approval is taken and not counted; nobody is refused who approves alone.
      const isFirst = [...model.approvedBy][0] === by;
      expect(isTaken).toBe(isWaiting && model.awaits === "person" && !(model.isForTwo && (by === "asker" || isFirst)));
      if (isTaken) model.approvedBy.add(by);
    } else if (one.act === "refuse") {
      model.isRefused ||= isWaiting;
      expect(await first?.refuse(id)).toBe(model.isRefused);
      if (isWaiting) model.isOver = true;
    } else {
      const plans = processes[one.process] as OperatorPlans;
      if (one.act === "sending") {
        const begins = model.redeemedBy === one.process && !model.isSettled;
        expect(await succeeds(plans.sending(id))).toBe(begins);
        model.hasBegun ||= begins;
      } else if (one.act === "settle") {
        await plans.settle(id, { state: "done", says: "it answered 201" });
        if (model.redeemedBy === one.process) model.isSettled = true;
      } else {
        const through = one.through ?? own[model.awaits];
        const given = one.change === undefined ? binding : { ...binding, [one.change]: "other" };
        const isRight = through === own[model.awaits];
        const isThrough = await succeeds(redeemed(plans, id, given, through));
        const hasApproval = model.awaits !== "person" || isApproved(model);
        const standsAgainst = model.awaits === "confirm" && hasAsked(one.process);
        expect(isThrough).toBe(isWaiting && isRight && one.change === undefined && hasApproval && !standsAgainst);
        if (isThrough) model.redeemedBy = one.process;
        else if (isWaiting && isRight && one.change !== "owner" && (one.change !== undefined || standsAgainst))
          model.isOver = true;
      }
    }
  }
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
