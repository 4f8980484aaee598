/** What changes of a zone share: which zones take records, the serial that grows, the pages of a list. */
import { conflict, forbidden, notFound, orNotFound } from "../../reply.js";
import type { World } from "../../world.js";
import { checkAliases } from "./index.js";
import type { FullRecordSet, ZoneContent } from "./sets.js";
import { addVersion, versionOf, type ZoneVersion } from "./zones.js";

/** A zone of any type. */
export const presentZoneOf = (world: World, name: string): ZoneVersion =>
  orNotFound(versionOf(world, name), `There is no zone ${name}`);

/** A zone that has records; an alias zone has none. */
export function zoneWithRecords(world: World, name: string): ZoneVersion {
  const zone = presentZoneOf(world, name);
  if (zone.settings.type === "ALIAS") throw notFound(`${name} is an alias zone, which has no records`);
  return zone;
}

/** A zone whose records can be written: those of a secondary zone come from its masters. */
export function writableZone(world: World, name: string): ZoneVersion {
  const zone = zoneWithRecords(world, name);
  if (zone.settings.type === "SECONDARY") throw forbidden(`${name} is a secondary zone: its masters have its records`);
  return zone;
}

/** Serves changed records as a new version, whose serial is higher than the present one. */
export function commitZone(world: World, present: ZoneVersion, { zone, others }: ZoneContent): ZoneVersion {
  if (zone.soa.serial < present.zone.soa.serial) throw conflict("The serial must not be lower than the present one");
  checkAliases(zone, others);
  const serial = Math.max(zone.soa.serial, present.zone.soa.serial + 1);
  return addVersion(world, { zone: { ...zone, soa: { ...zone.soa, serial } }, others });
}

interface Query {
  readonly types?: readonly string[];
  readonly search?: string;
  readonly sortBy?: readonly string[];
  readonly page?: number;
  readonly pageSize?: number;
  readonly showAll?: boolean;
}

/** Whether a query that can choose some asks for one; without a choice it asks for all. */
export const isChosen = <T>(chosen: readonly T[], one: T): boolean => chosen.length === 0 || chosen.includes(one);

/** One page of a list, and its metadata. */
export function pageOfList<T>(all: readonly T[], { page = 1, pageSize = 25, showAll = false }: Query) {
  const size = showAll ? Math.max(all.length, 1) : pageSize;
  const start = showAll ? 0 : (page - 1) * size;
  return {
    items: all.slice(start, start + size),
    metadata: { page: showAll ? 1 : page, pageSize: size, totalElements: all.length },
  };
}

/** The record sets that a query asks for, and the metadata of the list. */
export function listSets<S extends FullRecordSet>(zone: string, all: readonly S[], query: Query) {
  const { types = [], search = "", sortBy = [] } = query;
  const sought = search.toLowerCase();
  const matches = all.filter(
    ({ name, type, rdata }) =>
      isChosen(types, type) && [name, ...rdata].some((text) => text.toLowerCase().includes(sought)),
  );
  const [first = "name"] = sortBy;
  const sorted = /^-?type$/.test(first)
    ? matches.toSorted((one, other) => one.type.localeCompare(other.type))
    : matches;
  const { items, metadata } = pageOfList(first.startsWith("-") ? sorted.toReversed() : sorted, query);
  return { metadata: { ...metadata, zone: zone.toLowerCase(), types: [...types] }, recordsets: items };
}
