/** Property configuration (document B): how a site is delivered, in versions that are activated on the networks. */
import type { AccountReading } from "../../language/account.js";
import { introduction } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { accountOperations } from "./account.js";
import { activationOperations } from "./activations.js";
import { contentOperations } from "./content.js";
import { propertyManagerLimit } from "./limit.js";
import { ruleTreeResource } from "./outline.js";
import { schemaResources } from "./resources.js";
import { Groups } from "./shapes.js";
import { versionOperations } from "./versions.js";

/** How the list of groups identifies the account. */
export const accountOfGroups: AccountReading = {
  tool: "property_groups_list",
  args: {},
  read: (body) => {
    const { data } = Groups.safeParse(body);
    return data && { id: data.accountId.replace(/^act_/, ""), name: data.accountName };
  },
};

/** The requirements of the documents, which today's API keeps. */
export const propertyRules = {
  "property-prefixes": "Ids carry the prefixes act_, grp_, ctr_, prd_ and cpc_.",
  "property-products-contract": "The list of products requires contractId.",
  "property-cpcode-place": "CP code operations require contractId and groupId.",
  "property-cpcode-created": "Creating a CP code returns 201 with its Location and cpcodeLink.",
  "property-cpcode-product":
    "A CP code's product should match the product of properties that use it, otherwise a warning may result.",
  "property-head-digest": "HEAD of the rules returns the rule tree's digest.",
  "property-latest-activated-on": "versions/latest takes activatedOn.",
  "property-cancel-pending": "DELETE cancels a pending activation.",
  "property-active-read-only": "A version that was ever activated cannot be changed (public facts B, 3.3).",
} as const;

export const properties = service("property", {
  name: "properties",
  document: "B",
  title: "Properties",
  about: "Reads and changes property versions, their hostnames and rule trees, and activates them.",
  standing: { state: "retired", since: "2018-01", successor: "Property Manager v1 (/papi/v1)" },
  rateLimit: propertyManagerLimit,
  frontLine: ["properties_list", "property_versions_list", "property_rule_tree_get", "property_activations_list"],
  ids: {
    contractId: "property_contracts_list",
    groupId: "property_groups_list",
    productId: "property_products_list",
    certEnrollmentId: "cert_enrollments_list",
    ruleFormat: "property_rule_formats_list",
    filename: { given: "the name of a schema file, as in the example on the tool's page" },
  },
  rules: propertyRules,
  resources: [ruleTreeResource, ...schemaResources],
  introduction: introduction`Properties: read ${"property_versions_list"} first; a version that is or was active cannot be changed.`,
  operations: { ...accountOperations, ...versionOperations, ...contentOperations, ...activationOperations },
});
