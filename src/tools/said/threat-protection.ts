/** What people say for threat protection. */
import type { Said } from "../../api/said.js";
import type { threatProtection as service } from "../threat-protection/index.js";

export const threatProtection = {
  service: "threat protection; ETP; DNS firewall; malware, phishing and bad domains; web filter for our offices",
  operations: {
    threat_builtin_lists_list:
      "built-in threat lists: malware, phishing, command and control; which threat feeds come with the product",
    threat_responses_list:
      "which actions can a policy take: block page, monitor, refuse, sinkhole; built-in responses to threats",
    threat_aup_categories_list:
      "acceptable use categories: gambling, adult, social media; which kinds of sites can be blocked at work; AUP",
    threat_security_categories_list: "security categories for a custom list: malware, phishing, C&C; kinds of threats",
    threat_configs_list: "id of our threat protection configuration; ETP config ids; which configs are there",
    threat_dns_configuration_get:
      "which DNS servers should our offices point to; resolver IPs for threat protection; what to enter as forwarder",
    threat_sites_list:
      "which offices are protected; all branch sites and their public IPs; locations under threat protection",
    threat_site_create: "protect a new office; add a branch with its public IP addresses; onboard a location",
    threat_site_get: "show one office: its IPs and policy; details of a protected site",
    threat_site_update:
      "an office got a new public IP; put a branch under another policy; change a site's addresses; rename an office",
    threat_site_delete: "close a branch; stop protecting an office; remove a site from threat protection",
    threat_policies_list: "all threat protection policies; which filter policies do offices have",
    threat_policy_create: "new filter policy; block gambling and malware for offices; make a threat policy",
    threat_policy_get: "what does this threat policy block; show one filter policy's settings and sites",
    threat_policy_update:
      "block social media in a policy; change what happens on phishing from monitor to block; edit a threat policy; assign sites to a policy",
    threat_policy_delete: "delete a threat policy; get rid of an unused filter policy",
    threat_lists_list: "all our custom block lists and allow lists; which own domain lists are there, how many entries",
    threat_list_create: "new custom block list; make an empty list of bad domains; own list of threats",
    threat_list_quota_get:
      "how many more domains can we put on our lists; limit of list items; room left on custom lists, quota",
    threat_list_get: "show one custom list's name, category and etag; details of a block list without its items",
    threat_list_update: "rename a custom list; change a block list's description or security category",
    threat_list_delete: "delete a custom block list with everything on it; get rid of a list of domains",
    threat_list_item_update:
      "block a phishing domain; add domains or IPs to a block list; take a false positive off the list; blacklist or whitelist a domain",
    threat_list_items_list:
      "is this domain on our block list; search the entries of a custom list; show the domains and IPs on a list",
    threat_list_item_replace:
      "swap the complete contents of a block list; upload a fresh feed over a custom list; overwrite all items",
    threat_list_changes_list:
      "which custom lists have changes that are not deployed; undeployed edits of block lists; pending list items",
    threat_emergency_lists_list:
      "emergency allow and deny lists; which override lists come before any policy; global exception lists",
    threat_emergency_list_get: "what is on the emergency block list; show the emergency allow or deny entries",
    threat_emergency_list_replace:
      "block a domain everywhere immediately, before any policy; emergency unblock of a domain; set the override list",
    threat_honeypots_list: "which honeypots or sinkholes do we have; all decoy devices",
    threat_honeypot_create: "set up a honeypot; new sinkhole to direct infected machines to; add a decoy device",
    threat_honeypot_get: "show one honeypot's addresses; details of a sinkhole",
    threat_honeypot_update: "change a honeypot's IP address or name; edit a sinkhole",
    threat_honeypot_delete: "remove a honeypot; take away a sinkhole or decoy",
    threat_changes_list:
      "which sites, policies and honeypots were edited and not deployed; pending undeployed configuration changes",
    threat_deployments_list: "history of threat protection deployments; when were policies and sites last pushed",
    threat_deployment_launch:
      "push the changed policies and sites live; deploy the threat protection configuration; make office changes take effect",
    threat_deployment_get: "is the deployment of sites and policies done; progress of a configuration deployment",
    threat_list_deployments_list: "history of custom list deployments; when were block lists last pushed",
    threat_list_deployment_launch:
      "push a block list live; deploy a custom list; make the newly blocked domains take effect",
    threat_list_deployment_get: "is the block list live yet; progress of a custom list's deployment",
  },
  resources: { "threat-lists": "custom lists of a configuration as a document" },
} satisfies Said<typeof service>;
