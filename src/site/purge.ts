/** What a purge does to a site: the hostnames that it reaches, their traffic, and the load that it brings to the origin. */
import {
  type CacheScope,
  type Forecast,
  type Forecasted,
  isUnknown,
  type OriginLoad,
  type ReachedHostnames,
} from "../language/forecast.js";
import { orUnknown, type SiteReads } from "./reads.js";
import { longestTimeOf } from "./rules.js";
import { reachedHostnames, type ScopeTraffic, trafficOf } from "./traffic.js";

const fiveMinutes = 300;
/** How much of what the cache answers comes to the origin, and how many times as much it is at most as at least. */
const mostPart = 0.8;
const spread = 4;
const digits = 3;

/** A rate with three digits that count, so that what is shown is what is meant. */
function rounded(rate: number, round: (value: number) => number): number {
  if (rate <= 0) return 0;
  const unit = 10 ** (Math.floor(Math.log10(rate)) + 1 - digits);
  // A power below one is not exact, and its inverse is.
  return unit < 1 ? round(rate * Math.round(1 / unit)) / Math.round(1 / unit) : round(rate / unit) * unit;
}

/** What comes to the origin at most: last week's course may have had an outage, so that it is the present rate at least. */
const greatestLoad = (edgeRate: number, peak: number) => ({
  atMost: rounded(edgeRate * Math.max(1, peak), Math.ceil),
});

/**
 * The load that a purge of everything that a scope has in the cache brings to the origin.
 *
 * What the cache answers now, at the peak of the coming hour, is what would come to the origin if every request were the
 * first one for its object. Some objects are asked for again at once and others seldom, so that a part of it comes in five
 * minutes: from a fifth to four fifths. How many objects and edge regions there are, which decides that, no report says. If
 * objects stay fresh for at most a known time, the origin gets each of them once in that time already, and all of them
 * together are no more; nor are they more than the requests that the cache answers in that time.
 * @param freshSeconds The longest time that an object stays fresh; undefined if unknown.
 */
export function originLoadOf(
  { carried: { edgeRate }, originRate, peak }: ScopeTraffic,
  freshSeconds: number | undefined,
): OriginLoad {
  const answered = Math.max(0, edgeRate - originRate);
  // Where nothing came to the origin in an hour, the objects stay longer than it, and nothing says how many there are.
  const refilled =
    freshSeconds && originRate > 0
      ? (Math.min(originRate, answered) * freshSeconds) / fiveMinutes
      : Number.POSITIVE_INFINITY;
  const upTo = rounded(Math.min(mostPart * answered, refilled) * peak, Math.floor);
  return { from: rounded(upTo / spread, Math.ceil), upTo, ...greatestLoad(edgeRate, peak) };
}

/** The longest time that objects of some hostnames stay fresh, in seconds; undefined if that is not known of all. */
async function freshSecondsOf(reads: SiteReads, { total, names }: ReachedHostnames): Promise<number | undefined> {
  if (total === 0 || total > names.length) return undefined;
  const times = await Promise.all(names.map((name) => orUnknown("rules", longestTimeOf(reads, name))));
  const known = times.filter((time) => typeof time === "number");
  return known.length === times.length ? Math.max(...known) : undefined;
}

async function ofCpCodes(reads: SiteReads, values: readonly string[]): Promise<Forecast> {
  const traffic = await trafficOf(reads, { dimension: "cpcode", values });
  if (isUnknown(traffic)) return { hostnames: traffic, traffic, originLoad: traffic };
  const { hostnames = { total: 0, names: [], isByTraffic: true }, carried } = traffic;
  const originLoad = originLoadOf(traffic, await freshSecondsOf(reads, hostnames));
  return { hostnames, traffic: carried, originLoad };
}

const greatestOf = (traffic: Forecasted<ScopeTraffic>) =>
  isUnknown(traffic) ? {} : greatestLoad(traffic.carried.edgeRate, traffic.peak);

// A type code, a serial number and a CP code.
const arlPath = /^\/[a-z0-9]\/\d+\/\d+\//i;

/** The hostname of a URL; undefined for an ARL, whose hostname is none of a site if it has one. */
function siteIn(object: string): string | undefined {
  const url = /^https?:\/\//i.test(object) ? URL.parse(object) : null;
  return url === null || arlPath.test(url.pathname) ? undefined : url.hostname.replace(/\.$/, "");
}

async function ofUrls(reads: SiteReads, urls: readonly string[]): Promise<Forecast> {
  const found = urls.map(siteIn);
  const values = [...new Set(found.filter((name) => name !== undefined))];
  if (found.includes(undefined)) {
    const fact = { unknown: "some of the objects are ARLs that do not name their hostname" };
    return { hostnames: fact, traffic: fact, originLoad: fact };
  }
  const hostnames = reachedHostnames(values);
  const traffic = await trafficOf(reads, { dimension: "hostname", values });
  if (isUnknown(traffic)) return { hostnames, traffic, originLoad: traffic };
  const { carried } = traffic;
  const unknown = "no report has the traffic of single URLs";
  const originLoad = carried.edgeRate === 0 ? originLoadOf(traffic, undefined) : { unknown, ...greatestOf(traffic) };
  return { hostnames, traffic: carried, originLoad };
}

async function ofTags(reads: SiteReads): Promise<Forecast> {
  const fact = { unknown: "responses of any of the account's sites can carry the tag" };
  const account = await trafficOf(reads, undefined);
  return { hostnames: fact, traffic: fact, originLoad: { ...fact, ...greatestOf(account) } };
}

/** Forecasts a purge. */
export async function forecastPurge({ network, objects }: CacheScope, reads: SiteReads): Promise<Forecast> {
  if (network === "staging") {
    const fact = { unknown: "reports count the production network alone" };
    return { hostnames: fact, traffic: fact, originLoad: fact };
  }
  if (objects.kind === "tag") return ofTags(reads);
  return objects.kind === "cpcode" ? ofCpCodes(reads, objects.values) : ofUrls(reads, objects.values);
}
