/** The written parts of the guides to properties, with the API of the documents and with today's. */
import type { Guide } from "../../language/guide.js";
import type { properties as service } from "./index.js";
import type { propertiesV1 as serviceOfToday } from "./v1.js";

export const properties = {
  purpose:
    "Use it to configure how a site is delivered. A property has versions; a version has hostnames and a tree of rules, whose behaviors apply when their criteria match. A version is edited until it is activated, first on `STAGING`, then on `PRODUCTION`; from then on it is read-only, and the next edit needs a new version. `property_rule_tree_update` changes a part of a tree, `property_versions_compare` shows how two versions differ, and `property_change_run` takes a version live step by step. `property_account_cpcodes_list` lists the CP codes of all contracts and groups.",
  objects: {
    property: "The configuration of a site, in versions.",
    version: "One state of the configuration, which can be edited until it is activated.",
    "rule tree": "Rules with behaviors and criteria; its etag keeps one edit from overwriting another.",
    hostname: "A name that visitors use, with the edge hostname that it points to.",
    "edge hostname": "A name on the CDN to which a site's hostname points by CNAME.",
    activation: "The rollout of a version to a network.",
    cpcode: "The number under which traffic is reported, billed and purged.",
  },
  lives: [
    {
      of: "an activation",
      shown: { by: "property_activation_get", at: "activations.items.status" },
      moves: [
        { to: "PENDING", by: "property_version_activate" },
        { from: "PENDING", to: "ZONE_1", when: "it is sent to the network" },
        { from: "ZONE_1", to: "ZONE_2", when: "a part of the network has it" },
        { from: "ZONE_2", to: "ZONE_3", when: "most of the network has it" },
        { from: "ZONE_3", to: "ACTIVE", when: "all of the network has it" },
        { from: "PENDING", to: "ABORTED", by: "property_activation_cancel" },
        { from: "ACTIVE", to: "INACTIVE", when: "another activation is complete" },
      ],
    },
    {
      of: "a deactivation",
      shown: { by: "property_activation_get", at: "activations.items.status" },
      moves: [
        { to: "PENDING_DEACTIVATION", by: "property_version_activate", when: "with DEACTIVATE" },
        { from: "PENDING_DEACTIVATION", to: "DEACTIVATED", when: "no part of the network has it" },
      ],
    },
  ],
  limits: ["property-active-read-only"],
} satisfies Guide<typeof service>;

export const propertiesV1 = {
  purpose: `${properties.purpose} A property that was created with \`useHostnameBucket\` keeps its hostnames outside of versions: \`property_active_hostnames_update\` changes them on one network at once, and \`property_hostname_differences_list\` shows where the networks differ.`,
  objects: {
    ...properties.objects,
    "hostname activation": "The rollout of a change of a hostname bucket to a network.",
  },
  lives: [
    ...properties.lives,
    {
      of: "a hostname activation",
      shown: { by: "property_hostname_activation_get", at: "hostnameActivations.items.status" },
      moves: [
        { to: "PENDING", by: "property_active_hostnames_update" },
        { from: "PENDING", to: "ACTIVE", when: "the network has it" },
        { from: "PENDING", to: "ABORTED", by: "property_hostname_activation_cancel" },
      ],
    },
  ],
  limits: ["property-active-read-only", "property-bucket-one-change"],
} satisfies Guide<typeof serviceOfToday>;
