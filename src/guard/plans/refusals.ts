/** Why a plan does not approve a call, in words: what happened to it, and what to do instead. */
import { Failure } from "../../language/failure.js";
import type { Difference } from "../difference.js";
import type { Awaited, Channel, Plan, PlanRecord, Reread } from "../plan.js";

/** A refusal; its text is ours alone. What differs holds values of the caller and of the upstream, by their places. */
function refusal(what: string, why: string, next: string, changed: readonly Difference[] = []): Failure {
  return new Failure("approval_refused", what, { why, next, ...(changed.length === 0 ? {} : { changed }) });
}

const newPreview = "Call the tool without confirm to get a new preview, and have that approved.";
const at = (ms: number): string => new Date(ms).toISOString();

/** After a change of state, what was about to be sent was built on the old one: a new preview of it would be no better. */
function readAgain({ reader, composedBy }: Reread): string {
  if (composedBy !== undefined)
    return `Call ${composedBy} again without confirm: it reads what is there now and previews the change made from that. Have the new preview approved.`;
  return reader === undefined
    ? "Read what the call would change again, and decide on what is there now."
    : `Read it again with ${reader} and decide on what is there now.`;
}

const findOut = ({ reader }: Reread): string =>
  reader === undefined
    ? "Find out whether it happened before anything is done again."
    : `Find out with ${reader} whether it happened before anything is done again.`;

/**
 * The same for an id that never was and for somebody else's plan, so that ids cannot be tried out. It says what a client
 * has to know that opens a session for each call: it would otherwise go from preview to preview.
 */
export const noSuchPlan = (): Failure =>
  refusal(
    "There is no such plan.",
    "A preview creates a plan, which is kept for its owner alone, over HTTP often one session, and not for ever. Nothing was sent.",
    "Call the tool without confirm to get a new preview, have that approved, and confirm it in the same session.",
  );

export const otherArguments = (plan: Plan, { differences }: Reread): Failure =>
  refusal(
    "These are not the arguments that were approved.",
    "A plan holds for exactly the call that was previewed, and this one differs; the plan is void. Nothing was sent.",
    newPreview,
    differences?.(plan, "arguments"),
  );

export const changedState = (plan: Plan, reread: Reread): Failure =>
  refusal(
    "The state has changed since the preview.",
    "What was approved is not what would happen now; the plan is void. Nothing was sent.",
    readAgain(reread),
    reread.differences?.(plan, "state"),
  );

/** A plan for `confirm` whose user could be asked after all, and was. */
export const wasAsked = (): Failure =>
  refusal(
    "The user was asked and has not said yes.",
    "Where a user can be asked, confirm does not take the place of their answer; the plan is void. Nothing was sent.",
    "Call the tool without confirm: the user is asked anew, or a person approves the new plan outside this conversation.",
  );

const waitsFor: Readonly<Record<Awaited, readonly [why: string, next: string]>> = {
  confirm: [
    "It waits for confirm, and only for that.",
    "Show the preview to the user, and call the tool again with the same arguments and confirm.",
  ],
  question: [
    "It waits for the user's answer to the question that showed it, and only for that.",
    "Call the tool without confirm, so that the user is asked again.",
  ],
  policy: [
    "The policy allowed it when it was made, and it went with that call alone.",
    "Call the tool without confirm.",
  ],
  person: [
    "It waits for a person's approval outside this conversation, and only for that.",
    "Have a person approve it, such as with `edgewise approve` and the plan's id at a terminal, and repeat the call with the same arguments and without confirm.",
  ],
};

/** A plan that was brought in another way than it waits for; it stays as it is. */
export function wrongChannel(awaits: Awaited): Failure {
  const [why, next] = waitsFor[awaits];
  return refusal(
    "This plan is not approved in that way.",
    `${why} Nothing was sent, and the plan stays as it was.`,
    next,
  );
}

export const notYetApproved = (): Failure =>
  refusal("No person has approved this plan yet.", `${waitsFor.person[0]} Nothing was sent.`, waitsFor.person[1]);

/** A person's approval of a plan that does not wait for one. */
export const waitsForNoPerson = (awaits: Awaited): Failure =>
  refusal(
    "This plan does not wait for a person's approval.",
    `${waitsFor[awaits][0]} It was left as it was.`,
    "Start the server so that a person approves, and have the call previewed again.",
  );

/** An approval that was recorded and cannot be read; there is no second one. */
export const unreadableApproval = (): Failure =>
  refusal(
    "This plan cannot be approved.",
    "The file of its approval is damaged, and a damaged file approves nothing.",
    "Have the call previewed again, and approve the new plan.",
  );

const through: Readonly<Record<Channel, string>> = {
  confirm: "with confirm",
  elicitation: "in answer to a question",
  terminal: "at a terminal",
  page: "on a page",
  policy: "by the policy",
};

/**
 * Why a plan that no longer waits approves nothing: what became of it, and how to go on from there.
 * @param reread How the state is read again.
 */
export function ended({ plan, status, approval, outcome, voidBecause }: PlanRecord, reread: Reread): Failure {
  const because = outcome ?? "";
  const used = (next: string): Failure => {
    const how = approval === undefined ? "" : `It was approved ${through[approval.channel]} at ${at(approval.atMs)}; `;
    const why = `${how}${because}.`;
    return refusal(
      "This plan has been used.",
      `${why.charAt(0).toUpperCase()}${why.slice(1)} Nothing was sent this time.`,
      next,
    );
  };
  switch (status) {
    case "refused":
      return refusal(
        "This plan was refused.",
        "A refused plan stays refused. Nothing was sent.",
        "Do not ask again unless the user wants it.",
      );
    case "void":
      return refusal(
        "This plan is void.",
        `A void plan stays void: ${because}. Nothing was sent.`,
        voidBecause === "state" ? readAgain(reread) : newPreview,
      );
    case "expired":
      return refusal(
        "This plan has expired.",
        `It was valid until ${at(plan.expiresAtMs)}. Nothing was sent.`,
        newPreview,
      );
    case "redeemed":
    case "sending":
      return used("Wait for the answer of the call that uses it.");
    case "done":
      return used("It is done: do not repeat it. A further change takes a preview of its own.");
    case "failed":
      return used("Correct what its outcome names, and call the tool without confirm to get a new preview.");
    case "not_sent":
      return used(newPreview);
    default:
      return used(findOut(reread));
  }
}

export const tooMany = (max: number): Failure =>
  new Failure("not_allowed", "There are too many open plans.", {
    why: `At most ${max} plans can wait at a time, over all clients, and a new one never ends another client's. Nothing was sent.`,
    next: "Have open plans approved or refused, or wait until they expire; then call the tool again.",
  });

export const tooLarge = (maxBytes: number): Failure =>
  new Failure("too_large", "The preview of this call is too large to be kept until it is approved.", {
    why: `A plan takes up to ${maxBytes} bytes. Nothing was sent.`,
    next: "Divide the change into smaller calls.",
  });

/** A request that is about to be sent under a plan that does not, or no longer, permit it. */
export const notRedeemed = (): Failure =>
  refusal(
    "This plan does not permit sending.",
    "It was not redeemed by this process, or its outcome is recorded already. Nothing was sent.",
    newPreview,
  );
