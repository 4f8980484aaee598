/** What people say for edge logic and its load balancers. */
import type { Said } from "../../api/said.js";
import type { edgeLogic as service } from "../edge-logic/index.js";

export const edgeLogic = {
  service: "edge logic; cloudlet; cloudlets policy; redirects, A/B tests, load balancing at the edge",
  operations: {
    edgelogic_applications_list:
      "which cloudlets can I use; kinds of edge applications: redirector, forward rewrite, audience segmentation, load balancer; cloudlet types of a group; catalogue of cloudlets; types available: edge redirector, phased release, request control, visitor prioritization",
    edgelogic_application_get:
      "what is cloudlet 0, its code and name; one edge application by its id; information about one cloudlet type; name and code of one cloudlet type; what stands a cloudlet id for; what is a cloudlet number called",
    edgelogic_groups_list:
      "in which groups may I use cloudlets; permissions by group for cloudlets; my rights to activate or edit policies; who gets to do what with edge apps, group by group; cloudlet permissions of every group; where may I view, edit or activate policies",
    edgelogic_group_get:
      "what may one group do with cloudlets; cloudlet rights of a single group; can I activate a redirector in one group; capabilities of a group; cloudlet permissions of one group",
    edgelogic_policies_list:
      "which cloudlets policies do we have; all redirect policies; where are our edge rules; list policies with what is live; inventory of cloudlet policies; find a redirect, phased release or segmentation policy; include deleted",
    edgelogic_policy_create:
      "new cloudlets policy; make a redirect policy; clone a policy; start using a cloudlet for a site; begin a redirect set; new A/B or segmentation policy; duplicate a policy",
    edgelogic_policy_get:
      "one cloudlets policy; where is this policy live; name, description and group of a policy; one policy's name, group and active versions",
    edgelogic_policy_update:
      "rename a cloudlets policy; change a policy's description; move a policy to another group; bring back a deleted policy, undelete; correct a policy's description without touching rules; new name or description for a policy; shift a policy to another group; resurrect a deleted policy",
    edgelogic_policy_delete:
      "delete a cloudlets policy completely; get rid of an unused redirect policy and its versions; drop a whole policy, redirects and all; clean up unused cloudlet policies",
    edgelogic_policy_versions_list:
      "version history of a cloudlets policy; all versions of redirect rules; which versions can I go back to; revs of a redirect policy; when did a rule first appear; revisions of a policy with authors; find the version before a mistake",
    edgelogic_policy_version_create:
      "new version of a cloudlets policy; add a set of redirects as a new version; copy a policy version to edit it; draft of edge rules; new rev with many more redirects; editable copy of live redirects; import a bulk of redirects; new rule set; begin a change of a policy; prepare a campaign's redirects without touching those live",
    edgelogic_policy_version_get:
      "show the redirects of a policy; match rules in one version of a cloudlets policy; what does version 3 do; redirects in one rev; rules of a version; list the rules of one revision; where do redirects of a version point; review rules",
    edgelogic_policy_version_update:
      "edit the draft version of a policy; replace all match rules of an inactive version; change a version's description; overwrite the rules of a draft; correct a draft before it goes live; reorder rules; several rules at once",
    edgelogic_policy_version_delete:
      "delete one version of a cloudlets policy; throw away a draft version of edge rules; chuck one botched rev and keep the policy; remove a draft or faulty revision",
    edgelogic_rule_create:
      "add a single redirect; insert one match rule at a place in the order; send /old to /new; new redirect rule at the top; a redirect from one path to another; one more redirect or rule; put a rule first; vanity URL; insert at a position; add a redirect in a policy version; one extra redirect; send visitors of an old address to a new page",
    edgelogic_rule_get:
      "show a single match rule; one redirect by its rule id; where does this rule send people; look at a single redirect or rule; match conditions of one rule; show one single rule of a policy version",
    edgelogic_rule_update:
      "change a single redirect; fix the target URL of one match rule; disable one rule; edit one rule of a policy version; typo in one redirect; other target or status code for a rule; switch a single rule off",
    edgelogic_policy_properties_list:
      "which sites use this cloudlets policy; properties tied to a policy; who is affected when the policy changes; sites that hang on a redirect policy; configs that reference a policy; impact of a policy change; where is a policy used; know what breaks if a policy is deleted",
    edgelogic_policy_activations_list:
      "when was the cloudlets policy activated; history of policy deployments by network and property; who put the redirects live; is the redirect policy live yet; deployments of a policy; which version runs on staging and production; since when are redirects live",
    edgelogic_policy_version_activate:
      "put the redirects live; activate a cloudlets policy version on production or staging; deploy edge rules; roll back to an older policy version; make new redirects take effect for visitors; release redirects; ship a policy version; go back to the earlier rule set; publish a cloudlet; let a campaign's redirects start",
    edgelogic_properties_list:
      "which sites can use cloudlets; properties available for cloudlets policies; names of properties for edge logic; configs with cloudlets enabled; properties that a policy can be tied to",
    edgelogic_origins_list:
      "which load balancers do we have; conditional origins; list origins for application load balancing, ALB; inventory of load balancers and conditional origins; data-center setups",
    edgelogic_origin_get:
      "one load balancer; description and kind of a load-balancing origin; what is this load balancer for; one conditional origin",
    edgelogic_origin_create:
      "new load balancer; make a load-balancing origin; set up ALB for several data centers; begin balancing between data centers; new origin id for ALB",
    edgelogic_origin_update:
      "change the description of a load balancer; edit the text or label of an ALB origin; relabel a load balancer; new note on an origin",
    edgelogic_origin_versions_list:
      "version history of a load balancer; all load-balancing configurations of an origin; revisions of a balancing setup; earlier traffic splits",
    edgelogic_origin_version_create:
      "send 30 percent of traffic to another data center; drain a data center; shift traffic between data centers; add a data center or health check; new load-balancing version with weights; rebalance; take a data center out of rotation; canary on a new data center; failover setup; change percentages; new liveness test; move visitors away from a failing data center; try a new data center with few visitors",
    edgelogic_origin_version_get:
      "how is traffic split between data centers; weights and liveness test of a load balancer's version; which data centers are in it; how traffic is shared out in one version of an origin; percentages and health check of one balancing revision; which hosts get traffic",
    edgelogic_origin_version_update:
      "correct the weights in a draft load-balancing version; change data centers or liveness settings of an inactive version; edit ALB version; fix percentages in a draft split; edit data centers before activation",
    edgelogic_current_activations_list:
      "which load balancer version is live now; active versions of all load balancers by network; what balancing is running where at this moment, for all origins; live balancing versions everywhere; what is active per network across load balancers",
    edgelogic_origin_activations_list:
      "when was this load balancer activated; activation history of one load balancer; past traffic shifts; deployments of one load balancer; when did the split change; past activations of one load balancer origin",
    edgelogic_origin_activate:
      "put the new traffic split live; activate a load balancer version; fail over to the other data center now; switch data centers on production; push the new data center split live; version of an origin to production; release a traffic split; evacuate a data center; ship a balancing version to staging or production; make the new shares between data centers count",
    edgelogic_schemas_list:
      "which JSON Schemas exist for cloudlets; list of schemas of a cloudlet type; names of schemas for cloudlet requests; which JSON Schemas can I get",
    edgelogic_schema_get:
      "JSON Schema of a cloudlets request; format of match rules; validate a policy body; one schema by name; formal shape of rules, policies or load balancing; validate before sending",
  },
} satisfies Said<typeof service>;
