/** The bodies and responses of the threat-protection API: sites, policies, lists and their items, honeypots, deployments. */
import { destination } from "../../language/destination.js";
import { closedObject, openObject } from "../../language/open-object.js";
import { repeated, withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { EntityTag, members } from "../fields.js";
import { isAddress4, isAddress6, isDomain } from "./addresses.js";

const text = z.string();
export const id = z.int().positive();
export const config = { configId: id };
const name = text.min(1).max(255);
export const description = text.max(1_000);
/** The stamp that PUT and DELETE of a site, a policy and a list have to send (public facts C, 3). */
export const stampHeader = { "If-Match": { argument: "ifMatch", schema: EntityTag } } as const;

const Named = z.looseObject({ id: z.int(), name: text.optional() });
const Info = Named.nullable().optional();
/** Who wrote an object and when; no write sets these members. */
const authorship = {
  ...members(text.optional(), "createdBy", "createdDate"),
  ...members(text.nullable().optional(), "modifiedBy", "modifiedDate"),
};
/** A replacement may repeat the id that was read, which changes nothing, and null for an absent description. */
const changed = { id: repeated(id.optional()), description: description.nullable() };

export const Category = z.looseObject({ id: z.int(), name: text, description: text });
export const BuiltinList = Category.extend({ securityCategoryId: z.int(), securityCategoryInfo: Named, ...authorship });
/** Document C spells `allowedForAUP`, public samples of the next version `allowedForAup`. */
export const Response = Category.extend({ allowedForAUP: z.boolean().optional() });
const Addresses = z.looseObject({ primary: text, secondary: text });
export const DnsConfiguration = z.looseObject({ ipv4Addrs: Addresses, ipv6Addrs: Addresses });

const ExitPoint = openObject({
  addrType: z.enum(["ADDR_TYPE_IPV4", "ADDR_TYPE_IPV6"]),
  ipAddr: text
    .max(80)
    .refine((value) => isAddress4(value) || isAddress6(value), "an address or a CIDR block")
    .describe("Address or CIDR"),
}).refine(({ addrType, ipAddr }) => (addrType === "ADDR_TYPE_IPV4" ? isAddress4(ipAddr) : isAddress6(ipAddr)), {
  path: ["ipAddr"],
  message: "an address or a CIDR block of the family in addrType",
});
export const Site = z.looseObject({
  id: z.int(),
  name: text,
  description: text.nullable().optional(),
  policyId: z.int().optional(),
  policyInfo: Info,
  exitPoints: z.array(z.looseObject({ addrType: text, ipAddr: text })).optional(),
  ...authorship,
});
export const siteBody = {
  name,
  description: description.optional(),
  policyId: id.optional(),
  exitPoints: z.array(ExitPoint).min(1).max(1_000),
};
/** A site in a replacement. */
export const siteChange = withReadOnlyMembers(
  { ...siteBody, policyId: id, ...changed, description: description.nullish() },
  Site,
);

const aup = { categoryId: id, responseId: id };
/** How a policy handles the items of a list. */
export const handlingMembers = {
  ...members(id, "listId", "confirmedResponseId", "suspectedResponseId"),
  ...members(z.boolean(), "shouldNotifyConfirmed", "shouldNotifySuspected"),
};
const basic = { dnssec: z.boolean(), edns0ecs: z.boolean() };
const StoredAup = z.looseObject({ ...aup, categoryInfo: Info, responseInfo: Info });
const SecuritySetting = z.looseObject({
  ...handlingMembers,
  listInfo: Named.extend({ categoryId: z.int().optional() }).nullable().optional(),
  ...members(Info, "confirmedResponseInfo", "suspectedResponseInfo"),
});
export const Policy = z.looseObject({
  id: z.int(),
  name: text,
  description: text.nullable().optional(),
  sites: z.array(z.int()).optional(),
  sitesInfo: z.array(Named).optional(),
  basicSettings: z.looseObject(basic).optional(),
  aupSettings: z.array(StoredAup).optional(),
  securitySettings: z.array(SecuritySetting).optional(),
  ...authorship,
});
export const policyBody = {
  name,
  description,
  sites: z.array(id).max(1_000),
  basicSettings: openObject(basic),
  aupSettings: z.array(openObject(withReadOnlyMembers(aup, StoredAup))).max(1_000),
  securitySettings: z
    .array(openObject(withReadOnlyMembers(handlingMembers, SecuritySetting)))
    .max(1_000)
    .describe("By list: ids of responses or honeypots"),
};
/** A policy in a replacement. */
export const policyChange = withReadOnlyMembers({ ...policyBody, ...changed }, Policy);

const Counts = z.looseObject({ domains: z.int(), ips: z.int() });
export const List = z.looseObject({
  id: z.int(),
  name: text,
  description: text.nullable().optional(),
  securityCategoryId: z.int().optional(),
  securityCategoryInfo: Info,
  ...members(z.int().optional(), "itemCount", "remainingCount"),
  ...members(Counts.optional(), "knownCounts", "suspectedCounts"),
  policySecuritySettings: z.array(SecuritySetting).optional(),
  ...authorship,
});
export const listBody = { name, description, securityCategoryId: id };
/** A list in a replacement. */
export const listChange = withReadOnlyMembers({ ...listBody, ...changed }, List);

export const ItemType = z.enum(["LIST_TYPE_DOMAIN", "LIST_TYPE_IP"]);
export const Value = text.min(1).max(253);
const ofType = ({ type, value }: { readonly type: string; readonly value: string }): boolean =>
  type === "LIST_TYPE_DOMAIN" ? isDomain(value) : isAddress4(value) || isAddress6(value);
const fits = { path: ["value"], message: "a domain, or an address or CIDR block, according to type" };
export const Confidence = z.int().min(0).max(2).describe("2 known, 1 suspected, 0 unknown");
export const Item = openObject({ type: ItemType, value: Value, confidenceLevelId: Confidence }).refine(ofType, fits);
export const EmergencyItem = openObject({ type: ItemType, value: Value }).refine(ofType, fits);
export const Items = z.looseObject({
  totalCount: z.int(),
  items: z.array(z.looseObject({ type: text, value: text, confidenceLevelId: z.int().optional() })),
});
export const EmergencyList = z.looseObject({
  listType: text,
  items: z.array(z.looseObject({ type: text, value: text })),
});

export const Honeypot = z.looseObject({
  id: z.int(),
  name: text,
  description: text.nullable().optional(),
  ...members(z.array(text).optional(), "ipv4Addrs", "ipv6Addrs"),
  aliases: z.array(text).nullable().optional(),
  policies: z.array(Named).optional(),
  ...authorship,
});
// Infected machines send a honeypot what they would have sent to their controller, so its addresses are destinations.
const addresses = (isFitting: (value: string) => boolean, family: string) =>
  z.array(destination("host", text.max(80).refine(isFitting, `an ${family} address or CIDR block`))).max(100);
export const honeypotBody = {
  name,
  description,
  ipv4Addrs: addresses(isAddress4, "IPv4"),
  ipv6Addrs: addresses(isAddress6, "IPv6"),
  aliases: z
    .array(destination("host", text.min(1).max(253)))
    .max(100)
    .optional(),
};
/** A honeypot in a replacement. */
export const honeypotChange = withReadOnlyMembers(
  { ...honeypotBody, ...changed, aliases: honeypotBody.aliases.nullable() },
  Honeypot,
);

export const Deployment = z.looseObject({
  id: z.int(),
  status: text.describe("PENDING, RUNNING, COMPLETED, FAILED and others"),
  progressPct: z.number().optional(),
  ...members(text.nullable().optional(), "comment", "message"),
  ...members(text.optional(), "deployedBy", "startTime"),
  endTime: text.nullable().optional(),
});
/** No source shows the responses of list deployments; those of configuration deployments are the most likely form. */
export const ListDeployment = Deployment.extend({ listId: z.int().optional() });
/** Why the body that starts a deployment takes no other members. */
export const deploysMore = "it could deploy changes that have not been reviewed";
const Ids = z.array(closedObject(deploysMore, { id })).max(1_000).optional();
export const Group = closedObject(deploysMore, { sites: Ids, policies: Ids, honeypots: Ids, customlists: Ids });

/** A changed object, and the changes within it. */
const RecentChange = z.looseObject({
  changeType: text,
  detail: z.looseObject({
    name: text.optional(),
    id: z.int().optional(),
    ...members(text.optional(), "oldValue", "newValue"),
    ...members(text.nullable().optional(), "modifiedBy", "modifiedDate"),
  }),
  get changes() {
    return z.array(RecentChange).optional();
  },
});
export type RecentChange = z.output<typeof RecentChange>;
export const RecentChanges = z.looseObject({
  changes: z.array(z.looseObject({ deltaType: text, changes: z.array(RecentChange) })),
});
