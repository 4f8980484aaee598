/** Why a plan approves nothing: each refusal says what is so, that nothing was sent, and how to go on from there. */
import { expect, it } from "vitest";
import type { Awaited, Channel, Plan, PlanStatus, VoidBecause } from "../../src/guard/plan.js";
import * as refusals from "../../src/guard/plans/refusals.js";
import type { Failure } from "../../src/language/failure.js";
import { binding, shownTo } from "./plan-binding.js";

const plan: Plan = { ...binding, ...shownTo("confirm"), id: "plan_x", createdAtMs: 0, expiresAtMs: 90_000 };
const atMs = 1_790_000_000_000;
const ended = (
  status: PlanStatus,
  reader?: string,
  outcome?: string,
  channel?: Channel,
  more: { readonly voidBecause?: VoidBecause; readonly composedBy?: string } = {},
): Failure =>
  refusals.ended(
    {
      plan,
      status,
      ...(outcome === undefined ? {} : { outcome }),
      approvals: channel === undefined ? [] : [{ channel, atMs }],
      ...(more.voidBecause === undefined ? {} : { voidBecause: more.voidBecause }),
    },
    { reader, composedBy: more.composedBy },
  );

const readAgain = "Read it again with thing_get";
const readSomehow = "Read the object of the call again";
const newPreview = "Call the tool without confirm to get a new preview";
const composeAgain = "Call thing_set again without confirm";
const other = "cannot be approved in this way";
const used = "This plan has been used.";
const isVoid = "This plan is void.";
const forTwo = { ...plan, approvers: 2 } as const;
const composed = { voidBecause: "state", composedBy: "thing_set" } as const;
const composedBy = "thing_set";
const voided = (reader: string | undefined, more: Parameters<typeof ended>[4]) =>
  ended("void", reader, "the reason", undefined, more);

it.each<[made: () => Failure, what: string, why: string, next: string]>([
  [() => refusals.noSuchPlan(), "There is no such plan.", "belongs to the client that it was shown to", newPreview],
  [() => refusals.otherArguments(plan, {}), "not the arguments that were", "exactly the previewed", newPreview],
  [() => refusals.changedState(plan, { reader: "thing_get" }), "state has changed", "the plan is void", readAgain],
  [() => refusals.changedState(plan, {}), "state has changed", "the plan is void", readSomehow],
  [() => refusals.changedState(plan, { reader: "r", composedBy }), "state has changed", "is void", composeAgain],
  [() => refusals.wasAsked(), "has not said yes.", "the plan is void.", "the user is asked again, or a person"],
  [() => refusals.wrongChannel("confirm"), other, "only be approved with confirm. ", "Show the"],
  [() => refusals.wrongChannel("question"), other, "only be approved by the user's answer", "the user is asked again"],
  [() => refusals.wrongChannel("policy"), other, "The policy allowed it", "Call the tool without confirm."],
  [() => refusals.wrongChannel("person"), other, "only be approved by a person", "`edgewise approve`"],
  [() => refusals.notYetApproved(plan, 0), "No person has", "only be approved by a person", "`edgewise approve`"],
  [() => refusals.notYetApproved(forTwo, 0), "no one has yet.", "is none of the two.", "`edgewise approve`"],
  [() => refusals.notYetApproved(forTwo, 1), "only one has.", "is none of the two.", "`edgewise approve`"],
  [() => refusals.needsTwo(), "Two persons have to", "the plan is void", "Call the tool without confirm"],
  [() => refusals.ownRequest(), "Who asked for a change", "it was not changed", "Have two other persons approve it"],
  [() => refusals.approvedBefore(), "approved the plan already", "Nothing was sent", "Have another person approve"],
  [() => refusals.notRedeemed(), "not permit sending", "not redeemed by this process", newPreview],
  [() => ended("refused"), "This plan was refused.", "cannot be approved", "Do not ask again unless the user wants"],
  [() => voided("thing_get", { voidBecause: "state" }), isVoid, "be approved: the reason.", readAgain],
  [() => ended("void", undefined, undefined, undefined, { voidBecause: "state" }), isVoid, "approved: .", readSomehow],
  [() => voided("thing_get", composed), isVoid, "be approved: the reason.", composeAgain],
  [() => voided("thing_get", { ...composed, voidBecause: "arguments" }), isVoid, "the reason.", newPreview],
  [() => ended("void", "thing_get"), isVoid, "A void plan cannot be approved: .", newPreview],
  [() => ended("done", "r", "it did", undefined, { composedBy }), used, "It did. ", "It is done: do not repeat it."],
  [() => ended("unknown", "r", "it", undefined, { composedBy }), used, "It. ", "Find out with r whether it happened"],
  [() => ended("expired"), "This plan has expired.", "It was valid until 1970-01-01T00:01:30.000Z. ", newPreview],
  [() => ended("redeemed", "r", "it runs"), used, "It runs. Nothing was sent this time.", "Wait for the result"],
  [() => ended("sending", "r", "it runs"), used, "It runs. Nothing was sent this time.", "Wait for the result"],
  [() => ended("done", "r", "it answered 201"), used, "It answered 201. ", "It is done: do not repeat it."],
  [() => ended("failed", "r", "it answered 400"), used, "It answered 400. ", "Correct what its outcome names"],
  [() => ended("not_sent", "r", "it ended"), used, "It ended. ", newPreview],
  [() => ended("unknown", "thing_get", "no answer"), used, "No answer. ", "Find out with thing_get whether it"],
  [() => ended("unknown", undefined, "no answer"), used, "No answer. ", "Find out whether it happened before"],
])("a refusal says what is so and how to go on, case %#", (made, what, why, next) => {
  const { code, message, detail } = made();
  expect([code, message]).toEqual(["approval_refused", expect.stringContaining(what)]);
  expect(detail.why).toContain(why);
  expect(detail.why).toContain("Nothing was sent");
  expect(detail.next).toContain(next);
  expect(detail).not.toHaveProperty("changed");
});

it.each<[Awaited, RegExp]>([
  ["confirm", /^It can only be approved with confirm\. It was not changed\.$/],
  ["question", /^It can only be approved by the user's answer .* It was not changed\.$/],
])("is left as it was when a person would approve what waits for %s", (awaits, why) => {
  const { message, detail } = refusals.waitsForNoPerson(awaits);
  expect(message).toBe("This plan does not wait for a person's approval.");
  expect(detail.why).toMatch(why);
  expect(detail.next).toMatch(/^Start the server with --approval human/);
});

it("approves nothing by a damaged approval, and takes a new plan", () => {
  const { code, message, detail } = refusals.unreadableApproval();
  expect([code, message]).toEqual(["approval_refused", "This plan cannot be approved."]);
  expect(detail.why).toContain("a damaged file approves nothing");
  expect(detail.next).toContain("approve the new plan");
});

it.each<[Channel, string]>([
  ["confirm", "with confirm"],
  ["elicitation", "in answer to a question"],
  ["terminal", "at a terminal"],
  ["page", "on a page"],
  ["policy", "by the policy"],
])("says that a plan was approved through %s, and when", (channel, how) => {
  expect(ended("done", undefined, "it answered 201", channel).detail.why).toBe(
    `It was approved ${how} at 2026-09-21T14:13:20.000Z; it answered 201. Nothing was sent this time.`,
  );
});

it.each([
  [() => refusals.tooMany(2_000), "not_allowed", "At most 2000 plans ", "wait"],
  [() => refusals.tooLarge(9_000), "too_large", "up to 9000 bytes. Nothing was sent.", "Split"],
])("a bound says how much there may be and what to do, case %#", (made, code, why, next) => {
  const failure = made();
  expect(failure.code).toBe(code);
  expect(failure.detail.why).toContain(why);
  expect(failure.detail.next).toContain(next);
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
