/** What people say for access to SaaS applications. */
import type { Said } from "../../api/said.js";
import type { saasAccess as service } from "../saas-access.js";

export const saasAccess = {
  service: "SaaS access policy; allow or block who reaches a SaaS application by IP or country",
  operations: {
    saasaccess_policy_create:
      "block countries from our SaaS app; new SaaS access policy; allow only office IPs to the application; geo-fence an app; clone an access policy; IP or country restriction for a SaaS app; keep strangers out of an app; new geo block; let only employees reach an app",
    saasaccess_policies_list:
      "which SaaS access policies do we have; all rules on who may reach the SaaS apps; geo fences of SaaS apps; inventory of access restrictions for apps",
    saasaccess_policy_get:
      "show the allow and deny rules of one SaaS access policy; which IPs and countries does it block; is an office's CIDR allowed in one access policy; rules of one access restriction; who is let in and who not; find out why a user from a country cannot reach an app",
    saasaccess_policy_update:
      "add an IP range to the SaaS access allow list; change the countries an access policy denies; edit SaaS access rules; another country into the fence; shut out a second country; let another office in; unblock a country; edit addresses of an access restriction",
    saasaccess_policy_versions_list:
      "version history of a SaaS access policy; older versions of an access policy; revs of the geo fence; revisions of an access restriction",
    saasaccess_policy_activate:
      "put the SaaS access policy live; enforce the access rules on staging or production; deploy access policy versions; make a new country block take effect; push the fence live; release access restrictions; enforce a geo block",
    saasaccess_activations_list:
      "where are SaaS access policies live; history of activated access policy versions by network; is the fence live yet; which access restriction runs where; past activations of access policies",
  },
} satisfies Said<typeof service>;
