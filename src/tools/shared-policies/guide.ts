/** The text of the guide to shared policies. */
import type { Guide } from "../../language/guide.js";
import type { sharedPolicies as service } from "./index.js";

export const sharedPolicies = {
  purpose:
    "Use it for edge logic that several properties share: one set of redirects, rewrites or waiting rooms that is kept in one place. A property refers to the policy in its own rules, and an activation takes effect for all of them at once, so read `sharedpolicy_properties_list` first. Policies that belong to one property are in edge logic, and `sharedpolicy_clone` makes a shared one of them. Rules are changed in a version that is not active: create one, activate it on `STAGING`, test it, then activate it on `PRODUCTION`. An activation that has failed says why in `failureDetails`.",
  objects: {
    application: "A kind of decision, by its `cloudletType`, such as `ER` for redirects.",
    sharedpolicy: "The rules for one purpose, in versions, for all properties that refer to it.",
    version: "A set of rules, which are evaluated in order.",
    activation: "A version that is put on a network, or taken off it.",
    property: "A property whose active version refers to the policy.",
  },
  lives: [
    {
      of: "an activation or a deactivation",
      shown: { by: "sharedpolicy_activation_get", at: "status" },
      moves: [
        { to: "IN_PROGRESS", by: "sharedpolicy_version_activate" },
        { from: "IN_PROGRESS", to: "SUCCESS", when: "it is deployed on the network" },
      ],
    },
  ],
  limits: [
    "sharedpolicy-delete-inactive",
    "sharedpolicy-immutable",
    "sharedpolicy-one-operation",
    "sharedpolicy-clone-versions",
    "sharedpolicy_version_update",
  ],
} satisfies Guide<typeof service>;
