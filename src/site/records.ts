/** What a change of DNS records does to a site: the hostnames that it reaches, and how long the old answers stay. */
import {
  type ChangedRecordSet,
  type Forecast,
  type Forecasted,
  isUnknown,
  type OldAnswers,
  type RecordScope,
} from "../language/forecast.js";
import { listAt, numberAt } from "../language/member.js";
import { orUnknown, type SiteReads } from "./reads.js";
import { servingVersion } from "./rules.js";
import { reachedHostnames, trafficOf, trafficOfHostnames } from "./traffic.js";

/** How long resolvers may keep that a record does not exist, by a zone's SOA record (RFC 2308, 5). */
function absentSecondsIn(body: unknown): number | undefined {
  const minimum = Number(String(listAt(body, "rdata")[0]).split(/\s+/).at(6));
  const ttl = numberAt(body, "ttl");
  return Number.isNaN(minimum) || ttl === undefined ? undefined : Math.min(minimum, ttl);
}

/** The same, read if the state of the change does not have it. */
async function absentSecondsOf({ zone, absentSeconds }: RecordScope, reads: SiteReads): Promise<Forecasted<number>> {
  if (absentSeconds !== undefined) return absentSeconds;
  const found = await orUnknown(
    "SOA record of the zone",
    reads.recall("dns_recordset_get", { zone, name: zone, type: "SOA" }, absentSecondsIn),
  );
  return found ?? { unknown: "the SOA record of the zone could not be understood" };
}

async function oldAnswersOf(scope: RecordScope, reads: SiteReads): Promise<Forecasted<OldAnswers>> {
  const former = scope.sets.filter(({ isNew }) => !isNew);
  const times = former.flatMap(({ ttlBefore }) => ttlBefore ?? []);
  if (times.length < former.length) return { unknown: "the present times to live were not read" };
  const old = times.length === 0 ? {} : { seconds: times.reduce((longest, time) => Math.max(longest, time)) };
  if (former.length === scope.sets.length) return old;
  const absentSeconds = await absentSecondsOf(scope, reads);
  return isUnknown(absentSeconds) ? absentSeconds : { ...old, absentSeconds };
}

/** The types of records that lead visitors to a site. */
const leadingTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "AKAMAICDN", "AKAMAITLC", "HTTPS", "SVCB"]);
const mostSearched = 5;
const mostNames = 500;

/** The hostnames among the names of record sets, and their traffic; nothing if no set leads to a site. */
async function reachOf(
  sets: readonly ChangedRecordSet[],
  reads: SiteReads,
): Promise<Pick<Forecast, "hostnames" | "traffic">> {
  const names = [...new Set(sets.filter(({ type }) => leadingTypes.has(type)).map(({ name }) => name))];
  if (names.length === 0) return {};
  const unknown = names.some((name) => name.startsWith("*"))
    ? "a wildcard answers for names that are not listed"
    : names.length > mostNames && `the change is of more than ${mostNames} names`;
  if (unknown !== false) return { hostnames: { unknown } };
  if (names.length > mostSearched) {
    const traffic = await trafficOf(reads, { dimension: "hostname", values: names });
    if (isUnknown(traffic)) return { hostnames: traffic, traffic };
    return { ...(traffic.hostnames && { hostnames: traffic.hostnames }), traffic: traffic.carried };
  }
  const search = Promise.all(names.map(async (name) => ((await servingVersion(reads, name)) ? [name] : [])));
  const found = await orUnknown("property of a hostname", search);
  if (isUnknown(found)) return { hostnames: found };
  const served = found.flat();
  const hostnames = reachedHostnames(served);
  return served.length === 0 ? { hostnames } : { hostnames, traffic: await trafficOfHostnames(reads, served) };
}

/** Forecasts a change of DNS records. */
export async function forecastRecords(scope: RecordScope, reads: SiteReads): Promise<Forecast> {
  const [reach, oldAnswers] = await Promise.all([reachOf(scope.sets, reads), oldAnswersOf(scope, reads)]);
  return { ...reach, oldAnswers };
}
