/** Resolves names in the current zones and in the CDN's own; no other names exist in this world. */
import { ownerOf } from "../../../tools/dns/zone.js";
import type { World } from "../../world.js";
import { type EdgeLocation, stagingEdge, stagingZoneName } from "../account.js";
import { edgeNamesIn, edgeZoneNames } from "../properties/served.js";
import type { ZoneBody } from "./sets.js";
import { servedZones, soa } from "./zones.js";

/** The types of records that a lookup can ask for, as zones name them. */
const types = ["a", "aaaa", "cname", "mx", "ns", "ptr"] as const;
type RecordType = Uppercase<(typeof types)[number]> | "SOA";

/** A record as a lookup returns it. */
export type LookupRecord = {
  readonly domain: string;
  readonly recordType: RecordType;
  readonly value: string;
  readonly ttl: number;
  /** Null except for records with a preference. */
  readonly preferenceValues: readonly string[] | null;
  readonly recordClass: "IN";
};
interface Resolution {
  readonly status: "NOERROR" | "NXDOMAIN" | "SERVFAIL";
  readonly answer: readonly LookupRecord[];
  readonly authority: readonly LookupRecord[];
}

const record = (
  name: string,
  recordType: RecordType,
  value: string,
  ttl: number,
  preference?: number,
): LookupRecord => ({
  domain: `${name}.`,
  recordType,
  value,
  ttl,
  preferenceValues: preference === undefined ? null : [String(preference)],
  recordClass: "IN",
});

const normalized = (name: string): string => name.toLowerCase().replace(/\.$/, "");
const maxAliases = 8;

const asDomain = (name: string): string => `${normalized(name)}.`;

/** The active records of a zone that a lookup can return, and its start of authority. */
function recordsOf(zone: ZoneBody): readonly LookupRecord[] {
  const name = normalized(zone.name);
  const { originserver, contact, serial, refresh, retry, expire, minimum, ttl } = zone.soa;
  const start = `${asDomain(originserver)} ${asDomain(contact)} ${serial} ${refresh} ${retry} ${expire} ${minimum}`;
  const listed = types.flatMap((type) =>
    (zone[type] ?? [])
      .filter(({ active }) => active)
      .map((entry) => {
        const target = String(entry["target"]);
        const value = type === "a" || type === "aaaa" ? target : asDomain(target);
        const preference = type === "mx" ? Number(entry["priority"]) : undefined;
        return record(ownerOf(name, entry.name), type.toUpperCase() as RecordType, value, entry.ttl, preference);
      }),
  );
  return [record(name, "SOA", start, ttl), ...listed];
}

/** One of the CDN's zones, with the names of edge hostnames that all have one address. */
const edgeZone = (zoneName: string, names: readonly string[], address: string): ZoneBody => ({
  name: zoneName,
  soa: soa(zoneName, 1, `n0.${zoneName}.`),
  a: names.map((name) => ({ name, ttl: 20, active: true, target: address })),
});

/** The CDN's zones: the names of production lead to the edge server that is asked, those of staging to the one there. */
const edgeZones = (world: World, { edgeIp }: EdgeLocation): readonly ZoneBody[] =>
  edgeZoneNames.flatMap((zoneName) => {
    const names = edgeNamesIn(world, zoneName);
    return [edgeZone(zoneName, names, edgeIp), edgeZone(stagingZoneName(zoneName), names, stagingEdge.edgeIp)];
  });

/** The root's answer for a name that does not exist. */
const root = (world: World): LookupRecord => ({
  ...record("", "SOA", "", 86_400),
  domain: ".",
  value: `a.root-servers.net. nstld.verisign-grs.com. ${new Date(world.now()).toISOString().slice(0, 10).replaceAll("-", "")}00 1800 900 604800 86400`,
});

/** The start of authority that gives the lifetime of a negative answer (RFC 2308). */
const negative = (zone: ZoneBody, records: readonly LookupRecord[]): readonly LookupRecord[] =>
  records
    .filter(({ recordType }) => recordType === "SOA")
    .map((soa) => ({ ...soa, ttl: Math.min(soa.ttl, zone.soa.minimum) }));

const isAt = (name: string, domain: string): boolean => domain === `${name}.`;
/** Whether a name exists: it or a name below it has records. */
const exists = (records: readonly LookupRecord[], name: string): boolean =>
  records.some(({ domain }) => isAt(name, domain) || domain.endsWith(`.${name}.`));

/** The records at a name of a zone: its own, or those of the wildcard below the closest name that exists (RFC 4592). */
function recordsAt(records: readonly LookupRecord[], name: string): readonly LookupRecord[] | undefined {
  if (exists(records, name)) return records.filter(({ domain }) => isAt(name, domain));
  let parent = name;
  while (parent !== "" && !exists(records, parent)) parent = parent.split(".").slice(1).join(".");
  const wild = records.filter(({ domain }) => isAt(`*.${parent}`, domain));
  return wild.length === 0 ? undefined : wild.map((one) => ({ ...one, domain: `${name}.` }));
}

/** Looks up a name from a location, now or at an earlier instant, and follows its aliases. */
export function resolve(
  world: World,
  location: EdgeLocation,
  hostName: string,
  type: string,
  atMs?: number,
): Resolution {
  const zones = [...servedZones(world, atMs), ...edgeZones(world, location)];
  const answer: LookupRecord[] = [];
  let name = normalized(hostName);
  for (let count = 0; count <= maxAliases; count += 1) {
    const [zone] = zones
      .filter((one) => name === normalized(one.name) || name.endsWith(`.${normalized(one.name)}`))
      .sort((a, b) => b.name.length - a.name.length);
    if (!zone) return { status: "NXDOMAIN", answer, authority: [root(world)] };
    const records = recordsOf(zone);
    const found = recordsAt(records, name);
    const typeRecords = (found ?? []).filter(({ recordType }) => recordType === type);
    if (typeRecords.length > 0) return { status: "NOERROR", answer: [...answer, ...typeRecords], authority: [] };
    const alias = found?.find(({ recordType }) => recordType === "CNAME");
    if (!alias) return { status: found ? "NOERROR" : "NXDOMAIN", answer, authority: negative(zone, records) };
    answer.push(alias);
    name = normalized(alias.value);
  }
  return { status: "SERVFAIL", answer, authority: [] };
}

/** The first address of a name, or the address itself. */
export function addressOf(world: World, location: EdgeLocation, hostName: string): string | undefined {
  const name = hostName.replace(/^\[(.*)\]$/, "$1");
  if (/^\d+\.\d+\.\d+\.\d+$|:/.test(name)) return name;
  for (const type of ["A", "AAAA"]) {
    const { status, answer } = resolve(world, location, name, type);
    const found = answer.find(({ recordType }) => recordType === type);
    if (status === "NOERROR" && found) return found.value;
  }
  return undefined;
}
