/** Why a plan approves nothing: each refusal says what is so, that nothing was sent, and how to go on from there. */
import { expect, it } from "vitest";
import type { ApprovalChannel, Plan, PlanRecord } from "../../src/guard/plan.js";
import * as refusals from "../../src/guard/plans/refusals.js";
import type { Failure } from "../../src/language/failure.js";
import { holdsForEach } from "../lab/laws.js";
import { sectionsOf } from "../lab/tables.js";
import { binding, shownTo } from "./plan-binding.js";

const plan: Plan = { ...binding, ...shownTo("confirm"), id: "plan_x", createdAtMs: 0, expiresAtMs: 90_000 };
const forTwo = { ...plan, approvers: 2 } as const;
const reader = "thing_get";
const composedBy = "thing_set";
const ended = (record: Omit<PlanRecord, "plan" | "approvals">, reread: { reader?: string; composedBy?: string } = {}) =>
  refusals.ended({ plan, approvals: [], ...record }, { reader: undefined, ...reread });
const done = { status: "done", outcome: "it answered 201" } as const;
const approvedBy = (channel: ApprovalChannel) =>
  refusals.ended({ plan, ...done, approvals: [{ channel, atMs: 1_790_000_000_000 }] }, {});
const voided = { status: "void", outcome: "the reason" } as const;

/** Each refusal by what has happened; the text has its words. */
const made: Readonly<Record<string, Failure>> = {
  "no such plan": refusals.noSuchPlan(),
  "other arguments": refusals.otherArguments(plan, {}),
  "another setting of the server": refusals.otherApis({ ...plan, apis: "today" }),
  "a changed state": refusals.changedState(plan, { reader }),
  "a changed state that nothing reads": refusals.changedState(plan, {}),
  "a changed state of a composed call": refusals.changedState(plan, { reader, composedBy }),
  "a freeze that began": refusals.needsReasons(),
  "an approval without a reason": refusals.needsReason(),
  "a question without a yes": refusals.userWasAsked(),
  "a plan that waits for confirm": refusals.wrongChannel("confirm"),
  "a plan that waits for an answer": refusals.wrongChannel("question"),
  "a plan that the policy has allowed": refusals.wrongChannel("policy"),
  "a plan that waits for a person": refusals.wrongChannel("person"),
  "no approval yet": refusals.notYetApproved(plan, 0),
  "no approval of two yet": refusals.notYetApproved(forTwo, 0),
  "one approval of two": refusals.notYetApproved(forTwo, 1),
  "two persons since": refusals.needsTwo(),
  "an approval by who asked": refusals.ownRequest(),
  "a second approval by one person": refusals.approvedBefore(),
  "a damaged approval": refusals.unreadableApproval(),
  "an approval of what waits for confirm": refusals.waitsForNoPerson("confirm"),
  "an approval of what waits for an answer": refusals.waitsForNoPerson("question"),
  "sending without redeeming": refusals.notRedeemed(),
  "a plan that was refused": ended({ status: "refused" }),
  "a plan that was refused for a reason": ended({ status: "refused", refusal: { atMs: 0, reason: "not\nnow" } }),
  "a void plan": ended({ status: "void" }, { reader }),
  "a plan void by its state": ended({ ...voided, voidBecause: "state" }, { reader }),
  "a plan void by a state that nothing reads": ended({ ...voided, voidBecause: "state" }),
  "a composed plan void by its state": ended({ ...voided, voidBecause: "state" }, { reader, composedBy }),
  "a composed plan void by its arguments": ended({ ...voided, voidBecause: "arguments" }, { reader, composedBy }),
  "a plan that has expired": ended({ status: "expired" }),
  "a redeemed plan": ended({ status: "redeemed", outcome: "it runs" }, { reader }),
  "a plan that is sent": ended({ status: "sending", outcome: "it runs" }, { reader }),
  "a plan that is done": ended(done, { reader }),
  "a composed plan that is done": ended(done, { reader, composedBy }),
  "a plan that has failed": ended({ status: "failed", outcome: "it answered 400" }, { reader }),
  "a plan that was not sent": ended({ status: "not_sent", outcome: "it ended" }, { reader }),
  "an unknown outcome": ended({ status: "unknown", outcome: "no answer" }, { reader }),
  "an unknown outcome of a composed call": ended({ status: "unknown", outcome: "no answer" }, { reader, composedBy }),
  "an unknown outcome that nothing reads": ended({ status: "unknown", outcome: "no answer" }),
  "a plan used with confirm": approvedBy("confirm"),
  "a plan used by an answer": approvedBy("elicitation"),
  "a plan used at a terminal": approvedBy("terminal"),
  "a plan used on a page": approvedBy("page"),
  "a plan used by the policy": approvedBy("policy"),
  "too many plans": refusals.tooMany(2_000),
  "too large a plan": refusals.previewTooLarge(9_000),
};

it("each refusal says what is so, why and what to do, as recorded", () => {
  const texts = sectionsOf("guard/refusals.txt");
  return holdsForEach(Object.entries(made), (title, { code, message, detail }) => {
    expect([code, message, detail.why, detail.next]).toEqual(texts.get(title));
    expect(detail).not.toHaveProperty("changed");
  });
});

it("each refusal of a call says that nothing was sent", () => {
  const ofNoCall = [
    "a damaged approval",
    "an approval of what waits for confirm",
    "an approval of what waits for an answer",
  ];
  const others = Object.entries(made).filter(([title]) => !ofNoCall.includes(title));
  return holdsForEach(others, (_, { detail }) => expect(detail.why).toContain("Nothing was sent"));
});

it("a refusal says where a void plan differs, as far as that is known", () => {
  const changed = [{ at: "x", from: 1, to: 2 }];
  const seen: unknown[] = [];
  const differences = (...all: unknown[]) => {
    seen.push(all);
    return changed;
  };
  expect(refusals.otherArguments(plan, { differences }).detail.changed).toBe(changed);
  expect(refusals.changedState(plan, { differences }).detail.changed).toBe(changed);
  expect(seen).toEqual([
    [plan, "arguments"],
    [plan, "state"],
  ]);
  expect(refusals.changedState(plan, { differences: () => [] }).detail).not.toHaveProperty("changed");
});
