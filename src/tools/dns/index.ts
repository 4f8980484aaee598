/** DNS zones (document B): whole primary zones, read and written as one document. */
import { empty, json, op, xml } from "../../language/define.js";
import { closedObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { refuseLosses, zoneGuard, zoneIsWritable } from "./guard.js";
import { zone } from "./names.js";
import { type FormerType, formerFields, formerTypes } from "./rdata.js";

const number = z.int().min(0);
/** The records of a type, with the fields of its data. */
const recordsOf = (type: FormerType) => {
  const fields = formerFields(type).map(({ name, isNumber }) => [name, isNumber ? number : z.string()]);
  return z
    .array(
      z.looseObject({
        name: z.string().nullable().describe("Null or empty for the apex"),
        ttl: number,
        active: z.boolean(),
        ...(Object.fromEntries(fields) as Readonly<Record<never, never>>),
      }),
    )
    .optional();
};
const lists = Object.fromEntries(formerTypes.map((type) => [type, recordsOf(type)])) as Readonly<
  Record<FormerType, ReturnType<typeof recordsOf>>
>;

const Zone = z.looseObject({
  id: z.int().optional(),
  name: z.string(),
  soa: z.looseObject({
    contact: z.string(),
    expire: number,
    minimum: number,
    originserver: z.string(),
    refresh: number,
    retry: number,
    serial: number,
    ttl: number,
  }),
  ...lists,
});
/** A zone as it is read, with the token that a change needs. */
export const ZoneDocument = z.looseObject({ token: z.string(), zone: Zone });

export const dns = service("dns", {
  name: "dns",
  document: "B",
  title: "DNS zones",
  about: "Reads and writes complete primary zones.",
  standing: { state: "superseded", successor: "DNS zones v2 (/config-dns/v2)" },
  frontLine: ["dns_zone_get"],
  ids: { zone: { given: "the name of a zone, such as example.com" } },
  rules: {
    "dns-token-current": "A modification needs the zone's current token.",
    "dns-token-new": "A zone is added with the token `new`.",
    "dns-serial-grows": "The SOA serial must exceed the existing one.",
    "dns-full-replacement": "The written zone replaces the whole zone; omitted records are removed.",
    "dns-xml": "The zone is JSON by default; XML is also available.",
  },
  operations: {
    dns_zone_get: op("GET /config-dns/v1/zones/{zone}", {
      does: "Reads a whole zone and the token required to change it.",
      path: { zone },
      returns: { 200: [json(ZoneDocument), xml("zone-document", ZoneDocument)] },
      rules: ["dns-xml"],
      means: { 404: "There is no such zone: dns_zone_write adds one if its token is `new`." },
      note: "The document does not name the XML root element: any name is accepted.",
      example: { zone: "example.com" },
    }),
    dns_zone_write: op("POST /config-dns/v1/zones/{zone}", {
      does: "Replaces a whole zone, or adds one if token is `new`. Omitted records are removed.",
      needs: "Change the response of dns_zone_get and increase soa.serial.",
      path: { zone },
      body: json(
        closedObject("a zone is live immediately, and undocumented fields are not compared", {
          token: z.string().min(1).describe("Current token, or new"),
          zone: Zone.describe("The whole zone: name, soa, and one list per record type"),
        }),
      ),
      returns: { 200: json(z.unknown()), 201: json(z.unknown()), 204: empty },
      effect: "destructive",
      checks: [zoneIsWritable, refuseLosses],
      guard: zoneGuard,
      shownBy: "dns_zone_get",
      lock: { field: "body.token", from: "dns_zone_get" },
      rules: ["dns-token-current", "dns-token-new", "dns-serial-grows", "dns-full-replacement"],
      means: {
        409: "The zone has changed since it was read: read it again with dns_zone_get and apply the change to that.",
        400: "The zone was refused: the token, the serial or a record. The serial must be greater than the current one.",
      },
      note: "The document does not show the response to a write; public clients see 204 without a body.",
      example: {
        zone: "new-shop.example",
        body: {
          token: "new",
          zone: {
            name: "new-shop.example",
            soa: {
              contact: "hostmaster.new-shop.example.",
              expire: 604800,
              minimum: 180,
              originserver: "ns1.edge.example.",
              refresh: 900,
              retry: 300,
              serial: 1,
              ttl: 900,
            },
            ns: [{ name: null, ttl: 3600, active: true, target: "ns1.edge.example." }],
          },
        },
      },
    }),
  },
});
