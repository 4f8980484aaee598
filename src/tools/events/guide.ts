/** The written part of the guide to planned events. */
import type { Guide } from "../../language/guide.js";
import type { events as service } from "./index.js";

export const events = {
  purpose:
    "Use it to announce a time of high traffic, such as a sale or a broadcast, so that the vendor knows of it before. An event has a name, a beginning and an end, and says where its audience is and which services it uses. There is no deletion: change the event instead.",
  objects: {
    event: "A planned time of high traffic; `version` is the stamp that an update sends back.",
    id: "Events by your own `customerEventId`.",
  },
  lives: [
    {
      of: "an event",
      moves: [
        { to: "planned", by: "event_create" },
        { from: "planned", to: "planned", by: "event_update", when: "the version is raised" },
        { from: "planned", to: "over", when: "its end has come" },
      ],
    },
  ],
  limits: ["event-customer-id-length", "event-list-order"],
} satisfies Guide<typeof service>;
