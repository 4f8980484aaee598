/** Responses of the API of shared policies: policies, versions, activations and the properties that use a policy. */
import { z } from "../../language/z.js";
import { StoredRule } from "../edge-logic/match-rules.js";
import { members } from "../fields.js";

const text = z.string();
const links = { links: z.array(z.looseObject(members(text, "href", "rel"))).optional() };

export const Applications = z.array(z.looseObject(members(text, "cloudletName", "cloudletType")));

export const Activation = z.looseObject({
  ...members(z.int(), "id", "policyId", "policyVersion"),
  network: text,
  operation: text,
  status: text.describe("IN_PROGRESS, SUCCESS or FAILED"),
  ...members(text, "createdBy", "createdDate"),
  finishDate: text.nullable().optional(),
  failureDetails: text.optional(),
  policyVersionDeleted: z.boolean().optional(),
  ...links,
});
const OnNetwork = z.looseObject({
  effective: Activation.nullable().describe("In use now, unless its operation is DEACTIVATION"),
  latest: Activation.nullable(),
});
export const CurrentActivations = z.looseObject({ production: OnNetwork, staging: OnNetwork });

const authored = members(text, "createdBy", "createdDate", "modifiedBy", "modifiedDate");
export const Policy = z.looseObject({
  ...members(z.int(), "id", "groupId"),
  ...members(text, "name", "cloudletType", "policyType"),
  description: text.optional(),
  ...authored,
  currentActivations: CurrentActivations,
  ...links,
});
const VersionEntry = z.looseObject({
  ...members(z.int(), "id", "policyId", "version"),
  description: text.optional(),
  ...authored,
  ...links,
});
export const Configuration = { originNewVisitorLimit: z.int().min(10).max(10_000_000) };
/** Names that only the former API has. */
const former = { vendorRuleId: true, location: true } as const;
export const Version = VersionEntry.extend({
  immutable: z.boolean().describe("It is active or being activated"),
  matchRules: z.array(StoredRule.omit(former).extend({ akaRuleId: text.optional() })).optional(),
  matchRulesWarnings: z.array(z.unknown()),
  configuration: z.looseObject(Configuration).optional(),
});
const UsingProperty = z.looseObject({ ...members(z.int(), "id", "groupId", "version"), name: text, network: text });

/** One page of a list, with the size of the whole. */
const pageOf = <S extends z.ZodType>(item: S) =>
  z.looseObject({
    content: z.array(item),
    page: z.looseObject(members(z.int(), "number", "size", "totalElements", "totalPages")),
    ...links,
  });
export const Policies = pageOf(Policy);
export const Versions = pageOf(VersionEntry);
export const Activations = pageOf(Activation);
export const UsingProperties = pageOf(UsingProperty);
