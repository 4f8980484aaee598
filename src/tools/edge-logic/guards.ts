/** Previews of changing, deleting and activating a policy or its versions, and the protection of activated versions. */
import { type Activation, activates } from "../../language/activation.js";
import type { Check } from "../../language/check.js";
import { type Arguments, type Guard, pickArguments } from "../../language/conduct.js";
import { differenceLines, lineTexts } from "../../language/difference-lines.js";
import { fieldProblem } from "../../language/failure.js";
import { act, flag } from "../../language/guards.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";
import { isSameNetwork, listInWords, networkName, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { rulesBetween, rulesInWords, rulesOf } from "../policy-manager/rules.js";
import { Activation as ActivationShape } from "./shapes.js";

/** The sentence about the next step for a version that cannot be changed any more. */
const takesDraft = (maker: string) =>
  `a version that was never activated, because the content of this one is fixed; create a new one with ${maker}`;

/**
 * Refuses a change of the rules of a version that is being or was activated (public facts B, 4). A change of only the
 * description is left to the API, which accepts it.
 */
export const rulesUnlocked: Check = async ({ args, read }) => {
  const { policyId, version } = args;
  const isOfRules = memberAt(args, "body.type") !== undefined || memberAt(args, "body.matchRules") !== undefined;
  if (!isOfRules) return [];
  const present = await read("edgelogic_policy_version_get", { policyId, version, omitRules: true });
  return memberAt(present, "rulesLocked") === true
    ? fieldProblem("version", version, takesDraft("edgelogic_policy_version_create"))
    : [];
};

/** Refuses a change of a load-balancing version that was ever activated (public facts B, 4). */
export const originVersionMutable: Check = async ({ args, present }) =>
  memberAt(await present(), "immutable") === true
    ? fieldProblem("version", args["version"], takesDraft("edgelogic_origin_version_create"))
    : [];

const policyId = pickArguments("policyId");

/** The activations of a policy or version that are active or pending. */
const liveIn = (present: unknown) =>
  (z.array(ActivationShape).safeParse(memberAt(present, "activations")).data ?? []).filter(({ policyInfo }) =>
    /^(active|pending)$/i.test(policyInfo.status),
  );
type LiveVersion = ReturnType<typeof liveIn>[number];

/** Those on the network of a call. */
const liveThere = (args: Arguments, policy: unknown): readonly LiveVersion[] =>
  liveIn(policy).filter(({ network }) => isSameNetwork(network, memberAt(args, "body.network")));
const versionsOf = (live: readonly LiveVersion[]): readonly number[] => [
  ...new Set(live.map(({ policyInfo }) => policyInfo.version)),
];
/** The distinct versions that an activation would replace. */
const formerIn = (args: Arguments, policy: unknown): readonly number[] =>
  versionsOf(liveThere(args, policy)).filter((version) => version !== args["version"]);

/**
 * The version to activate, the ones that it replaces, and the properties that use the policy. The approval is bound to
 * the policy, which has the active versions; an activated version cannot change any more.
 */
export const readForActivation = {
  version: { by: "edgelogic_policy_version_get", args: pickArguments("policyId", "version"), isBound: true },
  former: {
    by: "edgelogic_policy_version_get",
    args: (args: Arguments, policy: unknown): readonly Arguments[] =>
      formerIn(args, policy).map((version) => ({ ...policyId(args), version })),
  },
  properties: { by: "edgelogic_policy_properties_list", args: policyId, isBound: true },
} as const;

/** Where versions are active, in words: `version 1 for www.example.com on PRODUCTION`. */
const placesOf = (live: readonly LiveVersion[]): string =>
  listInWords(
    live.map(
      ({ network, policyInfo: { version, status }, propertyInfo: { name } }) =>
        `version ${version}${/pending/i.test(status) ? " (pending)" : ""} for ${plainOrQuoted(name)} on ${networkName(network)}`,
    ),
  );

/**
 * The display name of a policy: its name and its application, if they could be read, and its id.
 * @param member Where the policy has its application, if it is a shared one.
 */
export function nameOf(args: Arguments, policy: unknown, member = "cloudletCode"): string {
  const [name, application] = [memberAt(policy, "name"), memberAt(policy, member)];
  const id = String(args["policyId"]);
  return typeof name === "string"
    ? `${plainOrQuoted(name)} (${application ? `${plainOrQuoted(application)}, ` : ""}policy ${id})`
    : id;
}
/** What an approver types for a policy. */
export const policyTarget = (args: Arguments, policy: unknown): string => {
  const name = memberAt(policy, "name");
  return typeof name === "string" && name !== "" ? plainOrQuoted(name) : `policy ${String(args["policyId"])}`;
};

const stops = (live: readonly LiveVersion[]) => [
  live.length > 0 && `It is in use: ${placesOf(live)}. The rules there may stop.`,
];

/** All versions of a policy: by number, with their descriptions. */
export function versionsInWords(versions: unknown): string {
  if (!Array.isArray(versions) || versions.length === 0) return "all its versions";
  const words = (version: unknown) => {
    const description = memberAt(version, "description");
    const text = typeof description === "string" && description !== "" ? ` (${plainOrQuoted(description)})` : "";
    return `${String(memberAt(version, "version"))}${text}`;
  };
  return `${versions.length === 1 ? "its only version" : "its versions"} ${listInWords(versions, words)}`;
}

export const policyDeletion: Guard = {
  kind: "delete",
  thing: "policy",
  target: policyTarget,
  undo: { tool: "edgelogic_policy_update", args: ({ given }) => ({ ...policyId(given), body: { deleted: false } }) },
  says: (args, present, { versions }) =>
    act`DELETE policy ${nameOf(args, present)}: it is gone with ${versionsInWords(versions)}`,
  warns: (_, present) => stops(liveIn(present)),
};

export const policyChange: Guard = {
  kind: "overwrite",
  thing: "policy",
  replaces: "body",
  write: "merge",
  undo: "rewrite",
  target: policyTarget,
  critical: [
    flag("body.deleted", "it deletes the policy with all its versions"),
    { argument: "body.groupId", unless: undefined, because: "it determines who can access the policy" },
  ],
  says: (args, present) => {
    const name = `policy ${nameOf(args, present)}`;
    const body = memberAt(args, "body") as Arguments;
    const { deleted, groupId } = body;
    if (deleted === true) return act`DELETE ${name} with all its versions`;
    if (deleted === false && memberAt(present, "deleted") === true) return act`RESTORE ${name}, which was deleted`;
    const group = memberAt(present, "groupId");
    if (groupId !== undefined && groupId !== group) {
      const moved = `${name} from group ${plainOrQuoted(group ?? "unknown")} to group ${plainOrQuoted(groupId)}`;
      return act`MOVE ${moved}: the group determines who can change it`;
    }
    if (present === undefined) return undefined;
    const valuesOf = (from: unknown) =>
      Object.fromEntries(Object.keys(body).map((member) => [member, memberAt(from, [member]) ?? "none"]));
    const changes = lineTexts(differenceLines(valuesOf(present), valuesOf(body)));
    return act`CHANGE ${name}: ${changes.length === 0 ? ["it is already up to date"] : changes}`;
  },
  warns: (args, present) => (memberAt(args, "body.deleted") === true ? stops(liveIn(present)) : []),
};

const versionTarget = (args: Arguments, policy: unknown): string =>
  `${policyTarget(args, policy)} version ${String(args["version"])}`;
export const versionDeletion: Guard = {
  kind: "delete",
  thing: "version of a policy",
  target: (args, _, { policy }) => versionTarget(args, policy),
  undo: { never: "A deleted version cannot be restored, but edgelogic_policy_version_create makes a new one." },
  says: (args, present, { policy }) =>
    act`DELETE version ${String(args["version"])} of policy ${nameOf(args, policy)}: it is gone with ${rulesInWords(present)}`,
  warns: (_, present) => stops(liveIn(present)),
};

/** The properties for which a version would be activated: those that use the policy, and those that the call adds. */
function propertiesOf(args: Arguments, properties: unknown) {
  const using = isRecord(properties) ? Object.keys(properties) : [];
  const named = listAt(args, "body.additionalPropertyNames").map(String);
  const added = named.filter((name) => !using.includes(name));
  return { all: [...using, ...added], added };
}

const activationOf = (args: Arguments, policy: unknown, related: Arguments): Activation => {
  const { version, former, properties } = related;
  const { added, all } = propertiesOf(args, properties);
  const live = liveThere(args, policy);
  const pending = live.filter(({ policyInfo }) => /pending/i.test(policyInfo.status));
  const replaced = formerIn(args, policy);
  return {
    of: `policy ${nameOf(args, policy)}`,
    to: Number(args["version"]),
    from: policy === undefined ? undefined : versionsOf(live),
    places: placesOf(live),
    network: networkName(memberAt(args, "body.network")),
    affected: all.length === 0 ? undefined : all.map(plainOrQuoted),
    content: "rules",
    difference: (fromVersion) => {
      const now = fromVersion === undefined ? [] : rulesOf(memberAt(former, [replaced.indexOf(Number(fromVersion))]));
      return rulesBetween(now, rulesOf(version));
    },
    results: [`it has ${rulesInWords(version)}`],
    isMissing: "version" in related && version === undefined,
    untried: memberAt(version, "rulesLocked") !== true && "was never activated anywhere, not even on",
    warnings: [
      added.length > 0 && `${listInWords(added, plainOrQuoted)} would use this policy for the first time.`,
      all.length === 0 && "No property uses this policy, and the call names none: the API may refuse it.",
      pending.length > 0 && `An activation is in progress there: ${placesOf(pending)}.`,
    ],
  };
};

export const versionActivation: Guard = {
  ...activates("version of a policy", "body.network", activationOf, {
    tool: "edgelogic_policy_version_activate",
    list: "edgelogic_policy_activations_list",
    args: (given, version) => ({ ...policyId(given), version, body: { network: memberAt(given, "body.network") } }),
    // The API takes no version off a network (public facts B, 4).
    instead: "Create one without rules with edgelogic_policy_version_create, and activate that.",
    last: (given, { properties }) => {
      const { added } = propertiesOf(given, properties);
      return added.length === 0
        ? ""
        : ` ${listInWords(added, plainOrQuoted)} keep${added.length === 1 ? "s" : ""} using it.`;
    },
  }),
  target: versionTarget,
};
