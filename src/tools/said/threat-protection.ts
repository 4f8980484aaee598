/** What people say for threat protection. */
import type { Said } from "../../api/said.js";
import type { threatProtection as service } from "../threat-protection/index.js";

export const threatProtection = {
  service: "threat protection; ETP; DNS firewall; malware, phishing and bad domains; web filter for our offices",
  operations: {
    threat_builtin_lists_list:
      "built-in threat lists: malware, phishing, command and control; which threat feeds come with the product; the vendor's own malware lists; vendor's feeds; lists that ship with the product; standard intelligence",
    threat_responses_list:
      "which actions can a policy take: block page, monitor, refuse, sinkhole; built-in responses to threats; how can threat protection react; reactions allowed for acceptable use; error page, monitor, sinkhole: what can happen to a bad request; allowed reactions by category",
    threat_aup_categories_list:
      "acceptable use categories: gambling, adult, social media; which kinds of sites can be blocked at work; AUP; web categories for acceptable use; social, gambling, streaming; what content can be filtered",
    threat_security_categories_list:
      "security categories for a custom list: malware, phishing, C&C; kinds of threats; kinds of nasties that lists are about; categories for own lists; classes of threats",
    threat_configs_list:
      "id of our threat protection configuration; ETP config ids; which configs are there; id that all threat calls need; configurations of threat protection",
    threat_dns_configuration_get:
      "which DNS servers should our offices point to; resolver IPs for threat protection; what to enter as forwarder; resolver addresses for our routers; where should offices send DNS; forwarder settings; set up an office router",
    threat_sites_list:
      "which offices are protected; all branch sites and their public IPs; locations under threat protection; branches behind the DNS shield; inventory of protected offices; branches and addresses; which office has which policy",
    threat_site_create:
      "protect a new office; add a branch with its public IP addresses; onboard a location; protect another branch; new office opened; have a new office's traffic filtered",
    threat_site_get:
      "show one office: its IPs and policy; details of a protected site; one location's assigned policy; addresses and policy of one office",
    threat_site_update:
      "an office got a new public IP; put a branch under another policy; change a site's addresses; rename an office; new internet line for an office; other policy or name for a branch; keep an office protected after a change of provider",
    threat_site_delete:
      "close a branch; stop protecting an office; remove a site from threat protection; office closed; unprotect a branch",
    threat_policies_list:
      "all threat protection policies; which filter policies do offices have; rulebooks of the DNS shield; inventory of filter rules for offices; which policies exist",
    threat_policy_create:
      "new filter policy; block gambling and malware for offices; make a threat policy; rules for guests or schools; new set of filters; stricter policy",
    threat_policy_get:
      "what does this threat policy block; show one filter policy's settings and sites; how one policy treats malware; what happens on malware or gambling in a policy; one policy's rules",
    threat_policy_update:
      "block social media in a policy; change what happens on phishing from monitor to block; edit a threat policy; assign sites to a policy; also filter a category in the policy that we use already; allow or block a category; other reaction to a threat; which offices a policy covers; let an office use social media; stop gambling at work",
    threat_policy_delete:
      "delete a threat policy; get rid of an unused filter policy; a policy that no location is assigned to; drop an unused filter policy",
    threat_lists_list:
      "all our custom block lists and allow lists; which own domain lists are there, how many entries; round up our homemade blocklists; own allow and deny lists; counts of entries",
    threat_list_create:
      "new custom block list; make an empty list of bad domains; own list of threats; start a fresh homemade blocklist; a list not yet existing; begin an own list of domains or addresses",
    threat_list_quota_get:
      "how many more domains can we put on our lists; limit of list items; room left on custom lists, quota; is an import of many domains within limits; how full are our lists; capacity left for entries",
    threat_list_get:
      "show one custom list's name, category and etag; details of a block list without its items; what is one homemade blocklist for; one list's settings; name, description and category of one own list",
    threat_list_update:
      "rename a custom list; change a block list's description or security category; other name, note or category of an own list",
    threat_list_delete:
      "delete a custom block list with everything on it; get rid of a list of domains; a domain list that has no use any more; remove an own list and all entries",
    threat_list_item_update:
      "block a phishing domain; add domains or IPs to a block list; take a false positive off the list; blacklist or whitelist a domain; add or remove single domains; unblock a site that is blocked by mistake; report a phishing domain; put addresses on a list; keep staff from a phishing page; let staff reach a page that was blocked by mistake",
    threat_list_items_list:
      "is this domain on our block list; search the entries of a custom list; show the domains and IPs on a list; entries of a list; search a domain in lists; why is a domain blocked; export a list; find out why a page is blocked",
    threat_list_item_replace:
      "swap the complete contents of a block list; upload a fresh feed over a custom list; overwrite all items; swap out what is on a list for these domains; new complete feed for a list; all entries anew",
    threat_list_changes_list:
      "which custom lists have changes that are not deployed; undeployed edits of block lists; pending list items; who has messed with our homemade blocklists; what would go out with the next list deployment; unsaved or unpublished list edits; what is waiting to be deployed in lists",
    threat_emergency_lists_list:
      "emergency allow and deny lists; which override lists come before any policy; global exception lists; each panic list of domains and IPs; both emergency lists; overrides above all policies",
    threat_emergency_list_get:
      "what is on the emergency block list; show the emergency allow or deny entries; what is on one panic blocklist; entries of the emergency allow or deny list",
    threat_emergency_list_replace:
      "block a domain everywhere immediately, before any policy; emergency unblock of a domain; set the override list; domain blocked wrongly, allow it via the emergency list; stop a domain at once for everybody; let a wrongly blocked domain through at once; override for an incident; stop an ongoing attack by domain at once",
    threat_honeypots_list:
      "which honeypots or sinkholes do we have; all decoy devices; all the traps for infected machines; inventory of sinkholes; decoys and addresses; every sinkhole or trap defined in threat protection",
    threat_honeypot_create:
      "set up a honeypot; new sinkhole to direct infected machines to; add a decoy device; catch infected clients with a device; redirect bad traffic to an analysis machine",
    threat_honeypot_get: "show one honeypot's addresses; details of a sinkhole; one sinkhole's name and addresses",
    threat_honeypot_update:
      "change a honeypot's IP address or name; edit a sinkhole; monitoring device moved, adapt the trap; sinkhole has a new IP or name",
    threat_honeypot_delete: "remove a honeypot; take away a sinkhole or decoy; decommission a sinkhole",
    threat_changes_list:
      "which sites, policies and honeypots were edited and not deployed; pending undeployed configuration changes; recent edits of sites, policies and sinkholes; unpublished edits of offices, policies, sinkholes; what is waiting to be deployed in the configuration",
    threat_deployments_list:
      "history of threat protection deployments; when were policies and sites last pushed; has any rollout of threat settings failed; past and running configuration rollouts; failed deployments",
    threat_deployment_launch:
      "push the changed policies and sites live; deploy the threat protection configuration; make office changes take effect; publish edits of offices, policies and sinkholes; roll out the configuration; make policy changes real; let new offices and policies take effect",
    threat_deployment_get:
      "is the deployment of sites and policies done; progress of a configuration deployment; did one threat config rollout land; state of a configuration rollout; did the policy change arrive",
    threat_list_deployments_list:
      "history of custom list deployments; when were block lists last pushed; past and running list rollouts",
    threat_list_deployment_launch:
      "push a block list live; deploy a custom list; make the newly blocked domains take effect; publish edits of a block list; roll out a list; make a block real; let new list entries take effect",
    threat_list_deployment_get:
      "is the block list live yet; progress of a custom list's deployment; state of a list rollout; did the block arrive",
  },
  resources: { "threat-lists": "custom lists of a configuration as a document" },
} satisfies Said<typeof service>;
