/** What people say for planned high-traffic events. */
import type { Said } from "../../api/said.js";
import type { events as service } from "../events.js";

export const events = {
  service: "planned event with high traffic; big launch; Black Friday; announce a spike to the CDN's support",
  operations: {
    events_list:
      "which big events have we announced; planned launches, sales and broadcasts on the calendar; upcoming high-traffic events; calendar of announced peaks; what is coming up; campaigns, premieres and releases that we have told the CDN about; calendar of big events; upcoming launches, sales, matches, premieres; planned peaks; which events are registered; event schedule; announced traffic surges; list events between dates; what big days are coming; which launches did we tell you about",
    event_get:
      "details of one planned event; when does the announced launch start and how much traffic is expected; read an event's version stamp; audience size, coordinators and dates of one announced event; one announced event by id; expected load of a launch; contacts of an event; current version before an edit; one event by id; its dates, expected traffic, URLs, contacts, version; look up a planned event; what did we announce for the launch; what did we say about the premiere; how many viewers did we promise for an event",
    event_create:
      "announce a Black Friday sale; tell the CDN that a traffic spike is coming; register a game release or broadcast; book an upcoming event; heads-up for an upcoming campaign, premiere, match or game release; ask for extra attention on a date; pre-announce a peak; plan a live show; have the CDN prepared for a big day; heads-up, warn the CDN about a big day, launch, sale, match, concert, premiere, election; expect a surge; register, schedule, plan an event; lots of visitors on Friday; anticipated load; event management request; flash sale coming; prepare for a peak; we're going to get swamped on Saturday, let them know; TV spot tonight, brace for it; give the CDN a shout about the drop",
    event_update:
      "move the date of the announced event; the launch is postponed, change the planned event; raise the expected traffic of an event; edit or reschedule an event; shift an announced event to another day; bigger audience than announced; correct an event's contacts or URLs; call off an event; tell the CDN that the big day was moved; event moved, rescheduled, postponed, brought forward; new date, time, audience; change an event; kickoff later; update the expected traffic of a planned event; shift the event; the show got pushed to Sunday; more people than expected will come to the announced show; swap the contact for the big day",
    event_ids_list:
      "find the event id for our own ticket number; map our customer event ids to the CDN's ids; look up events by our own reference; our own event number to the CDN's; resolve customer event id; internal reference to event id; our reference, own number, customerEventId to the CDN's event id; what is your id for our event; cross-reference; which event id belongs to our ticket; we only know our own ticket, what number did the CDN give the event",
  },
} satisfies Said<typeof service>;
