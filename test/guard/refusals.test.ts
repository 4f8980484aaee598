/** Why a plan approves nothing: each refusal says what is so, that nothing was sent, and how to go on from there. */
import { describe, expect, it } from "vitest";
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

const newPreview = /^Call the tool without confirm to get a new preview, and have that approved\.$/;
const readAgain = /^Read it again with thing_get, and decide based on its present state\.$/;
const readSomehow = /^Read the object of the call again, and decide based on its present state\.$/;
const composeAgain = /^Call thing_set again without confirm: it reads the present state and previews .* approved\.$/;
const wrongChannel = /^This plan cannot be approved in this way\.$/;
const waitsForNoPerson = /^This plan does not wait for a person's approval\.$/;
const used = /^This plan has been used\.$/;

it.each<[() => Failure, what: RegExp, why: RegExp, next: RegExp]>([
  [
    () => refusals.noSuchPlan(),
    /^There is no such plan\.$/,
    /and belongs to the client that it was shown to/,
    /^Call the tool without confirm to get a new preview, and have that approved\.$/,
  ],
  [
    () => refusals.otherArguments(plan, {}),
    /not the arguments that were approved/,
    /exactly the previewed/,
    newPreview,
  ],
  [
    () => refusals.changedState(plan, { reader: "thing_get" }),
    /state has changed since the preview/,
    /the plan is void/,
    readAgain,
  ],
  [() => refusals.changedState(plan, {}), /state has changed since the preview/, /the plan is void/, readSomehow],
  [
    () => refusals.changedState(plan, { reader: "thing_get", composedBy: "thing_set" }),
    /state has changed since the preview/,
    /the plan is void/,
    composeAgain,
  ],
  [
    () => refusals.wasAsked(),
    /^The user was asked and has not said yes\.$/,
    /confirm does not replace their answer; the plan is void\. Nothing was sent\.$/,
    /^Call the tool without confirm: the user is asked again, or a person approves the new plan outside this/,
  ],
  [
    () => refusals.wrongChannel("confirm"),
    wrongChannel,
    /^It can only be approved with confirm\. .* the plan was not changed\.$/,
    /^Show the/,
  ],
  [
    () => refusals.wrongChannel("question"),
    wrongChannel,
    /^It can only be approved by the user's answer/,
    /the user is asked again/,
  ],
  [() => refusals.wrongChannel("policy"), wrongChannel, /^The policy allowed it/, /^Call the tool without confirm\.$/],
  [() => refusals.wrongChannel("person"), wrongChannel, /^It can only be approved by a person/, /`edgewise approve`/],
  [
    () => refusals.notYetApproved(plan, 0),
    /^No person has approved/,
    /^It can only be approved by a person/,
    /`edgewise approve`/,
  ],
  [
    () => refusals.notYetApproved({ ...plan, approvers: 2 }, 0),
    /^Two persons have to approve this plan, and no one has yet\.$/,
    /is none of the two\. Nothing was sent\.$/,
    /`edgewise approve`/,
  ],
  [
    () => refusals.notYetApproved({ ...plan, approvers: 2 }, 1),
    /^Two persons have to approve this plan, and only one has\.$/,
    /is none of the two\. Nothing was sent\.$/,
    /`edgewise approve`/,
  ],
  [() => refusals.needsTwo(), /^Two persons have to approve/, /the plan is void/, /^Call the tool without confirm/],
  [() => refusals.ownRequest(), /^Who asked for a change/, /it was not changed/, /^Have two other persons approve it/],
  [() => refusals.approvedBefore(), /approved the plan already/, /Nothing was sent/, /^Have another person approve/],
  [() => refusals.notRedeemed(), /does not permit sending/, /not redeemed by this process/, newPreview],
  [
    () => ended("refused"),
    /^This plan was refused\.$/,
    /cannot be approved/,
    /^Do not ask again unless the user wants it\.$/,
  ],
  [
    () => ended("void", "thing_get", "the reason", undefined, { voidBecause: "state" }),
    /^This plan is void\.$/,
    /^A void plan cannot be approved: the reason\./,
    readAgain,
  ],
  [
    () => ended("void", undefined, undefined, undefined, { voidBecause: "state" }),
    /^This plan is void\.$/,
    /^A void plan cannot be approved: \./,
    readSomehow,
  ],
  [
    () => ended("void", "thing_get", "the reason", undefined, { voidBecause: "state", composedBy: "thing_set" }),
    /^This plan is void\.$/,
    /^A void plan cannot be approved: the reason\./,
    composeAgain,
  ],
  [
    () => ended("void", "thing_get", "the reason", undefined, { voidBecause: "arguments", composedBy: "thing_set" }),
    /^This plan is void\.$/,
    /^A void plan cannot be approved: the reason\./,
    newPreview,
  ],
  [() => ended("void", "thing_get"), /^This plan is void\.$/, /^A void plan cannot be approved: \./, newPreview],
  [
    () => ended("done", "r", "it answered 201", undefined, { composedBy: "thing_set" }),
    used,
    /^It answered 201\. /,
    /^It is done: do not repeat it\./,
  ],
  [
    () => ended("unknown", "thing_get", "no answer", undefined, { composedBy: "thing_set" }),
    used,
    /^No answer\. /,
    /^Find out with thing_get whether it happened/,
  ],
  [() => ended("expired"), /^This plan has expired\.$/, /^It was valid until 1970-01-01T00:01:30\.000Z\. /, newPreview],
  [() => ended("redeemed", "r", "it runs"), used, /^It runs\. Nothing was sent this time\.$/, /^Wait for the result/],
  [() => ended("sending", "r", "it runs"), used, /^It runs\. Nothing was sent this time\.$/, /^Wait for the result/],
  [() => ended("done", "r", "it answered 201"), used, /^It answered 201\. /, /^It is done: do not repeat it\./],
  [() => ended("failed", "r", "it answered 400"), used, /^It answered 400\. /, /^Correct what its outcome names/],
  [() => ended("not_sent", "r", "it ended"), used, /^It ended\. /, newPreview],
  [
    () => ended("unknown", "thing_get", "no answer"),
    used,
    /^No answer\. /,
    /^Find out with thing_get whether it happened/,
  ],
  [
    () => ended("unknown", undefined, "no answer"),
    used,
    /^No answer\. /,
    /^Find out whether it happened before you do anything/,
  ],
])("case %#", (made, what, why, next) => {
  const failure = made();
  expect(failure.code).toBe("approval_refused");
  expect(failure.message).toMatch(what);
  expect(failure.detail.why).toMatch(why);
  expect(failure.detail.why).toContain("Nothing was sent");
  expect(failure.detail.next).toMatch(next);
  expect(failure.detail).not.toHaveProperty("changed");
});

it.each<[Awaited, RegExp]>([
  ["confirm", /^It can only be approved with confirm\. It was not changed\.$/],
  ["question", /^It can only be approved by the user's answer .* It was not changed\.$/],
])("is left as it was when a person would approve what waits for %s", (awaits, why) => {
  const { message, detail } = refusals.waitsForNoPerson(awaits);
  expect(message).toMatch(waitsForNoPerson);
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

describe("a bound says how much there may be, and what to do", () => {
  it.each([
    [
      () => refusals.tooMany(2_000),
      "not_allowed",
      /too many open plans\.$/,
      /^At most 2000 plans .* Nothing was sent\.$/,
      /wait/,
    ],
    [
      () => refusals.tooLarge(9_000),
      "too_large",
      /too large to be stored/,
      /up to 9000 bytes\. Nothing was sent\.$/,
      /^Split/,
    ],
  ])("case %#", (made, code, what, why, next) => {
    const failure = made();
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(what);
    expect(failure.detail.why).toMatch(why);
    expect(failure.detail.next).toMatch(next);
  });
});

it("says where a void plan differs from what is asked or there now, as far as that is known", () => {
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
