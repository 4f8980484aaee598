/** Previews of changing, deleting and activating a policy or its versions, and the protection of activated versions. */

import type { Check } from "../../language/check.js";
import { type Approved, type Arguments, type ByHand, type Guard, only } from "../../language/conduct.js";
import { problem } from "../../language/failure.js";
import { activationDifference, factDifference, itemDifference } from "../../language/line-difference.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";
import { calling, callingOneOf, naming, type Sentence } from "../../language/sentence.js";
import { act } from "../../language/statement.js";
import { isSameNetwork, listed, networkName, plain, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { namedRules, rulesInWords } from "../policy-manager/rules.js";
import { Activation } from "./shapes.js";

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
    ? problem("version", version, takesDraft("edgelogic_policy_version_create"))
    : [];
};

/** Refuses a change of a load-balancing version that was ever activated (public facts B, 4). */
export const originVersionMutable: Check = async ({ args, present }) =>
  memberAt(await present(), "immutable") === true
    ? problem("version", args["version"], takesDraft("edgelogic_origin_version_create"))
    : [];

const policyId = only("policyId");
/** The policy of a version. */
const policyOf = { by: "edgelogic_policy_get", args: policyId } as const;
export const readForPolicy = {
  versions: {
    by: "edgelogic_policy_versions_list",
    args: (args: Arguments): Arguments => ({ ...policyId(args), pageSize: 1_000 }),
  },
} as const;
export const readForVersion = { policy: policyOf } as const;

/** The activations of a policy or version that are active or pending. */
const liveIn = (present: unknown) =>
  (z.array(Activation).safeParse(memberAt(present, "activations")).data ?? []).filter(({ policyInfo }) =>
    /^(active|pending)$/i.test(policyInfo.status),
  );
type Live = ReturnType<typeof liveIn>[number];

/** The active versions for the properties of an activation on its network, which would be replaced. */
const replacedBy = (args: Arguments, policy: unknown): readonly Live[] =>
  liveIn(policy).filter(
    ({ network, policyInfo }) =>
      isSameNetwork(network, memberAt(args, "body.network")) && policyInfo.version !== args["version"],
  );
/** The distinct versions that would be replaced. */
const formerIn = (args: Arguments, policy: unknown): readonly number[] => [
  ...new Set(replacedBy(args, policy).map(({ policyInfo }) => policyInfo.version)),
];

/**
 * The version to activate, the ones that it replaces, and the properties that use the policy. The approval is bound to
 * the policy, which has the active versions; an activated version cannot change any more.
 */
export const readForActivation = {
  version: { by: "edgelogic_policy_version_get", args: only("policyId", "version"), isBound: true },
  former: {
    by: "edgelogic_policy_version_get",
    args: (args: Arguments, policy: unknown): readonly Arguments[] =>
      formerIn(args, policy).map((version) => ({ ...policyId(args), version })),
  },
  properties: { by: "edgelogic_policy_properties_list", args: policyId, isBound: true },
} as const;

/** Where versions are active, in words: `version 1 for www.example.com on PRODUCTION`. */
const placesOf = (live: readonly Live[]): string =>
  listed(
    live.map(
      ({ network, policyInfo: { version, status }, propertyInfo: { name } }) =>
        `version ${version}${/pending/i.test(status) ? " (pending)" : ""} for ${plain(name)} on ${networkName(network)}`,
    ),
  );

/** The display name of a policy: its name and its application, if they could be read, and its id. */
function nameOf(args: Arguments, policy: unknown): string {
  const [name, code] = ["name", "cloudletCode"].map((member) => memberAt(policy, member));
  const id = String(args["policyId"]);
  return typeof name === "string" ? `${plain(name)} (${code ? `${plain(code)}, ` : ""}policy ${id})` : `${id}`;
}
const targetName = (args: Arguments, policy: unknown): string => {
  const name = memberAt(policy, "name");
  return typeof name === "string" && name !== "" ? plain(name) : `policy ${String(args["policyId"])}`;
};

const stops = (live: readonly Live[]): string[] =>
  live.length === 0 ? [] : [`It is in use: ${placesOf(live)}. The rules there may stop.`];

/** All versions of a policy: by number, with their descriptions. */
export function versionsInWords(versions: unknown): string {
  if (!Array.isArray(versions) || versions.length === 0) return "all its versions";
  const words = (one: unknown) => {
    const description = memberAt(one, "description");
    const text = typeof description === "string" && description !== "" ? ` (${plain(description)})` : "";
    return `${String(memberAt(one, "version"))}${text}`;
  };
  return `${versions.length === 1 ? "its only version" : "its versions"} ${listed(versions, words)}`;
}

export const policyDeletion: Guard = {
  kind: "delete",
  thing: "policy",
  undo: { tool: "edgelogic_policy_update", args: ({ given }) => ({ ...policyId(given), body: { deleted: false } }) },
  target: targetName,
  says: (args, present, { versions }) =>
    act("DELETE", `policy ${nameOf(args, present)} with ${versionsInWords(versions)}`),
  warns: (_, present) => stops(liveIn(present)),
};

const bodyNames = (args: Arguments): readonly string[] => Object.keys(memberAt(args, "body") as Arguments);

export const policyChange: Guard = {
  kind: "overwrite",
  thing: "policy",
  replaces: "body",
  write: "merge",
  undo: "rewrite",
  target: targetName,
  critical: [
    { argument: "body.deleted", unless: false, because: "it deletes the policy with all its versions" },
    { argument: "body.groupId", unless: undefined, because: "it determines who can access the policy" },
  ],
  says: (args, present) => {
    const name = nameOf(args, present);
    const { deleted, groupId } = memberAt(args, "body") as Arguments;
    if (deleted === true) return act("DELETE", `policy ${name} with all its versions`);
    if (deleted === false && memberAt(present, "deleted") === true)
      return act("RESTORE", `policy ${name}, which was deleted`);
    const group = memberAt(present, "groupId");
    if (groupId === undefined || groupId === group) {
      const changes = factDifference(
        new Map(bodyNames(args).map((name) => [name, memberAt(present, [name]) ?? undefined])),
        new Map(bodyNames(args).map((name) => [name, memberAt(args, ["body", name]) ?? undefined])),
      );
      if (present === undefined) return undefined;
      return act("CHANGE", `policy ${name}`, changes.length === 0 ? "it is already up to date" : changes.join("; "));
    }
    return act(
      "MOVE",
      `policy ${name} from group ${plain(group ?? "unknown")} to group ${plain(groupId)}`,
      "the group determines who can change it",
    );
  },
  warns: (args, present) => (memberAt(args, "body.deleted") === true ? stops(liveIn(present)) : []),
};

export const versionDeletion: Guard = {
  kind: "delete",
  thing: "version of a policy",
  undo: { never: "A deleted version cannot be restored, but edgelogic_policy_version_create makes a new one." },
  target: (args, _, { policy }) => `${targetName(args, policy)} version ${String(args["version"])}`,
  says: (args, present, { policy }) =>
    act("DELETE", `version ${String(args["version"])} of policy ${nameOf(args, policy)} with ${rulesInWords(present)}`),
  warns: (_, present) => stops(liveIn(present)),
};

/** The properties for which a version would be activated: those that use the policy, and those that the call adds. */
function propertiesOf(args: Arguments, properties: unknown) {
  const using = isRecord(properties) ? Object.keys(properties) : [];
  const named = listAt(args, "body.additionalPropertyNames").map(String);
  const added = named.filter((name) => !using.includes(name));
  return { all: [...using, ...added], added };
}

/** Whether any version, even the same one, is active or pending on the network of an activation. */
const isActiveThere = (args: Arguments, policy: unknown): boolean =>
  liveIn(policy).some((one) => isSameNetwork(one.network, memberAt(args, "body.network")));

/** The difference between the new rules and those of each active version. */
function comparison(args: Arguments, policy: unknown, { version, former }: Arguments): readonly string[] {
  if (policy === undefined) return [];
  const to = Number(args["version"]);
  const where = networkName(memberAt(args, "body.network"));
  const next = namedRules(version);
  const difference = (now: ReturnType<typeof namedRules>) =>
    now && next && itemDifference("rule", now, next, { isOrdered: true });
  const replaced = formerIn(args, policy);
  if (replaced.length === 0) {
    const from = isActiveThere(args, policy) ? to : undefined;
    return activationDifference({ from, to, where }, difference([]), "It has no rules.");
  }
  return replaced.flatMap((from, at) =>
    activationDifference(
      { from, to, where },
      difference(namedRules(memberAt(former, [at]))),
      "The rules are the same.",
    ),
  );
}

/**
 * The call that returns to the previously active version; the API takes no version off a network (public facts B, 4).
 */
function undoOf({ given, before: policy, related: { properties } }: Approved): Sentence | ByHand {
  const { policyId, version } = given;
  const { network } = memberAt(given, "body") as Arguments;
  const { added } = propertiesOf(given, properties);
  const stays = added.length === 0 ? "" : ` ${listed(added.map(plain))} keep${added.length === 1 ? "s" : ""} using it.`;
  if (policy === undefined)
    return `The previously active version could not be read: edgelogic_policy_activations_list names it, and edgelogic_policy_version_activate returns to it.${stays}`;
  const live = liveIn(policy).filter((one) => isSameNetwork(one.network, network));
  const former = [...new Set(live.map(({ policyInfo }) => policyInfo.version))].filter((one) => one !== version);
  const calls = former.map((one) => ({
    tool: "edgelogic_policy_version_activate",
    arguments: { policyId, version: one, body: { network } },
  }));
  const [call] = calls;
  if (call && calls.length === 1)
    return { says: naming`Return to version ${String(former[0])}: ${calling(call)}.${stays}`, call };
  if (calls.length > 1)
    return naming`Several versions were active there (${placesOf(live)}), and an activation is for all properties that use the policy. Choose one of them, and ${callingOneOf(calls)}.${stays}`;
  if (live.length > 0) return `Version ${String(version)} was active there before, so nothing was replaced.${stays}`;
  return `No version was active there before, and none can be taken off a network. Create one without rules with edgelogic_policy_version_create, and activate that.${stays}`;
}

export const versionActivation: Guard = {
  kind: "activate",
  thing: "version of a policy",
  network: "body.network",
  undo: { by: undoOf },
  compares: comparison,
  target: (args, policy) => `${targetName(args, policy)} version ${String(args["version"])}`,
  says: (args, policy, { version, properties }) => {
    const former = formerIn(args, policy);
    const network = memberAt(args, "body.network");
    const { all } = propertiesOf(args, properties);
    const what = `version ${String(args["version"])} of policy ${nameOf(args, policy)} on ${networkName(network)}`;
    const now =
      policy === undefined
        ? "the active version there could not be read"
        : former.length > 0
          ? `it replaces version ${former.join(" and ")}`
          : isActiveThere(args, policy)
            ? "it is already active there"
            : "no version is active there now";
    const has = `it has ${rulesInWords(version)}`;
    return act("ACTIVATE", `${what} for ${all.length === 0 ? "unknown properties" : listed(all.map(plain))}`, now, has);
  },
  warns: (args, policy, related) => {
    const { version, properties } = related;
    const { network } = memberAt(args, "body") as Arguments;
    const { added, all } = propertiesOf(args, properties);
    const newer = replacedBy(args, policy).find(({ policyInfo }) => policyInfo.version > Number(args["version"]));
    const isTried = memberAt(version, "rulesLocked") === true;
    const pending = liveIn(policy).filter(
      (one) => /pending/i.test(one.policyInfo.status) && isSameNetwork(one.network, network),
    );
    return withoutFalse(
      "version" in related &&
        version === undefined &&
        `There is no version ${String(args["version"])} of this policy: the API will refuse the call.`,
      added.length > 0 && `${listed(added.map(plain))} would use this policy for the first time.`,
      all.length === 0 && "No property uses this policy, and the call names none: the API may refuse it.",
      networkName(network) === "PRODUCTION" &&
        !isTried &&
        "This version was never activated anywhere: it could be tested on STAGING first.",
      newer && `Version ${newer.policyInfo.version}, which is active there, is newer: this is a rollback.`,
      pending.length > 0 && `An activation is in progress there: ${placesOf(pending)}.`,
    );
  },
};
