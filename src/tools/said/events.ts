/** What people say for planned high-traffic events. */
import type { Said } from "../../api/said.js";
import type { events as service } from "../events.js";

export const events = {
  service: "planned event with high traffic; big launch; Black Friday; announce a spike to the CDN's support",
  operations: {
    events_list:
      "which big events have we announced; planned launches, sales and broadcasts on the calendar; upcoming high-traffic events",
    event_get:
      "details of one planned event; when does the announced launch start and how much traffic is expected; read an event's version stamp",
    event_create:
      "announce a Black Friday sale; tell the CDN that a traffic spike is coming; register a game release or broadcast; book an upcoming event",
    event_update:
      "move the date of the announced event; the launch is postponed, change the planned event; raise the expected traffic of an event; edit or reschedule an event",
    event_ids_list:
      "find the event id for our own ticket number; map our customer event ids to the CDN's ids; look up events by our own reference",
  },
} satisfies Said<typeof service>;
