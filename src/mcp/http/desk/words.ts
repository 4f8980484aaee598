/** What the desk says of a plan in words: who asked and from where, who decided and why, and what became of it. */
import { principalOf } from "../../../guard/plan.js";
import { isOfRequester, isSamePerson } from "../../../guard/plans/persons.js";
import { escapeHtml, timeHtml } from "./frame.js";
import type { ShownPlan, ShownRecord } from "./review.js";
import { approverOf, type DeskSession } from "./session.js";

type Status = ShownRecord["status"];

/** A heading, and a text about what happened and what happens next. */
export type PageMessage = readonly [title: string, text: string];

const askAgain = "If it is still wanted, have the assistant preview it again.";

/** What became of plans that are no longer open. */
const endMessages: Readonly<Record<Exclude<Status, "open">, PageMessage>> = {
  approved: [
    "Approved",
    "The assistant can make the call now, once and before the plan expires. There is nothing more to do here.",
  ],
  redeemed: ["Approved", "Its call is in progress."],
  sending: ["Approved", "Its call is in progress."],
  done: ["Approved", "Its call was made."],
  failed: ["Approved", "Its call failed."],
  unknown: ["Approved", "Its call was sent, and its outcome is unknown."],
  not_sent: ["Approved", `Its call was never sent. ${askAgain}`],
  refused: ["Refused", `Nothing was sent. ${askAgain}`],
  void: ["No longer valid", `This plan ended without a decision, and nothing was sent. ${askAgain}`],
  expired: ["Expired", `Nothing was sent. ${askAgain}`],
};

/** What became of a plan; undefined while it waits. */
export function endMessage({ plan, status }: ShownRecord, nowMs: number): PageMessage | undefined {
  if (status !== "open") return endMessages[status];
  return plan.expiresAtMs <= nowMs ? endMessages.expired : undefined;
}

const local = "the local user";

/** Who asked for a change, as HTML. */
export const requesterHtml = ({ owner, requester }: ShownPlan): string =>
  escapeHtml(requester?.subject ?? (owner === "local" ? local : principalOf(owner)));

/** The program and the OAuth client that a request came from, as HTML; undefined if neither is known. */
export function requestSourceHtml({ requester }: ShownPlan): string | undefined {
  const { software, client } = requester ?? {};
  const parts = [...(software === undefined ? [] : [software]), ...(client === undefined ? [] : [`client ${client}`])];
  return parts.length === 0 ? undefined : escapeHtml(parts.join(", "));
}

const places: Readonly<Record<string, string>> = { terminal: " at a terminal", elicitation: " in the client" };

type Decision = ShownRecord["approvals"][number] | NonNullable<ShownRecord["refusal"]>;

/** Who decided, where, when and why, as HTML: `by dave at 12:00:00 UTC: “reason”`. */
const decisionHtml = ({ by, channel = "page", atMs, reason }: Decision, nowMs: number): string =>
  `by ${by === undefined ? "a person" : `<strong>${escapeHtml(by)}</strong>`}${places[channel] ?? ""} at ${timeHtml(atMs, nowMs)}` +
  (reason === undefined ? "" : `: <q>${escapeHtml(reason)}</q>`);

/** How many of the approvals that a plan needs it has; undefined if one is enough. */
export const approvedSoFar = ({ plan, approvals }: ShownRecord): string | undefined =>
  plan.approvers === undefined ? undefined : `${approvals.length} of ${plan.approvers} approved`;

/** Every decision on a plan, as the items of a list. */
export const decisionItems = ({ approvals, refusal }: ShownRecord, nowMs: number): readonly string[] => [
  ...approvals.map((one) => `Approved ${decisionHtml(one, nowMs)}`),
  ...(refusal === undefined ? [] : [`Refused ${decisionHtml(refusal, nowMs)}`]),
];

/** Why this person cannot approve an open plan, as the guard would refuse it; undefined if they can. */
export function approvalObstacle({ plan, approvals }: ShownRecord, session: DeskSession): string | undefined {
  if (plan.approvers === undefined) return undefined;
  const { name, subject } = approverOf(session);
  const approval = { channel: "page" as const, by: name, subject };
  if (isOfRequester(approval, plan)) return "You asked for this change, so two others have to approve it.";
  return approvals.some((one) => isSamePerson(one, approval))
    ? "You have approved this change; someone else has to approve it, too."
    : undefined;
}

/** The networks that a plan acts on. */
export const networkNames = ({ actsOn, network }: ShownPlan["preview"]): string =>
  (actsOn ?? (network === undefined ? [] : [network])).map((one) => one.toUpperCase()).join(" and ");

export const tierHtml = (tier: string): string =>
  `<span class="${tier === "critical" ? "tier critical" : "tier"}">${escapeHtml(tier)}</span>`;
