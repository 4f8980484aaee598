/** What the vendor's definitions require of the same routes in later versions, the only ones that have definitions. */

const papi = "/papi/v0";
const property = `${papi}/properties/{propertyId}`;
const version = `${property}/versions/{propertyVersion}`;
const admin = "/identity-management/v2/user-admin";
const profile = "/identity-management/v2/user-profile";
const user = `${admin}/ui-identities/{uiIdentityId}`;
const config = "/etp-config/v1/configs/{configId}";
const place = "contractId groupId";
const person = "firstName lastName country preferredLanguage sessionTimeOut";

/** By route: what is in the path aside, the required parameters, and behind the bar the required members of the body. */
export const requiredByDefinitions: Readonly<Record<string, string>> = {
  [`GET ${papi}/products/`]: "contractId |",
  [`GET ${papi}/cpcodes/`]: `${place} |`,
  [`POST ${papi}/cpcodes/`]: `${place} | cpcodeName productId`,
  [`GET ${papi}/cpcodes/{cpcodeId}`]: `${place} |`,
  [`GET ${papi}/edgehostnames/`]: `${place} |`,
  [`POST ${papi}/edgehostnames/`]: `${place} | domainPrefix domainSuffix ipVersionBehavior productId`,
  [`GET ${papi}/edgehostnames/{edgeHostnameId}`]: `${place} |`,
  [`GET ${papi}/properties/`]: `${place} |`,
  [`POST ${papi}/properties/`]: `${place} | productId propertyName`,
  [`POST ${property}/versions/`]: "| createFromVersion",
  [`PUT ${version}/hostnames/`]: "ifMatch |",
  [`PUT ${version}/rules/`]: "ifMatch |",
  [`POST ${property}/activations/`]: "| network notifyEmails propertyVersion",
  [`PUT ${papi}/client-settings`]: "| ruleFormat usePrefixes",
  [`POST ${admin}/groups/{groupId}`]: "| groupName",
  [`PUT ${admin}/groups/{groupId}`]: "| groupName",
  [`POST ${admin}/groups/move`]: "| destinationGroupId sourceGroupId",
  [`GET ${admin}/properties/{propertyId}`]: "groupId |",
  [`PUT ${admin}/properties/{propertyId}`]: "| destinationGroupId sourceGroupId",
  [`GET ${admin}/properties/{propertyId}/resources`]: "groupId |",
  [`POST ${admin}/roles`]: "| grantedRoles roleDescription roleName",
  [`PUT ${profile}/basic-info`]: `| ${person} timeZone`,
  // Here each is a file of its own, which is an argument and not a member of the body.
  [`POST ${profile}/change-password`]: "currentPasswordFile newPasswordFile |",
  [`PUT ${profile}/notifications`]: "| enableEmailNotifications options",
  [`POST ${admin}/ui-identities`]: "| additionalAuthentication authGrants country email firstName lastName",
  [`PUT ${user}/notifications`]: "| enableEmailNotifications options",
  [`PUT ${user}/basic-info`]: `| ${person} timeZone`,
  [`POST ${config}/sites`]: "| name",
  [`PUT ${config}/sites/{siteId}`]: "ifMatch | exitPoints name policyId",
  [`POST ${config}/policies`]: "| aupSettings basicSettings description name securitySettings sites",
  [`PUT ${config}/policies/{policyId}`]: "ifMatch | aupSettings description name securitySettings",
  [`POST ${config}/lists`]: "| description name securityCategoryId",
  [`PUT ${config}/lists/{listId}`]: "ifMatch | description name securityCategoryId",
  // The definition writes IPv4Addrs in its schema and ipv4Addrs in its samples.
  [`POST ${config}/honeypots`]: "| ipv4Addrs ipv6Addrs description name",
  [`PUT ${config}/honeypots/{honeypotId}`]: "ifMatch | ipv4Addrs ipv6Addrs description name",
  [`POST ${config}/deployments`]: "| created deleted modified",
};

const stampIsOptIn =
  "The text on stamps makes them the way to ask for the check, which is not made without (public facts B, 3.2).";
const laterMember =
  "It is required from version 3 on; the definition of version 2 does not require it (public facts C, 1).";

const secretFiles = "A file that is not named is refused where files are read, with the directory that it belongs in.";

/** What the definition of a later version requires and this version does not, by operation and name, with the reason. */
export const notRequiredHere: Readonly<Record<string, string>> = {
  "property_hostnames_replace ifMatch": stampIsOptIn,
  "property_rule_tree_replace ifMatch": stampIsOptIn,
  "user_profile_update body.timeZone": laterMember,
  "user_update body.timeZone": laterMember,
  "user_profile_password_update currentPasswordFile": secretFiles,
  "user_profile_password_update newPasswordFile": secretFiles,
  "user_profile_notifications_update body.enableEmailNotifications": laterMember,
  "user_profile_notifications_update body.options": laterMember,
  "user_notifications_update body.enableEmailNotifications": laterMember,
  "user_notifications_update body.options": laterMember,
  "user_create body.additionalAuthentication": "Version 2 has tfaEnabled in its place (public facts C, 1).",
  "threat_honeypot_update ifMatch":
    "The document demands stamps of sites, policies and lists alone (public facts C, 3).",
};
