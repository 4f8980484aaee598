/** Property configuration (document B): how a site is delivered, in versions that are activated on the networks. */
import type { AccountReading } from "../../language/account.js";
import { introduction, type Prompt, personDecides } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { accountOperations } from "./account.js";
import { activationOperations } from "./activations.js";
import { contentOperations } from "./content.js";
import { ruleTreeResource } from "./outline.js";
import { propertyIds, schemaResources } from "./resources.js";
import { Groups } from "./shapes.js";
import { versionOperations } from "./versions.js";

const goLive: Prompt = {
  name: "property_go_live",
  title: "Put a property change live",
  description:
    "Takes a property's newest version to staging, checks it there and takes it to production; a person approves each activation.",
  arguments: [
    {
      name: "propertyId",
      description: "The property",
      form: { pattern: "(prp_)?\\d{1,15}", takes: "a property id such as prp_175780" },
      values: propertyIds,
    },
    {
      name: "notifyEmail",
      description: "Who is told when an activation is done",
      form: { pattern: "[^\\s@]+@[^\\s@]+\\.[^\\s@]+", takes: "an email address" },
    },
  ],
  task: ({ propertyId = "" }) => `Put the newest version of property ${propertyId} live.`,
  steps: ({ propertyId = "", notifyEmail = "" }) => {
    const args = `propertyId ${propertyId} and notifyEmails ["${notifyEmail}"]`;
    return [
      `Call property_versions_list with propertyId ${propertyId}. Say which version is newest, who wrote it and what its note says. Where the newest one is active on production already, there is nothing to do: say so and stop.`,
      `Call property_change_run with ${args}. It prepares the activation on staging, with the difference in words. Errors stop it; a warning is accepted by the person alone. ${personDecides}`,
      "Call property_activations_list until the activation on STAGING is ACTIVE, which takes minutes.",
      `Call property_change_run with ${args} again. It tries the hostnames on staging and prepares the activation on production. Say plainly what could not be tried. ${personDecides}`,
      "Call property_activations_list until the activation on PRODUCTION is ACTIVE.",
      "Report which version is live since when, and which version it replaced: activating that one again is the way back.",
    ];
  },
};

/** How the list of groups tells whose account it is. */
export const accountOfGroups: AccountReading = {
  tool: "property_groups_list",
  args: {},
  read: (body) => {
    const { data } = Groups.safeParse(body);
    return data && { id: data.accountId, name: data.accountName };
  },
};

export const properties = service("property", {
  name: "properties",
  document: "B",
  title: "Properties",
  about: "Reads and changes property versions, their hostnames and rule trees, and activates them.",
  standing: { state: "retired", since: "2018-01", successor: "Property Manager v1 (/papi/v1)" },
  frontLine: ["properties_list", "property_versions_list", "property_rule_tree_get", "property_activations_list"],
  prompts: [goLive],
  ids: {
    contractId: "property_contracts_list",
    groupId: "property_groups_list",
    productId: "property_products_list",
    certEnrollmentId: "cert_enrollments_list",
    ruleFormat: "property_rule_formats_list",
    filename: { given: "the name of a schema file, as in the example on the page of the tool" },
  },
  rules: {
    "property-prefixes": "Ids carry the prefixes act_, grp_, ctr_, prd_ and cpc_.",
    "property-products-contract": "The list of products requires contractId.",
    "property-cpcode-place": "CP code operations require contractId and groupId.",
    "property-cpcode-created": "A new CP code is answered with 201, its Location and cpcodeLink.",
    "property-cpcode-product":
      "A CP code's product should match the product of properties that use it, otherwise a warning may result.",
    "property-head-digest": "HEAD of the rules returns the rule tree's digest.",
    "property-latest-activated-on": "versions/latest takes activatedOn.",
    "property-cancel-pending": "DELETE cancels a pending activation.",
    "property-active-read-only": "A version that was activated cannot be written (public facts B, 3.3).",
  },
  resources: [ruleTreeResource, ...schemaResources],
  introduction: introduction`Properties: read ${"property_versions_list"} first; a version that is or was active is never changed.`,
  operations: { ...accountOperations, ...versionOperations, ...contentOperations, ...activationOperations },
});
