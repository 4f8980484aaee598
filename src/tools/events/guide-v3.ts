/** The written part of the guide to planned events with today's API. */
import type { Guide } from "../../language/guide.js";
import type { eventsV3 as service } from "./v3.js";

export const eventsV3 = {
  purpose:
    "Use it to announce a period of high traffic, such as a sale or a broadcast, to the vendor. An event has a name, a start and an end, its audience, and the objects that deliver it. `events_list` shows when events are and how they are tagged; `event_get` shows all of one. An update writes the whole event: read it first, and send back its `version`.",
  objects: {
    event: "A planned period of high traffic; `version` is the stamp that an update sends back.",
    tag: "A word on events, by which `events_list` finds them.",
  },
  lives: [
    {
      of: "an event",
      moves: [
        { to: "planned", by: "event_create" },
        { from: "planned", to: "planned", by: "event_update", when: "the version is increased" },
        { from: "planned", to: "over", when: "its end has passed" },
        { from: "planned", by: "event_delete" },
      ],
    },
  ],
  limits: ["event-v3-unique", "event-v3-recurrence", "events_list"],
} satisfies Guide<typeof service>;
