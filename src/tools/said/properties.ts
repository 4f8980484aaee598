/** What people say for properties. */
import type { Said } from "../../api/said.js";
import type { properties as service } from "../properties/index.js";

export const properties = {
  service: "property; delivery configuration; site config; Property Manager; PAPI; rules and behaviors of a site",
  operations: {
    property_groups_list:
      "groups of the account with their contracts; ids of groups for properties, grp; in which group do my sites live; group and contract to use; folders of delivery configs; where can I create a config; contract and group ids that other calls need",
    property_contracts_list:
      "contract ids that properties can be created under, ctr; contracts as Property Manager sees them; contracts usable for delivery configs; ctr ids",
    property_products_list:
      "which delivery products can a property use; product ids of a contract, prd; Ion, DSA or download delivery available; what product can a new config use; prd ids; product to choose for a new site",
    property_cpcodes_list:
      "what CP codes do we have; CP codes of a contract and group; all content provider codes; cpcodes for delivery configs; inventory of CP codes; which CP codes exist for delivery; find a CP code by its name",
    property_cpcode_create:
      "new CP code for reporting and billing; make a content provider code; separate the traffic numbers of a site; separate reporting for a new site; extra CP code; own counter for billing; traffic of a section reported and billed separately under its own code; count a brand's traffic by itself",
    property_cpcode_get:
      "name and product of one CP code; what is CP code 12345 for; look up a single CP code; what is a CP code named; when was a CP code made; product behind a CP code",
    property_edge_hostnames_list:
      "what edge hostnames do we have; edgesuite and edgekey names; where do I point my CNAME; targets for the CNAMEs; edge hostnames lying around; CNAME targets; names ending in edgesuite.net or edgekey.net; which edge names exist",
    property_edge_hostname_create:
      "new edge hostname; make an edgesuite or edgekey name for a domain; CNAME target for a new site; IPv6 edge host; name to CNAME to; akamaized target for a new domain; dual-stack edge name; get a hostname on the CDN; prepare the DNS target before a site goes live",
    property_edge_hostname_get:
      "is the edge hostname ready; status of one new edge hostname; one CNAME target's details, IPv4 or IPv6; v4 only or dual stack; one ehn id; is a new edge name active; does an edge name do IPv6; details of one CNAME target",
    property_rule_formats_list:
      "which rule formats are there; dated versions of the behavior catalogue; newest frozen rule format; versions of the rule language; which frozen formats can a tree use; newest format date",
    property_request_schema_get:
      "JSON Schema of a property request body; validate a PAPI request; format of a body to create or activate; what may be posted to the property API; check a body before sending; formal shape of a PAPI request; why is my request body invalid; schema for activations or new versions",
    property_rule_schema_get:
      "JSON Schema of rule trees; which options does a behavior such as caching take; valid behaviors and criteria of a product; options that a behavior accepts; formal shape of the rule tree; catalogue of features for a product; autocomplete for rules",
    property_client_settings_get:
      "what rule format is my default; do my API client's ids have prefixes; current PAPI client settings; default rule format of this client; prefix setting for ids",
    property_client_settings_update:
      "change my default rule format; turn id prefixes on or off; set PAPI client settings; use a newer rule format by default; ids without prefixes from now on",
    property_build_get:
      "which build or release of the property API is running; version of PAPI and its catalog; which release of PAPI; build number; catalog version",
    properties_list:
      "what sites do we have on the CDN; all our properties and configurations; which versions are live for each site; list properties of a group; inventory of delivery configs; site list; names and ids of configs; how many sites run on the CDN",
    property_create:
      "onboard a new site; new property or delivery configuration; clone an existing site's config; put a new website behind the CDN; brand-new delivery config; bring a website onto the CDN; duplicate a config under another name; start a config from an existing one; clone a property into a new one; put a new brand's website on the network",
    property_get:
      "look at one property; latest, staging and production version numbers of a site; basics of one configuration; summary of one config; latest and live version numbers; asset id; which contract and group is a config in",
    property_delete:
      "delete a property; get rid of an old site's configuration; remove a retired website from the CDN; throw out an unused config; retired microsite; clean up a config that is not active; trash a dead property that was never used",
    property_versions_list:
      "version history of a property; who changed the site's config and when; older versions to roll back to; who edited the config; notes and authors of revisions; find the version before the incident",
    property_version_create:
      "new version of a property to edit; copy the live version before changing it; branch the config; start a draft; new rev off an older one; clone the live revision to work on it; editable copy; begin a change of a site; prepare changes without touching what is live",
    property_version_get:
      "details of version 5 of a property; who made one property version, notes, etag; status of one version on staging and production; notes, author and date of one revision; is a version editable; state of a version per network",
    property_latest_version_get:
      "newest version of a property; which version is live on production now; current version on staging; last version activated on a network; most recent version number of a config; most recent revision; number of the version live in production or on staging",
    property_version_find:
      "which property serves www.example.com; find the config by hostname; search a site by name or edge hostname; where is this domain configured; who serves this hostname; which config is behind a domain, CNAME or edge hostname; find a config by its name; find where to make a change for a domain",
    property_behavior_names_list:
      "which behaviors can I use in this property; available features such as caching, gzip or redirects; list of behavior names; actions to drop into the rule tree; features available for a version; what can a rule do; names of actions",
    property_criterion_names_list:
      "which match criteria can I use in this property; conditions such as path, hostname or file extension; list of criteria names to match on; what can rules test on: country, path, device; what can a rule match on; conditions available for a version; if-clauses",
    property_hostnames_list:
      "which domains does this property serve; hostnames of a site's version with CNAME targets; list domains on a config; is a hostname attached to this version; domains that hang off a config; domains attached to a config; which CNAMEs does a version have; is a domain on a config",
    property_hostnames_replace:
      "add a domain to a property; put www on the config; remove a hostname from the site; set all hostnames of a version; make a version answer for a second domain; attach or detach a domain; new subdomain for an existing config; point a hostname to another edge hostname; serve another domain from the same setup; stop serving a domain",
    property_rule_tree_get:
      "show the rules of a site; how is caching configured; what does the config do with redirects and headers; which origin server is set; read behaviors and criteria of a version; how long are images cached in a version; redirects and headers as configured; what does a config do; caching, origin, redirect and header settings; review a site's logic; export rules as JSON; understand why a page is redirected or not cached; review before a change",
    property_rule_tree_digest_get:
      "etag or checksum of the rules only; did the rule tree change since I read it; digest without the body; has someone edited the rules meanwhile; checksum for optimistic locking; cheap check for changes without loading rules",
    property_rule_tree_replace:
      "upload a complete new rule tree; overwrite all rules of a version; import rules from a JSON file; save the whole config; paste in a whole JSON config; restore rules from a backup or git; replace everything in a tree",
    property_activations_list:
      "when was the site last deployed; activation history of a property; what went live recently and who pushed it; pending activations; when and where each version was activated; who deployed what and when; release history of a site; is a deployment pending; last successful push; find out which release caused an incident",
    property_version_activate:
      "push the config live; deploy a property version to production or staging; roll back to the previous version; publish the site's changes; take a property offline, deactivate it; roll a config back to last week's; release a config; ship to staging or production; bring back the previous version after an incident; switch a site off; undo a bad release; make approved changes visible to everybody; test changes on staging",
    property_activation_get:
      "is the deployment of the property through; how far is an activation; did the push to production finish; follow one rollout until it is active; state of a push; zone progress; has a release reached production",
    property_activation_cancel:
      "stop the deployment of a property that is still pending; abort a push; I activated the wrong version, call it back; halt a release; pushed by mistake; withdraw a pending activation; keep a wrong release from reaching visitors",
  },
  resources: { "property-rule-tree": "rule tree of a version as a document" },
} satisfies Said<typeof service>;
