/** The names, record sets and serial of a zone. */
import { isRecord } from "../../language/member.js";
import { isInstant } from "../../time/instant.js";

const bare = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/**
 * The absolute name of a stored record, in lower case and without the final dot. The API stores names relative to the
 * zone, the apex as null or an empty text, and a name with a final dot is absolute.
 */
export function ownerOf(zone: string, name: string | null | undefined): string {
  const apex = bare(zone);
  if (name === null || name === undefined || name === "" || name === "@") return apex;
  return name.endsWith(".") ? bare(name) : `${name.toLowerCase()}.${apex}`;
}

/** Whether a name, absolute and without the final dot, is in a zone. */
export const isIn = (zone: string, name: string): boolean =>
  `.${name.toLowerCase()}`.endsWith(`.${zone.toLowerCase()}`);

const label = /^[a-z0-9_]([a-z0-9_/-]{0,61}[a-z0-9_])?$/;

/** Whether a text is the absolute name of records, in lower case and without the final dot; its first label may be `*`. */
function isName(text: string): boolean {
  const [first, ...rest] = text.split(".");
  return text.length <= 253 && (first === "*" || label.test(first ?? "")) && rest.every((one) => label.test(one));
}

/**
 * The absolute name, in lower case and without the final dot, that a user's text means in a zone: `@` and an empty text
 * are the apex; a name that ends with the zone's, or has a final dot, is absolute. Undefined for an invalid name, and
 * for an absolute name of another zone.
 */
export function ownerNamed(zone: string, name: string): string | undefined {
  const apex = bare(zone);
  const given = bare(name);
  if (name === "" || name === "@") return apex;
  const isInZone = given === apex || given.endsWith(`.${apex}`);
  if (name.endsWith(".") && !isInZone) return undefined;
  const owner = isInZone ? given : `${given}.${apex}`;
  return isName(owner) ? owner : undefined;
}

/** An owner's name relative to the zone, as the API stores it; an empty text for the apex. */
export const relativeTo = (zone: string, owner: string): string => owner.slice(0, -bare(zone).length - 1);

/** A stored record; its other fields depend on its type. */
export interface ZoneRecord {
  readonly name: string | null;
  readonly ttl: number;
  readonly active: boolean;
  readonly [field: string]: unknown;
}

/** A stored zone: one list for each type of record, by the type in lower case. */
export interface StoredZone {
  readonly name: string;
  readonly soa: { readonly serial: number; readonly ttl: number; readonly [field: string]: unknown };
  readonly [member: string]: unknown;
}

/** The records of a type, in the order of the zone. */
export function recordsOf(zone: StoredZone, type: string): readonly ZoneRecord[] {
  const list = zone[type];
  return Array.isArray(list) && list.every(isRecord) ? (list as readonly unknown[] as readonly ZoneRecord[]) : [];
}

/** The types of records in a zone, including unknown ones. */
export const typesOf = (zone: StoredZone): readonly string[] =>
  Object.keys(zone).filter((member) => recordsOf(zone, member).length > 0);

/** Whether a record belongs to a name, given absolute, in lower case and without the final dot. */
const isAt = (zone: StoredZone, owner: string, record: ZoneRecord): boolean =>
  ownerOf(zone.name, record.name) === owner;

/** The records of one name and type. */
export const setAt = (zone: StoredZone, owner: string, type: string): readonly ZoneRecord[] =>
  recordsOf(zone, type).filter((record) => isAt(zone, owner, record));

/**
 * The zone with one set replaced: the new records are at the position of the first old one, or last if there was none.
 * Everything else is the same object.
 */
export function withSet(zone: StoredZone, owner: string, type: string, set: readonly ZoneRecord[]): StoredZone {
  const records = recordsOf(zone, type);
  const first = records.findIndex((record) => isAt(zone, owner, record));
  const place = first < 0 ? records.length : first;
  const others = (from: number, to?: number) => records.slice(from, to).filter((record) => !isAt(zone, owner, record));
  return { ...zone, [type]: [...others(0, place), ...set, ...others(place)] };
}

/** Whether a serial follows the convention YYYYMMDDnn. */
function isDated(serial: number): boolean {
  const [, year, month, day] = /^((?:19[89]|20\d)\d)(\d\d)(\d\d)\d\d$/.exec(String(serial)) ?? [];
  return isInstant(`${year}-${month}-${day}`);
}

/**
 * The next serial, which is always greater: today's first by the convention YYYYMMDDnn if the present one follows it
 * and is from an earlier day, else one more. Undefined if a serial cannot be increased any more.
 */
export function nextSerial(present: number, nowMs: number): number | undefined {
  // Serials are 32 bits wide (RFC 1035, 3.3.13).
  if (present >= 0xffffffff) return undefined;
  const today = Number(`${new Date(nowMs).toISOString().slice(0, 10).replaceAll("-", "")}01`);
  return isDated(present) && today > present ? today : present + 1;
}
