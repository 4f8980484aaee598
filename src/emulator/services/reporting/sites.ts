/** What lies behind a hostname: how many visitors it has, and what its site lets a cache spare the origin. */
import type { World } from "../../world.js";
import { type AccountHost, cpCodes, everyHost, liveHosts } from "../account.js";
import type { PurgeScope } from "../purge/index.js";

const initialHost = (name: string): AccountHost | undefined => everyHost.find((host) => host.name === name);
const initialCpCode = (host: AccountHost | undefined) => cpCodes.find(({ id }) => id === String(host?.cpCode));

/** The requests of a host in an average hour before anything is changed; zero for one that the CDN does not serve then. */
export const initialRequests = (name: string): number => {
  const host = initialHost(name);
  return (initialCpCode(host)?.hitsPerHour ?? 0) * (host?.share ?? 0);
};
/** Whether a host is visited from the start of the world. */
export const isEstablished = (name: string): boolean => initialRequests(name) > 0;

/** The requests of a host in an average hour; a host that is added has a small site. */
export const requestsPerHour = (world: World, name: string): number =>
  isEstablished(name) ? initialRequests(name) : 300 + 3_000 * world.noise("visitors", name) ** 2;

/** How many objects of a host the cache holds: a few in a hundred of an hour's requests. */
export const cachedObjects = (world: World, name: string): number =>
  Math.max(50, requestsPerHour(world, name) * (0.02 + 0.06 * world.noise("cached objects", name)));

/** How long the edge keeps an object of a host, in seconds: an endless time to live is bounded by the cache's size. */
export const keptSeconds = ({ ttl }: Pick<AccountHost, "ttl">): number => (/^\d+$/.test(ttl) ? Number(ttl) : 86_400);

/** How long it takes to fetch an object again on average, in seconds, of a site that was never cached. */
const unknownInterval = 300;

/**
 * The share of a host's successful requests that go to the origin with a warm cache: those for what cannot be cached,
 * and those for what has expired, which are fewer the longer it is kept.
 */
export function originShare(world: World, host: AccountHost): number {
  const initial = initialHost(host.name);
  const usual = initialCpCode(initial)?.originShare ?? 0.1 + 0.4 * world.noise("origin share", host.name);
  const [kept, before] = [keptSeconds(host), keptSeconds(initial ?? { ttl: "3600" })];
  if (kept === before) return usual;
  if (kept === 0) return 1;
  const uncacheable = usual * (0.3 + 0.4 * world.noise("uncacheable", host.name));
  const expired = (usual - uncacheable) / (1 - uncacheable);
  const interval = before === 0 ? unknownInterval : (before * expired) / (1 - expired);
  return uncacheable + (1 - uncacheable) * (interval / (interval + kept));
}

/** The share of a host's cache that is no longer fresh after an origin has failed for so many milliseconds. */
export const staleAfter = (host: AccountHost, lastedMs: number): number => {
  const keptMs = 1_000 * keptSeconds(host);
  return keptMs === 0 ? 1 : 1 - Math.exp(-lastedMs / keptMs);
};

/** The part of a host's requests for cached objects that ask for one of a URL: few objects have many, most have hardly any. */
function popularity(world: World, host: string, url: string): number {
  const objects = cachedObjects(world, host);
  const isFrontPage = URL.canParse(url) && new URL(url).pathname === "/";
  const rank = isFrontPage ? 1 : 1 + world.noise("rank", url) * (objects - 1);
  return 1 / (rank * (Math.log(objects) + 0.577));
}

/** The part of a host's requests for cached objects whose answers have a tag; zero where the site does not use it. */
const taggedShare = (world: World, host: string, tag: string): number =>
  world.noise("has tag", tag, host) < 0.5 ? 0 : 0.02 + 0.5 * world.noise("tagged", tag, host) ** 2;

/** The CP code in an ARL. */
const cpCodeIn = (url: string): string | undefined => /\/\w\/\d+\/(\d+)\//.exec(url)?.[1];
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

/** The URLs of a host among the objects of a purge, each once. */
export const urlsOf = (cpCode: string, hostName: string, objects: readonly string[]): readonly string[] =>
  [...new Set(objects)].filter((url) => {
    const inArl = cpCodeIn(url);
    return inArl === undefined ? hostOf(url) === hostName : inArl === cpCode;
  });

/** The part of a host's requests for cached objects that ask for what a purge covers. */
export function purgedShare(
  world: World,
  cpCode: string,
  hostName: string,
  { kind, objects }: Pick<PurgeScope, "kind" | "objects">,
): number {
  if (kind === "cpcode") return objects.includes(cpCode) ? 1 : 0;
  if (kind === "tag") {
    // Streams have no tags.
    if (liveHosts.some(({ name }) => name === hostName)) return 0;
    return 1 - objects.reduce((left, tag) => left * (1 - taggedShare(world, hostName, tag)), 1);
  }
  const urls = urlsOf(cpCode, hostName, objects);
  const share = urls.reduce((total, url) => total + popularity(world, hostName, url), 0);
  return Math.min(1, share);
}
