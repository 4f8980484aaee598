/** Changes of one record set, the records of one name and type (RFC 2181, 5), without changing the rest of the zone. */
import { type Rdata, rdataKey, rdataText } from "./rdata.js";
import { ownerOf, recordsOf, relativeTo, type StoredZone, setAt, typesOf, withSet, type ZoneRecord } from "./zone.js";

/** The zone, name and type of a record set. */
export interface SetPlace {
  /** Absolute, in lower case and without the final dot. */
  readonly owner: string;
  /** In lower case, like the API's lists. */
  readonly type: string;
}

/** The name of a new record in this zone's notation: the apex is null in some zones and an empty text in others. */
function nameIn(zone: StoredZone, owner: string): string | null {
  const apex = ownerOf(zone.name, null);
  if (owner !== apex) return relativeTo(zone.name, owner);
  const known = typesOf(zone)
    .flatMap((type) => setAt(zone, apex, type))
    .at(0);
  return known?.name === "" ? "" : null;
}

/** The TTL of a set: all records of a set have the same (RFC 2181, 5.2). */
export const ttlOf = (zone: StoredZone, { owner, type }: SetPlace, given: number | undefined): number =>
  given ?? setAt(zone, owner, type).at(0)?.ttl ?? zone.soa.ttl;

/**
 * The zone with exactly these values in a set. An existing record keeps its position and other fields; it is made
 * active, because a record that is not served does not count.
 */
export function setRecords(
  zone: StoredZone,
  place: SetPlace,
  values: readonly Rdata[],
  givenTtl: number | undefined,
): StoredZone {
  const { owner, type } = place;
  const present = setAt(zone, owner, type);
  const ttl = ttlOf(zone, place, givenTtl);
  const newKeys = new Set(values.map((value) => rdataKey(type, value)));
  const presentKeys = new Set(present.map((record) => rdataKey(type, record)));
  const name = present.length > 0 ? (present[0]?.name ?? null) : nameIn(zone, owner);
  const commonRecords = present
    .filter((record) => newKeys.has(rdataKey(type, record)))
    .map((record): ZoneRecord => ({ ...record, ttl, active: true }));
  const added = values
    .filter((value) => !presentKeys.has(rdataKey(type, value)))
    .map((value): ZoneRecord => ({ name, ttl, active: true, ...value }));
  return withSet(zone, owner, type, [...commonRecords, ...added]);
}

/** The zone with a different TTL for a set; its records keep their values and other fields. */
export const setTtl = (zone: StoredZone, { owner, type }: SetPlace, ttl: number): StoredZone =>
  withSet(
    zone,
    owner,
    type,
    setAt(zone, owner, type).map((record): ZoneRecord => ({ ...record, ttl })),
  );

/** The zone without the selected records of a set; the zone itself if there are none. */
export function removeRecords(
  zone: StoredZone,
  { owner, type }: SetPlace,
  isChosen: (record: ZoneRecord) => boolean,
): StoredZone {
  const present = setAt(zone, owner, type);
  const left = present.filter((record) => !isChosen(record));
  return left.length === present.length ? zone : withSet(zone, owner, type, left);
}

const escaped = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A record as a line of a zone file; non-printable characters in its data are escaped, so that it stays one line. */
export function lineOf({ owner, type }: SetPlace, record: ZoneRecord): string {
  const state = record.active === false ? " (inactive)" : "";
  return `${owner}. ${record.ttl} ${type.toUpperCase()} ${escaped(rdataText(type, record))}${state}`;
}

/** The changes of a set, a line for each removed and added record. */
export function changedLines(before: StoredZone, after: StoredZone, place: SetPlace): readonly string[] {
  const linesIn = (zone: StoredZone) => setAt(zone, place.owner, place.type).map((record) => lineOf(place, record));
  const [old, now] = [linesIn(before), linesIn(after)];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
}

/** Records of DNSSEC signing can coexist with an alias (RFC 4035, 2.5). */
const readForAlias = new Set(["rrsig", "nsec", "nsec3"]);

/** Why a set is refused at a name: an alias excludes other records, and is never at the apex (RFC 1034, 3.6.2). */
export function aliasProblem(zone: StoredZone, { owner, type }: SetPlace, count: number): string | undefined {
  if (type !== "cname") {
    const alias = setAt(zone, owner, "cname").at(0);
    if (!alias || readForAlias.has(type)) return undefined;
    return `nothing at ${owner}. while it is an alias (${lineOf({ owner, type: "cname" }, alias)}): remove its CNAME record first`;
  }
  if (owner === ownerOf(zone.name, null))
    return "another type: the apex has SOA and NS records, and an alias cannot coexist with other records";
  if (count > 1) return "one value for a CNAME record: an alias has a single target";
  const others = typesOf(zone).filter(
    (one) => one !== "cname" && !readForAlias.has(one) && setAt(zone, owner, one).length > 0,
  );
  return others.length === 0
    ? undefined
    : `another type at ${owner}., which has ${others.map((one) => one.toUpperCase()).join(", ")} records: an alias cannot coexist with other records, so remove those first`;
}

/** Targets that are aliases in the same zone, which resolvers refuse to follow for some types (RFC 2181, 10.3). */
export function aliasTargets(zone: StoredZone, { type }: SetPlace, values: readonly Rdata[]): readonly string[] {
  if (!["mx", "ns", "srv"].includes(type)) return [];
  const aliases = new Set(recordsOf(zone, "cname").map(({ name }) => `${ownerOf(zone.name, name)}.`));
  return values
    .map(({ target }) => String(target))
    .filter((target) => aliases.has(target.toLowerCase()))
    .map((target) => `${target} is an alias, and ${type.toUpperCase()} records must not point to one.`);
}
