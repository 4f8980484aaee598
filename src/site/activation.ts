/** What an activation does: the hostnames that it reaches, what certificates name them, and what else is under way. */
import type { Arguments } from "../language/conduct.js";
import { changesIn } from "../language/difference-lines.js";
import {
  type ActivationScope,
  type Forecast,
  type Forecasted,
  isUnknown,
  type ListEntries,
  type PendingChange,
} from "../language/forecast.js";
import { membership } from "../language/guards.js";
import { memberAt } from "../language/member.js";
import { z } from "../language/z.js";
import { IncludeTree, includeKind, maxParents, Parents } from "../tools/includes/shapes.js";
import { activeVersion } from "../tools/network-lists/checks.js";
import { rulesBetween, rulesOf } from "../tools/policy-manager/rules.js";
import { treeDifference } from "../tools/properties/difference.js";
import { Hostnames, RuleTree } from "../tools/properties/shapes.js";
import { activeOn, isUnderWay, propertyKind, type VersionedKind } from "../tools/properties/states.js";
import { placeIn } from "../tools/shared-policies/guards.js";
import { hostnamesOf, networkWords, type UserProperty } from "./active-hostnames.js";
import { certificateCover } from "./certificate.js";
import { type Reach, reachFacts, reachOf } from "./reach.js";
import { bodyAs, listIn, orUnknown, otherForm, type SiteReads, textIn } from "./reads.js";

type ActivationForecast = (scope: ActivationScope, reads: SiteReads) => Promise<Forecast>;

/**
 * The response with all activations of a property or an include.
 * @throws Failure, also for one in another form, in which nothing would seem to be active.
 */
async function listedActivations(kind: VersionedKind, of: Arguments, { read }: SiteReads): Promise<unknown> {
  const body = await read(`${kind.noun}_activations_list`, of);
  if (kind.activationsIn(body).length !== listIn(body, "activations.items").length) throw otherForm();
  return body;
}

/** The activations of a property or an include that have not ended, on both networks. */
const pendingIn = (kind: VersionedKind, listed: unknown): readonly PendingChange[] =>
  kind
    .activationsIn(listed)
    .filter(isUnderWay)
    .map(({ version, network, status, notifyEmails }) => {
      const change = { what: `version ${version}`, network, status };
      return notifyEmails.length === 0 ? change : { ...change, by: notifyEmails.join(", ") };
    });

type Tree = Pick<z.output<typeof RuleTree>, "rules" | "ruleFormat">;

/** Whether two versions have the same rules, whose meaning depends on their format. */
async function rulesAreSame(
  { read }: SiteReads,
  schema: z.ZodType<Tree>,
  tool: string,
  // As the preview reads them, so that neither is read twice.
  next: Arguments,
  former: Arguments,
): Promise<boolean> {
  const bodies = await Promise.all([read(tool, next), read(tool, { ...former, validateRules: false })]);
  const [one, other] = bodies.map((body) => bodyAs(schema, body)) as [Tree, Tree];
  return one.ruleFormat === other.ruleFormat && changesIn(treeDifference(one.rules, other.rules)) === 0;
}

type Entry = z.output<typeof Hostnames>["hostnames"]["items"][number];
const nameOf = ({ cnameFrom }: Entry): string => cnameFrom;
/** What decides how a hostname is served, apart from the rules. */
const settingsOf = ({ cnameTo, edgeHostnameId, certProvisioningType = "CPS_MANAGED" }: Entry): string =>
  `${cnameTo ?? edgeHostnameId} ${certProvisioningType}`;

/**
 * What the hostnames of one version become with another.
 * @param isSame Whether the rules are the same; undefined if one of the versions is none.
 */
function propertyReach(
  before: readonly Entry[],
  after: readonly Entry[],
  isSame: Forecasted<boolean> | undefined,
): Reach {
  const { lost, gained } = membership(before, after, nameOf);
  const former = new Map(before.map((one) => [nameOf(one), settingsOf(one)]));
  const kept = after.filter((one) => former.has(nameOf(one)));
  const changed = isSame === true ? kept.filter((one) => former.get(nameOf(one)) !== settingsOf(one)) : kept;
  return reachOf([...lost, ...gained, ...changed, ...kept].map(nameOf), {
    added: gained.length,
    removed: lost.length,
    ...(isSame !== undefined && { changed: isUnknown(isSame) && kept.length > 0 ? isSame : changed.length }),
  });
}

/** The hostnames that a property has on a network without those of its versions: in a bucket, if it has one. */
async function bucketOf(reads: SiteReads, network: "production" | "staging", of: UserProperty) {
  const bucket = await orUnknown("hostname bucket", hostnamesOf(reads, network, [of]));
  return isUnknown(bucket) ? [] : bucket.names.map((cnameFrom): Entry => ({ cnameType: "EDGE_HOSTNAME", cnameFrom }));
}

const forecastProperty: ActivationForecast = async (scope, reads) => {
  const { network, isEnd } = scope;
  const of = { propertyId: scope.id, ...scope.within };
  const listed = await orUnknown("list of activations", listedActivations(propertyKind, of, reads));
  if (isUnknown(listed)) return { hostnames: listed, pending: listed };
  const pending = pendingIn(propertyKind, listed);
  const former = activeOn(propertyKind, networkWords[network].name, listed);
  const next = isEnd ? undefined : scope.version;
  const inVersion = (propertyVersion: number) => ({ ...of, propertyVersion });
  const entriesOf = async (number: number | undefined, more: Arguments = {}): Promise<readonly Entry[]> => {
    if (number === undefined) return [];
    const body = await reads.read("property_hostnames_list", { ...inVersion(number), ...more });
    return bodyAs(Hostnames, body).hostnames.items;
  };
  const [inVersions, isSame] = await Promise.all([
    orUnknown("list of hostnames", Promise.all([entriesOf(former), entriesOf(next)])),
    former === undefined || next === undefined
      ? undefined
      : orUnknown(
          "rule tree",
          rulesAreSame(reads, RuleTree, "property_rule_tree_get", inVersion(next), inVersion(former)),
        ),
  ]);
  if (isUnknown(inVersions)) return { hostnames: inVersions, pending };
  const isBare = inVersions.every((list) => list.length === 0);
  const bucket = isBare ? await bucketOf(reads, network, of) : [];
  const [before, after] = isBare ? [former === undefined ? [] : bucket, isEnd ? [] : bucket] : inVersions;
  const cover = async () => {
    const isByDefault = after.some(({ certProvisioningType }) => certProvisioningType === "DEFAULT");
    const served = isByDefault ? await entriesOf(next, { includeCertStatus: true }) : after;
    return certificateCover(reads, served, network, memberAt(listed, "contractId") ?? scope.within?.contractId);
  };
  const [facts, certificates] = await Promise.all([
    reachFacts(reads, network, propertyReach(before, after, isSame)),
    after.length === 0 ? undefined : orUnknown("list of certificates", cover()),
  ]);
  return { ...facts, ...(certificates && { certificates }), pending };
};

/** The hostnames of properties that use an object: they stay, and get other rules unless these are the same. */
async function forecastUsers(
  { network }: ActivationScope,
  reads: SiteReads,
  usersOf: () => Promise<readonly UserProperty[]>,
  isSame: () => Promise<Forecasted<boolean>>,
): Promise<Pick<Forecast, "hostnames" | "traffic">> {
  const [active, same] = await Promise.all([
    orUnknown(
      "list of properties that use it",
      usersOf().then((users) => hostnamesOf(reads, network, users)),
    ),
    orUnknown("rule set", isSame()),
  ]);
  if (isUnknown(active)) return { hostnames: active };
  const changed = isUnknown(same) ? same : same ? 0 : new Set(active.names).size;
  const { names, unread } = active;
  return reachFacts(reads, network, reachOf(names, { changed, ...(unread > 0 && { unread }) }));
}

const forecastInclude: ActivationForecast = async (scope, reads) => {
  const { network, version, isEnd } = scope;
  const of = { includeId: scope.id, ...scope.within };
  const inVersion = (includeVersion: number) => ({ ...of, includeVersion });
  const listed = await orUnknown("list of activations", listedActivations(includeKind, of, reads));
  const former = activeOn(includeKind, networkWords[network].name, listed);
  const usersOf = async () => {
    const body = await reads.read("include_parents_list", { ...of, limit: maxParents });
    return bodyAs(Parents, body).properties.items.filter(
      (one) => typeof one[networkWords[network].version] === "number",
    );
  };
  const isSame = async (): Promise<Forecasted<boolean>> => {
    if (isUnknown(listed)) return listed;
    if (former === undefined || version === undefined || isEnd) return false;
    return rulesAreSame(reads, IncludeTree, "include_rule_tree_get", inVersion(version), inVersion(former));
  };
  const pending = isUnknown(listed) ? listed : pendingIn(includeKind, listed);
  return { ...(await forecastUsers(scope, reads, usersOf, isSame)), pending };
};

/** The operations on a shared policy that have not ended, on both networks. */
const runningOn = (policy: unknown): readonly PendingChange[] =>
  Object.values(networkWords).flatMap(({ name: network }) => {
    const { running } = placeIn(policy, network);
    if (running === undefined) return [];
    const [version, operation, status, by] = ["policyVersion", "operation", "status", "createdBy"].map((name) =>
      memberAt(running, name),
    );
    const change = { what: `version ${version}`, network, status: `${operation} ${status}` };
    return [typeof by === "string" ? { ...change, by } : change];
  });

const PolicyInUse = z.looseObject({ currentActivations: z.looseObject({}) });

const forecastPolicy: ActivationForecast = async (scope, reads) => {
  const { version, isEnd } = scope;
  const network = networkWords[scope.network].name;
  const policyId = Number(scope.id);
  const policy = await orUnknown(
    "shared policy",
    reads.read("sharedpolicy_get", { policyId }).then((body) => bodyAs(PolicyInUse, body)),
  );
  const { active } = placeIn(policy, network);
  const usersOf = async () => {
    const listed = await reads.read("sharedpolicy_properties_list", { policyId, size: 1_000 });
    const users = listIn(listed, "content").filter((one) => textIn(one, "network") === network);
    return users.map((one) => ({ propertyId: String(memberAt(one, "id")) }));
  };
  const rulesIn = async (number: number) => {
    const rules = rulesOf(await reads.read("sharedpolicy_version_get", { policyId, version: number }));
    if (rules === undefined) throw otherForm();
    return rules;
  };
  const isSame = async (): Promise<Forecasted<boolean>> => {
    if (isUnknown(policy)) return policy;
    if (active === undefined || version === undefined || isEnd) return false;
    const [before, after] = await Promise.all([rulesIn(active), rulesIn(version)]);
    return changesIn(rulesBetween(before, after) ?? []) === 0;
  };
  const pending = isUnknown(policy) ? policy : runningOn(policy);
  return { ...(await forecastUsers(scope, reads, usersOf, isSame)), pending };
};

/** How the elements of a list differ from those of the version that is active on a network. */
async function elementChange({ id: networkListId, network }: ActivationScope, { read }: SiteReads, list: unknown) {
  const environment = networkWords[network].name;
  const syncPoint = activeVersion(await read("netlist_activation_status", { networkListId, environment }));
  const active =
    syncPoint === undefined ? { list: [] } : await read("netlist_version_get", { networkListId, syncPoint });
  const { lost, gained } = membership(listIn(active, "list"), listIn(list, "list"));
  return { added: gained.length, removed: lost.length } satisfies ListEntries;
}

/** The activations and deactivations of a list that have not ended, on both networks. */
async function listChanges(list: unknown): Promise<readonly PendingChange[]> {
  return Object.values(networkWords).flatMap(({ name: network, listStatus }) => {
    const status = textIn(list, listStatus);
    const what = status === "PENDING_DEACTIVATION" ? "a deactivation" : "an activation";
    return status.startsWith("PENDING") ? [{ what, network, status }] : [];
  });
}

const forecastList: ActivationForecast = async (scope, reads) => {
  const hostnames = { unknown: "no API of this server says which sites use a network list" };
  const listed = { networkListId: scope.id, extended: true };
  const list = await orUnknown("network list", reads.read("netlist_get", listed));
  if (isUnknown(list)) return { hostnames, entries: list, pending: list };
  const pending = await orUnknown("status of activations", listChanges(list));
  return { hostnames, entries: await orUnknown("active version", elementChange(scope, reads, list)), pending };
};

const forecasts = {
  property: forecastProperty,
  include: forecastInclude,
  policy: forecastPolicy,
  list: forecastList,
} as const;

/** Forecasts an activation or a deactivation. */
export const forecastActivation: ActivationForecast = (scope, reads) => forecasts[scope.of](scope, reads);
