/** The readings that both generations of the APIs make by operations of the same name, and those of the documents' one. */
import { z } from "../language/z.js";
import { minuteMs } from "../time/durations.js";
import { ownerOf, recordsOf, type StoredZone, typesOf, type ZoneRecord } from "../tools/dns/zone.js";
import { FoundVersions } from "../tools/properties/shapes.js";
import { wildcardOf, zonesAbove } from "./names.js";
import { type HostnameOwner, type HostnameZone, readShape, type SiteGeneration, unlessMissing } from "./readings.js";
import { bodyAs, type SiteRead } from "./reads.js";

/** A version that was found by a hostname. */
const Found = FoundVersions.shape.versions.shape.items.element
  .partial()
  .extend({ productionStatus: z.string().optional(), stagingStatus: z.string().optional() });
export const FoundByHostname = z.looseObject({ versions: z.looseObject({ items: z.array(Found) }) });

/** The owners among versions that were found, those on production first, then those on staging. */
export function ownersIn({ versions }: z.output<typeof FoundByHostname>): readonly HostnameOwner[] {
  const owners = new Map<string, { readonly owner: HostnameOwner; rank: number }>();
  for (const { propertyId, propertyName, contractId, groupId, productionStatus, stagingStatus } of versions.items) {
    if (propertyId === undefined || contractId === undefined || groupId === undefined) continue;
    const rank = productionStatus === "ACTIVE" ? 0 : stagingStatus === "ACTIVE" ? 1 : 2;
    const known = owners.get(propertyId);
    if (known) known.rank = Math.min(known.rank, rank);
    else
      owners.set(propertyId, {
        owner: { propertyId, propertyName: propertyName ?? propertyId, contractId, groupId },
        rank,
      });
  }
  return [...owners.values()].toSorted((a, b) => a.rank - b.rank).map(({ owner }) => owner);
}

/** The first list that is not empty, of a hostname's own name and of the wildcard for it. */
export async function byNameOrWildcard<T>(
  hostname: string,
  find: (name: string) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const own = await find(hostname);
  const wildcard = wildcardOf(hostname);
  return own.length > 0 || wildcard === undefined ? own : find(wildcard);
}

/** The zone of a hostname: the longest of its parents that the account has. @param find Null if there is no such zone. */
export async function zoneAbove<T>(hostname: string, find: (zone: string) => Promise<T | null>) {
  for (const zone of zonesAbove(hostname)) {
    const found = await find(zone);
    if (found !== null) return { zone, found };
  }
  return undefined;
}

/** What an API of error statistics answers about a site. */
const Rates = z.looseObject({
  edgeHits: z.number(),
  edgeFailurePercentage: z.number(),
  originHits: z.number(),
  originFailurePercentage: z.number(),
});

/** The error rates of a hostname, which are of the last minutes. */
export const errorsBy = <K extends string>(
  hostname: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  member: K,
): ReturnType<SiteGeneration["errors"]> => ({
  key: `errors ${hostname}`,
  lastsMs: 5 * minuteMs,
  async load(read: SiteRead) {
    const body = await readShape(read, tool, args, z.looseObject({ [member]: Rates }));
    const { edgeHits, edgeFailurePercentage, originHits, originFailurePercentage } = Rates.parse(body[member]);
    return { edgeHits, edgeFailurePercentage, originHits, originFailurePercentage };
  },
});

export const urlOf = (hostname: string): string => `http://${hostname}/`;

/** Whether a name is another one, or below it. */
export const isAtOrBelow = (name: string, at: string): boolean => name === at || name.endsWith(`.${at}`);

/**
 * The name whose records answer for a hostname: its own, or the wildcard below the closest name that exists (RFC 4592).
 * @param exists Whether the zone has a name, or one below it.
 */
export async function answeringName(
  hostname: string,
  zone: string,
  exists: (name: string) => boolean | Promise<boolean>,
): Promise<string> {
  if (hostname === zone || (await exists(hostname))) return hostname;
  for (const name of zonesAbove(hostname).filter((one) => one !== hostname))
    if (name === zone || (await exists(name))) return `*.${name}`;
  return hostname;
}

const StoredRecord = z.looseObject({ name: z.string().nullish(), active: z.boolean() });
const Zone = z.looseObject({ zone: z.looseObject({ name: z.string() }) });

/** The targets of records; those of a type that leads nowhere have none. */
const targetsOf = (records: readonly ZoneRecord[]): readonly string[] =>
  records.flatMap(({ target }) => (typeof target === "string" ? target : []));

/** The records of a stored zone that answer for a name. */
async function setsFor(zone: StoredZone, hostname: string): Promise<HostnameZone["sets"]> {
  const active = typesOf(zone).flatMap((type) =>
    recordsOf(zone, type).flatMap((record) => {
      const { name, active } = bodyAs(StoredRecord, record);
      return active ? [{ name: ownerOf(zone.name, name), type, record }] : [];
    }),
  );
  const name = await answeringName(hostname, zone.name.toLowerCase(), (at) =>
    active.some((one) => isAtOrBelow(one.name, at)),
  );
  const own = active.filter((one) => one.name === name);
  return [...new Set(own.map(({ type }) => type))].flatMap((type) => {
    const records = own.flatMap((one) => (one.type === type ? [one.record] : []));
    const [first] = records;
    return first ? [{ name, type: type.toUpperCase(), ttl: first.ttl, rdata: targetsOf(records) }] : [];
  });
}

/** By the APIs of the documents. */
export const documentsGeneration: SiteGeneration = {
  owners: (hostname) => ({
    key: `owners ${hostname}`,
    apis: ["papi"],
    load: (read) =>
      byNameOrWildcard(hostname, async (name) =>
        ownersIn(await readShape(read, "property_version_find", { hostname: name }, FoundByHostname)),
      ),
  }),
  zone: (hostname) => ({
    key: `zone ${hostname}`,
    apis: ["config-dns"],
    async load(read) {
      const above = await zoneAbove(hostname, (zone) => unlessMissing(readShape(read, "dns_zone_get", { zone }, Zone)));
      if (above === undefined) return { zone: null, sets: [] };
      return { zone: above.zone, sets: await setsFor(above.found.zone as unknown as StoredZone, hostname) };
    },
  }),
  errors: (hostname) => errorsBy(hostname, "diag_url_statistic_get", { url: urlOf(hostname) }, "eStats"),
  includes: undefined,
  sharedPolicies: undefined,
};
