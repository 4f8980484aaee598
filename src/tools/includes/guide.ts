/** The written part of the guide to includes. */
import type { Guide } from "../../language/guide.js";
import type { includes as service } from "./index.js";

export const includes = {
  purpose:
    "Use it to keep rules that several properties share in one place. A property's rules apply an include by a behavior named include with the id in its options. An include has versions like a property, but no hostnames, and its activation takes effect in every active property that uses it, without any activation of those properties: read `include_parents_list` first, and activate on `STAGING` before `PRODUCTION`. A version that is or was active is read-only; `include_version_create` copies it for the next edit. `property_rollout_run` shows how far a version is, what it reaches, and the next call.",
  objects: {
    parent: "A property whose rules apply the include.",
    version: "One state of the include's rules, which can be edited until it is activated.",
    "rule tree": "Rules with behaviors and criteria; its etag keeps one edit from overwriting another.",
    activation: "The rollout of a version to a network, and so to every property that uses the include there.",
  },
  lives: [
    {
      of: "an activation",
      shown: { by: "include_activation_get", at: "activations.items.status" },
      moves: [
        { to: "PENDING", by: "include_version_activate" },
        { from: "PENDING", to: "ZONE_1", when: "it is sent to the network" },
        { from: "ZONE_1", to: "ZONE_2", when: "a part of the network has it" },
        { from: "ZONE_2", to: "ZONE_3", when: "most of the network has it" },
        { from: "ZONE_3", to: "ACTIVE", when: "all of the network has it" },
        { from: "PENDING", to: "ABORTED", by: "include_activation_cancel" },
        { from: "ACTIVE", to: "INACTIVE", when: "another activation is complete" },
      ],
    },
  ],
  limits: ["include-reach", "include-stamp"],
} satisfies Guide<typeof service>;
