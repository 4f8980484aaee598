/** Which approvals of a plan count: how many it needs, and which come from one person or from its requester. */
import { type Identity, nameKey } from "../../policy/principal.js";
import type { ApprovalRecord, Plan } from "../plan.js";

type PersonApproval = Pick<ApprovalRecord, "channel" | "by" | "subject">;

const identityOf = ({ by, subject }: PersonApproval): Identity | undefined =>
  subject ?? (by === undefined ? undefined : { subject: by });

/**
 * Subjects of issuers are compared exactly (RFC 7519, section 4.1.2). A name without an issuer may belong to anyone who
 * has it with an issuer, or in another file: only names that nobody could mistake for each other are certainly of two
 * persons.
 */
const isSame = (identity: Identity, other: Identity): boolean =>
  identity.issuer === undefined || other.issuer === undefined
    ? nameKey(identity.subject) === nameKey(other.subject)
    : identity.issuer === other.issuer && identity.subject === other.subject;

/** Whether two approvals may come from one person. All users of terminals count as one, the local operator. */
export function isSamePerson(approval: PersonApproval, other: PersonApproval): boolean {
  const [first, second] = [identityOf(approval), identityOf(other)];
  if (first === undefined || second === undefined) return true;
  return (approval.channel === "terminal" && other.channel === "terminal") || isSame(first, second);
}

/** Whether an approval may come from the requester of the change, who is the local operator if none is recorded. */
export function isOfRequester(approval: PersonApproval, { requester }: Pick<Plan, "requester">): boolean {
  if (requester === undefined) return approval.channel === "terminal";
  const identity = identityOf(approval);
  return identity === undefined || isSame(identity, requester);
}

/** Whether an approval lacks the reason that the plan needs: a text that has letters or digits which can be seen. */
export const lacksReason = (
  { breaks }: Pick<Plan, "breaks">,
  { reason = "" }: Pick<ApprovalRecord, "reason">,
): boolean => breaks !== undefined && !/[\p{L}\p{N}]/u.test(nameKey(reason));

/** How many more persons have to approve a plan. */
export function missingApprovals(
  plan: Pick<Plan, "approvers" | "requester" | "breaks">,
  approvals: readonly (PersonApproval & Pick<ApprovalRecord, "reason">)[],
): number {
  if (plan.approvers === undefined) return approvals.length === 0 ? 1 : 0;
  const counted: PersonApproval[] = [];
  for (const one of approvals)
    if (!isOfRequester(one, plan) && !lacksReason(plan, one) && !counted.some((other) => isSamePerson(one, other)))
      counted.push(one);
  return Math.max(0, plan.approvers - counted.length);
}
