/** What document B and the public facts say of the property operations, in the form of the oracle's tables. */

const root = "/papi/v0";
const property = `${root}/properties/{propertyId}`;
const version = `${property}/versions/{propertyVersion}`;
const place = "contractId groupId";

/** Operations that name nothing of a contract or a group. */
const global = [
  "GET /groups/",
  "GET /contracts/",
  "GET /rule-formats",
  "GET /schemas/request/{filename}",
  "GET /schemas/products/{productId}/{ruleFormat}",
  "GET /client-settings",
  "PUT /client-settings",
  "GET /build",
].map((route) => route.replace(" ", ` ${root}`));

const queries: Readonly<Record<string, string>> = {
  [`GET ${root}/products/`]: "contractId* groupId",
  [`GET ${root}/cpcodes/`]: "contractId* groupId*",
  [`POST ${root}/cpcodes/`]: "contractId* groupId*",
  [`GET ${root}/cpcodes/{cpcodeId}`]: "contractId* groupId*",
  [`GET ${root}/edgehostnames/`]: "contractId* groupId* options",
  [`POST ${root}/edgehostnames/`]: "contractId* groupId* options",
  [`GET ${root}/edgehostnames/{edgeHostnameId}`]: "contractId* groupId* options",
  [`GET ${root}/properties/`]: "contractId* groupId*",
  [`POST ${root}/properties/`]: "contractId* groupId*",
  [`GET ${property}/versions/latest`]: `${place} activatedOn`,
  [`PUT ${version}/hostnames/`]: `${place} validateHostnames`,
  [`GET ${version}/rules/`]: `${place} validateRules`,
  [`HEAD ${version}/rules/`]: `${place} validateRules`,
  [`PUT ${version}/rules/`]: `${place} validateRules`,
  [`GET ${root}/search/find-by-value`]: "propertyName hostname edgeHostname",
};

/** The query names of a route, `*` marking a required one. */
export const propertyQuery = (route: string): string => queries[route] ?? (global.includes(route) ? "" : place);

export const propertyBodies: Readonly<Record<string, string>> = {
  [`POST ${root}/cpcodes/`]: "productId* cpcodeName*",
  [`POST ${root}/edgehostnames/`]:
    "productId* domainPrefix* domainSuffix* ipVersionBehavior* secureNetwork secure slotNumber certEnrollmentId useCases",
  [`POST ${root}/properties/`]: "productId* propertyName* ruleFormat cloneFrom",
  [`POST ${root}/properties/ cloneFrom`]: "propertyId* version* cloneFromVersionEtag copyHostnames",
  [`POST ${property}/versions/`]: "createFromVersion* createFromVersionEtag",
  [`PUT ${version}/rules/`]: "rules* etag comments",
  [`POST ${property}/activations/`]:
    "propertyVersion* network* notifyEmails* activationType note acknowledgeWarnings acknowledgeAllWarnings fastPush delayValidations ignoreHttpErrors useFastFallback",
  [`PUT ${root}/client-settings`]: "ruleFormat* usePrefixes*",
};

export const propertyStatuses: Readonly<Record<string, string>> = {
  [`POST ${root}/cpcodes/`]: "201",
  [`POST ${root}/edgehostnames/`]: "201",
  [`POST ${root}/properties/`]: "201",
  [`POST ${property}/versions/`]: "201",
  [`POST ${property}/activations/`]: "201",
  [`HEAD ${version}/rules/`]: "204",
  [`DELETE ${property}/activations/{activationId}`]: "200 204",
};

export const propertyEnumerations: Readonly<Record<string, string>> = {
  "property_edge_hostnames_list options": "mapDetails",
  "property_edge_hostname_create options": "mapDetails",
  "property_edge_hostname_get options": "mapDetails",
  "property_edge_hostname_create ipVersionBehavior": "IPV4 IPV6_COMPLIANCE IPV6_PERFORMANCE",
  "property_edge_hostname_create secureNetwork": "STANDARD_TLS SHARED_CERT ENHANCED_TLS",
  activatedOn: "STAGING PRODUCTION",
  "property_version_activate network": "STAGING PRODUCTION",
  "property_version_activate activationType": "ACTIVATE DEACTIVATE",
};

const ofVersion = (from: string) => ({ field: "ifMatch", from, at: "body.etag" });
export const propertyLocks = {
  property_hostnames_replace: ofVersion("property_hostnames_list"),
  property_rule_tree_replace: ofVersion("property_rule_tree_get"),
};
