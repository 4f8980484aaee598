/** The worst model with every mechanism of the catalogue: whatever it forges, replays, alters or races, nothing is changed without an approval. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { directoryStorage } from "../../src/guard/plans/directory.js";
import type { Arguments } from "../../src/language/conduct.js";
import { isRead } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { batchTool, restoreTool } from "../../src/language/own-tools.js";
import { noPolicy } from "../../src/policy/index.js";
import { inDepth, isDeep, runs } from "../lab/depth.js";
import { folder } from "../lab/files.js";
import { holdsForEach } from "../lab/laws.js";
import { sampled } from "../lab/mechanisms.js";
import { promise } from "../lab/rules.js";
import { asking, begin, digestOf, honestly, model, planOf, prepared, stranger } from "./model.js";
import { fewExamples, guarded, guardsIn, mechanismsOfApprovals, type Target, targets } from "./targets.js";

const random = (): string => `plan_${randomBytes(16).toString("base64url")}`;
const kindOf = ({ kind }: Outcome): string => kind;
const refusalOf = (outcome: Outcome): string => (outcome.kind === "failure" ? outcome.failure.code : outcome.kind);
const isMade = ({ kind }: Outcome): boolean => kind === "answer" || kind === "workflow";

// A plan is looked up in one place for all tools: a few of them are tried with all that may be forged.
const thorough = new Set(inDepth(targets, targets.slice(0, 2)));
// What becomes of an answer is decided by the guard alone, by itself, in a batch and on its way back.
const ofEachGuard = inDepth(
  targets,
  sampled(targets, ({ tool, mechanisms, isUndo = false }) => [
    `${tool === batchTool} ${isUndo}`,
    ...mechanisms.filter((word) => word.startsWith("guard kind")),
  ]),
);

/** What a model might take for a plan's id, given one. */
const forgeriesOf = (id: string): readonly unknown[] => [
  ...[true, "true", "yes", [id], { id }, id.slice(0, -1), `${id}A`, id.toUpperCase()],
  ...[` ${id}`, `${id}\n`, id.replace("plan_", "PLAN_"), `../plans/${id}`],
];

/** Whether there is something to approve: of some changes there is no way back. */
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
    // What stands for none is a call without an approval.
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
    for (const one of desks) for (const caller of [model, asking]) await one.call(target.tool, confirmed, caller);
    expect(digestOf(await changes())).toBe((await desk.plans.find(plan))?.plan.preview.digest);
    expect((await recorder.changes()).filter(({ operation }) => isRead(operation))).toEqual([]);
  });
  // From some changes there is no way back, and so nothing to approve.
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
      // What was confirmed with other arguments is used up for its own as well.
      expect(refusalOf(await desk.call(target.tool, { ...args, confirm: plan }))).toBe("approval_refused");
      if (!isDeep) break;
    }
    expect(await changes()).toEqual([]);
    expect(refusals).not.toContain("answer");
    expect(refusals.length).toBeGreaterThan(0);
    if (!target.mayFindNothing) expect(refusals).toContain("approval_refused");
  }),
);

it("a user's answer: one request for one yes of that user", () =>
  holdsForEach(ofEachGuard, async (target) => {
    const setting = begin();
    const [desk, other] = setting.desks;
    const { args, changes } = await prepared(setting, target);
    const first = await desk.call(target.tool, args, asking);
    if (!(await isOpenTo(target, first))) return;
    const declined = planOf(first);
    const answer = (plan: string, isApproved: boolean, desks = desk) =>
      desks.call(target.tool, args, { ...asking, decision: { plan, isApproved } });
    expect(refusalOf(await answer(declined, false))).toBe("declined");
    expect(refusalOf(await answer(declined, true))).toBe("approval_refused");
    expect(refusalOf(await desk.call(target.tool, { ...args, confirm: declined }))).toBe("approval_refused");
    const inVain = planOf(await desk.call(target.tool, args, asking));
    expect(refusalOf(await desk.call(target.tool, { ...args, confirm: inVain }))).toBe("approval_refused");
    const fallback = planOf(await desk.call(target.tool, args, { ...asking, unanswered: inVain }));
    expect(refusalOf(await desk.call(target.tool, { ...args, confirm: fallback }))).toBe("approval_refused");
    expect(refusalOf(await answer(inVain, true))).toBe("approval_refused");
    const plan = planOf(await desk.call(target.tool, args, asking));
    const strange = { ...stranger, supportsElicitation: true, decision: { plan, isApproved: true } };
    const unknown = target.isUndo ? "not_found" : "approval_refused";
    expect(refusalOf(await desk.call(target.tool, args, strange))).toBe(unknown);
    expect(await changes()).toEqual([]);
    const raced = await Promise.all([desk, other, desk, other].map((one) => answer(plan, true, one)));
    expect(raced.filter(isMade)).toHaveLength(1);
    expect(digestOf(await changes())).toBe((await desk.plans.find(plan))?.plan.preview.digest);
  }));

it(promise("two-processes-one-request", "two processes that share a directory send one request"), async () => {
  // One place keeps the plans of all tools, and each of them is synced to the disk several times.
  const few = inDepth(
    targets,
    targets.filter((_, at) => at % 12 === 0),
  );
  await holdsForEach(few, async (target) => {
    const setting = begin({}, directoryStorage(folder()));
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
  // What is declared about an answer is not shown, and its schemas can hold themselves.
  JSON.stringify(shown, (name, value) => (name === "declared" ? undefined : value)).match(/plan_[\w-]{22}/g) ?? [];

describe("a model that knows all that it was shown", () => {
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
        example: fc.constantFrom(...fewExamples),
        way: fc.constantFrom("plain", "asking", "confirm", "confirm", "decision", "unanswered"),
        pick: fc.nat(),
      }),
      { numRuns: runs(60), seed: 8 },
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

  it("in any order, a confirm makes its own change and no other, once", async () => {
    const { desks, recorder } = begin({ policy: watched });
    const [desk, other] = desks;
    const shown: { readonly tool: string; readonly args: Arguments; readonly plan: string }[] = [];
    const steps = fc.sample(
      fc.record({
        target: fc.constantFrom(...fewExamples),
        pick: fc.nat(),
        isMixedUp: fc.boolean(),
        isOther: fc.boolean(),
      }),
      { numRuns: runs(25), seed: 9 },
    );
    for (const { target, pick, isMixedUp, isOther } of steps) {
      const [tool, args] = target;
      const outcome = await desk.call(tool, args);
      if (outcome.kind === "preview") shown.push({ tool, args, plan: outcome.plan.id });
      const one = shown[pick % Math.max(1, shown.length)];
      if (!one) continue;
      const call = isMixedUp ? { tool, args } : one;
      await (isOther ? other : desk).call(call.tool, { ...call.args, confirm: one.plan });
    }
    const sent = (await recorder.changes()).map((one) => digestOf([one]));
    const used = (await desk.plans.list()).filter(({ status }) => ["done", "failed", "unknown"].includes(status));
    const single = used.filter(({ plan }) => plan.preview.target !== "2 calls");
    expect(single.length).toBeGreaterThan(3);
    for (const { plan } of single) expect(sent).toContain(plan.preview.digest);
    const inBatches = (used.length - single.length) * 2;
    expect(sent).toHaveLength(single.length + inBatches);
  });
});

it("every guarded operation is shown first, and a made-up id makes none", async () => {
  const { desks, recorder } = begin();
  const [desk] = desks;
  const shown = inDepth(
    guarded,
    guarded.filter((_, at) => at % 8 === 0),
  );
  await holdsForEach(shown, async (tool, { spec }) => {
    const args = resolvedExample(spec.example, Date.now());
    const kinds = [await desk.call(tool, args), await desk.call(tool, { ...args, confirm: random() })].map(kindOf);
    const sent = await recorder.changes();
    recorder.reset();
    expect([kinds, sent]).toEqual([["preview", "failure"], []]);
  });
});

it("targets: each mechanism by itself, in a batch and on its way back", () => {
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
