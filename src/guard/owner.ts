/** Whose a plan is, in one text: a principal, and a session of theirs where there are sessions. */

const sessionMark = "/session:";

/** The owner for a principal, whose name holds no slash. */
export const ownerOfPlans = (principal: string, session: string | undefined): string =>
  session === undefined ? principal : `${principal}${sessionMark}${session}`;

/** Who an owner is, whatever session they came in. */
export const principalOf = (owner: string): string => owner.split(sessionMark, 1)[0] ?? owner;
