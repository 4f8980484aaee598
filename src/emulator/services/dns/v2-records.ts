/** Record sets of today: each write is served at once as a new version of its zone. */
import { readMasterFile } from "../../../tools/dns/master-file.js";
import type { records as declared } from "../../../tools/dns/v2-records.js";
import { badRequest, conflict, created, noContent, ok, orNotFound } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { commitZone, listSets, writableZone, zoneWithRecords } from "./changed.js";
import { type FullRecordSet, setOf, setsOf, withAllSets, withSetOf } from "./sets.js";

const unknown = (name: string, type: string): string => `${name} has no ${type} records`;

/** A master file of record sets; types of the vendor's own stand there as comments. */
export const fileOf = (zone: string, sets: readonly FullRecordSet[]): string =>
  [
    `$ORIGIN ${zone.toLowerCase()}.`,
    ...sets
      .toSorted(soaFirst)
      .flatMap(({ name, type, ttl, rdata }) =>
        rdata.map((text) => `${type.startsWith("AKAMAI") ? "; " : ""}${name}. ${ttl} IN ${type} ${text}`),
      ),
    "",
  ].join("\n");
const soaFirst = (one: FullRecordSet, other: FullRecordSet): number =>
  Number(other.type === "SOA") - Number(one.type === "SOA");

/** The record sets of a master file; refuses one that has none. */
export function setsOfFile(file: string, zone: string): readonly FullRecordSet[] {
  const { sets, problems } = readMasterFile(file, zone);
  if (problems.length > 0)
    throw badRequest(
      `The zone file was refused: ${problems.map(({ given, takes }) => `${given ?? ""}: ${takes}`).join("; ")}`,
    );
  if (sets.length === 0) throw badRequest("The zone file has no records");
  return sets;
}

/** The set of a body; refuses one of another name or type than the path's. */
function ofPath({ name, type }: { readonly name: string; readonly type: string }, body: FullRecordSet): FullRecordSet {
  if (body.name.toLowerCase() !== name.toLowerCase() || body.type !== type)
    throw badRequest(`The body is of ${body.name} ${body.type}, but the path of ${name} ${type}`);
  return { ...body, name: name.toLowerCase() };
}

export const records: BehavioursOf<typeof declared> = {
  dns_recordsets_list: ({ path: { zone }, query }, world) =>
    ok(listSets(zone, setsOf(zoneWithRecords(world, zone)), query)),

  dns_recordset_get: ({ path: { zone, name, type } }, world) =>
    ok(orNotFound(setOf(zoneWithRecords(world, zone), name, type), unknown(name, type))),

  dns_recordset_create: ({ path, body }, world) => {
    const { zone, name, type } = path;
    const present = writableZone(world, zone);
    if (setOf(present, name, type)) throw conflict(`${name} has ${type} records already`);
    const set = ofPath(path, body);
    commitZone(world, present, withSetOf(present, set, set));
    return created(set);
  },

  dns_recordset_replace: ({ path, body }, world) => {
    const { zone, name, type } = path;
    const present = writableZone(world, zone);
    orNotFound(setOf(present, name, type), unknown(name, type));
    const set = ofPath(path, body);
    const now = commitZone(world, present, withSetOf(present, set, set));
    return ok(setOf(now, name, type) ?? set);
  },

  dns_recordset_delete: ({ path: { zone, name, type } }, world) => {
    const present = writableZone(world, zone);
    const set = orNotFound(setOf(present, name, type), unknown(name, type));
    commitZone(world, present, withSetOf(present, set));
    return noContent();
  },

  dns_zone_recordset_create: ({ path: { zone }, body: { recordsets } }, world) => {
    const present = writableZone(world, zone);
    const known = recordsets.find(({ name, type }) => setOf(present, name, type));
    if (known) throw conflict(`${known.name} has ${known.type} records already`);
    commitZone(
      world,
      present,
      recordsets.reduce((left, set) => withSetOf(left, set, set), present),
    );
    return noContent();
  },

  dns_zone_recordset_replace: ({ path: { zone }, body: { recordsets } }, world) => {
    const present = writableZone(world, zone);
    commitZone(world, present, withAllSets(present, recordsets));
    return noContent();
  },

  dns_zone_names_list: ({ path: { zone } }, world) =>
    ok({ names: [...new Set(setsOf(zoneWithRecords(world, zone)).map(({ name }) => name))] }),

  dns_name_types_list: ({ path: { zone, name } }, world) => {
    const sets = setsOf(zoneWithRecords(world, zone)).filter((set) => set.name === name.toLowerCase());
    return ok({ types: sets.map(({ type }) => type) });
  },

  dns_zone_file_get: ({ path: { zone } }, world) => ok(fileOf(zone, setsOf(zoneWithRecords(world, zone)))),

  dns_zone_file_replace: ({ path: { zone }, body }, world) => {
    const present = writableZone(world, zone);
    // A master file cannot express the vendor's own types, so they stay.
    const sets = setsOf(present).filter(({ type }) => type.startsWith("AKAMAI"));
    commitZone(world, present, withAllSets(present, [...setsOfFile(body, zone), ...sets]));
    return noContent();
  },
};
