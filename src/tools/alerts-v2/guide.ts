/** The text of the guide to alerts. */
import type { Guide } from "../../language/guide.js";
import type { alertsV2 as service } from "./index.js";

export const alertsV2 = {
  purpose:
    "Use it to be notified when traffic, errors or availability are outside their bounds. A template defines the fields of a definition; the definition fires while its condition is met, and each firing is recorded. Read the template before you write a definition, and set a definition's `active` instead of deleting it if it only has to be silent.",
  objects: {
    template: "What an alert can be built from: its fields with types, bounds and defaults.",
    definition:
      "An alert with its condition and the mail addresses that it notifies. Static ones compare with a threshold, adaptive ones with a learned baseline.",
    firing: "A past period in which the condition of a definition was met.",
    "active firing": "A period in which it is still met.",
    suppression: "A planned period in which an adaptive definition is silent.",
    summary: "A definition with the time when it was last triggered.",
  },
  lives: [
    {
      of: "a definition",
      moves: [
        { to: "watching", by: "alert_definition_create" },
        { from: "watching", to: "firing", when: "its condition is met" },
        { from: "firing", to: "watching", when: "its condition is no longer met" },
        { from: "watching", to: "watching", by: "alert_definition_replace" },
        { from: "watching", to: "suppressed", by: "alert_suppression_create", when: "only adaptive definitions" },
        { from: "suppressed", to: "watching", by: "alert_suppression_delete", when: "or its end has passed" },
        { from: "watching", by: "alert_definition_delete" },
      ],
    },
  ],
  limits: ["alert-firings-30-days", "alert-adaptive-only", "alert-sparkline-duration"],
} satisfies Guide<typeof service>;
