/** What a change to a version needs besides its schema: that the version was never activated. */
import type { Check } from "../../language/check.js";
import { problem } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";

/** The sentence that names the way on from a version that cannot be changed any more. */
const takesDraft = (maker: string) =>
  `a version that was never activated, because this one's content is fixed; make a new one with ${maker}`;

/**
 * Refuses a change of the rules of a version that is being or was activated (public facts B, 4). A change of the
 * description alone goes to the API, which takes it.
 */
export const rulesUnlocked: Check = async ({ args, read }) => {
  const { policyId, version } = args;
  const isOfRules = memberAt(args, "body.type") !== undefined || memberAt(args, "body.matchRules") !== undefined;
  if (!isOfRules) return [];
  const present = await read("edgelogic_policy_version_get", { policyId, version, omitRules: true });
  return memberAt(present, "rulesLocked") === true
    ? problem("version", version, takesDraft("edgelogic_policy_version_create"))
    : [];
};

/** Refuses a change of a load-balancing version that was ever activated (public facts B, 4). */
export const originVersionMutable: Check = async ({ args, present }) =>
  memberAt(await present(), "immutable") === true
    ? problem("version", args["version"], takesDraft("edgelogic_origin_version_create"))
    : [];
