/** The refusals of plans, in words: why, and what to do instead. */
import { Failure, type FailureDetail } from "../../language/failure.js";
import { onOneLine } from "../../text/marks.js";
import type { FieldDifference } from "../difference.js";
import type { ApprovalChannel, AwaitedApproval, Plan, PlanRecord, RefusalContext } from "../plan.js";

/** What to do next, with the words for a shell where they differ. */
type NextSteps = Pick<FailureDetail, "next" | "atShell">;
type Next = string | NextSteps;

/** A refusal with our own text; only the differences contain values of the caller and the upstream. */
function refusal(what: string, why: string, next: Next, changed: readonly FieldDifference[] = []): Failure {
  const told = typeof next === "string" ? { next } : next;
  return new Failure("approval_refused", what, { why, ...told, ...(changed.length === 0 ? {} : { changed }) });
}

const sameLine = "Run the same line again: it previews the present state, and asks again.";

/** How to get a new preview: at a shell by the same line, which also asks. */
const previewBy = (next: string): NextSteps => ({ next, atShell: { next: sameLine } });

const newPreview = previewBy("Call the tool without confirm to get a new preview, and have that approved.");
const timestampText = (ms: number): string => new Date(ms).toISOString();

/** After a change of state the composed request is outdated, so a new preview of it would not help. */
function readAgain({ reader, composedBy }: RefusalContext): Next {
  if (composedBy !== undefined)
    return previewBy(
      `Call ${composedBy} again without confirm: it reads the present state and previews the change for it. Have the new preview approved.`,
    );
  return reader === undefined
    ? "Read the object of the call again, and decide based on its present state."
    : `Read it again with ${reader}, and decide based on its present state.`;
}

const findOut = ({ reader }: RefusalContext): string =>
  reader === undefined
    ? "Find out whether it happened before you do anything else."
    : `Find out with ${reader} whether it happened before you do anything else.`;

/** The same for an unknown id and for another owner's plan, so that ids cannot be probed. */
export const noSuchPlan = (): Failure =>
  refusal(
    "There is no such plan.",
    "A preview creates a plan, which expires and belongs to the client that it was shown to. Nothing was sent.",
    newPreview,
  );

export const otherArguments = (plan: Plan, { differences }: RefusalContext): Failure =>
  refusal(
    "These are not the arguments that were approved.",
    "A plan is valid only for exactly the previewed call, and this one differs; the plan is void. Nothing was sent.",
    newPreview,
    differences?.(plan, "arguments"),
  );

/** The setting of the server under which a plan was made, as the end of a sentence. */
export const apisSettingOf = ({ apis }: Pick<Plan, "apis">): string => `a server with --apis ${apis ?? "documents"}`;

export const otherApis = (plan: Plan): Failure =>
  refusal(
    `This plan was made on ${apisSettingOf(plan)}.`,
    "This server offers other APIs, where the same call may do something else. Nothing was sent, and the plan was not changed.",
    previewBy(`Call the tool without confirm to get a new preview here, or confirm it on ${apisSettingOf(plan)}.`),
  );

export const changedState = (plan: Plan, refusalContext: RefusalContext): Failure =>
  refusal(
    "The state has changed since the preview.",
    "The approved change is not what would happen now; the plan is void. Nothing was sent.",
    readAgain(refusalContext),
    refusalContext.differences?.(plan, "state"),
  );

/** For a plan for `confirm` if the user could be asked after all, and was. */
export const userWasAsked = (): Failure =>
  refusal(
    "The user was asked and has not said yes.",
    "If a user can be asked, confirm does not replace their answer; the plan is void. Nothing was sent.",
    {
      next: "Call the tool without confirm: the user is asked again, or a person approves the new plan outside this conversation.",
      atShell: { why: "Only the user's answer approves it; the plan is void. Nothing was sent.", next: sameLine },
    },
  );

interface WaitingSteps extends NextSteps {
  readonly why: string;
}

const waitsFor: Readonly<Record<AwaitedApproval, WaitingSteps>> = {
  confirm: {
    why: "It can only be approved with confirm.",
    next: "Show the preview to the user, and call the tool again with the same arguments and confirm.",
  },
  question: {
    why: "It can only be approved by the user's answer to the question that showed it.",
    ...previewBy("Call the tool without confirm, so that the user is asked again."),
  },
  policy: {
    why: "The policy allowed it when it was created, for that call only.",
    ...previewBy("Call the tool without confirm."),
  },
  person: {
    why: "It can only be approved by a person outside this conversation.",
    next: "Have a person approve it, for example at a terminal with `edgewise approve` and the plan's id, then repeat the call with the same arguments and without confirm.",
    atShell: {
      why: "It can only be approved by a person.",
      next: "Approve it at a terminal with `edgewise approve` and its id, then run the same line again.",
    },
  },
};

/** A refusal of a plan because of what it waits for, and what has become of it. */
function waitingRefusal(what: string, awaits: AwaitedApproval, then: string): Failure {
  const { why, atShell, next } = waitsFor[awaits];
  const whyAtShell = atShell?.why === undefined ? {} : { why: `${atShell.why} ${then}` };
  return refusal(what, `${why} ${then}`, { next, ...(atShell && { atShell: { ...atShell, ...whyAtShell } }) });
}

/** For a plan that waits for a different kind of approval; it is not changed. */
export const wrongChannel = (awaits: AwaitedApproval): Failure =>
  waitingRefusal(
    "This plan cannot be approved in this way.",
    awaits,
    "Nothing was sent, and the plan was not changed.",
  );

/** @param approvals How many persons have approved it. */
export const notYetApproved = ({ approvers }: Plan, approvals: number): Failure =>
  approvers === undefined
    ? waitingRefusal("No person has approved this plan yet.", "person", "Nothing was sent.")
    : waitingRefusal(
        `Two persons have to approve this plan, and ${approvals === 0 ? "no one has yet" : "only one has"}.`,
        "person",
        "The one who asked for it is none of the two. Nothing was sent.",
      );

/** For an approval by the person who made the call, where two others have to approve it. */
export const ownRequest = (): Failure =>
  refusal(
    "Who asked for a change is none of the two persons who approve it.",
    "The plan was made with the same name, or for the local user of this machine; it was not changed. Nothing was sent.",
    "Have two other persons approve it, for example at the approvals desk.",
  );

/** For the second approval of one person. */
export const approvedBefore = (): Failure =>
  refusal(
    "This person has approved the plan already.",
    "Two different persons have to approve it; all users of terminals count as one. The plan was not changed. Nothing was sent.",
    "Have another person approve it, for example at the approvals desk.",
  );

/** For a plan that waits for one person, if the policy has required two since then. */
export const needsTwo = (): Failure =>
  refusal(
    "Two persons have to approve this call.",
    "The policy did not ask for that when the plan was made; the plan is void. Nothing was sent.",
    previewBy("Call the tool without confirm to get a new preview, which two persons can approve."),
  );

/** For a plan that was made before the freeze which its call would break. */
export const needsReasons = (): Failure =>
  refusal(
    "A freeze has begun since this plan was made.",
    "Two persons can let the call through, each with a reason, and this plan did not ask them; it is void. Nothing was sent.",
    previewBy("Call the tool without confirm to get a new preview, which two persons can approve if it cannot wait."),
  );

/** For an approval without the reason that its plan needs. */
export const needsReason = (): Failure =>
  refusal(
    "Approving this call needs a reason.",
    "It breaks a freeze, and the reason goes on record. The plan was not changed. Nothing was sent.",
    {
      next: "Approve it again with a reason.",
      atShell: { next: "Run the same line again with --reason TEXT." },
    },
  );

/** For a person's approval of a plan that does not wait for one. */
export const waitsForNoPerson = (awaits: AwaitedApproval): Failure =>
  refusal(
    "This plan does not wait for a person's approval.",
    `${waitsFor[awaits].why} It was not changed.`,
    "Start the server with --approval human, and have the call previewed again.",
  );

/** For a recorded approval that cannot be read; a plan cannot be approved twice. */
export const unreadableApproval = (): Failure =>
  refusal(
    "This plan cannot be approved.",
    "The file with its approval is damaged, and a damaged file approves nothing.",
    "Have the call previewed again, and approve the new plan.",
  );

const through: Readonly<Record<ApprovalChannel, string>> = {
  confirm: "with confirm",
  elicitation: "in answer to a question",
  terminal: "at a terminal",
  page: "on a page",
  policy: "by the policy",
};

/**
 * Why a plan that no longer waits approves nothing: its outcome, and what to do now.
 * @param refusalContext How to read the state again.
 */
export function ended(record: PlanRecord, refusalContext: RefusalContext): Failure {
  const { plan, status, approvals, refusal: refused, outcome, voidBecause } = record;
  const because = outcome ?? "";
  const used = (next: Next): Failure => {
    const last = approvals.at(-1);
    const how = last === undefined ? "" : `It was approved ${through[last.channel]} at ${timestampText(last.atMs)}; `;
    const why = `${how}${because}.`;
    return refusal(
      "This plan has been used.",
      `${why.charAt(0).toUpperCase()}${why.slice(1)} Nothing was sent this time.`,
      next,
    );
  };
  switch (status) {
    case "refused": {
      const reason = refused?.reason === undefined ? "" : ` The reason given: ${onOneLine(refused.reason)}.`;
      return refusal("This plan was refused.", `A refused plan cannot be approved.${reason} Nothing was sent.`, {
        next: "Do not ask again unless the user wants it.",
        atShell: { next: "Run the same line again if it is wanted after all." },
      });
    }
    case "void":
      return refusal(
        "This plan is void.",
        `A void plan cannot be approved: ${because}. Nothing was sent.`,
        voidBecause === "state" ? readAgain(refusalContext) : newPreview,
      );
    case "expired":
      return refusal(
        "This plan has expired.",
        `It was valid until ${timestampText(plan.expiresAtMs)}. Nothing was sent.`,
        newPreview,
      );
    case "redeemed":
    case "sending":
      return used("Wait for the result of the call that uses it.");
    case "done":
      return used("It is done: do not repeat it. A further change needs a new preview.");
    case "failed":
      return used({
        next: "Correct what its outcome names, and call the tool without confirm to get a new preview.",
        atShell: { next: "Correct what its outcome names, and run the line again: it previews, and asks again." },
      });
    case "not_sent":
      return used(newPreview);
    default:
      return used(findOut(refusalContext));
  }
}

export const tooMany = (max: number): Failure =>
  new Failure("not_allowed", "There are too many open plans.", {
    why: `At most ${max} plans can wait at a time, across all clients, and a new one never displaces another client's. Nothing was sent.`,
    next: "Have open plans approved or refused, or wait until they expire; then call the tool again.",
  });

export const previewTooLarge = (maxBytes: number): Failure =>
  new Failure("too_large", "The preview of this call is too large to be stored until it is approved.", {
    why: `A plan can have up to ${maxBytes} bytes. Nothing was sent.`,
    next: "Split the change into smaller calls.",
  });

/** For a request that is about to be sent under a plan that does not permit it, or no longer does. */
export const notRedeemed = (): Failure =>
  refusal(
    "This plan does not permit sending.",
    "It was not redeemed by this process, or its outcome is already recorded. Nothing was sent.",
    newPreview,
  );
