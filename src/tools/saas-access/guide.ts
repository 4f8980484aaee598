/** The written part of the guide to SaaS access. */
import type { Guide } from "../../language/guide.js";
import type { saasAccess as service } from "./index.js";

export const saasAccess = {
  purpose:
    "Use it to decide by address or country who can reach a SaaS application that is delivered over the CDN. A policy has rules that allow or deny access; each update creates a new version with a new id, and a version takes effect when it is activated on a network.",
  objects: {
    policy: "Rules that allow or deny access by `matchValue`.",
    "policy version": "The rules of a policy after one of its updates.",
    activation: "Which version is active on which network.",
  },
  lives: [
    {
      of: "a policy",
      moves: [
        { to: "written", by: "saasaccess_policy_create" },
        { from: "written", to: "written", by: "saasaccess_policy_update", when: "the new version has a new id" },
        { from: "written", to: "active", by: "saasaccess_policy_activate" },
        { from: "active", to: "written", when: "another version is activated" },
      ],
    },
  ],
  limits: ["saasaccess-envelope"],
} satisfies Guide<typeof service>;
