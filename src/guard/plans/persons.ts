/** Which approvals of a plan count: how many it needs, and which are of one person or of who asked. */
import { type Identity, nameKey } from "../../policy/principal.js";
import type { ApprovalRecord, Plan } from "../plan.js";

type PersonApproval = Pick<ApprovalRecord, "channel" | "by" | "subject">;

const identityOf = ({ by, subject }: PersonApproval): Identity | undefined =>
  subject ?? (by === undefined ? undefined : { subject: by });

/**
 * Subjects of issuers are exact (RFC 7519, section 4.1.2). A name without an issuer may be that of anyone who has it with
 * one, or in another file: only names that no one takes for one are certainly two.
 */
const isSame = (one: Identity, other: Identity): boolean =>
  one.issuer === undefined || other.issuer === undefined
    ? nameKey(one.subject) === nameKey(other.subject)
    : one.issuer === other.issuer && one.subject === other.subject;

/** Whether two approvals may be of one person. All users of terminals count as one, the local operator. */
export function isSamePerson(one: PersonApproval, other: PersonApproval): boolean {
  const [first, second] = [identityOf(one), identityOf(other)];
  if (first === undefined || second === undefined) return true;
  return (one.channel === "terminal" && other.channel === "terminal") || isSame(first, second);
}

/** Whether an approval may be of who asked for the change; without a requester, that is the local operator. */
export function isOfRequester(approval: PersonApproval, { requester }: Pick<Plan, "requester">): boolean {
  if (requester === undefined) return approval.channel === "terminal";
  const identity = identityOf(approval);
  return identity === undefined || isSame(identity, requester);
}

/** How many more persons have to approve a plan. */
export function missingApprovals(
  plan: Pick<Plan, "approvers" | "requester">,
  approvals: readonly PersonApproval[],
): number {
  if (plan.approvers === undefined) return approvals.length === 0 ? 1 : 0;
  const counted: PersonApproval[] = [];
  for (const one of approvals)
    if (!isOfRequester(one, plan) && !counted.some((other) => isSamePerson(one, other))) counted.push(one);
  return Math.max(0, plan.approvers - counted.length);
}
