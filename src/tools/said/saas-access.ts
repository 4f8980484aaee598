/** What people say for access to SaaS applications. */
import type { Said } from "../../api/said.js";
import type { saasAccess as service } from "../saas-access.js";

export const saasAccess = {
  service: "SaaS access policy; allow or block who reaches a SaaS application by IP or country",
  operations: {
    saasaccess_policy_create:
      "block countries from our SaaS app; new SaaS access policy; allow only office IPs to the application; geo-fence an app; clone an access policy; IP or country restriction for a SaaS app; keep strangers out of an app; new geo block; let only employees reach an app; new access policy for a SaaS app; create an IP allowlist, country block for the application; limit who reaches the app; restrict the SaaS application to office addresses; geo restriction for an app; clone access policy; only our people may get at the app; lock a country out of the app; fence off the app; only certain countries or offices may use the app; new geo restriction; IP allowlist for a cloud app; keep foreigners out; first rules; copy an access policy",
    saasaccess_policies_list:
      "which SaaS access policies do we have; all rules on who may reach the SaaS apps; geo fences of SaaS apps; inventory of access restrictions for apps; list SaaS access policies; which access policies exist; all access restrictions; who may reach which SaaS app; which fences do we have round our apps; restrictions on cloud apps; which geo and IP rules exist; access policies with ids",
    saasaccess_policy_get:
      "show the allow and deny rules of one SaaS access policy; which IPs and countries does it block; is an office's CIDR allowed in one access policy; rules of one access restriction; who is let in and who not; find out why a user from a country cannot reach an app; one access policy: allowed, blocked IPs, countries; read rules; which countries are denied; does the policy let an office in; who's let into the app; is our branch's IP allowed; which ranges and countries are let in or shut out; read one restriction; why is a user refused; rules of an access version",
    saasaccess_policy_update:
      "add an IP range to the SaaS access allow list; change the countries an access policy denies; edit SaaS access rules; another country into the fence; shut out a second country; let another office in; unblock a country; edit addresses of an access restriction; edit an access policy; add, remove an IP, CIDR, country; also block a country; let in another office; change allow or deny rules of SaaS access; unblock a country for the app; let the new branch's IPs into the app; ban one more country from the app; second country to be kept out; office with a new address must reach the app; let another country or office in; add or remove a range; shut a country out; edit a restriction; new allow rule",
    saasaccess_policy_versions_list:
      "version history of a SaaS access policy; older versions of an access policy; revs of the geo fence; revisions of an access restriction; versions, revisions, history of an access policy; list versions of a fence; which revs does the fence have; revisions of a restriction; what did access rules look like before; history of one access policy",
    saasaccess_policy_activate:
      "put the SaaS access policy live; enforce the access rules on staging or production; deploy access policy versions; make a new country block take effect; push the fence live; release access restrictions; enforce a geo block; deploy, activate, push the access policy to production, staging; enforce restrictions; make the block take effect; access rules live; get the fence up; let the ban kick in; enforce a restriction; make a geo block count; push access rules to staging or production; put the country filter live",
    saasaccess_activations_list:
      "where are SaaS access policies live; history of activated access policy versions by network; is the fence live yet; which access restriction runs where; past activations of access policies; active access policies by network; where, since when is an access policy live, enforced; activation history of access policies; which fences are up, and where; which restriction is on, where; is the geo block enforced; past rollouts of access rules; access policy live status",
  },
} satisfies Said<typeof service>;
