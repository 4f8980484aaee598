/**
 * The overlay of today's DNS zones on the vendor's definition: the members that operations on zones, record sets, change
 * lists and keys name.
 */
import definition from "../../definitions/box/dns_v2.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import { comma, text } from "../../language/define.js";
import { secret } from "../../language/marks.js";
import { openObject } from "../../language/open-object.js";
import { readOnly } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { zone } from "./names.js";

/** The name of a record set, absolute. */
const name = z
  .string()
  .regex(/^(\*|[A-Za-z0-9_-]+)(\.[A-Za-z0-9_-]+)*$/, "a full name such as www.example.com, without a trailing dot")
  .max(253);
const type = z.string().regex(/^[A-Z][A-Z0-9]{0,15}$/, "a record type in capitals, such as A or MX");
/** The id of a version, a request or a change list. */
const uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, "an id such as 8d1fc6f5-0f8e-4c5a-9d55-3a2b1c0d9e8f");
const ttl = z.int().min(0).max(2_147_483_647);
const rdata = z.array(z.string().min(1)).min(1).describe("As in a zone file");
const keySecret = secret(z.string().min(1));

export const operationAt = overlay(definition, {
  arguments: {
    zone,
    name: name.describe("Such as www.example.com"),
    type,
    ttl,
    rdata,
    recordsets: z.array(openObject({ name, type, ttl, rdata })).min(1).max(10_000),
    zones: z.array(zone).min(1),
    uuid,
    requestId: uuid,
    from: uuid,
    to: uuid,
    search: z.string().describe("Part of a name or value"),
    page: z.int().min(1),
    pageSize: z.int().min(1),
    comment: z.string(),
    endCustomerId: true,
    masters: "Of a SECONDARY",
    signAndServe: "DNSSEC",
    signAndServeAlgorithm: z
      .enum(["RSA_SHA1", "RSA_SHA256", "RSA_SHA512", "ECDSA_P256_SHA256", "ECDSA_P384_SHA384"])
      .nullable(),
    subzoneGrants: true,
    target: "ALIAS: the zone to copy",
    tsigKey: true,
    // The strongest are offered first.
    algorithm: z.enum([
      "hmac-sha256",
      "hmac-sha384",
      "hmac-sha512",
      "hmac-sha224",
      "hmac-sha1",
      "hmac-md5",
      "HMAC-MD5.SIG-ALG.REG.INT",
    ]),
    secret: keySecret,
    zonesCount: readOnly(z.unknown().optional()),
  },
  answers: {
    secret: keySecret,
    // A setting can also be null or a list.
    fromValue: z.unknown(),
    toValue: z.unknown(),
  },
});

const why = "The definition has lists in a query as texts, whose values are separated by commas.";
const sortBy = comma(z.array(z.string()).optional());
const contractIds = comma(z.array(z.string()).optional());
/** The lists by which zones, keys and authorities are chosen and sorted. */
export const zoneLists = {
  why,
  query: { contractIds, sortBy, types: comma(z.array(z.enum(["PRIMARY", "SECONDARY", "ALIAS"])).optional()) },
};
export const keyLists = { why, query: { contractIds, sortBy } };
export const contractList = { why, query: { contractIds } };
/** The lists by which record sets are chosen and sorted. */
export const recordLists = {
  why,
  query: {
    types: comma(z.array(type).optional()),
    sortBy: comma(z.array(z.string()).optional().describe("Such as -type")),
  },
};
/** A master file as it is written. */
export const masterFileBody = {
  why: "An empty file would be no zone, and the vendor reads files in ASCII.",
  body: text(z.string().min(1).describe("In ASCII"), "text/dns"),
};
