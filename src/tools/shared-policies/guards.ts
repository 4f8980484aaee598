/** Previews of changes to shared policies, and the protection of what is active: which rules and properties it reaches. */

import type { Check } from "../../language/check.js";
import { type Approved, type Arguments, type ByHand, type Guard, only } from "../../language/conduct.js";
import { problem } from "../../language/failure.js";
import { activationDifference, bounded, itemDifference } from "../../language/line-difference.js";
import { memberAt } from "../../language/member.js";
import { calling, naming, type Sentence } from "../../language/sentence.js";
import { act } from "../../language/statement.js";
import { listed, plain, withoutFalse } from "../../language/words.js";
import { versionsInWords } from "../edge-logic/guards.js";
import { namedRules, rulesInWords } from "../policy-manager/rules.js";
import { CurrentActivations, UsingProperties } from "./shapes.js";

const policyId = only("policyId");

/** Where a policy stands on a network: the version in use, and the version of an operation that is still running. */
function placeIn(policy: unknown, network: unknown) {
  const { data } = CurrentActivations.safeParse(memberAt(policy, "currentActivations"));
  const { effective, latest } = data?.[network === "PRODUCTION" ? "production" : "staging"] ?? {};
  return {
    // What was deactivated last also counts as effective.
    active: effective?.operation === "ACTIVATION" ? effective.policyVersion : undefined,
    running: latest?.status === "IN_PROGRESS" ? latest : undefined,
  };
}
/** Every place where a version is active or an operation is running, in words. */
const placesOf = (policy: unknown): string[] =>
  ["PRODUCTION", "STAGING"].flatMap((network) => {
    const { active, running } = placeIn(policy, network);
    return withoutFalse(
      active !== undefined && `version ${active} is active on ${network}`,
      running && `an operation on version ${running.policyVersion} is in progress on ${network}`,
    );
  });

/** Refuses to delete a policy of which any version is active or being activated. */
export const policyInactive: Check = async ({ args, present }) => {
  const places = placesOf(await present());
  const takes = `a policy without active versions, and here ${places.join(", ")}: deactivate with sharedpolicy_version_activate first`;
  return places.length === 0 ? [] : problem("policyId", args["policyId"], takes);
};
/** Refuses a version that is active or being activated. */
const inactive =
  (instead: string): Check =>
  async ({ args, present }) =>
    memberAt(await present(), "immutable") === true
      ? problem("version", args["version"], `an inactive version, which this one is not: ${instead}`)
      : [];
export const versionMutable = inactive("create a new one with sharedpolicy_version_create");
export const versionInactive = inactive("deactivate it with sharedpolicy_version_activate first");

const bodyOf = (args: Arguments): Arguments => memberAt(args, "body") as Arguments;
const isDeactivation = (args: Arguments): boolean => bodyOf(args)["operation"] === "DEACTIVATION";

/** Refuses an operation while another one is running on the same network. */
export const networkIdle: Check = async ({ args, present }) => {
  const { network } = bodyOf(args);
  const { running } = placeIn(await present(), network);
  const takes = `a network without an operation in progress: wait until sharedpolicy_activation_get shows that activation ${running?.id} has ended`;
  return running ? problem("body.network", network, takes) : [];
};

const idOf = (args: Arguments): string => `policy ${String(args["policyId"])}`;
function nameOf(args: Arguments, policy: unknown): string {
  const [name, type] = ["name", "cloudletType"].map((member) => memberAt(policy, member));
  return typeof name === "string" ? `${plain(name)} (${plain(type)}, ${idOf(args)})` : String(args["policyId"]);
}
const targetName = (args: Arguments, policy: unknown): string => {
  const name = memberAt(policy, "name");
  return typeof name === "string" && name !== "" ? plain(name) : idOf(args);
};

const wholeList = (args: Arguments): Arguments => ({ ...policyId(args), size: 1_000 });
const properties = { by: "sharedpolicy_properties_list", args: wholeList } as const;
export const readForPolicy = { versions: { by: "sharedpolicy_versions_list", args: wholeList }, properties } as const;
export const readForVersion = { policy: { by: "sharedpolicy_get", args: policyId } } as const;

/** The names of the properties that use a policy, on one network or on any. */
const usersOf = (found: unknown, network?: unknown): readonly string[] => {
  const { content = [] } = UsingProperties.safeParse(found).data ?? {};
  const there = content.filter((one) => network === undefined || one.network === network);
  return [...new Set(there.map(({ name }) => name))];
};

export const policyDeletion: Guard = {
  kind: "delete",
  thing: "shared policy",
  undo: { never: "A deleted shared policy cannot be restored, but sharedpolicy_create makes a new one." },
  target: targetName,
  says: (args, present, { versions }) =>
    act("DELETE", `shared policy ${nameOf(args, present)} with ${versionsInWords(memberAt(versions, "content"))}`),
  warns: (_, __, { properties: found }) => {
    const users = usersOf(found);
    return withoutFalse(users.length > 0 && `Properties refer to it: ${listed(users.map(plain))}.`);
  },
};

const isMove = (args: Arguments, present: unknown): boolean => bodyOf(args)["groupId"] !== memberAt(present, "groupId");
export const policyChange: Guard = {
  kind: "overwrite",
  thing: "shared policy {name}",
  replaces: "body",
  undo: "rewrite",
  target: targetName,
  critical: [(args, present) => (isMove(args, present) ? ["the group determines who can access the policy"] : [])],
  says: (args, present) =>
    present !== undefined && isMove(args, present)
      ? act(
          "MOVE",
          `shared policy ${nameOf(args, present)} from group ${plain(memberAt(present, "groupId"))} to group ${plain(bodyOf(args)["groupId"])}`,
          "the group determines who can change it",
        )
      : undefined,
};

const versionTarget = (args: Arguments, _: unknown, { policy }: Arguments): string =>
  `${targetName(args, policy)} version ${String(args["version"])}`;
export const versionChange: Guard = {
  kind: "overwrite",
  thing: "version of a shared policy",
  replaces: "body",
  undo: "rewrite",
  target: versionTarget,
  says: (args, present, { policy }) => {
    const next = { matchRules: null, ...bodyOf(args) };
    const [before, after] = [present, next].map((one) => (namedRules(one) ?? []).map(({ name }) => name));
    const lost = before?.filter((name) => !after?.includes(name)) ?? [];
    const what = `version ${String(args["version"])} of shared policy ${nameOf(args, policy)}`;
    const then = `${what}, which then has ${rulesInWords(next)}`;
    if (present === undefined) return undefined;
    const rules = `the rule${lost.length === 1 ? "" : "s"} ${listed(lost)}`;
    return lost.length === 0 ? act("CHANGE", then) : act("REMOVE", `${rules} from ${then}`);
  },
};
export const versionDeletion: Guard = {
  kind: "delete",
  thing: "version of a shared policy",
  undo: { never: "A deleted version cannot be restored, but sharedpolicy_version_create makes a new one." },
  target: versionTarget,
  says: (args, present, { policy }) =>
    act(
      "DELETE",
      `version ${String(args["version"])} of shared policy ${nameOf(args, policy)} with ${rulesInWords(present)}`,
    ),
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

/** The rules that begin, stop or change on the network. */
function comparison(args: Arguments, policy: unknown, { version, former }: Arguments): readonly string[] {
  if (policy === undefined) return [];
  const [where, from, to] = [String(bodyOf(args)["network"]), activeFor(args, policy), versionIn(args)];
  const [next, now] = [namedRules(version), from === undefined ? [] : namedRules(former)];
  const change = (before: typeof now, after: typeof next) =>
    before && after && itemDifference("rule", before, after, { isOrdered: true });
  if (isDeactivation(args) && from !== to) return [];
  if (isDeactivation(args))
    return [
      `Rules that stop on ${where}:`,
      ...bounded(change(now, []) ?? ["They could not be read."], "There are none."),
    ];
  const nothing = from === undefined ? "It has no rules." : "The rules are the same.";
  return activationDifference({ from, to, where }, change(now, next), nothing);
}

/** The call that returns to what was in use before. */
function undoOf({ given, before: policy }: Approved): Sentence | ByHand {
  const { network } = bodyOf(given);
  const [from, to] = [activeFor(given, policy), versionIn(given)];
  const by = (says: string, operation: string, policyVersion: number): ByHand => {
    const args = { ...policyId(given), body: { network, operation, policyVersion } };
    const call = { tool: "sharedpolicy_version_activate", arguments: args };
    return { says: naming`${says}, once this operation has ended: ${calling(call)}.`, call };
  };
  if (policy === undefined)
    return "The version that was active before could not be read: sharedpolicy_activations_list names it, and sharedpolicy_version_activate returns to it.";
  if (isDeactivation(given))
    return from === to ? by(`Activate version ${to} again`, "ACTIVATION", to) : `Version ${to} was not active there.`;
  if (from === to) return `Version ${to} was active there before, so nothing was replaced.`;
  return from === undefined
    ? by("No version was active there before. Deactivate this one", "DEACTIVATION", to)
    : by(`Return to version ${from}`, "ACTIVATION", from);
}

/** The properties in a sentence. */
const usersInWords = (args: Arguments, found: unknown): string => {
  if (found === undefined) return "unknown properties";
  const users = usersOf(found, bodyOf(args)["network"]);
  return users.length === 0 ? "no property" : listed(users.map(plain));
};

export const versionActivation: Guard = {
  kind: "activate",
  thing: "version of a shared policy",
  network: "body.network",
  undo: { by: undoOf },
  compares: comparison,
  critical: [
    (args, _, { properties: found }) => {
      if (found === undefined) return ["the properties that it affects could not be read"];
      const { length } = usersOf(found, bodyOf(args)["network"]);
      return length > 1 ? [`it affects ${length} properties`] : [];
    },
  ],
  target: (args, policy) => `${targetName(args, policy)} version ${versionIn(args)}`,
  says: (args, policy, { version, properties: found }) => {
    const [network, from, to] = [String(bodyOf(args)["network"]), activeFor(args, policy), versionIn(args)];
    const what = `version ${to} of shared policy ${nameOf(args, policy)} on ${network} for ${usersInWords(args, found)}`;
    if (isDeactivation(args))
      return act("DEACTIVATE", what, policy !== undefined && from !== to ? "it is not active there" : "its rules stop");
    const now =
      policy === undefined
        ? "the active version there could not be read"
        : from === undefined
          ? "no version is active there now"
          : from === to
            ? "it is already active there"
            : `version ${from} → ${to}`;
    return act("ACTIVATE", what, `${now}; it has ${rulesInWords(version)}`);
  },
  warns: (args, policy, related) => {
    const { version, properties: found } = related;
    const { network } = bodyOf(args);
    const [from, to] = [activeFor(args, policy), versionIn(args)];
    const warnings = memberAt(version, "matchRulesWarnings");
    const isStart = !isDeactivation(args);
    return withoutFalse(
      "version" in related &&
        version === undefined &&
        `There is no version ${to} of this policy: the API will refuse the call.`,
      !isStart &&
        policy !== undefined &&
        from !== to &&
        "The version is not active there: the API may refuse the call.",
      isStart &&
        found !== undefined &&
        usersOf(found, network).length === 0 &&
        `No property uses this policy on ${String(network)}, so its rules have no effect there yet.`,
      isStart &&
        network === "PRODUCTION" &&
        placeIn(policy, "STAGING").active !== to &&
        "This version is not active on STAGING, where it could be tested first.",
      isStart &&
        from !== undefined &&
        from > to &&
        `Version ${from}, which is active there, is newer: this is a rollback.`,
      isStart &&
        Array.isArray(warnings) &&
        warnings.length > 0 &&
        `The API warns of the rules of this version: ${listed(warnings, plain)}.`,
    );
  },
};
