/** The shapes of DNS zones of today: names, record sets, zones, keys and lists. */
import { comma } from "../../language/define.js";
import { openObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { secret } from "../../schema/marks.js";
import { asRead } from "../../schema/read-only.js";
import { zone } from "./names.js";

/** The name of a record set, absolute. */
const name = z
  .string()
  .regex(/^(\*|[A-Za-z0-9_-]+)(\.[A-Za-z0-9_-]+)*$/, "a full name such as www.example.com, without a trailing dot")
  .max(253);
const type = z.string().regex(/^[A-Z][A-Z0-9]{0,15}$/, "a record type in capitals, such as A or MX");
/** The id of a version, a request or a change list. */
export const uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, "an id such as 8d1fc6f5-0f8e-4c5a-9d55-3a2b1c0d9e8f");

export const inZone = { zone };
export const atName = { zone, name: name.describe("Such as www.example.com") };
export const atSet = { ...atName, type };

const ttl = z.int().min(0).max(2_147_483_647);
const rdata = z.array(z.string().min(1)).min(1).describe("As in a zone file");

/** A record set as it is written: all records of one name and type. */
export const RecordSet = openObject({ name, type, ttl, rdata });
export const RecordSets = openObject(asRead({ recordsets: z.array(RecordSet).min(1).max(10_000) }, "metadata"));
export const RecordSetRead = z.looseObject({
  name: z.string(),
  type: z.string(),
  ttl: z.int(),
  rdata: z.array(z.string()),
});

/** How lists of record sets are filtered and paged. */
export const recordQuery = {
  types: comma(z.array(type).optional()),
  search: z.string().optional().describe("Part of a name or value"),
  sortBy: comma(z.array(z.string()).optional().describe("Such as -type")),
  page: z.int().min(1).optional(),
  pageSize: z.int().min(1).optional(),
  showAll: z.boolean().optional(),
};

const ZoneType = z.enum(["PRIMARY", "SECONDARY", "ALIAS"]);
const algorithms = ["RSA_SHA1", "RSA_SHA256", "RSA_SHA512", "ECDSA_P256_SHA256", "ECDSA_P384_SHA384"] as const;
const keyAlgorithms = [
  "hmac-sha256",
  "hmac-sha384",
  "hmac-sha512",
  "hmac-sha224",
  "hmac-sha1",
  "hmac-md5",
  "HMAC-MD5.SIG-ALG.REG.INT",
] as const;
const key = {
  name: z.string().min(1),
  algorithm: z.enum(keyAlgorithms),
  secret: secret(z.string().min(1)),
};
/** A key for zone transfers, as it is written. */
export const Key = openObject(asRead(key, "zonesCount"));
export const KeyRead = z.looseObject({ ...key, algorithm: z.string(), zonesCount: z.int().optional() });

const optional = {
  comment: z.string().optional(),
  endCustomerId: z.string().optional(),
  masters: z.array(z.string().min(1)).optional().describe("Of a SECONDARY"),
  signAndServe: z.boolean().optional().describe("DNSSEC"),
  signAndServeAlgorithm: z.enum(algorithms).nullable().optional(),
  target: z.string().optional().describe("ALIAS: the zone to copy"),
  tsigKey: Key.optional(),
};
/** A zone as it is created. */
export const ZoneCreated = openObject({ zone, type: ZoneType, ...optional });
const set = ["activationState", "aliasCount", "lastActivationDate", "lastModifiedBy", "lastModifiedDate", "versionId"];
/** A zone's settings as they are written; what the API sets itself is not sent. */
export const ZoneConfig = asRead(
  { zone, type: ZoneType, ...optional, contractId: z.string().optional(), subzoneGrants: z.boolean().optional() },
  ...set,
);
/** A zone's settings as they are read. */
export const ZoneRead = z.looseObject({
  ...{
    zone: z.string(),
    type: z.string(),
    contractId: z.string(),
    activationState: z.string().describe("NEW, ACTIVE, PENDING_APPROVAL, OBSOLETE, ERROR or LOCKED"),
    versionId: z.string(),
  },
  ...{ lastModifiedBy: z.string(), lastModifiedDate: z.string(), lastActivationDate: z.string().optional() },
  ...{ comment: z.string().optional(), endCustomerId: z.string().optional(), masters: z.array(z.string()).optional() },
  ...{ signAndServe: z.boolean().optional(), signAndServeAlgorithm: z.string().nullable().optional() },
  ...{ target: z.string().optional(), aliasCount: z.int().optional(), subzoneGrants: z.boolean().optional() },
  tsigKey: KeyRead.optional(),
});
/** A list of zones' names. */
export const ZoneNames = { zones: z.array(zone).min(1) };
