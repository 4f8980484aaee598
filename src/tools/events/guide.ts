/** The text of the guide to planned events. */
import type { Guide } from "../../language/guide.js";
import type { events as service } from "./index.js";

export const events = {
  purpose:
    "Use it to announce a period of high traffic, such as a sale or a broadcast, to the vendor. An event has a name, a start and an end, its audience and the services it uses. It cannot be deleted: change the event instead.",
  objects: {
    event: "A planned period of high traffic; `version` is the stamp that an update sends back.",
    id: "Events by your own `customerEventId`.",
  },
  lives: [
    {
      of: "an event",
      moves: [
        { to: "planned", by: "event_create" },
        { from: "planned", to: "planned", by: "event_update", when: "the version is increased" },
        { from: "planned", to: "over", when: "its end has passed" },
      ],
    },
  ],
  limits: ["event-customer-id-length", "event-list-order"],
} satisfies Guide<typeof service>;
