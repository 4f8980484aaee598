/** What changes of the account do to the requests of a host: they stay away, are denied, or fail at the origin. */
import { ownerOf } from "../../../tools/dns/zone.js";
import type { World } from "../../world.js";
import { type AccountHost, cpCodes, edgeAt, everyHost, geoLocationOf, refusedCpCode } from "../account.js";
import { versionsOf, type ZoneVersion, zoneNames } from "../dns/zones.js";
import { denialInstants, deniedElements } from "../network-lists/index.js";
import { completedAt } from "../properties/networks.js";
import { edgeZoneNames, otherOriginIp, propertiesIn, servedHosts } from "../properties/served.js";
import { isWithin, visitorAddresses } from "../threat-protection/visitors.js";

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

/** The share of a CP code's successful requests that go to the origin with a warm cache. */
export const originShareAt = (cpCode: string | number): number =>
  cpCodes.find(({ id }) => id === String(cpCode))?.originShare ?? 1;

/** How long the edge keeps an object of a host, in milliseconds: an endless time to live is bounded by the cache's size. */
const keptMs = ({ ttl }: AccountHost): number => (/^\d+$/.test(ttl) ? Number(ttl) : 86_400) * 1_000;

/** The share of a host's cache that is no longer fresh after an origin has failed for so long. */
export const staleAfter = (host: AccountHost, lastedMs: number): number => {
  const kept = keptMs(host);
  return kept === 0 ? 1 : 1 - Math.exp(-lastedMs / kept);
};

/** The share of the requests that need an origin which does not answer; those for fresh objects do not. */
function failingAt(world: World, hostName: string, atMs: number): number {
  const outage = outagesOf(world, hostName).find(
    ({ fromMs, untilMs = Number.POSITIVE_INFINITY }) => atMs >= fromMs && atMs < untilMs,
  );
  if (!outage) return 0;
  const share = originShareAt(outage.host.cpCode);
  return share + (1 - share) * staleAfter(outage.host, atMs - outage.fromMs);
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

/** The version's answer for a name: whether it leads to the edge, and for how many seconds resolvers keep it. */
function answerIn({ zone }: ZoneVersion, hostName: string): { readonly isEdge: boolean; readonly ttl: number } {
  const find = (type: "cname" | "a" | "aaaa") =>
    zone[type]?.find(({ active, name }) => active && ownerOf(zone.name.toLowerCase(), name) === hostName);
  const alias = find("cname");
  const target = String(alias?.["target"] ?? "").replace(/\.$/, "");
  if (alias) return { isEdge: edgeZoneNames.some((edge) => target.endsWith(`.${edge}`)), ttl: alias.ttl };
  const address = find("a") ?? find("aaaa");
  if (address) return { isEdge: edgeAt(String(address["target"])) !== undefined, ttl: address.ttl };
  return { isEdge: false, ttl: zone.soa.minimum };
}

const zoneVersionsOf = (world: World, hostName: string): readonly ZoneVersion[] => {
  const zone = zoneNames(world).find((name) => hostName === name || hostName.endsWith(`.${name}`));
  return (zone === undefined ? undefined : versionsOf(world, zone)) ?? [];
};

/**
 * The share of a host's visitors whose resolvers lead them to the edge at an instant: each keeps an old answer until its
 * time to live has passed, and they asked at different times.
 */
export function arrivingShare(world: World, hostName: string, atMs: number): number {
  if (atMs < world.startedAtMs) return 1;
  const versions = zoneVersionsOf(world, hostName).filter(({ at }) => at <= atMs);
  // What was so at the start is in the usual traffic.
  if (versions.every(({ at }) => at < world.startedAtMs)) return 1;
  let [share, left] = [0, 1];
  for (let index = versions.length - 1; index >= 0 && left > 0; index -= 1) {
    const version = versions[index] as ZoneVersion;
    const before = versions[index - 1];
    const old = before ? Math.max(0, 1 - (atMs - version.at) / (1_000 * answerIn(before, hostName).ttl)) : 0;
    if (answerIn(version, hostName).isEdge) share += left * (1 - old);
    left *= old;
  }
  return share;
}

/** When something first changed what happens to requests after the world's start; undefined if nothing has. */
export function firstChange(world: World): number | undefined {
  const zones = zoneNames(world).flatMap((name) => versionsOf(world, name)?.map(({ at }) => at) ?? []);
  const all = [...activationInstants(world), ...denialInstants(world), ...zones].filter(
    (at) => at > world.startedAtMs && at <= world.now(),
  );
  return all.length === 0 ? undefined : Math.min(...all);
}
