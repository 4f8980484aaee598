/** The written part of the guide to the visitor queue. */
import type { Guide } from "../../language/guide.js";
import type { visitorQueue as service } from "./index.js";

export const visitorQueue = {
  purpose:
    "Use it if a site still has its waiting room in the older form: a policy sets the share of visitors who pass, and the others see a page until it is their turn. Edge logic has the same policies and can do everything that this service does.",
  objects: {
    policy: "The rules of a waiting room; each update makes a new version with a new id.",
    "policy version": "The rules of a policy after one of its updates.",
    activation: "Which version is active for which property, by network.",
  },
  lives: [
    {
      of: "a policy",
      moves: [
        { to: "written", by: "visitor_policy_create" },
        { to: "written", by: "visitor_policy_clone" },
        { from: "written", to: "written", by: "visitor_policy_update", when: "the new version has a new id" },
        { from: "written", to: "active", by: "visitor_policy_activate" },
        { from: "active", to: "written", when: "another version is activated" },
      ],
    },
  ],
  limits: ["visitor-envelope"],
} satisfies Guide<typeof service>;
