/** A hostile model with every mechanism: whatever it forges, replays, alters or races, no change without an approval. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import type { Arguments } from "../../src/language/conduct.js";
import { isRead } from "../../src/language/effect.js";
import { batchTool, restoreTool } from "../../src/language/server-tools.js";
import { noPolicy } from "../../src/policy/index.js";
import { inDepth, isDeep, runs } from "../lab/depth.js";
import { folder } from "../lab/files.js";
import { holdsForEach } from "../lab/laws.js";
import { promise } from "../lab/rules.js";
import { asking, begin, digestOf, honestly, model, planOf, prepared, stranger } from "./model.js";
import { fewExamples, guardsIn, mechanismsOfApprovals, type Target, targets, tools } from "./targets.js";

const random = (): string => `plan_${randomBytes(16).toString("base64url")}`;
const kindOf = ({ kind }: Outcome): string => kind;
const refusalOf = (outcome: Outcome): string => (outcome.kind === "failure" ? outcome.failure.code : outcome.kind);
const isMade = ({ kind }: Outcome): boolean => kind === "answer" || kind === "workflow";

// All tools look up plans in one place, so only a few of them are tried with every forgery.
const thorough = new Set(inDepth(targets, targets.slice(0, 2)));

/** Values that a model might send instead of a plan's id, which it has. */
const forgeriesOf = (id: string): readonly unknown[] => [
  ...[true, "true", "yes", [id], { id }, id.slice(0, -1), `${id}A`, id.toUpperCase()],
  ...[` ${id}`, `${id}\n`, id.replace("plan_", "PLAN_"), `../plans/${id}`],
];

/** Whether there is something to approve: some changes have no undo. */
async function isOpenTo(target: Target, outcome: Outcome): Promise<boolean> {
  if (outcome.kind !== "failure") return true;
  if (target.isUndo !== true) throw new Error(outcome.failure.message);
  return false;
}

it(promise("shown-request-once", "one approval: one request, as shown, and none for a forged id"), async () => {
  const attacked = new Set<Target>();
  await holdsForEach(targets, async (target) => {
    const setting = begin();
    const { desks, recorder } = setting;
    const [desk, other] = desks;
    const { args, changes } = await prepared(setting, target);
    const first = await desk.call(target.tool, args);
    if (!(await isOpenTo(target, first))) {
      expect(refusalOf(await desk.call(target.tool, { ...args, confirm: random() }))).not.toBe("answer");
      expect(await changes()).toEqual([]);
      return;
    }
    attacked.add(target);
    const plan = planOf(first);
    const attempts: Outcome[] = [];
    const forged: unknown[] = [random()];
    if (thorough.has(target)) {
      const ofAnother = target.isUndo ? random() : planOf(await other.call(target.tool, args, stranger));
      const foreign = targets.find(({ tool, prepare }) => tool !== target.tool && prepare.length === 0) as Target;
      const ofOtherTool = planOf(await desk.call(foreign.tool, await foreign.prepare(honestly(desk))));
      forged.push(ofAnother, ofOtherTool, ...forgeriesOf(plan));
      for (const id of [random(), plan, ofAnother])
        attempts.push(await other.call(target.tool, args, { ...asking, decision: { plan: id, isApproved: true } }));
    }
    // A value that means an absent one makes it a call without an approval.
    for (const confirm of thorough.has(target) ? ["", null] : [])
      expect(kindOf(await desk.call(target.tool, { ...args, confirm } as Arguments))).toBe("preview");
    for (const confirm of forged) attempts.push(await desk.call(target.tool, { ...args, confirm } as Arguments));
    attempts.push(await desk.call(target.tool, { ...args, confirm: plan }, stranger));
    attempts.push(await desk.call(target.tool, { ...args, confirm: plan }, { ...model, isReadOnly: true }));
    expect(attempts.map(kindOf)).toEqual(attempts.map(() => "failure"));
    expect(await changes()).toEqual([]);

    const confirmed = { ...args, confirm: plan };
    const raced = await Promise.all([desk, other, desk, other].map((one) => one.call(target.tool, confirmed)));
    expect(raced.filter(isMade)).toHaveLength(1);
    for (const [one, caller] of [
      [desk, model],
      [other, asking],
    ] as const)
      await one.call(target.tool, confirmed, caller);
    expect(digestOf(await changes())).toBe((await desk.plans.find(plan))?.plan.preview.digest);
    expect((await recorder.changes()).filter(({ operation }) => isRead(operation))).toEqual([]);
  });
  // Some changes have no undo, and so nothing to approve.
  expect(targets.filter((target) => target.isUndo !== true && !attacked.has(target))).toEqual([]);
  expect([...attacked].some((target) => target.isUndo === true)).toBe(true);
});

it(promise("arguments-as-shown", "an approval is void with other arguments than those shown"), () =>
  holdsForEach(targets, async (target) => {
    const setting = begin();
    const [desk] = setting.desks;
    const { args, changes } = await prepared(setting, target);
    if (!(await isOpenTo(target, await desk.call(target.tool, args)))) return;
    const refusals: string[] = [];
    for (const other of await target.alter(args)) {
      const plan = planOf(await desk.call(target.tool, args));
      const decision = { plan: planOf(await desk.call(target.tool, args, asking)), isApproved: true };
      const refused = [
        refusalOf(await desk.call(target.tool, { ...other, confirm: plan })),
        refusalOf(await desk.call(target.tool, other, { ...asking, decision })),
      ];
      refusals.push(...refused);
      if (!refused.includes("approval_refused")) continue;
      // A plan that was confirmed with other arguments is used up for its own, too.
      expect(refusalOf(await desk.call(target.tool, { ...args, confirm: plan }))).toBe("approval_refused");
      if (!isDeep) break;
    }
    expect(await changes()).toEqual([]);
    expect(refusals).not.toContain("answer");
    expect(refusals.length).toBeGreaterThan(0);
    if (!target.mayFindNothing) expect(refusals).toContain("approval_refused");
  }),
);

it(promise("two-processes-one-request", "two processes that share a directory send one request"), async () => {
  // One place keeps the plans of all tools, and each of them is synced to the disk several times.
  const few = inDepth(
    targets,
    targets.filter((_, at) => at % 12 === 0),
  );
  await holdsForEach(few, async (target) => {
    const setting = begin({}, directoryPlanStorage(folder()));
    const [desk, other] = setting.desks;
    const { args, changes } = await prepared(setting, target);
    const first = await desk.call(target.tool, args);
    if (!(await isOpenTo(target, first))) return;
    const confirmed = { ...args, confirm: planOf(first) };
    const raced = await Promise.all([desk, other, desk, other].map((one) => one.call(target.tool, confirmed)));
    expect(raced.filter(isMade)).toHaveLength(1);
    expect(digestOf(await changes())).toBe((await other.plans.find(planOf(first)))?.plan.preview.digest);
  });
});

/** The ids of plans in anything that a model was shown. */
const idsIn = (shown: unknown): string[] =>
  // The declaration in an outcome is not shown to the model, and its schemas can be recursive.
  JSON.stringify(shown, (name, value) => (name === "declared" ? undefined : value)).match(/plan_[\w-]{22}/g) ?? [];

// Other reads show no plan.
const telling = fewExamples.filter(([tool, args]) => tools.get(tool)?.effect !== "read" || "plan" in args);
const watched = {
  ...noPolicy,
  rules: [{ id: "all", effect: "approve", tiers: ["write", "guarded", "critical"] }] as const,
};

it(promise("people-only", "in any order, a model changes nothing where only people approve"), async () => {
  const { desks, recorder } = begin({ approval: "human", policy: watched });
  const [desk] = desks;
  const known: string[] = [random()];
  const steps = fc.sample(
    fc.record({
      example: fc.constantFrom(...telling),
      way: fc.constantFrom("plain", "asking", "confirm", "confirm", "decision", "unanswered"),
      pick: fc.nat(),
    }),
    { numRuns: runs(30), seed: 8 },
  );
  for (const { example, way, pick } of steps) {
    const [tool, given] = example;
    const plan = known[pick % known.length] as string;
    const args = "plan" in given ? { ...given, plan } : given;
    const outcome = await desk.call(
      tool,
      way === "confirm" ? { ...args, confirm: plan } : args,
      way === "plain" || way === "confirm"
        ? model
        : {
            ...asking,
            ...(way === "decision" ? { decision: { plan, isApproved: false } } : {}),
            ...(way === "unanswered" ? { unanswered: plan } : {}),
          },
    );
    known.push(...idsIn(outcome));
  }
  expect(known.length).toBeGreaterThan(5);
  expect(await recorder.changes()).toEqual([]);
});

it("the targets cover each mechanism alone, in a batch and in an undo", () => {
  const mechanismsIn = (some: readonly Target[]) => new Set(some.flatMap(({ mechanisms }) => mechanisms));
  expect(mechanismsOfApprovals.size).toBeGreaterThan(20);
  const own = [batchTool, restoreTool];
  const single = targets.filter(({ tool, mechanisms }) => !own.includes(tool) && !mechanisms.includes("composed"));
  expect(mechanismsIn(single)).toEqual(mechanismsOfApprovals);
  for (const name of own)
    expect(new Set(guardsIn(mechanismsIn(targets.filter(({ tool }) => tool === name))))).toEqual(
      new Set(guardsIn(mechanismsOfApprovals)),
    );
});
