/** What people say for edge logic and its load balancers. */
import type { Said } from "../../api/said.js";
import type { edgeLogic as service } from "../edge-logic/index.js";

export const edgeLogic = {
  service: "edge logic; cloudlet; cloudlets policy; redirects, A/B tests, load balancing at the edge",
  operations: {
    edgelogic_applications_list:
      "which cloudlets can I use; kinds of edge applications: redirector, forward rewrite, audience segmentation, load balancer; cloudlet types of a group",
    edgelogic_application_get: "what is cloudlet 0, its code and name; one edge application by its id",
    edgelogic_groups_list:
      "in which groups may I use cloudlets; permissions by group for cloudlets; my rights to activate or edit policies",
    edgelogic_group_get: "what may one group do with cloudlets; cloudlet rights of a single group",
    edgelogic_policies_list:
      "which cloudlets policies do we have; all redirect policies; where are our edge rules; list policies with what is live",
    edgelogic_policy_create:
      "new cloudlets policy; make a redirect policy; clone a policy; start using a cloudlet for a site",
    edgelogic_policy_get: "one cloudlets policy; where is this policy live; name, description and group of a policy",
    edgelogic_policy_update:
      "rename a cloudlets policy; change a policy's description; move a policy to another group; bring back a deleted policy, undelete",
    edgelogic_policy_delete:
      "delete a cloudlets policy completely; get rid of an unused redirect policy and its versions",
    edgelogic_policy_versions_list:
      "version history of a cloudlets policy; all versions of redirect rules; which versions can I go back to",
    edgelogic_policy_version_create:
      "new version of a cloudlets policy; add a set of redirects as a new version; copy a policy version to edit it; draft of edge rules",
    edgelogic_policy_version_get:
      "show the redirects of a policy; match rules in one version of a cloudlets policy; what does version 3 do",
    edgelogic_policy_version_update:
      "edit the draft version of a policy; replace all match rules of an inactive version; change a version's description",
    edgelogic_policy_version_delete:
      "delete one version of a cloudlets policy; throw away a draft version of edge rules",
    edgelogic_rule_create:
      "add a single redirect; insert one match rule at a place in the order; send /old to /new; new redirect rule at the top",
    edgelogic_rule_get: "show a single match rule; one redirect by its rule id; where does this rule send people",
    edgelogic_rule_update:
      "change a single redirect; fix the target URL of one match rule; disable one rule; edit one rule of a policy version",
    edgelogic_policy_properties_list:
      "which sites use this cloudlets policy; properties tied to a policy; who is affected when the policy changes",
    edgelogic_policy_activations_list:
      "when was the cloudlets policy activated; history of policy deployments by network and property; who put the redirects live",
    edgelogic_policy_version_activate:
      "put the redirects live; activate a cloudlets policy version on production or staging; deploy edge rules; roll back to an older policy version",
    edgelogic_properties_list:
      "which sites can use cloudlets; properties available for cloudlets policies; names of properties for edge logic",
    edgelogic_origins_list:
      "which load balancers do we have; conditional origins; list origins for application load balancing, ALB",
    edgelogic_origin_get: "one load balancer; description and kind of a load-balancing origin",
    edgelogic_origin_create: "new load balancer; make a load-balancing origin; set up ALB for several data centers",
    edgelogic_origin_update: "change the description of a load balancer; edit the text or label of an ALB origin",
    edgelogic_origin_versions_list:
      "version history of a load balancer; all load-balancing configurations of an origin",
    edgelogic_origin_version_create:
      "send 30 percent of traffic to another data center; drain a data center; shift traffic between data centers; add a data center or health check; new load-balancing version with weights",
    edgelogic_origin_version_get:
      "how is traffic split between data centers; weights and liveness test of a load balancer's version; which data centers are in it",
    edgelogic_origin_version_update:
      "correct the weights in a draft load-balancing version; change data centers or liveness settings of an inactive version; edit ALB version",
    edgelogic_current_activations_list:
      "which load balancer version is live now; active versions of all load balancers by network",
    edgelogic_origin_activations_list:
      "when was this load balancer activated; activation history of one load balancer; past traffic shifts",
    edgelogic_origin_activate:
      "put the new traffic split live; activate a load balancer version; fail over to the other data center now; switch data centers on production",
    edgelogic_schemas_list: "which JSON Schemas exist for cloudlets; list of schemas of a cloudlet type",
    edgelogic_schema_get: "JSON Schema of a cloudlets request; format of match rules; validate a policy body",
  },
} satisfies Said<typeof service>;
