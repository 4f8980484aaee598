/** The text of the guide to edge logic. */
import type { Guide } from "../../language/guide.js";
import type { edgeLogic as service } from "./index.js";

export const edgeLogic = {
  purpose:
    "Use it for decisions that the edge makes for a request: redirects, forwarding to another origin, load balancing, access by group or country. An application is a kind of decision; a policy has its rules, in versions, and applies to the properties that use it. Rules can be edited until their version is activated, on `staging` or `prod`; after that a new version is needed.",
  objects: {
    application: "A kind of decision, by its `cloudletId`.",
    policy: "The rules for one purpose, in versions.",
    "policy version": "A set of rules, which are evaluated in order.",
    rule: "The action for a request that matches.",
    origin: "A load-balancing configuration over data centers, with its own versions.",
    "policy activation": "Where versions of a policy are active, by network and property.",
  },
  lives: [
    {
      of: "the activation of a policy's version",
      shown: { by: "edgelogic_policy_activations_list", at: "policyInfo.status" },
      moves: [
        { to: "pending", by: "edgelogic_policy_version_activate" },
        { from: "pending", to: "active", when: "it is deployed on the network" },
        { from: "active", to: "deactivated", when: "another version is active" },
      ],
    },
    {
      of: "the activation of a load-balancing version",
      shown: { by: "edgelogic_origin_activations_list", at: "status" },
      moves: [
        { to: "pending", by: "edgelogic_origin_activate" },
        { from: "pending", to: "active", when: "it is deployed on the network" },
        { from: "active", to: "deactivated", when: "another version is active" },
      ],
    },
  ],
  limits: [
    "edgelogic-offset",
    "edgelogic-policy-restore",
    "edgelogic-rules-locked",
    "edgelogic-activation-moves",
    "edgelogic-alb-only",
    "edgelogic-data-center-country",
    "edgelogic-origin-immutable",
  ],
} satisfies Guide<typeof service>;
