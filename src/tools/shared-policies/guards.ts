/** Previews of changes to shared policies, and the protection of what is active: which rules and properties it reaches. */
import { type Activation, activates, activationScope } from "../../language/activation.js";
import type { Check } from "../../language/check.js";
import { type Arguments, type Guard, pickArguments } from "../../language/conduct.js";
import { fieldProblem } from "../../language/failure.js";
import { act, membership, reachesMany } from "../../language/guards.js";
import { listAt, memberAt, numberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted, withoutFalse } from "../../language/words.js";
import { nameOf as policyName, policyTarget, versionsInWords } from "../edge-logic/guards.js";
import { ruleForm, ruleNames, rulesBetween, rulesInWords, rulesOf } from "../policy-manager/rules.js";

const policyId = pickArguments("policyId");
const nameOf = (args: Arguments, policy: unknown): string => policyName(args, policy, "cloudletType");

/** Where a policy stands on a network: the version in use, and the operation that is still running. */
export function placeIn(policy: unknown, network: unknown) {
  const place = memberAt(policy, ["currentActivations", network === "PRODUCTION" ? "production" : "staging"]);
  const running = memberAt(place, "latest.status") === "IN_PROGRESS" ? memberAt(place, "latest") : undefined;
  // What was deactivated last also counts as effective.
  const isActive = memberAt(place, "effective.operation") === "ACTIVATION";
  return { active: isActive ? numberAt(place, "effective.policyVersion") : undefined, running };
}

/** Refuses to delete a policy of which any version is active or being activated. */
export const policyInactive: Check = async ({ args, present }) => {
  const policy = await present();
  const places = ["PRODUCTION", "STAGING"].flatMap((network) => {
    const { active, running } = placeIn(policy, network);
    return withoutFalse(
      active !== undefined && `version ${active} is active on ${network}`,
      running !== undefined &&
        `an operation on version ${String(memberAt(running, "policyVersion"))} is in progress on ${network}`,
    );
  });
  const takes = `a policy without active versions, and here ${places.join(", ")}: deactivate with sharedpolicy_version_activate first`;
  return places.length === 0 ? [] : fieldProblem("policyId", args["policyId"], takes);
};
/** Refuses a version that is active or being activated. */
const inactive =
  (instead: string): Check =>
  async ({ args, present }) =>
    memberAt(await present(), "immutable") === true
      ? fieldProblem("version", args["version"], `an inactive version, which this one is not: ${instead}`)
      : [];
export const versionMutable = inactive("create a new one with sharedpolicy_version_create");
export const versionInactive = inactive("deactivate it with sharedpolicy_version_activate first");

const bodyOf = (args: Arguments): Arguments => memberAt(args, "body") as Arguments;

/** Refuses an operation while another one is running on the same network. */
export const networkIdle: Check = async ({ args, present }) => {
  const { network } = bodyOf(args);
  const { running } = placeIn(await present(), network);
  const takes = `a network without an operation in progress: wait until sharedpolicy_activation_get shows that activation ${String(memberAt(running, "id"))} has ended`;
  return running === undefined ? [] : fieldProblem("body.network", network, takes);
};

const wholeList = (args: Arguments): Arguments => ({ ...policyId(args), size: 1_000 });
const properties = { by: "sharedpolicy_properties_list", args: wholeList } as const;
export const readForPolicy = { versions: { by: "sharedpolicy_versions_list", args: wholeList }, properties } as const;
export const readForVersion = { policy: { by: "sharedpolicy_get", args: policyId } } as const;

/** The names of the properties that use a policy, on one network or on any. */
const usersOf = (found: unknown, network?: unknown): readonly string[] => {
  const isThere = (one: unknown) => network === undefined || memberAt(one, "network") === network;
  const names = listAt(found, "content")
    .filter(isThere)
    .map((one) => String(memberAt(one, "name") ?? "unnamed"));
  return [...new Set(names)];
};

export const policyDeletion: Guard = {
  kind: "delete",
  thing: "shared policy",
  target: policyTarget,
  undo: { never: "A deleted shared policy cannot be restored, but sharedpolicy_create makes a new one." },
  says: (args, present, { versions }) =>
    act`DELETE shared policy ${nameOf(args, present)}: it is gone with ${versionsInWords(memberAt(versions, "content"))}`,
  warns: (_, __, { properties: found }) => {
    const users = usersOf(found);
    return [users.length > 0 && `Properties refer to it: ${listInWords(users, plainOrQuoted)}.`];
  },
};

const isMove = (args: Arguments, present: unknown): boolean => bodyOf(args)["groupId"] !== memberAt(present, "groupId");
export const policyChange: Guard = {
  kind: "overwrite",
  thing: "shared policy {name}",
  replaces: "body",
  undo: "rewrite",
  target: policyTarget,
  critical: [(args, present) => [isMove(args, present) && "the group determines who can access the policy"]],
  says: (args, present) => {
    if (present === undefined || !isMove(args, present)) return undefined;
    const [from, to] = [memberAt(present, "groupId"), bodyOf(args)["groupId"]].map(plainOrQuoted);
    const moved = `shared policy ${nameOf(args, present)} from group ${from} to group ${to}`;
    return act`MOVE ${moved}: the group determines who can change it`;
  },
};

const versionName = (args: Arguments, policy: unknown): string =>
  `version ${String(args["version"])} of shared policy ${nameOf(args, policy)}`;
const versionTarget: NonNullable<Guard["target"]> = (args, _, { policy }) =>
  `${policyTarget(args, policy)} version ${String(args["version"])}`;

export const versionChange: Guard = {
  kind: "overwrite",
  thing: "version of a shared policy",
  replaces: "body",
  review: ruleForm,
  undo: "rewrite",
  target: versionTarget,
  says: (args, present, { policy }) => {
    if (present === undefined) return undefined;
    const next = { matchRules: null, ...bodyOf(args) };
    const names = (of: unknown) => ruleNames(rulesOf(of) ?? []);
    const { lost } = membership(names(present), names(next));
    const then = `${versionName(args, policy)}, which then has ${rulesInWords(next)}`;
    const rules = `the rule${lost.length === 1 ? "" : "s"} ${listInWords(lost)}`;
    return lost.length === 0 ? act`CHANGE ${then}` : act`REMOVE ${rules} from ${then}`;
  },
};

export const versionDeletion: Guard = {
  kind: "delete",
  thing: "version of a shared policy",
  target: versionTarget,
  undo: { never: "A deleted version cannot be restored, but sharedpolicy_version_create makes a new one." },
  says: (args, present, { policy }) =>
    act`DELETE ${versionName(args, policy)}: it is gone with ${rulesInWords(present)}`,
};

const versionIn = (args: Arguments) => Number(bodyOf(args)["policyVersion"]);
/** The version in use on the network of an operation. */
const activeFor = (args: Arguments, policy: unknown) => placeIn(policy, bodyOf(args)["network"]).active;

/** The version of the call, the one in use that it replaces, and the properties that use the policy. */
export const readForActivation = {
  version: {
    by: "sharedpolicy_version_get",
    args: (args: Arguments): Arguments => ({ ...policyId(args), version: versionIn(args) }),
    isBound: true,
  },
  former: {
    by: "sharedpolicy_version_get",
    args: (args: Arguments, policy: unknown): Arguments => ({ ...policyId(args), version: activeFor(args, policy) }),
  },
  properties: { ...properties, isBound: true },
} as const;

const activationOf = (args: Arguments, policy: unknown, related: Arguments): Activation => {
  const { version, former, properties: propertyList } = related;
  const { network, operation } = bodyOf(args);
  const [from, to, isEnd] = [activeFor(args, policy), versionIn(args), operation === "DEACTIVATION"];
  const affected = propertyList === undefined ? undefined : usersOf(propertyList, network).map(plainOrQuoted);
  const warnings = listAt(version, "matchRulesWarnings");
  return {
    of: `shared policy ${nameOf(args, policy)}`,
    to,
    isEnd,
    affected,
    network: String(network),
    content: "rules",
    from: policy === undefined ? undefined : from === undefined ? [] : [from],
    difference: (fromVersion) =>
      rulesBetween(fromVersion === undefined || isEnd ? [] : rulesOf(former), rulesOf(version), isEnd),
    results: [isEnd ? "its rules stop" : `it has ${rulesInWords(version)}`],
    isMissing: "version" in related && version === undefined,
    untried: placeIn(policy, "STAGING").active !== to && "is not active on",
    warnings: [
      isEnd && policy !== undefined && from !== to && "The version is not active there: the API may refuse the call.",
      !isEnd &&
        affected?.length === 0 &&
        `No property uses this policy on ${String(network)}, so its rules have no effect there yet.`,
      !isEnd &&
        warnings.length > 0 &&
        `The API warns of the rules of this version: ${listInWords(warnings, plainOrQuoted)}.`,
    ],
  };
};

export const versionActivation: Guard = {
  ...activates("version of a shared policy", "body.network", activationOf, {
    tool: "sharedpolicy_version_activate",
    list: "sharedpolicy_activations_list",
    args: (given, policyVersion, isEnd) => ({
      ...policyId(given),
      body: { network: bodyOf(given)["network"], operation: isEnd ? "DEACTIVATION" : "ACTIVATION", policyVersion },
    }),
    when: () => "once this operation has ended",
  }),
  critical: [
    (args, _, { properties: found }) =>
      reachesMany(found === undefined ? found : usersOf(found, bodyOf(args)["network"])),
  ],
  forecasts: (args) => {
    const { network, operation } = bodyOf(args);
    const isEnd = operation === "DEACTIVATION";
    return activationScope("policy", args["policyId"], network, isEnd ? undefined : versionIn(args), { isEnd });
  },
  target: (args, policy) => `${policyTarget(args, policy)} version ${versionIn(args)}`,
};
