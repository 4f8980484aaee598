/** The written part of the guide to bulk work on properties. */
import type { Guide } from "../../language/guide.js";
import type { propertyBulk as service } from "./index.js";

export const propertyBulk = {
  purpose:
    "Use it to make the same change in many properties, in four steps: `bulk_search_run` finds where the rules match, `bulk_version_create` copies each property's version for editing, `bulk_patch_submit` changes the copies at the places that were found, and `bulk_activation_launch` activates them, first on `STAGING`. Each step is one job that its status reports; the next step takes only the properties that succeeded. `property_rollout_run` shows how far each property is, which hostnames differ, and the next activation. For a change of one property use the tools for properties.",
  objects: {
    search: "A JSONPath query over the rules of all properties or includes.",
    version: "New versions of several properties, each a copy of one that it has.",
    patch: "Changes of the rules of several versions, each by a JSON Patch.",
    activation: "The rollout of several versions, each to its network.",
  },
  lives: [
    {
      of: "a bulk activation",
      shown: { by: "bulk_activation_status", at: "bulkActivationStatus" },
      moves: [
        { to: "PENDING", by: "bulk_activation_launch" },
        { from: "PENDING", to: "IN_PROGRESS", when: "the first activation is submitted" },
        { from: "IN_PROGRESS", to: "COMPLETE", when: "every activation has succeeded or failed" },
      ],
    },
  ],
  limits: ["bulk-each-alone", "bulk-fallback-hour", "bulk-drafts"],
} satisfies Guide<typeof service>;
