/** The text of the guide to the older alerts. */
import type { Guide } from "../../language/guide.js";
import type { alertsV1 as service } from "./index.js";

export const alertsV1 = {
  purpose:
    "Use it for the alerts that the portal's user has active at this moment, if the newer service is not available: that one also has definitions and the past. This service makes no changes.",
  objects: { portalalert: "An alert that is active now, with its details." },
  lives: [
    {
      of: "an alert",
      moves: [
        { to: "active", when: "its condition is met" },
        { from: "active", when: "its condition is no longer met" },
      ],
    },
  ],
  limits: ["portalalert-details-active"],
} satisfies Guide<typeof service>;
