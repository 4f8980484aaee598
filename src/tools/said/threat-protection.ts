/** What people say for threat protection. */
import type { Said } from "../../api/said.js";
import type { threatProtection as service } from "../threat-protection/index.js";

export const threatProtection = {
  service: "threat protection; ETP; DNS firewall; malware, phishing and bad domains; web filter for our offices",
  operations: {
    threat_builtin_lists_list:
      "built-in threat lists: malware, phishing, command and control; which threat feeds come with the product; the vendor's own malware lists; vendor's feeds; lists that ship with the product; standard intelligence; vendor's threat lists; built-in, default, predefined lists; malware, phishing, C2 feeds; which threats are known out of the box; which bad-guy lists come in the box",
    threat_responses_list:
      "which actions can a policy take: block page, monitor, refuse, sinkhole; built-in responses to threats; how can threat protection react; reactions allowed for acceptable use; error page, monitor, sinkhole: what can happen to a bad request; allowed reactions by category; actions, reactions, responses that a policy can take; block, monitor, allow, sinkhole, error page; available responses; what happens on a hit; what can happen to someone who opens a bad page",
    threat_aup_categories_list:
      "acceptable use categories: gambling, adult, social media; which kinds of sites can be blocked at work; AUP; web categories for acceptable use; social, gambling, streaming; what content can be filtered; acceptable use policy categories: gambling, porn, adult, social, streaming, games; list of web content categories; what can be filtered; which kinds of pages can we ban at work",
    threat_security_categories_list:
      "security categories for a custom list: malware, phishing, C&C; kinds of threats; kinds of nasties that lists are about; categories for own lists; classes of threats; security categories: malware, phishing, C&C, DNS exfiltration; categories for custom lists; list of threat kinds; which kinds of nastiness can an own list be about",
    threat_configs_list:
      "id of our threat protection configuration; ETP config ids; which configs are there; id that all threat calls need; configurations of threat protection; ETP, SIA configuration ids; config id for threat protection; which configId do I use; list threat configurations; what number is our threat protection setup",
    threat_dns_configuration_get:
      "which DNS servers should our offices point to; resolver IPs for threat protection; what to enter as forwarder; resolver addresses for our routers; where should offices send DNS; forwarder settings; set up an office router; resolver, DNS server IPs that offices, branches, routers need to use, point to; forwarders; primary and secondary DNS for threat protection; recursive resolver addresses; what do I type into the office router for DNS",
    threat_sites_list:
      "which offices are protected; all branch sites and their public IPs; locations under threat protection; branches behind the DNS shield; inventory of protected offices; branches and addresses; which office has which policy; offices, branches, locations, networks that are protected; list sites in threat protection; which public IPs are covered; protected sites; which branches are covered",
    threat_site_create:
      "protect a new office; add a branch with its public IP addresses; onboard a location; protect another branch; new office opened; have a new office's traffic filtered; add an office, branch, location with its public IPs; protect the new office; register an egress address; new site in ETP; put another branch behind the DNS firewall; we opened in Oslo, cover it; another branch behind the DNS shield; new branch must be filtered",
    threat_site_get:
      "show one office: its IPs and policy; details of a protected site; one location's assigned policy; addresses and policy of one office; one office, branch, site of threat protection: addresses, policy, etag; read a location; which policy applies to an office; what's set for the Oslo branch",
    threat_site_update:
      "an office got a new public IP; put a branch under another policy; change a site's addresses; rename an office; new internet line for an office; other policy or name for a branch; keep an office protected after a change of provider; office has a new ISP, public IP, address; change a branch's policy; rename an office; edit a site; add an IP to an existing office; assign a different policy to a location; the Oslo branch changed its provider; put the branch on the strict policy; office got another line, address; office should follow another policy",
    threat_site_delete:
      "close a branch; stop protecting an office; remove a site from threat protection; office closed; unprotect a branch; office, branch closed, moved out; remove, unprotect a location; delete a site from threat protection; we shut the Oslo branch",
    threat_policies_list:
      "all threat protection policies; which filter policies do offices have; rulebooks of the DNS shield; inventory of filter rules for offices; which policies exist; list threat, filter, security policies; which ETP policies exist; all rulebooks; which rule books do our branches have",
    threat_policy_create:
      "new filter policy; block gambling and malware for offices; make a threat policy; rules for guests or schools; new set of filters; stricter policy; new threat policy, filter policy; policy for guest Wi-Fi, school; create rules of what offices may open; guests get their own rules; a stricter rule book for kids",
    threat_policy_get:
      "what does this threat policy block; show one filter policy's settings and sites; how one policy treats malware; what happens on malware or gambling in a policy; one policy's rules; one threat policy: what it blocks, monitors; settings, categories, sites of a filter policy; does the policy block gambling; read policy; does this rule book let people gamble; what happens on phishing; is gambling blocked at the office; what a policy does",
    threat_policy_update:
      "block social media in a policy; change what happens on phishing from monitor to block; edit a threat policy; assign sites to a policy; also filter a category in the policy that we use already; allow or block a category; other reaction to a threat; which offices a policy covers; let an office use social media; stop gambling at work; block, allow, monitor gambling, adult, social media sites, category; edit a filter policy; change the reaction to malware, phishing; attach sites to a policy; loosen, tighten the web filter; stop staff from; safe search; also block streaming; nobody should be on TikTok at work; ban one more kind of page; let marketing use social media; block instead of just watching; other handling of malware; forbid a kind of site to staff; assign an office to a policy",
    threat_policy_delete:
      "delete a threat policy; get rid of an unused filter policy; a policy that no location is assigned to; drop an unused filter policy; delete, remove, drop a threat policy, filter policy; unused policy; no branch uses that rule book",
    threat_lists_list:
      "all our custom block lists and allow lists; which own domain lists are there, how many entries; round up our homemade blocklists; own allow and deny lists; counts of entries; custom lists; blocklists, allowlists, denylists of ours; list all own lists; which blocklists have we; number of entries per list; which blacklists did we make ourselves",
    threat_list_create:
      "new custom block list; make an empty list of bad domains; own list of threats; start a fresh homemade blocklist; a list not yet existing; begin an own list of domains or addresses; new custom list, blocklist, allowlist; start an own list of bad domains; create an empty list; need somewhere to collect bad domains; collect bad domains in a list that does not exist yet",
    threat_list_quota_get:
      "how many more domains can we put on our lists; limit of list items; room left on custom lists, quota; is an import of many domains within limits; how full are our lists; capacity left for entries; how many more domains, items, entries fit; quota, limit, capacity, space left on custom lists; are our lists full; maximum entries; is there room; is there room for a big import; how close to the cap are our lists; import of thousands of domains, is it within limits",
    threat_list_get:
      "show one custom list's name, category and etag; details of a block list without its items; what is one homemade blocklist for; one list's settings; name, description and category of one own list; one custom list by id: name, description, category, etag; read list settings; what is a list for; what's that list about; what's a blocklist for",
    threat_list_update:
      "rename a custom list; change a block list's description or security category; other name, note or category of an own list; rename a custom list; edit list's description, category, note; list metadata; the list has a silly name",
    threat_list_delete:
      "delete a custom block list with everything on it; get rid of a list of domains; a domain list that has no use any more; remove an own list and all entries; delete, remove, drop a custom list, blocklist as a whole; list no longer useful; nobody needs that blacklist; partner's domain list is of no use; throw away a list altogether",
    threat_list_item_update:
      "block a phishing domain; add domains or IPs to a block list; take a false positive off the list; blacklist or whitelist a domain; add or remove single domains; unblock a site that is blocked by mistake; report a phishing domain; put addresses on a list; keep staff from a phishing page; let staff reach a page that was blocked by mistake; add a domain, IP to a blocklist; put evil.com on the list; remove, take an entry off a list; block one domain, phishing site; unblock a domain; whitelist; allow a domain; blacklist an IP; false positive; add and delete entries; deny a hostname; staff get phished by a page, stop it; partner's page is blocked by error, let it through; stick an IP on the list; strike a name off the list; colleague got a phishing mail, block its domain; a harmless site is blocked, free it",
    threat_list_items_list:
      "is this domain on our block list; search the entries of a custom list; show the domains and IPs on a list; entries of a list; search a domain in lists; why is a domain blocked; export a list; find out why a page is blocked; is a domain, IP on our lists, blocked; search list entries; which domains are on a list; show, export items; lookup a domain across lists; list contents; find an entry; did we blacklist this name already; what's on the blacklist; is a domain on any of our blocklists; why can staff not open a site; check for a domain",
    threat_list_item_replace:
      "swap the complete contents of a block list; upload a fresh feed over a custom list; overwrite all items; swap out what is on a list for these domains; new complete feed for a list; all entries anew; replace, swap, overwrite all entries of a list; upload a full feed; exchange the contents; set the list to exactly these; whole new set of domains; throw out everything on the list and load this file",
    threat_list_changes_list:
      "which custom lists have changes that are not deployed; undeployed edits of block lists; pending list items; who has messed with our homemade blocklists; what would go out with the next list deployment; unsaved or unpublished list edits; what is waiting to be deployed in lists; edited lists that are not deployed, pending, unpublished; changes in custom lists; what is left to push of lists; who edited our blacklists and hasn't shipped; what is new on lists but not out; who's been editing, messing with our blocklists; what would go out with the next list deployment",
    threat_emergency_lists_list:
      "emergency allow and deny lists; which override lists come before any policy; global exception lists; each panic list of domains and IPs; both emergency lists; overrides above all policies; emergency lists; global allow, deny lists that override policies; both override lists; list emergency lists; which break-glass lists are there",
    threat_emergency_list_get:
      "what is on the emergency block list; show the emergency allow or deny entries; what is on one panic blocklist; entries of the emergency allow or deny list; one emergency list's entries; what is on the emergency allow, deny list; read the override list; what's on the break-glass list; just the emergency allow list; panic blocklist for IPs",
    threat_emergency_list_replace:
      "block a domain everywhere immediately, before any policy; emergency unblock of a domain; set the override list; domain blocked wrongly, allow it via the emergency list; stop a domain at once for everybody; let a wrongly blocked domain through at once; override for an incident; stop an ongoing attack by domain at once; block, allow a domain everywhere immediately, globally, bypassing, overriding policies; emergency block, unblock; ongoing attack; urgent; override; put on the emergency list; at once for all offices; kill a domain for every branch this second; break glass; let a hospital's page through no matter what; outbreak, block the domain before all else; unblock at once for everyone",
    threat_honeypots_list:
      "which honeypots or sinkholes do we have; all decoy devices; all the traps for infected machines; inventory of sinkholes; decoys and addresses; every sinkhole or trap defined in threat protection; list honeypots, sinkholes, decoys, traps; which sinkholes exist; all honeypots; what traps have we set; every sinkhole, trap defined",
    threat_honeypot_create:
      "set up a honeypot; new sinkhole to direct infected machines to; add a decoy device; catch infected clients with a device; redirect bad traffic to an analysis machine; new sinkhole, honeypot, decoy machine; set a trap; register a honeypot's addresses; set a trap for infected laptops; send bad traffic to our own box",
    threat_honeypot_get:
      "show one honeypot's addresses; details of a sinkhole; one sinkhole's name and addresses; one honeypot, sinkhole: addresses, name, etag; IP of the sinkhole; where does the trap point",
    threat_honeypot_update:
      "change a honeypot's IP address or name; edit a sinkhole; monitoring device moved, adapt the trap; sinkhole has a new IP or name; honeypot has a new IP, name; move, change, edit a sinkhole, decoy; the trap moved to another box",
    threat_honeypot_delete:
      "remove a honeypot; take away a sinkhole or decoy; decommission a sinkhole; remove, delete, retire a honeypot, sinkhole, decoy; trap no longer used, scrapped; take the trap down",
    threat_changes_list:
      "which sites, policies and honeypots were edited and not deployed; pending undeployed configuration changes; recent edits of sites, policies and sinkholes; unpublished edits of offices, policies, sinkholes; what is waiting to be deployed in the configuration; edited policies, sites, honeypots, emergency lists not deployed; pending, unpublished changes of the configuration; what is left to push of policies and sites; which branches, rule books and traps were edited and not shipped; recent edits to sites, policies, sinkholes, awaiting deployment",
    threat_deployments_list:
      "history of threat protection deployments; when were policies and sites last pushed; has any rollout of threat settings failed; past and running configuration rollouts; failed deployments; deployment history of the threat configuration; past, failed, running pushes of policies, sites; list deployments; did past pushes of rule books work",
    threat_deployment_launch:
      "push the changed policies and sites live; deploy the threat protection configuration; make office changes take effect; publish edits of offices, policies and sinkholes; roll out the configuration; make policy changes real; let new offices and policies take effect; roll out, deploy, push, publish edited policies, sites, honeypots; make the filter changes live; apply threat policy changes; activate the office's protection; ship the rule book; let the branch's edits count; policies are edited, let them count; bring office edits to the resolvers",
    threat_deployment_get:
      "is the deployment of sites and policies done; progress of a configuration deployment; did one threat config rollout land; state of a configuration rollout; did the policy change arrive; one configuration deployment by id: done, failed, running; did the policy rollout finish; progress of pushing sites; is the rule book out",
    threat_list_deployments_list:
      "history of custom list deployments; when were block lists last pushed; past and running list rollouts; deployment history of custom lists; past, running, failed list pushes; when did the blocklist last go out; did past pushes of blacklists work",
    threat_list_deployment_launch:
      "push a block list live; deploy a custom list; make the newly blocked domains take effect; publish edits of a block list; roll out a list; make a block real; let new list entries take effect; push, deploy, publish, ship, roll out a blocklist, custom list; make blocked domains live; activate a list; list changes go live; ship the blacklist; let the new entries count; list is edited, let it count; bring blocked domains to the resolvers",
    threat_list_deployment_get:
      "is the block list live yet; progress of a custom list's deployment; state of a list rollout; did the block arrive; one list deployment by id: done, running; is the blocklist out yet, live; progress of a list push; how long till the list works; is the blacklist out",
  },
  resources: { "threat-lists": "custom lists of a configuration as a document" },
} satisfies Said<typeof service>;
