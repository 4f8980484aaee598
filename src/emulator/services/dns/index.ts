/** The DNS service: whole zones, a token that changes with each write, a serial that has to increase. */
import { dns as declared } from "../../../tools/dns/index.js";
import { formerTypes } from "../../../tools/dns/rdata.js";
import type { RecordSet } from "../../../tools/dns/set-notation.js";
import { relativeTo } from "../../../tools/dns/zone.js";
import { conflict, noContent, notFound, ok, orNotFound, problemDetails, RequestRefusal } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { ZoneBody } from "./sets.js";
import { versionOf, writeZone, zoneOf } from "./zones.js";

const invalid = (detail: string, what = "zone"): RequestRefusal => new RequestRefusal(400, `Invalid ${what}`, detail);

/** A name with a CNAME has no other record (public facts B, 8), not even another; the apex has the SOA record. */
export function checkAliases(zone: ZoneBody, others: readonly RecordSet[] = []): void {
  const typesByName = new Map([["", ["soa"]]]);
  const add = (name: string, type: string) => typesByName.set(name, [...(typesByName.get(name) ?? []), type]);
  for (const type of formerTypes) for (const { name } of zone[type] ?? []) add((name ?? "").toLowerCase(), type);
  for (const { name, type } of others) add(relativeTo(zone.name, name), type.toLowerCase());
  for (const [name, types] of typesByName)
    if (types.length > 1 && types.includes("cname"))
      throw invalid(`${name || "the apex"} has a CNAME and may carry no other record, but has: ${types.join(", ")}`);
}

export const dns = emulateService(declared, problemDetails("/config-dns/error-types"), {
  dns_zone_get: ({ path }, world) => {
    const stored = orNotFound(zoneOf(world, path.zone.toLowerCase()), `There is no zone ${path.zone}`);
    return ok({ token: stored.token, zone: stored.zone });
  },

  dns_zone_write: ({ path, body }, world) => {
    const name = path.zone.toLowerCase();
    const { zone } = body;
    const stored = zoneOf(world, name);
    if (zone.name.toLowerCase() !== name)
      throw invalid(`The zone is called ${zone.name}, but the path says ${path.zone}`);
    // The account has it, but as a kind of zone that this API cannot express, and would lose.
    const isOther = stored === undefined && versionOf(world, name) !== undefined;
    if (isOther) throw conflict(`The zone ${name} is no primary zone with records`);
    if (body.token === "new" && stored) throw conflict(`The zone ${name} already exists`);
    if (body.token !== "new" && !stored) throw notFound(`There is no zone ${name}; a new one takes the token new`);
    if (stored && body.token !== stored.token) throw conflict("The token is not the zone's current token");
    const [serial, last] = [zone.soa.serial, stored?.zone.soa.serial];
    if (last !== undefined && serial <= last)
      throw invalid(`The SOA serial ${serial} must exceed the existing serial ${last}`, "serial");
    checkAliases(zone, stored?.others);
    writeZone(world, zone);
    return noContent();
  },
});
