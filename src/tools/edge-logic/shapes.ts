/** Responses of the edge-logic API: policies, versions, activations, properties, origins and their versions. */
import { destination } from "../../language/destination.js";
import { openObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { EpochMs, EpochMsOrNever, members } from "../fields.js";
import { StoredRule } from "./match-rules.js";

const text = z.string();
/** Fields of every resource, with the version of the API that wrote it. */
const resource = { location: text.optional(), serviceVersion: text.nullable().optional(), apiVersion: text.optional() };

export const Application = z.looseObject({ ...resource, cloudletId: z.int(), cloudletCode: text, cloudletName: text });
export const Group = z.looseObject({
  ...resource,
  groupId: z.int(),
  groupName: text,
  parentId: z.int().describe("0 at the top"),
  capabilities: z.array(
    z.looseObject({
      cloudletId: z.int(),
      cloudletCode: text,
      capabilities: z
        .array(text)
        .describe("View, Edit, Activate or AdvancedEdit; operations on policies and properties depend on them"),
    }),
  ),
  properties: z.array(z.unknown()).nullable(),
});

const activated = {
  name: text,
  version: z.int(),
  status: text.describe("inactive, pending, active, deactivated or failed, in lower or upper case"),
  activatedBy: text.nullable().optional(),
  activationDate: EpochMsOrNever.optional().describe("0: never"),
};
export const Activation = z.looseObject({
  ...resource,
  network: text,
  policyInfo: z.looseObject({
    policyId: z.int(),
    ...activated,
    statusDetail: text.nullable().optional(),
    detailCode: z.int().optional(),
  }),
  propertyInfo: z.looseObject({ ...activated, groupId: z.int(), id: z.int().optional() }),
});

const authorship = { createdBy: text, createDate: EpochMs, lastModifiedBy: text, lastModifiedDate: EpochMs };
export const Policy = z.looseObject({
  ...resource,
  ...members(z.int(), "policyId", "cloudletId"),
  cloudletCode: text,
  groupId: z.int(),
  name: text,
  description: text.nullable(),
  deleted: z.boolean().optional(),
  propertyName: text.nullable().optional(),
  ...authorship,
  activations: z.array(Activation),
});
export const Version = z.looseObject({
  location: text.optional(),
  ...members(z.int(), "revisionId", "policyId", "version"),
  description: text.nullable(),
  ...authorship,
  ...members(z.boolean(), "rulesLocked", "deleted"),
  activations: z.array(Activation),
  matchRules: z.array(StoredRule).nullable().optional(),
  matchRuleFormat: text.optional(),
});

const Origin = z.looseObject({ originId: text, hostname: text.optional(), type: text, checksum: text });
const PropertyVersion = z.looseObject({
  version: z.int(),
  ...members(text.nullable(), "activatedBy", "activationDate"),
  referencedPolicies: z.array(text),
  cloudletsOrigins: z.record(z.string(), Origin),
});
/** Properties by their names, each with its newest version and those on the networks. */
export const Properties = z.record(
  z.string(),
  z.looseObject({
    groupId: z.int(),
    name: text,
    newestVersion: PropertyVersion,
    production: PropertyVersion.nullable().optional(),
    staging: PropertyVersion.nullable().optional(),
  }),
);

export const LoadBalancer = Origin.extend({ description: text.nullable().optional() });
const DataCenter = {
  originId: text.min(1),
  percent: z.number().min(0).max(100).describe("Of the traffic; all together 100"),
  cloudService: z.boolean(),
  continent: z.enum(["AF", "AS", "EU", "NA", "OC", "OT", "SA"]),
  country: text,
  ...members(z.number(), "latitude", "longitude"),
  ...members(text.nullable().optional(), "city", "stateOrProvince"),
  hostname: destination("host", text).nullable().optional(),
  cloudServerHostHeaderOverride: z.boolean().optional(),
  livenessHosts: z
    .array(destination("host", text.min(1)))
    .nullable()
    .optional(),
};
const LivenessSettings = {
  hostHeader: text.nullable().optional(),
  additionalHeaders: z.record(z.string(), text).nullable().optional(),
  path: text.optional(),
  port: z.int().min(1).max(65_535),
  protocol: text.min(1),
  interval: z.int().min(1).optional(),
  timeout: z.number().min(0).optional(),
  ...members(text.nullable().optional(), "requestString", "responseString"),
  ...members(z.boolean().optional(), "peerCertificateVerification", "status3xxFailure", "status4xxFailure"),
  ...members(z.boolean().optional(), "status5xxFailure"),
};
/** Two letters from the vendor's own list, which is not public; so codes outside of ISO 3166 are not refused here. */
const country = text.regex(/^[A-Za-z]{2}$/, "the two letters of a country code such as DE");
/** The writable fields of a load-balancing version. */
export const balancingMembers = {
  balancingType: z.enum(["WEIGHTED", "PERFORMANCE"]).optional(),
  description: text.nullable().optional(),
  deleted: z.boolean().optional(),
  dataCenters: z
    .array(openObject({ ...DataCenter, country }))
    .min(1)
    .max(199)
    .optional(),
  livenessSettings: openObject(LivenessSettings).nullable().optional(),
};
export const OriginVersion = z.looseObject({
  originId: text,
  version: z.int(),
  balancingType: text.optional(),
  description: text.nullable().optional(),
  ...members(z.boolean(), "deleted", "immutable"),
  ...members(text, "createdBy", "createdDate", "lastModifiedBy", "lastModifiedDate"),
  dataCenters: z.array(z.looseObject(DataCenter)).optional(),
  livenessSettings: z.looseObject(LivenessSettings).nullable().optional(),
  warnings: z.array(z.unknown()).optional(),
});
export const OriginActivation = z.looseObject({
  ...members(text, "originId", "network"),
  version: z.int(),
  ...members(text, "status", "activatedBy", "activatedDate"),
  dryrun: z.boolean().optional(),
});
/** Load balancers by id, each with its activation on each network. */
export const CurrentActivations = z.record(z.string(), z.record(z.string(), OriginActivation));

export const SchemaList = z.looseObject({
  schemas: z.array(
    z.looseObject({
      title: text,
      version: text.optional(),
      location: text,
      ...members(text.nullable().optional(), "description", "additionalDescription"),
    }),
  ),
});
