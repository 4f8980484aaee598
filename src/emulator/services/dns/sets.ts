/** Record sets of a zone: read from the records of both generations, and written into them. */
import type { dns as declared } from "../../../tools/dns/index.js";
import { namesOfValues } from "../../../tools/dns/presentation.js";
import {
  formerTypes,
  otherMembersOf,
  type Rdata,
  rdataKey,
  rdataText,
  readRdata,
  knownTypes as typesRead,
} from "../../../tools/dns/rdata.js";
import { ownerOf, recordsOf, relativeTo, typesOf, withSet, type ZoneRecord } from "../../../tools/dns/zone.js";
import type { Call } from "../../behaviour.js";
import { badRequest } from "../../reply.js";

export type ZoneBody = Call<(typeof declared)["operations"]["dns_zone_write"]>["body"]["zone"];

/** A record set with everything that the API shows of it. */
export type FullRecordSet = {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: readonly string[];
  readonly [member: string]: unknown;
};

/** The records of a zone: those that the former API can express, and the others, which it keeps. */
export interface ZoneContent {
  readonly zone: ZoneBody;
  readonly others: readonly FullRecordSet[];
}

const dotted = (name: string): string => (name.endsWith(".") ? name : `${name}.`);

const soaSet = ({ name, soa }: ZoneBody): FullRecordSet => ({
  ...otherMembersOf("soa", { ...soa, name, active: true }),
  name: name.toLowerCase(),
  type: "SOA",
  ttl: soa.ttl,
  rdata: [
    rdataText("soa", {
      ...soa,
      name,
      active: true,
      originserver: dotted(soa.originserver),
      contact: dotted(soa.contact),
    }),
  ],
});

/** The record sets of a zone, sorted by name and type. A record that is not active is none. */
export function setsOf({ zone, others, isNew }: ZoneContent & { readonly isNew?: boolean }): readonly FullRecordSet[] {
  if (isNew) return [];
  const listed = typesOf(zone).flatMap((type) => {
    const active = recordsOf(zone, type).filter((record) => record.active);
    const owners = new Set(active.map(({ name }) => ownerOf(zone.name, name)));
    return [...owners].map((owner): FullRecordSet => {
      const ownerRecords = active.filter(({ name }) => ownerOf(zone.name, name) === owner);
      return {
        ...(ownerRecords[0] && otherMembersOf(type, ownerRecords[0])),
        name: owner,
        type: type.toUpperCase(),
        ttl: ownerRecords[0]?.ttl ?? 0,
        rdata: ownerRecords.map((record) => rdataText(type, record)),
      };
    });
  });
  const byName = (one: FullRecordSet, other: FullRecordSet) =>
    one.name.localeCompare(other.name) || one.type.localeCompare(other.type);
  return [soaSet(zone), ...listed, ...others].sort(byName);
}

/** The data of a set, each value once; refuses what does not fit the type. */
function dataIn(zone: string, { name, type, rdata }: FullRecordSet): readonly Rdata[] {
  const lower = type.toLowerCase();
  const all = rdata.map((text) => {
    const data = readRdata(lower, text, namesOfValues(zone));
    if ("takes" in data) throw badRequest(`${name} ${type} ${text}: ${data["takes"]}`, { field: "rdata", value: text });
    return data;
  });
  return [...new Map(all.map((data) => [rdataKey(lower, data), data])).values()];
}

/** The records of a set in the form of the former API. */
function recordsIn(zone: ZoneBody, set: FullRecordSet): readonly ZoneRecord[] {
  const { name, type: _, ttl, rdata: __, ...besides } = set;
  const own = relativeTo(zone.name, name) || null;
  return dataIn(zone.name, set).map((data) => ({ ...besides, name: own, ttl, active: true, ...data }));
}

function withSoa(zone: ZoneBody, set: FullRecordSet): ZoneBody {
  const { name, type: _, ttl, rdata: __, ...besides } = set;
  const [soa, ...others] = dataIn(zone.name, set);
  if (name !== zone.name.toLowerCase() || others.length > 0) throw badRequest(`${name} SOA: one record at the apex`);
  return { ...zone, soa: { ...besides, ...(soa as unknown as ZoneBody["soa"]), ttl } };
}

/** The types that a zone takes, as its record sets name them. */
export const knownTypes: readonly string[] = typesRead.map((type) => type.toUpperCase());

/** A zone with one set replaced, or without it. */
export function withSetOf<C extends ZoneContent>(
  content: C,
  key: Pick<FullRecordSet, "name" | "type">,
  set?: FullRecordSet,
): C {
  const { zone, others } = content;
  const name = key.name.toLowerCase();
  if (!knownTypes.includes(key.type))
    throw badRequest(`${key.type} is no type that can be written`, { field: "type", value: key.type });
  if (key.type === "SOA") {
    if (set === undefined) throw badRequest("A zone keeps its SOA record");
    return { ...content, zone: withSoa(zone, set) };
  }
  const type = key.type.toLowerCase();
  if (formerTypes.some((one) => one === type)) {
    const records = set ? recordsIn(zone, { ...set, name }) : [];
    return { ...content, zone: withSet(zone, name, type, records) as ZoneBody };
  }
  const left = others.filter((one) => one.name !== name || one.type !== key.type);
  if (set === undefined) return { ...content, others: left };
  const rdata = dataIn(zone.name, set).map((data) => rdataText(type, data));
  return { ...content, others: [...left, { ...set, name, rdata }] };
}

/** A zone with these sets and no others; its SOA record stays if they have none. */
export function withAllSets<C extends ZoneContent>(content: C, sets: readonly FullRecordSet[]): C {
  const cleared = setsOf({ ...content, isNew: false })
    .filter(({ type }) => type !== "SOA" && knownTypes.includes(type))
    .reduce((left, set) => withSetOf(left, set), content);
  return sets.reduce((left, set) => withSetOf(left, set, set), cleared);
}

/** The set of a name and type. */
export const setOf = (
  content: ZoneContent & { readonly isNew?: boolean },
  name: string,
  type: string,
): FullRecordSet | undefined => setsOf(content).find((one) => one.name === name.toLowerCase() && one.type === type);
