/** The responses of the property service: every list is in `<plural>.items`, inside an envelope with its owner's ids. */
import { nonEmpty } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { EpochSeconds, members } from "../fields.js";

const id = z.string();
/** The owner of a response's content; members that v0 does not always return are optional. */
export const ownerMembers = { accountId: id.optional(), contractId: id.optional(), groupId: id.optional() };
export const items = <S extends z.ZodRawShape>(item: S) => z.looseObject({ items: z.array(z.looseObject(item)) });

export const Groups = z.looseObject({
  accountId: id,
  accountName: z.string(),
  groups: items({
    ...members(id, "groupName", "groupId"),
    parentGroupId: id.optional(),
    contractIds: z.array(id).optional(),
  }),
});
export const Contracts = z.looseObject({
  accountId: id,
  contracts: items({ contractId: id, contractTypeName: z.string() }),
});
export const Products = z.looseObject({ ...ownerMembers, products: items({ productName: z.string(), productId: id }) });
export const CpCodes = z.looseObject({
  ...ownerMembers,
  cpcodes: items({ cpcodeId: id, cpcodeName: z.string(), productIds: z.array(id), createdDate: z.string() }),
});
const UseCase = z.looseObject({ useCase: z.string(), option: z.string(), type: z.string() });
export const EdgeHostnames = z.looseObject({
  ...ownerMembers,
  edgeHostnames: items({
    edgeHostnameId: id,
    edgeHostnameDomain: z.string(),
    productId: id.optional(),
    ...members(z.string(), "domainPrefix", "domainSuffix"),
    status: z.string().optional(),
    secure: z.boolean().optional(),
    ipVersionBehavior: z.string().optional(),
    useCases: z.array(UseCase).optional(),
    "mapDetails:serialNumber": z.int().optional(),
    "mapDetails:mapDomain": z.string().optional(),
  }),
});
export const Properties = z.looseObject({
  properties: items({
    // Today's answer may lack it.
    accountId: id.optional(),
    ...members(id, "contractId", "groupId", "propertyId"),
    propertyName: z.string(),
    latestVersion: z.int(),
    ...members(z.int().nullable().optional(), "stagingVersion", "productionVersion"),
    assetId: id.optional(),
    note: z.string().nullable().optional(),
    productId: id.optional(),
    ruleFormat: z.string().optional(),
    propertyType: z.string().optional(),
  }),
});
export const Versions = z.looseObject({
  ...ownerMembers,
  propertyId: id,
  propertyName: z.string(),
  assetId: id.optional(),
  versions: items({
    propertyVersion: z.int(),
    ...members(z.string(), "updatedByUser", "updatedDate", "productionStatus", "stagingStatus", "etag"),
    productId: id,
    ruleFormat: z.string().optional(),
    note: z.string().nullable().optional(),
  }),
});
export const productMembers = { ...ownerMembers, productId: id, ruleFormat: z.string() };
export const Available = items({ name: z.string(), schemaLink: z.string() });
export const AvailableBehaviors = z.looseObject({ ...productMembers, availableBehaviors: Available.optional() });
export const AvailableCriteria = z.looseObject({ ...productMembers, availableCriteria: Available.optional() });

/** A problem that the API found in an object that it saved nevertheless. */
const Problem = z.looseObject({
  type: z.string(),
  ...members(z.string().optional(), "title", "detail", "instance", "behaviorName", "errorLocation", "messageId"),
});
const problems = { errors: z.array(Problem).optional(), warnings: z.array(Problem).optional() };
/** What identifies the content of a version: its digest changes with every write to its hostnames or its rules. */
const ofVersion = { ...ownerMembers, propertyId: id, propertyVersion: z.int(), etag: z.string() };
export const Hostnames = z.looseObject({
  ...ofVersion,
  // A public sample of this API version has the number as a string.
  propertyVersion: z.union([z.int(), z.string()]),
  hostnames: items({
    ...members(z.string(), "cnameType", "cnameFrom"),
    cnameTo: z.string().optional(),
    edgeHostnameId: id.optional(),
    certProvisioningType: z.string().optional(),
  }),
  ...problems,
});

const Variable = z.looseObject({
  name: z.string(),
  ...members(z.string().nullable().optional(), "value", "description"),
  ...members(z.boolean().optional(), "hidden", "sensitive"),
});
/** A behavior or criterion; its options depend on its name and the rule format. */
const Feature = z.looseObject({ name: z.string(), options: z.looseObject({}).optional() });
const ruleMembers = {
  // The rule at the top always has one (public facts B, 3.2); one inside it may lack it.
  ...members(z.string().optional(), "name", "comments"),
  criteria: z.array(Feature).optional(),
  criteriaMustSatisfy: z.enum(["all", "any"]).optional(),
  behaviors: z.array(Feature).optional(),
  variables: z.array(Variable).optional(),
  options: z.looseObject({ is_secure: z.boolean().optional() }).optional(),
};
export interface TreeRule {
  readonly name?: string | undefined;
  readonly comments?: string | undefined;
  readonly criteria?: readonly Feature[] | undefined;
  readonly criteriaMustSatisfy?: "all" | "any" | undefined;
  readonly behaviors?: readonly Feature[] | undefined;
  readonly children?: readonly TreeRule[] | undefined;
  readonly variables?: readonly z.output<typeof Variable>[] | undefined;
  readonly [member: string]: unknown;
}
type Feature = z.output<typeof Feature>;
export const TreeRule: z.ZodType<TreeRule> = z.looseObject({
  ...ruleMembers,
  get children(): z.ZodOptional<z.ZodArray<z.ZodType<TreeRule>>> {
    return z.array(TreeRule).optional();
  },
}) as z.ZodType<TreeRule>;
/** Whether this is a whole rule or feature, and not its line in an outline, which lacks the content and is never written. */
const isWhole = (one: object): boolean => !Object.hasOwn(one, "at");
/**
 * The top rule of a tree that is written, which matches every request.
 * @param change The tool that changes parts of a tree.
 */
export function writtenTree(change: string) {
  const whole = `the complete rule or feature: an object with the member at is a line of an outline; read it with outline: false, or change parts with ${change}`;
  // Behaviors and criteria have options (public facts B, 3), or in old samples their members next to the name; an outline
  // shows neither.
  const WrittenFeature = Feature.refine((one) => isWhole(one) && Object.keys(one).length > 1, whole);
  const features = { criteria: z.array(WrittenFeature).optional(), behaviors: z.array(WrittenFeature).optional() };
  const shape = { ...ruleMembers, ...features };
  const WrittenRule: z.ZodType<TreeRule> = nonEmpty(
    z.looseObject({
      ...shape,
      get children(): z.ZodOptional<z.ZodArray<z.ZodType<TreeRule>>> {
        return z.array(WrittenRule).optional();
      },
    }),
  ).refine(isWhole, whole) as z.ZodType<TreeRule>;
  return z
    .looseObject({ ...shape, name: z.literal("default"), children: z.array(WrittenRule).optional() })
    .refine(isWhole, whole);
}
export const TopRule = writtenTree("property_rule_tree_update");
export const RuleTree = z.looseObject({
  ...ofVersion,
  ...members(z.string().optional(), "ruleFormat", "comments"),
  rules: TreeRule,
  ...problems,
});

export const FoundVersions = z.looseObject({
  versions: items({
    ...ownerMembers,
    assetId: id.optional(),
    propertyId: id,
    propertyName: z.string(),
    propertyVersion: z.int(),
    ...members(z.string(), "productionStatus", "stagingStatus", "updatedByUser", "updatedDate"),
    ...members(z.string().optional(), "hostname", "edgeHostname"),
  }),
});
export const Activations = z.looseObject({
  ...ownerMembers,
  activations: items({
    ...members(id, "activationId", "propertyId"),
    propertyName: z.string(),
    propertyVersion: z.int(),
    ...members(z.string(), "network", "activationType"),
    status: z
      .string()
      .describe(
        "NEW, PENDING, ZONE_1, ZONE_2, ZONE_3, ACTIVE, INACTIVE, ABORTED, FAILED, PENDING_DEACTIVATION, DEACTIVATED",
      ),
    ...members(z.string(), "submitDate", "updateDate"),
    note: z.string().nullable().optional(),
    notifyEmails: z.array(z.string()),
    ...members(id.optional(), "accountId", "groupId"),
    fmaActivationState: z.string().optional(),
    fallbackInfo: z
      .looseObject(members(EpochSeconds.optional(), "steadyStateTime", "fastFallbackExpirationTime"))
      .nullable()
      .optional(),
  }),
});
export const RuleFormats = z.looseObject({ ruleFormats: z.looseObject({ items: z.array(z.string()) }) });
export const ClientSettings = z.looseObject({ ruleFormat: z.string(), usePrefixes: z.boolean() });
const Commit = z.looseObject(members(z.string(), "branch", "buildDate", "commitDate", "commitId"));
export const Build = z.looseObject({
  ...members(z.string(), "coreVersion", "currentCatalogVersion"),
  catalogGitInfo: Commit,
  coreGitInfo: Commit,
});
