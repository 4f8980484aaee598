/** The written part of the guide to the older alerts. */
import type { Guide } from "../../language/guide.js";
import type { alertsV1 as service } from "./index.js";

export const alertsV1 = {
  purpose:
    "Use it for the alerts that the portal's user has active at this moment, where the newer service is out of reach: that one has definitions and the past, too. Nothing is changed here.",
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
