/** Record sets of a zone: read from the records of both generations, and written into them. */
import { besidesOf, isTextType, masterText, readRdata, settableTypes } from "../../../tools/dns/rdata.js";
import {
  type DnsRecord,
  type Zone as Document,
  ownerOf,
  recordsOf,
  relativeTo,
  typesOf,
  withSet,
} from "../../../tools/dns/zone.js";
import { badRequest } from "../../reply.js";
import type { Content, Version, WholeSet, Zone } from "./zones.js";

const soaMembers = ["originserver", "contact", "serial", "refresh", "retry", "expire", "minimum"] as const;
const dotted = (name: string): string => (name.endsWith(".") ? name : `${name}.`);

const soaSet = ({ name, soa }: Zone): WholeSet => ({
  ...Object.fromEntries(Object.entries(soa).filter(([member]) => !soaMembers.some((known) => known === member))),
  name: name.toLowerCase(),
  type: "SOA",
  ttl: soa.ttl,
  rdata: [soaMembers.map((member) => (typeof soa[member] === "number" ? soa[member] : dotted(soa[member]))).join(" ")],
});

/** The record sets of a zone, sorted by name and type. A record that is not active is none. */
export function setsOf({ zone, others, isNew }: Content & Pick<Partial<Version>, "isNew">): readonly WholeSet[] {
  if (isNew) return [];
  const document = zone as Document;
  const listed = typesOf(document).flatMap((type) => {
    const active = recordsOf(document, type).filter((record) => record.active);
    const owners = new Set(active.map(({ name }) => ownerOf(zone.name, name)));
    return [...owners].map((owner): WholeSet => {
      const own = active.filter(({ name }) => ownerOf(zone.name, name) === owner);
      return {
        ...(own[0] && besidesOf(type, own[0])),
        name: owner,
        type: type.toUpperCase(),
        ttl: own[0]?.ttl ?? 0,
        rdata: own.map((record) => masterText(type, record)),
      };
    });
  });
  const byName = (one: WholeSet, other: WholeSet) =>
    one.name.localeCompare(other.name) || one.type.localeCompare(other.type);
  return [soaSet(zone), ...listed, ...others].sort(byName);
}

const onlyString = /^"((?:[^"\\]|\\.)*)"$/;

/** The records of a set in the form of the former API; refuses data that does not fit the type. */
function recordsIn(zone: Zone, { name, type, ttl, rdata, ...besides }: WholeSet): readonly DnsRecord[] {
  const lower = type.toLowerCase();
  const own = relativeTo(zone.name, name) || null;
  return rdata.map((text) => {
    // One quoted text is what the former API has without quotes.
    const [, inner] = isTextType(lower) ? (onlyString.exec(text) ?? []) : [];
    const data = readRdata(lower, inner?.replaceAll(/\\(.)/g, "$1") ?? text, zone.name);
    if ("takes" in data) throw badRequest(`${name} ${type} ${text}: ${data["takes"]}`, { field: "rdata", value: text });
    return { ...besides, name: own, ttl, active: true, ...data };
  });
}

function withSoa(zone: Zone, { name, type: _, ttl, rdata, ...besides }: WholeSet): Zone {
  const [words = []] = rdata.map((text) => text.split(/\s+/));
  if (name !== zone.name.toLowerCase() || words.length !== soaMembers.length)
    throw badRequest(`${name} SOA: one record of seven values at the apex`);
  const soa = Object.fromEntries(
    soaMembers.map((member, at) => [member, at < 2 ? words[at] : Number(words[at])]),
  ) as unknown as Zone["soa"];
  return { ...zone, soa: { ...besides, ...soa, ttl } };
}

/** The types that a zone takes. */
export const knownTypes = [
  ...settableTypes.map((type) => type.toUpperCase()),
  ..."AKAMAICDN AKAMAITLC CAA CDNSKEY CDS CERT HTTPS SOA SVCB TLSA".split(" "),
].sort();

/** A zone with one set replaced, or without it. */
export function withSetOf<C extends Content>(content: C, key: Pick<WholeSet, "name" | "type">, set?: WholeSet): C {
  const { zone, others } = content;
  const name = key.name.toLowerCase();
  if (!knownTypes.includes(key.type))
    throw badRequest(`${key.type} is no type that can be written`, { field: "type", value: key.type });
  if (key.type === "SOA") {
    if (set === undefined) throw badRequest("A zone keeps its SOA record");
    return { ...content, zone: withSoa(zone, set) };
  }
  const type = key.type.toLowerCase();
  if (settableTypes.includes(type)) {
    const records = set ? recordsIn(zone, { ...set, name }) : [];
    return { ...content, zone: withSet(zone as Document, name, type, records) as Zone };
  }
  const left = others.filter((one) => one.name !== name || one.type !== key.type);
  return { ...content, others: set ? [...left, { ...set, name }] : left };
}

/** A zone with these sets and no others; its SOA record stays if they have none. */
export function withAllSets<C extends Content>(content: C, sets: readonly WholeSet[]): C {
  const cleared = setsOf({ ...content, isNew: false })
    .filter(({ type }) => type !== "SOA" && knownTypes.includes(type))
    .reduce((left, set) => withSetOf(left, set), content);
  return sets.reduce((left, set) => withSetOf(left, set, set), cleared);
}

/** The set of a name and type. */
export const setOf = (
  content: Content & Pick<Partial<Version>, "isNew">,
  name: string,
  type: string,
): WholeSet | undefined => setsOf(content).find((one) => one.name === name.toLowerCase() && one.type === type);
