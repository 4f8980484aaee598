/** The records of a zone: every set of one name and type, read without changing anything around it. */
import { isRecord } from "../../language/member.js";
import { ownerOf } from "./names.js";

/** A record as the API stores it; what else it has depends on its type. */
export interface DnsRecord {
  readonly name: string | null;
  readonly ttl: number;
  readonly active: boolean;
  readonly [field: string]: unknown;
}

/** A zone as the API stores it: one list for each type of record, by the type in lower case. */
export interface Zone {
  readonly name: string;
  readonly soa: { readonly serial: number; readonly ttl: number; readonly [field: string]: unknown };
  readonly [member: string]: unknown;
}

/** The records of a type, in the order of the zone. */
export function recordsOf(zone: Zone, type: string): readonly DnsRecord[] {
  const list = zone[type];
  return Array.isArray(list) && list.every(isRecord) ? (list as readonly unknown[] as readonly DnsRecord[]) : [];
}

/** The types of which a zone has records, whether or not they are known here. */
export const typesOf = (zone: Zone): readonly string[] =>
  Object.keys(zone).filter((member) => recordsOf(zone, member).length > 0);

/** Whether a record belongs to a name, given absolute, in lower case and without the final dot. */
const isAt = (zone: Zone, owner: string, record: DnsRecord): boolean => ownerOf(zone.name, record.name) === owner;

/** The records of one name and type. */
export const setAt = (zone: Zone, owner: string, type: string): readonly DnsRecord[] =>
  recordsOf(zone, type).filter((record) => isAt(zone, owner, record));

/**
 * The zone with other records in the place of one set: they stand where the first of the set stood, or last where there
 * was none. Everything else is the same value as before.
 */
export function withSet(zone: Zone, owner: string, type: string, set: readonly DnsRecord[]): Zone {
  const records = recordsOf(zone, type);
  const first = records.findIndex((record) => isAt(zone, owner, record));
  const place = first < 0 ? records.length : first;
  const others = (from: number, to?: number) => records.slice(from, to).filter((record) => !isAt(zone, owner, record));
  return { ...zone, [type]: [...others(0, place), ...set, ...others(place)] };
}
