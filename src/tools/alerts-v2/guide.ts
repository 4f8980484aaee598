/** The written part of the guide to alerts. */
import type { Guide } from "../../language/guide.js";
import type { alertsV2 as service } from "./index.js";

export const alertsV2 = {
  purpose:
    "Use it to be told when traffic, errors or availability leave their bounds. A template says which fields a definition has; the definition fires while its condition holds, and each firing stays on record. Read the template before a definition is written, and set a definition `active` or not instead of deleting it when it is only to be quiet.",
  objects: {
    template: "What an alert can be built from: its fields with types, bounds and defaults.",
    definition:
      "An alert with its condition and the mail addresses that it notifies. Static ones compare with a threshold, adaptive ones with what is usual.",
    firing: "A time in which the condition of a definition held and that has ended.",
    "active firing": "A time in which it holds still.",
    suppression: "A planned time in which an adaptive definition keeps quiet.",
    summary: "A definition with when it was last triggered.",
  },
  lives: [
    {
      of: "a definition",
      moves: [
        { to: "watching", by: "alert_definition_create" },
        { from: "watching", to: "firing", when: "its condition is met" },
        { from: "firing", to: "watching", when: "its condition is no longer met" },
        { from: "watching", to: "watching", by: "alert_definition_replace" },
        { from: "watching", to: "suppressed", by: "alert_suppression_create", when: "adaptive definitions alone" },
        { from: "suppressed", to: "watching", by: "alert_suppression_delete", when: "or its end has come" },
        { from: "watching", by: "alert_definition_delete" },
      ],
    },
  ],
  limits: ["alert-firings-30-days", "alert-adaptive-only", "alert-sparkline-duration"],
} satisfies Guide<typeof service>;
