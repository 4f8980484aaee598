/** Everything about one hostname, put together from readings; what could not be read is named with the reason. */
import { defined, memberAt } from "../language/member.js";
import type { RecordSet } from "../tools/dns/set-notation.js";
import type { Knowledge, Known } from "./known.js";
import { isNamed } from "./names.js";
import {
  certificateEnds,
  contractIds,
  coverageTool,
  cpCodeName,
  type EdgeHostnameFacts,
  edgeHostnameFacts,
  enrollmentsOf,
  type HostnameOwner,
  type HostnameZone,
  isUnderWay,
  type PropertyState,
  policyUses,
  propertyActivations,
  propertyState,
  type ServedHostname,
  type SiteActivation,
  type SiteGeneration,
  type SiteNetwork,
  securityCoverage,
  securityLists,
  servedByVersion,
  versionEdits,
  versionRules,
} from "./readings.js";

/** What of a card could not be read, and why. */
type Unknowns = Record<string, string>;
type Part = Readonly<Record<string, unknown>> | undefined;

interface CardContext {
  readonly hostname: string;
  readonly owner: HostnameOwner;
  /** When the owner was read, in milliseconds. */
  readonly ownerAtMs: number;
  readonly generation: SiteGeneration;
  readonly knowledge: Knowledge;
  /** Whether an operation is offered. */
  readonly isOffered: (tool: string) => boolean;
}

/** Values by network as one, where both are the same. */
const onceIfSame = ({ production, staging }: Readonly<Partial<Record<SiteNetwork, unknown>>>): unknown =>
  JSON.stringify(production) === JSON.stringify(staging) ? production : { production, staging };

interface HostnameCard {
  readonly card: Readonly<Record<string, unknown>>;
  /** Whether no activation is under way, after which much of it would be wrong. */
  readonly isSettled: boolean;
}

/** Collects the values of readings, the reasons for what is unknown, and the time of the oldest one. */
class Collector {
  readonly unknown: Unknowns = {};

  constructor(public oldestMs: number) {}

  /** The value of a reading; undefined if it is unknown, which is noted for its part. */
  take<T>(part: string, known: Known<T>): T | undefined {
    if (known.unknown === undefined) {
      this.oldestMs = Math.min(this.oldestMs, known.atMs);
      return known.value;
    }
    this.unknown[part] = known.unknown;
    return undefined;
  }
}

const [mostShown, mostEnrollments, mostContracts, longestNote] = [3, 2, 5, 80];

/** The first items of a list under its name, and how many it has beyond them. */
const shown = (name: string, list: readonly unknown[]): Readonly<Record<string, unknown>> => ({
  [name]: list.slice(0, mostShown),
  ...(list.length > mostShown ? { [`${name}NotShown`]: list.length - mostShown } : {}),
});

const servedPart = (network: SiteNetwork): string => `edge hostname on ${network}`;

/** How a network serves a hostname: from the list of active hostnames, or from the version that is active there. */
async function servedOn(
  { owner, hostname, knowledge }: CardContext,
  collector: Collector,
  network: SiteNetwork,
  version: number | null,
): Promise<ServedHostname | undefined> {
  const listed = owner[network];
  if (listed !== undefined || version === null) return listed;
  const reading = servedByVersion(hostname, owner, version);
  return collector.take(servedPart(network), await knowledge.known(reading)) ?? undefined;
}

/** Whether an edge hostname is on the network: a status is shown by some answers only. */
const isReady = (facts: EdgeHostnameFacts | undefined): boolean => (facts?.status ?? "ACTIVE") === "ACTIVE";

/** The facts of an edge hostname, beside its name. */
async function edgeOf({ owner, knowledge }: CardContext, collector: Collector, served: ServedHostname) {
  const { edgeHostname: name, edgeHostnameId } = served;
  if (edgeHostnameId === undefined) return { name };
  const facts = collector.take("edge hostname", await knowledge.known(edgeHostnameFacts(edgeHostnameId, owner)));
  return defined({ name, ...facts, status: isReady(facts) ? undefined : facts?.status });
}

/** The enrollments whose certificates name a hostname: of the property's contract, else of the others. */
async function enrollmentsNaming({ hostname, owner, knowledge }: CardContext, collector: Collector) {
  const naming = async (contractId: string) => {
    const all = collector.take("certificate", await knowledge.known(enrollmentsOf(contractId)));
    return all?.filter(({ cn, names }) => isNamed(hostname, [cn, ...names])) ?? [];
  };
  const contractId = owner.contractId.replace(/^ctr_/, "");
  const first = await naming(contractId);
  if (first.length > 0 || collector.unknown["certificate"] !== undefined) return first;
  const contracts = collector.take("certificate", await knowledge.known(contractIds)) ?? [];
  const others = contracts.filter((one) => one !== contractId);
  const further = (await Promise.all(others.slice(0, mostContracts).map(naming))).flat();
  if (further.length === 0 && others.length > mostContracts)
    collector.unknown["certificate"] =
      `None in ${mostContracts + 1} of ${others.length + 1} contracts; the others were not read.`;
  return further;
}

const isDeployed = ({ slots }: { readonly slots: Readonly<Record<SiteNetwork, readonly number[]>> }): boolean =>
  slots.production.length + slots.staging.length > 0;

async function certificatesOf(context: CardContext, collector: Collector, types: readonly (string | undefined)[]) {
  if (types.includes("DEFAULT")) {
    collector.unknown["certificate expiry"] =
      "It is a DEFAULT certificate of the property, of which no operation shows the end.";
    return [{ type: "DEFAULT" }];
  }
  const naming = await enrollmentsNaming(context, collector);
  const first = naming.toSorted((a, b) => Number(isDeployed(b)) - Number(isDeployed(a))).slice(0, mostEnrollments);
  return Promise.all(
    first.map(async ({ id, cn, slots, isPending }) => {
      const ends = collector.take("certificate expiry", await context.knowledge.known(certificateEnds(id)));
      const [slot] = [...slots.production, ...slots.staging];
      const expires = ends && onceIfSame(ends);
      return defined({
        enrollmentId: id,
        commonName: cn,
        expires,
        slot: slot ?? null,
        isPending: isPending || undefined,
      });
    }),
  );
}

/** Whether a value of a record is one of the edge hostnames. */
const isEdge = (value: string, edges: readonly string[]): boolean =>
  edges.includes(value.toLowerCase().replace(/\.$/, ""));

/** A record set in a line, where the edge hostname, which the card has anyway, is not written once more. */
const recordText = ({ type, ttl, rdata }: RecordSet, edges: readonly string[]): string =>
  [type, ttl, ...rdata.map((value) => (isEdge(value, edges) ? "edgeHostname" : value))].join(" ").trim();

/** The zone and the records of a hostname. @param found What was read; undefined if it is unknown. */
function dnsPart(found: HostnameZone | undefined, edges: readonly string[]): Part {
  if (found === undefined || found.zone === null) return found && { zone: null };
  const { zone, sets } = found;
  const records = sets.map((one) => recordText(one, edges));
  const leadsToEdge = sets.some(({ rdata }) => rdata.some((value) => isEdge(value, edges)));
  // Without the name of an edge hostname nothing leads there for certain, and nothing leads elsewhere.
  return { zone, ...shown("records", records), ...(edges.length > 0 ? { leadsToEdge } : {}) };
}

/** What the rules of a version say, with the names of what they refer to. */
async function rulesOf({ owner, generation, knowledge }: CardContext, collector: Collector, version: number) {
  const facts = collector.take("rules", await knowledge.known(versionRules(owner, version)));
  if (facts === undefined) return undefined;
  const names = await Promise.all(facts.cpcode.slice(0, mostShown).map((id) => knowledge.known(cpCodeName(id, owner))));
  const cpCodes = facts.cpcode.map((id, at) => {
    const known = names[at];
    return defined({ id, name: known && (collector.take("cp code name", known) ?? undefined) });
  });
  const { includes } = generation;
  if (facts.include.length > 0 && includes === undefined)
    collector.unknown["includes"] = "Only the APIs of today read includes.";
  const known =
    facts.include.length === 0 || includes === undefined
      ? undefined
      : collector.take("includes", await knowledge.known(includes(owner)));
  if (known && facts.include.some((id) => !Object.hasOwn(known, id)))
    collector.unknown["includes"] = "Those without a name are in another group than the property.";
  const includesShown = facts.include.map((id) => {
    const of = known && Object.hasOwn(known, id) ? known[id] : undefined;
    return defined({ id, name: of?.name, active: of && onceIfSame(of) });
  });
  return {
    version,
    ...shown("origins", facts.origin),
    ...shown("cpCodes", cpCodes),
    ...shown("includes", includesShown),
  };
}

/** The rules of the version that is on production, and what differs of those on staging. */
async function rulesPart(context: CardContext, collector: Collector, { production, staging, latest }: PropertyState) {
  const main = production ?? staging ?? latest;
  const [rules, other] = await Promise.all([
    rulesOf(context, collector, main),
    staging === null || staging === main ? undefined : rulesOf(context, collector, staging),
  ]);
  const differing = Object.entries(other ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(memberAt(rules, [name])),
  );
  // The number of the version always does.
  return { rules, ...(differing.length > 1 ? { rulesOnStaging: Object.fromEntries(differing) } : {}) };
}

/** The policies that a property uses on the networks. */
async function policiesOf({ owner, generation, knowledge }: CardContext, collector: Collector): Promise<Part> {
  const [uses, shared] = await Promise.all([
    knowledge.known(policyUses),
    generation.sharedPolicies === undefined
      ? undefined
      : knowledge.known(generation.sharedPolicies(owner.propertyName)),
  ]);
  const all = collector.take("policies", uses);
  const ofProperty = all && Object.hasOwn(all, owner.propertyName) ? all[owner.propertyName] : undefined;
  const sharedOnes = shared && collector.take("shared policies", shared);
  const namesOn = (network: SiteNetwork) => [...(ofProperty?.[network] ?? []), ...(sharedOnes?.[network] ?? [])];
  const [production, staging] = [namesOn("production"), namesOn("staging")];
  const isComplete = all !== undefined && (shared === undefined || sharedOnes !== undefined);
  // Where some could not be read, that none were found does not say that there are none.
  if (!isComplete && production.length + staging.length === 0) return {};
  if (JSON.stringify(production) === JSON.stringify(staging)) return shown("policies", production);
  return { policies: { ...shown("production", production), ...shown("staging", staging) } };
}

/** The security configuration of a hostname, and the network lists of its policies. */
async function securityOf({ hostname, knowledge, isOffered }: CardContext, collector: Collector): Promise<Part> {
  if (!isOffered(coverageTool)) {
    collector.unknown["security"] = `${coverageTool} is not offered here.`;
    return undefined;
  }
  const coverage = collector.take("security", await knowledge.known(securityCoverage(hostname)));
  if (coverage === null) collector.unknown["security"] = "The list of covered hostnames lacks it.";
  if (coverage === null || coverage === undefined) return undefined;
  const { configurationId, configuration, version, status, policies } = coverage;
  const covered = defined({ status, configuration, version, ...shown("policies", policies) });
  if (configurationId === null || version === null || policies.length === 0) return covered;
  const uses = collector.take("network lists", await knowledge.known(securityLists(hostname, coverage)));
  return uses ? { ...covered, ...shown("allows", uses.allows), ...shown("blocks", uses.blocks) } : covered;
}

/** The day of an instant, which is enough for what lies in the past. */
const dayOf = (instant: string | undefined): string | undefined => instant?.slice(0, 10);

/** Whether an activation brought what a network has now, which the card says of the network. */
const isInPlace = ({ type, status }: SiteActivation): boolean => type === "ACTIVATE" && status === "ACTIVE";

/** Puts the card of a hostname together. @param nowMs For the age of its oldest reading. */
export async function cardOf(context: CardContext, nowMs: number): Promise<HostnameCard> {
  const { hostname, owner, ownerAtMs, knowledge, generation } = context;
  const collector = new Collector(ownerAtMs);
  const { propertyId, propertyName, contractId, groupId } = owner;
  const [stateKnown, editsKnown, activationsKnown, zoneKnown, errorsKnown, policies, security] = await Promise.all([
    knowledge.known(propertyState(owner)),
    knowledge.known(versionEdits(owner)),
    knowledge.known(propertyActivations(owner)),
    knowledge.known(generation.zone(hostname)),
    knowledge.known(generation.errors(hostname)),
    policiesOf(context, collector),
    securityOf(context, collector),
  ]);
  const state = collector.take("versions", stateKnown);
  const edits = collector.take("editors", editsKnown);
  const activations = collector.take("activations", activationsKnown);
  const [production, staging, rules] = state
    ? await Promise.all([
        servedOn(context, collector, "production", state.production),
        servedOn(context, collector, "staging", state.staging),
        rulesPart(context, collector, state),
      ])
    : [owner.production, owner.staging, {}];
  const edges = [production, staging].flatMap((one) => one ?? []);
  const [edge] = edges;
  const types = edges.map(({ certificateType }) => certificateType);
  const [edgeHostname, certificates] = await Promise.all([
    edge && edgeOf(context, collector, edge),
    certificatesOf(context, collector, types),
  ]);
  const editOf = (version: number | undefined) => edits?.find((one) => one.version === version);
  const on = (network: SiteNetwork, served: ServedHostname | undefined) => {
    const version = state?.[network];
    // A hostname bucket serves hostnames without a version.
    if (served === undefined && version === null) return null;
    if (served === undefined && version === undefined) return undefined;
    const isShown = served === undefined || served.edgeHostname !== edge?.edgeHostname;
    return defined({
      version: version ?? undefined,
      since: dayOf(activations?.since[network]),
      by: editOf(version ?? undefined)?.by,
      // Null where the version does not have the hostname.
      edgeHostname: isShown && !(servedPart(network) in collector.unknown) ? (served?.edgeHostname ?? null) : undefined,
    });
  };
  const latest = editOf(state?.latest);
  const newest = activations?.newest;
  const card = defined({
    hostname,
    property: { propertyId, propertyName, contractId, groupId },
    production: on("production", production),
    staging: on("staging", staging),
    latest:
      state &&
      defined({ version: state.latest, ...latest, at: dayOf(latest?.at), note: latest?.note?.slice(0, longestNote) }),
    lastActivation: newest && !isInPlace(newest) ? { ...newest, at: dayOf(newest.at) } : undefined,
    edgeHostname,
    certificates: "certificate" in collector.unknown && certificates.length === 0 ? undefined : certificates,
    dns: dnsPart(
      collector.take("dns", zoneKnown),
      edges.map(({ edgeHostname: name }) => name.toLowerCase()),
    ),
    ...rules,
    ...policies,
    security,
    errorsNow: collector.take("errors", errorsKnown),
    unknown: Object.keys(collector.unknown).length > 0 ? collector.unknown : undefined,
    oldestReadingSeconds: Math.max(0, Math.round((nowMs - collector.oldestMs) / 1_000)),
  });
  return { card, isSettled: !(newest && isUnderWay(newest)) };
}
