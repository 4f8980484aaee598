/** What a person has to know before a policy or its version changes, goes or is activated; which one is fixed. */
import type { Check } from "../../language/check.js";
import { type Approved, type Arguments, type ByHand, type Guard, only } from "../../language/conduct.js";
import { problem } from "../../language/failure.js";
import { activationDifference, factDifference, itemDifference } from "../../language/line-difference.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";
import { callInWords } from "../../language/next-call.js";
import { isSameNetwork, listed, networkName, plain, told } from "../../language/words.js";
import { z } from "../../language/z.js";
import { namedRules, rulesInWords } from "../policy-manager/rules.js";
import { Activation } from "./shapes.js";

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

const policyId = only("policyId");
/** The policy of a version. */
const policyOf = { by: "edgelogic_policy_get", args: policyId } as const;
export const besidePolicy = {
  versions: {
    by: "edgelogic_policy_versions_list",
    args: (args: Arguments): Arguments => ({ ...policyId(args), pageSize: 1_000 }),
  },
} as const;
export const besideVersion = { policy: policyOf } as const;

/** The activations in a policy or a version that are active now, or about to be. */
const liveIn = (present: unknown) =>
  (z.array(Activation).safeParse(memberAt(present, "activations")).data ?? []).filter(({ policyInfo }) =>
    /^(active|pending)$/i.test(policyInfo.status),
  );
type Live = ReturnType<typeof liveIn>[number];

/** What is active for the properties of an activation on its network, and would be replaced. */
const replacedBy = (args: Arguments, policy: unknown): readonly Live[] =>
  liveIn(policy).filter(
    ({ network, policyInfo }) =>
      isSameNetwork(network, memberAt(args, "body.network")) && policyInfo.version !== args["version"],
  );
/** The versions that would be replaced, each once. */
const formerIn = (args: Arguments, policy: unknown): readonly number[] => [
  ...new Set(replacedBy(args, policy).map(({ policyInfo }) => policyInfo.version)),
];

/**
 * The version that would be active, those that it replaces, and the properties that use the policy. The policy itself,
 * which tells what is active, is what the approval is bound to first; a version that was active cannot change any more.
 */
export const besideActivation = {
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

/** A policy as people know it: its name and its application, where they could be read, and its id. */
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

/** All versions of a policy: by their numbers, with what describes them. */
function versionsInWords(versions: unknown): string {
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
  says: (args, present, { versions }) => `DELETE policy ${nameOf(args, present)} with ${versionsInWords(versions)}`,
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
    { argument: "body.groupId", unless: undefined, because: "it decides whose policy it is" },
  ],
  says: (args, present) => {
    const name = nameOf(args, present);
    const { deleted, groupId } = memberAt(args, "body") as Arguments;
    if (deleted === true) return `DELETE policy ${name} with all its versions`;
    if (deleted === false && memberAt(present, "deleted") === true) return `RESTORE policy ${name}, which was deleted`;
    const group = memberAt(present, "groupId");
    if (groupId === undefined || groupId === group) {
      const changes = factDifference(
        new Map(bodyNames(args).map((name) => [name, memberAt(present, [name]) ?? undefined])),
        new Map(bodyNames(args).map((name) => [name, memberAt(args, ["body", name]) ?? undefined])),
      );
      if (present === undefined) return undefined;
      return `CHANGE policy ${name}: ${changes.length === 0 ? "nothing would differ" : changes.join("; ")}`;
    }
    return `MOVE policy ${name} from group ${plain(group ?? "unknown")} to group ${plain(groupId)}: who may change it is decided there`;
  },
  warns: (args, present) => (memberAt(args, "body.deleted") === true ? stops(liveIn(present)) : []),
};

export const versionDeletion: Guard = {
  kind: "delete",
  thing: "version of a policy",
  undo: { never: "A deleted version does not come back, but edgelogic_policy_version_create makes a new one." },
  target: (args, _, { policy }) => `${targetName(args, policy)} version ${String(args["version"])}`,
  says: (args, present, { policy }) =>
    `DELETE version ${String(args["version"])} of policy ${nameOf(args, policy)} with ${rulesInWords(present)}`,
  warns: (_, present) => stops(liveIn(present)),
};

/** The properties that a version would be activated for: those that use the policy, and those that the call adds. */
function propertiesOf(args: Arguments, properties: unknown) {
  const using = isRecord(properties) ? Object.keys(properties) : [];
  const named = listAt(args, "body.additionalPropertyNames").map(String);
  const added = named.filter((name) => !using.includes(name));
  return { all: [...using, ...added], added };
}

/** Whether a version, and be it the same one, is active on the network of an activation, or about to be. */
const isActiveThere = (args: Arguments, policy: unknown): boolean =>
  liveIn(policy).some((one) => isSameNetwork(one.network, memberAt(args, "body.network")));

/** How the rules that would be active differ from those of each version that is. */
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

/** The call that returns to what was active before; the API takes no version off a network (public facts B, 4). */
function wayBack({ given, before: policy, beside: { properties } }: Approved): string | ByHand {
  const { policyId, version } = given;
  const { network } = memberAt(given, "body") as Arguments;
  const { added } = propertiesOf(given, properties);
  const stays = added.length === 0 ? "" : ` ${listed(added.map(plain))} keep${added.length === 1 ? "s" : ""} using it.`;
  if (policy === undefined)
    return `What was active before could not be read: edgelogic_policy_activations_list names it, and edgelogic_policy_version_activate returns to it.${stays}`;
  const live = liveIn(policy).filter((one) => isSameNetwork(one.network, network));
  const former = [...new Set(live.map(({ policyInfo }) => policyInfo.version))].filter((one) => one !== version);
  const calls = former.map((one) => ({
    tool: "edgelogic_policy_version_activate",
    arguments: { policyId, version: one, body: { network } },
  }));
  const [call] = calls;
  if (call && calls.length === 1)
    return { says: `Return to version ${former[0]}: call ${callInWords(call)}.${stays}`, call };
  if (calls.length > 1)
    return `Several versions were active there (${placesOf(live)}), and an activation is for all properties that use the policy. Choose one of them, and call ${calls.map(callInWords).join(", or ")}.${stays}`;
  if (live.length > 0) return `Version ${String(version)} was active there before, so nothing was replaced.${stays}`;
  return `No version was active there before, and none can be taken off a network. Make one without rules with edgelogic_policy_version_create, and activate that.${stays}`;
}

export const versionActivation: Guard = {
  kind: "activate",
  thing: "version of a policy",
  network: "body.network",
  undo: { by: wayBack },
  compares: comparison,
  target: (args, policy) => `${targetName(args, policy)} version ${String(args["version"])}`,
  says: (args, policy, { version, properties }) => {
    const former = formerIn(args, policy);
    const network = memberAt(args, "body.network");
    const { all } = propertiesOf(args, properties);
    const what = `ACTIVATE version ${String(args["version"])} of policy ${nameOf(args, policy)} on ${networkName(network)}`;
    const now =
      policy === undefined
        ? "what is active there now could not be read"
        : former.length > 0
          ? `it replaces version ${former.join(" and ")}`
          : isActiveThere(args, policy)
            ? "it is active there already"
            : "no version is active there now";
    const has = `it has ${rulesInWords(version)}`;
    return `${what} for ${all.length === 0 ? "properties that are not known" : listed(all.map(plain))}: ${now}; ${has}`;
  },
  warns: (args, policy, beside) => {
    const { version, properties } = beside;
    const { network } = memberAt(args, "body") as Arguments;
    const { added, all } = propertiesOf(args, properties);
    const newer = replacedBy(args, policy).find(({ policyInfo }) => policyInfo.version > Number(args["version"]));
    const isTried = memberAt(version, "rulesLocked") === true;
    const pending = liveIn(policy).filter(
      (one) => /pending/i.test(one.policyInfo.status) && isSameNetwork(one.network, network),
    );
    return told(
      "version" in beside &&
        version === undefined &&
        `There is no version ${String(args["version"])} of this policy: the API will refuse the call.`,
      added.length > 0 && `${listed(added.map(plain))} would use this policy for the first time.`,
      all.length === 0 && "No property uses this policy, and the call names none: the API may refuse it.",
      networkName(network) === "PRODUCTION" &&
        !isTried &&
        "This version was never activated anywhere: it could be tried on STAGING first.",
      newer && `Version ${newer.policyInfo.version}, which is active there, is newer: this goes back.`,
      pending.length > 0 && `An activation is under way there: ${placesOf(pending)}.`,
    );
  },
};
