/** What changes of the account do to the requests of a host: they stay away, are denied, or fail at the origin. */
import type { World } from "../../world.js";
import { type AccountHost, everyHost, geoLocationOf, locations, refusedCpCode } from "../account.js";
import { resolve } from "../dns/resolver.js";
import { zoneChanges, zoneLives } from "../dns/zones.js";
import { denialInstants, deniedElements } from "../network-lists/index.js";
import { completedAt } from "../properties/networks.js";
import { edgeZoneNames, otherOriginIp, propertiesIn, servedHosts } from "../properties/served.js";
import { stateOf } from "../properties/world.js";
import { finishedPurges } from "../purge/index.js";
import { isWithin, visitorAddresses } from "../threat-protection/visitors.js";
import { isEstablished, originShare, purgedShare, staleAfter } from "./sites.js";

/** What happens to a host's requests at an instant; all are shares of the requests that arrive. */
export interface Conditions {
  /** The requests that the firewall denies at the edge. */
  readonly denied: number;
  /** Of the others, those that need an origin that does not answer. */
  readonly failing: number;
}
const usual: Conditions = { denied: 0, failing: 0 };

const refusedIp = everyHost.find(({ cpCode }) => String(cpCode) === refusedCpCode)?.originIp;
/** A version is bad if its origin refuses connections, or is no server of this world. */
const hasBadOrigin = ({ originIp }: AccountHost): boolean => originIp === refusedIp || originIp === otherOriginIp;

/** When production changed since the world's start, in order. */
const activationInstants = (world: World): readonly number[] =>
  [
    ...new Set(
      propertiesIn(world).flatMap(({ activations }) =>
        activations
          .filter(({ network, cancelledAtMs }) => network === "PRODUCTION" && cancelledAtMs === undefined)
          .map(completedAt)
          .filter((at) => at > world.startedAtMs && at <= world.now()),
      ),
    ),
  ].sort((a, b) => a - b);

/** What production delivers from an instant on, until the next of these. */
interface Delivery {
  readonly fromMs: number;
  readonly hosts: ReadonlyMap<string, AccountHost>;
}
/** The deliveries since the world's start, oldest first. */
function deliveriesIn(world: World): readonly Delivery[] {
  const known = world.state("deliveries", (): { key?: string; all: readonly Delivery[] } => ({ all: [] }));
  const instants = activationInstants(world);
  const key = instants.join(" ");
  if (known.key === key) return known.all;
  known.key = key;
  known.all = [world.startedAtMs, ...instants].map((fromMs) => ({
    fromMs,
    hosts: new Map(servedHosts(world, "PRODUCTION", fromMs).map((host) => [host.name, host])),
  }));
  return known.all;
}

/** The hosts that production delivers at an instant after the world's start. */
export const deliveredHosts = (world: World, atMs: number): readonly AccountHost[] => [
  ...(deliveriesIn(world)
    .findLast(({ fromMs }) => fromMs <= atMs)
    ?.hosts.values() ?? []),
];
/** When production first delivered a host, at the world's start or later. */
const servedSince = (world: World, hostName: string): number | undefined =>
  deliveriesIn(world).find(({ hosts }) => hosts.has(hostName))?.fromMs;

/** Whose answers fail in a period: since when, and until when. */
export interface Outage {
  readonly host: AccountHost;
  readonly fromMs: number;
  /** Undefined while it lasts. */
  readonly untilMs: number | undefined;
}
/** The outages that activations began; one of the initial world has no beginning here. */
export function outagesOf(world: World, hostName: string): readonly Outage[] {
  const all: Outage[] = [];
  for (const { fromMs, hosts } of deliveriesIn(world)) {
    const host = hosts.get(hostName);
    const last = all.at(-1);
    const isBad = host !== undefined && hasBadOrigin(host);
    if (isBad && (last === undefined || last.untilMs !== undefined)) all.push({ host, fromMs, untilMs: undefined });
    if (!isBad && last && last.untilMs === undefined) all[all.length - 1] = { ...last, untilMs: fromMs };
  }
  return all;
}

/** The share of the requests that need an origin which does not answer; those for fresh objects do not. */
function failingAt(world: World, hostName: string, atMs: number): number {
  const outage = outagesOf(world, hostName).find(
    ({ fromMs, untilMs = Number.POSITIVE_INFINITY }) => atMs >= fromMs && atMs < untilMs,
  );
  if (!outage) return 0;
  // A host that began with it has nothing in the cache.
  if (outage.fromMs === servedSince(world, hostName) && !isEstablished(hostName)) return 1;
  const share = originShare(world, outage.host);
  const { cpCode } = outage.host;
  // What is deleted meanwhile cannot be fetched again; what is only invalid is served all the same.
  const kept = finishedPurges(world)
    .filter((purge) => !purge.isValidation && purge.atMs >= outage.fromMs && purge.atMs <= atMs)
    .reduce((left, purge) => left * (1 - purgedShare(world, String(cpCode), hostName, purge)), 1);
  return share + (1 - share) * (1 - kept * (1 - staleAfter(outage.host, atMs - outage.fromMs)));
}

/** The share of all visitors whose addresses or countries the firewall's lists deny at an instant. */
function deniedAt(world: World, atMs: number): number {
  const known = world.state("denied shares", () => new Map<number, number>());
  // An earlier activation is never added, so their number shows which lists are live.
  const live = denialInstants(world).filter((at) => at <= atMs).length;
  const share = known.get(live) ?? deniedBy(deniedElements(world, atMs));
  known.set(live, share);
  return share;
}
function deniedBy(elements: readonly string[]): number {
  const isDenied = (address: string) =>
    elements.some((element) =>
      /^[A-Z]{2}$/.test(element) ? geoLocationOf(address)?.place.countryCode === element : isWithin(address, element),
    );
  return visitorAddresses.filter(isDenied).length / visitorAddresses.length;
}

/** The conditions of a host at an instant after the world's start; before it, they are the usual ones. */
export function conditionsOf(world: World, hostName: string, atMs: number): Conditions {
  if (atMs < world.startedAtMs) return usual;
  const [denied, failing] = [deniedAt(world, atMs), failingAt(world, hostName, atMs)];
  return denied === 0 && failing === 0 ? usual : { denied, failing };
}

/** What resolvers are told of a name from an instant on: whether it leads to the edge, and for how many seconds they keep that. */
interface NameAnswer {
  readonly fromMs: number;
  readonly isEdge: boolean;
  readonly ttl: number;
}
function answerAt(world: World, hostName: string, fromMs: number): NameAnswer {
  const { answer, authority } = resolve(world, locations[0] as (typeof locations)[number], hostName, "A", fromMs);
  const last = answer.at(-1);
  // The CDN's own records are kept for seconds only.
  const kept = answer.filter(({ domain }) => !edgeZoneNames.some((zone) => domain.endsWith(`.${zone}.`)));
  return {
    fromMs,
    isEdge: last?.recordType === "A" && locations.some(({ edgeIp }) => edgeIp === last.value),
    ttl: Math.min(...(kept.length === 0 ? authority : kept).map(({ ttl }) => ttl)),
  };
}
/** When what resolvers are served changed, in order, each instant once; and the answers for names over time, oldest first. */
function lookupsIn(world: World) {
  const key = `${zoneChanges(world)} ${stateOf(world).edgeHostnames.size}`;
  const known = world.state("lookups", () => ({
    key: "",
    instants: [] as readonly number[],
    answers: new Map<string, readonly NameAnswer[]>(),
  }));
  if (known.key === key) return known;
  const all = zoneLives(world).flatMap(({ versions, endedAtMs }) => [
    ...versions.map(({ at }) => at),
    ...(endedAtMs === undefined ? [] : [endedAtMs]),
  ]);
  const instants = [...new Set(all)].sort((a, b) => a - b);
  return Object.assign(known, { key, instants, answers: new Map() });
}
function answersFor(world: World, hostName: string): readonly NameAnswer[] {
  const { instants, answers } = lookupsIn(world);
  const found = answers.get(hostName) ?? instants.map((at) => answerAt(world, hostName, at));
  answers.set(hostName, found);
  return found;
}

/**
 * The share of a host's visitors whose resolvers lead them to the edge at an instant: each keeps an old answer until its
 * time to live has passed, and they asked at different times.
 */
export function arrivingShare(world: World, hostName: string, atMs: number): number {
  if (atMs < world.startedAtMs) return 1;
  const answers = answersFor(world, hostName).filter(({ fromMs }) => fromMs <= atMs);
  // What was so at the start is in the usual traffic of the hosts that have any.
  const isUsual = isEstablished(hostName) && answers.every(({ fromMs }) => fromMs < world.startedAtMs);
  if (isUsual || (answers.length > 0 && answers.every(({ isEdge }) => isEdge))) return 1;
  let [share, left] = [0, 1];
  for (let index = answers.length - 1; index >= 0 && left > 0; index -= 1) {
    const { fromMs, isEdge } = answers[index] as NameAnswer;
    const before = answers[index - 1];
    const old = before ? Math.max(0, 1 - (atMs - fromMs) / (1_000 * before.ttl)) : 0;
    if (isEdge) share += left * (1 - old);
    left *= old;
  }
  return share;
}

/** When a host first had visitors: production delivered it, and its name led there; undefined if it never had. */
export function visitedSince(world: World, hostName: string): number | undefined {
  const led = answersFor(world, hostName).find(({ isEdge }) => isEdge)?.fromMs;
  const served = servedSince(world, hostName);
  return led === undefined || served === undefined ? undefined : Math.max(led, served);
}

/** When something first changed what happens to requests after the world's start; undefined if nothing has. */
export function firstChange(world: World): number | undefined {
  const all = [...activationInstants(world), ...denialInstants(world), ...lookupsIn(world).instants].filter(
    (at) => at > world.startedAtMs && at <= world.now(),
  );
  return all.length === 0 ? undefined : Math.min(...all);
}
