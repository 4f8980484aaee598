/** What people say for properties. */
import type { Said } from "../../api/said.js";
import type { properties as service } from "../properties/index.js";

export const properties = {
  service: "property; delivery configuration; site config; Property Manager; PAPI; rules and behaviors of a site",
  operations: {
    property_groups_list:
      "groups of the account with their contracts; ids of groups for properties, grp; in which group do my sites live; group and contract to use",
    property_contracts_list:
      "contract ids that properties can be created under, ctr; contracts as Property Manager sees them",
    property_products_list:
      "which delivery products can a property use; product ids of a contract, prd; Ion, DSA or download delivery available",
    property_cpcodes_list: "what CP codes do we have; CP codes of a contract and group; all content provider codes",
    property_cpcode_create:
      "new CP code for reporting and billing; make a content provider code; separate the traffic numbers of a site",
    property_cpcode_get: "name and product of one CP code; what is CP code 12345 for; look up a single CP code",
    property_edge_hostnames_list:
      "what edge hostnames do we have; edgesuite and edgekey names; where do I point my CNAME; targets for the CNAMEs",
    property_edge_hostname_create:
      "new edge hostname; make an edgesuite or edgekey name for a domain; CNAME target for a new site; IPv6 edge host",
    property_edge_hostname_get:
      "is the edge hostname ready; status of one new edge hostname; one CNAME target's details, IPv4 or IPv6",
    property_rule_formats_list:
      "which rule formats are there; dated versions of the behavior catalogue; newest frozen rule format",
    property_request_schema_get:
      "JSON Schema of a property request body; validate a PAPI request; format of a body to create or activate",
    property_rule_schema_get:
      "JSON Schema of rule trees; which options does a behavior such as caching take; valid behaviors and criteria of a product",
    property_client_settings_get:
      "what rule format is my default; do my API client's ids have prefixes; current PAPI client settings",
    property_client_settings_update:
      "change my default rule format; turn id prefixes on or off; set PAPI client settings",
    property_build_get: "which build or release of the property API is running; version of PAPI and its catalog",
    properties_list:
      "what sites do we have on the CDN; all our properties and configurations; which versions are live for each site; list properties of a group",
    property_create:
      "onboard a new site; new property or delivery configuration; clone an existing site's config; put a new website behind the CDN",
    property_get:
      "look at one property; latest, staging and production version numbers of a site; basics of one configuration",
    property_delete: "delete a property; get rid of an old site's configuration; remove a retired website from the CDN",
    property_versions_list:
      "version history of a property; who changed the site's config and when; older versions to roll back to",
    property_version_create:
      "new version of a property to edit; copy the live version before changing it; branch the config; start a draft",
    property_version_get:
      "details of version 5 of a property; who made one property version, notes, etag; status of one version on staging and production",
    property_latest_version_get:
      "newest version of a property; which version is live on production now; current version on staging",
    property_version_find:
      "which property serves www.example.com; find the config by hostname; search a site by name or edge hostname; where is this domain configured",
    property_behavior_names_list:
      "which behaviors can I use in this property; available features such as caching, gzip or redirects; list of behavior names",
    property_criterion_names_list:
      "which match criteria can I use in this property; conditions such as path, hostname or file extension; list of criteria names to match on",
    property_hostnames_list:
      "which domains does this property serve; hostnames of a site's version with CNAME targets; list domains on a config",
    property_hostnames_replace:
      "add a domain to a property; put www on the config; remove a hostname from the site; set all hostnames of a version",
    property_rule_tree_get:
      "show the rules of a site; how is caching configured; what does the config do with redirects and headers; which origin server is set; read behaviors and criteria of a version",
    property_rule_tree_digest_get:
      "etag or checksum of the rules only; did the rule tree change since I read it; digest without the body",
    property_rule_tree_replace:
      "upload a complete new rule tree; overwrite all rules of a version; import rules from a JSON file; save the whole config",
    property_activations_list:
      "when was the site last deployed; activation history of a property; what went live recently and who pushed it; pending activations",
    property_version_activate:
      "push the config live; deploy a property version to production or staging; roll back to the previous version; publish the site's changes; take a property offline, deactivate it",
    property_activation_get:
      "is the deployment of the property through; how far is an activation; did the push to production finish",
    property_activation_cancel:
      "stop the deployment of a property that is still pending; abort a push; I activated the wrong version, call it back",
  },
  resources: { "property-rule-tree": "rule tree of a version as a document" },
} satisfies Said<typeof service>;
