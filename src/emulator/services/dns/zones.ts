/** The DNS zones of both generations: each with its versions, of which the last is served. */
import { dayMs } from "../../../time/durations.js";
import { readMasterFile } from "../../../tools/dns/master-file.js";
import { isIn } from "../../../tools/dns/zone.js";
import { hexDigits, noiseText, type World } from "../../world.js";
import { edgeNameOf, everyHost, mainContractId, portalUser, userInUse } from "../account.js";
import seeds from "./seeds.json" with { type: "json" };
import { type FullRecordSet, withAllSets, type ZoneBody, type ZoneContent } from "./sets.js";

/** The settings of a zone, which the former API neither shows nor changes. */
interface ZoneSettings {
  readonly type: "PRIMARY" | "SECONDARY" | "ALIAS";
  readonly contractId: string;
  readonly signAndServe?: boolean | undefined;
  readonly target?: string | undefined;
  readonly [name: string]: unknown;
}

export interface ZoneVersion extends ZoneContent {
  readonly token: string;
  readonly versionId: string;
  readonly settings: ZoneSettings;
  /** Whether it has no records yet, because no change list of it was submitted. */
  readonly isNew: boolean;
  readonly by: string;
  readonly at: number;
}

/** A new token for each write. */
const nextToken = (world: World): string => noiseText(world, hexDigits, 32, "token", world.next("dns token", 1));

/** The start of authority of a zone. */
export const soa = (name: string, serial: number, originserver = "ns1.example.com.") => ({
  contact: `hostmaster.${name}.`,
  expire: 604_800,
  minimum: 180,
  originserver,
  refresh: 900,
  retry: 300,
  serial,
  ttl: 900,
});

/** The id of a version, a request or a change list, the same in every run. */
export const uuidOf = (world: World, ...words: readonly (string | number)[]): string =>
  noiseText(world, hexDigits, 30, "uuid", ...words).replace(/^(.{8})(.{4})(.{3})(.{3})/, "$1-$2-4$3-a$4-");

/** The records that point the CDN's hosts in a zone to it, and those of their origins. */
const hostSetsIn = (zone: string): readonly FullRecordSet[] =>
  [
    ...[...new Map(everyHost.map(({ originName, originIp }) => [originName, originIp]))].map(([name, address]) => {
      return { name, type: "A", ttl: 600, rdata: [address] };
    }),
    ...everyHost.map((host) => ({ name: host.name, type: "CNAME", ttl: 300, rdata: [edgeNameOf(host)] })),
  ].filter(({ name }) => isIn(zone, name));

/** The versions of an initial zone: a primary one had one name fewer before. */
function seedVersions(world: World, seed: (typeof seeds.zones)[number]): readonly ZoneVersion[] {
  const { id, name, serial, records, hasHosts = false } = seed;
  const { type, ...settings } = seed.settings;
  const sets = [...readMasterFile(records.join("\n"), name).sets, ...(hasHosts ? hostSetsIn(name) : [])];
  const version = (number: 1 | 2, days: number, versionSets: readonly FullRecordSet[]): ZoneVersion => ({
    ...withAllSets({ zone: { id, name, soa: soa(name, serial + number - 2) }, others: [] }, versionSets),
    settings: { type: type as ZoneSettings["type"], contractId: mainContractId, ...settings },
    isNew: false,
    by: portalUser,
    at: world.startedAtMs - days * dayMs,
    token: nextToken(world),
    versionId: `e0ec2d8a-1c5b-4f3e-9a76-0000000${id}${number}`,
  });
  if (type === "SECONDARY") return [version(2, 10, sets)];
  const former = sets.filter((set) => set.name !== "hosting.example.com");
  return [version(1, 40, former), version(2, 20, sets)];
}

/** The versions of a zone, oldest first, and when it was deleted; undefined if it was not. */
export interface ZoneLife {
  readonly versions: readonly ZoneVersion[];
  readonly endedAtMs: number | undefined;
}

const stateOf = (world: World) =>
  world.state("dns", () => ({
    zones: new Map(seeds.zones.map((seed) => [seed.name, seedVersions(world, seed)])),
    /** When the zones that are being deleted are gone. */
    ends: new Map<string, number>(),
    /** The zones that are gone. */
    former: [] as ZoneLife[],
    changes: 0,
  }));

/** The versions of each zone by its name in lower case, oldest first. */
function zonesIn(world: World): Map<string, readonly ZoneVersion[]> {
  const state = stateOf(world);
  const { zones, ends, former } = state;
  for (const [name, atMs] of ends) {
    if (atMs > world.now()) continue;
    state.changes += 1;
    former.push({ versions: zones.get(name) ?? [], endedAtMs: atMs });
    zones.delete(name);
    ends.delete(name);
  }
  return zones;
}

/** Removes a zone with its versions at an instant. */
export function endZone(world: World, name: string, atMs: number): void {
  stateOf(world).ends.set(name.toLowerCase(), atMs);
}

/** The versions of a zone of any type, by its name, oldest first; undefined if there is none. */
export const versionsOf = (world: World, name: string): readonly ZoneVersion[] | undefined =>
  zonesIn(world).get(name.toLowerCase());
/** All zones that the account has or had. */
export const zoneLives = (world: World): readonly ZoneLife[] => {
  const present = [...zonesIn(world).values()].map((versions) => ({ versions, endedAtMs: undefined }));
  return [...stateOf(world).former, ...present];
};
/** How often a zone has got a version or has been deleted, so that it shows whether anything has changed. */
export const zoneChanges = (world: World): number => {
  zonesIn(world);
  return stateOf(world).changes;
};
/** The present version of a zone of any type. */
export const versionOf = (world: World, name: string): ZoneVersion | undefined => versionsOf(world, name)?.at(-1);
/** All zones of the account in their present version. */
export const everyZone = (world: World): readonly ZoneVersion[] =>
  [...zonesIn(world).values()].flatMap((versions) => versions.at(-1) ?? []);

const isDocument = ({ settings, isNew }: ZoneVersion): boolean => settings.type === "PRIMARY" && !isNew;

/** A primary zone as the former API has it, with its token, by its name in lower case. */
export function zoneOf(world: World, name: string): ZoneVersion | undefined {
  const found = versionOf(world, name);
  return found && isDocument(found) ? found : undefined;
}
export const zoneNames = (world: World): readonly string[] =>
  everyZone(world)
    .filter(isDocument)
    .map(({ zone }) => zone.name.toLowerCase());

/** What resolvers are served, now or at an earlier instant: primary zones, and alias zones with the records that they copy. */
export function servedZones(world: World, atMs = world.now()): readonly ZoneBody[] {
  const all = zoneLives(world).flatMap(({ versions, endedAtMs = Number.POSITIVE_INFINITY }) => {
    const version = atMs < endedAtMs ? versions.findLast(({ at }) => at <= atMs) : undefined;
    return version ? [version] : [];
  });
  return all.flatMap((version) => {
    if (isDocument(version)) return [version.zone];
    const target = version.settings.type === "ALIAS" ? version.settings.target?.toLowerCase() : undefined;
    const copied = all.find((other) => isDocument(other) && other.zone.name.toLowerCase() === target);
    return copied ? [{ ...copied.zone, name: version.zone.name }] : [];
  });
}

/** Adds a version to a zone, or the first one of a new zone, which keeps its id. */
export function addVersion(
  world: World,
  { zone, others, ...next }: Partial<Pick<ZoneVersion, "settings" | "isNew">> & ZoneContent,
): ZoneVersion {
  const versions = versionsOf(world, zone.name) ?? [];
  const last = versions.at(-1);
  const version: ZoneVersion = {
    settings: next.settings ?? last?.settings ?? { type: "PRIMARY", contractId: mainContractId },
    isNew: next.isNew ?? false,
    zone: { ...zone, id: last?.zone.id ?? world.next("zone", 8_200) },
    others,
    token: nextToken(world),
    versionId: uuidOf(world, zone.name, world.next("dns version", 1)),
    by: userInUse,
    at: world.now(),
  };
  zonesIn(world).set(zone.name.toLowerCase(), [...versions, version]);
  stateOf(world).changes += 1;
  return version;
}

/** Replaces the zone of the same name, or adds one, as the former API does: what it cannot express is kept. */
export const writeZone = (world: World, zone: ZoneBody): ZoneVersion =>
  addVersion(world, { zone, others: zoneOf(world, zone.name)?.others ?? [] });
