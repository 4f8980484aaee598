/** The operations on the events of a stream: when each was on air, and its recordings. */
import { empty, op, xml } from "../../language/define.js";
import { z } from "../../language/z.js";
import { message } from "./domains.js";
import { besideEvent, eventChange, eventDeletion } from "./event-guards.js";
import { Event, EventChange, Events } from "./shapes.js";
import { stream, streamMissing } from "./streams.js";

const event = { ...stream, eventName: z.string().min(1).max(200) };
const errors = {
  400: "Only streams of the type Universal Streaming Live have events: live_stream_get shows the type.",
  404: "There is no such event: live_events_list shows those of a stream.",
};
/** What there is to say of the recordings of one event. */
const kept = (part: "primary" | "backup") => ({
  when: `${part}-event.delete-time`,
  says: `The ${part} recording of {event-name} is deleted at {${part}-event.delete-time} (month first, UTC).`,
});
const tells = [kept("primary"), kept("backup")];

export const eventOperations = {
  live_events_list: op("GET /config-media-live/v1/live/{domain}/stream/{streamId}/event", {
    does: "Lists the events of a stream: when they were on air and recorded.",
    path: stream,
    returns: { 200: xml("event-list", Events) },
    tells: tells.map((one) => ({ each: "event", ...one })),
    rules: ["live-lists", "live-event-types", "live-event-times"],
    means: { 400: errors[400], ...streamMissing },
    example: { domain: "live.shop.example", streamId: "201044" },
  }),
  live_event_get: op("GET /config-media-live/v1/live/{domain}/stream/{streamId}/event/{eventName}", {
    does: "Reads one event of a stream.",
    path: event,
    returns: { 200: xml("event", Event) },
    tells,
    rules: ["live-event-times"],
    means: errors,
    example: { domain: "live.shop.example", streamId: "201044", eventName: "spring-show" },
  }),
  live_event_update: op("PUT /config-media-live/v1/live/{domain}/stream/{streamId}/event/{eventName}", {
    does: "Sets when the recordings of an event are deleted.",
    path: event,
    body: xml("event", EventChange),
    returns: { 200: message, 204: empty },
    effect: "update",
    // At the time that it sets the recording is gone.
    guard: eventChange,
    shownBy: "live_event_get",
    rules: ["live-event-times", "live-event-deletion"],
    means: errors,
    note: "Public clients send delete-time alone, and read its day and month in different orders: month first is sent here.",
    example: {
      domain: "live.shop.example",
      streamId: "201044",
      eventName: "spring-show",
      body: { "backup-event": { "delete-time": "{now+45d}" } },
    },
  }),
  live_event_delete: op("DELETE /config-media-live/v1/live/{domain}/stream/{streamId}/event/{eventName}", {
    does: "Deletes an event with its recordings.",
    path: event,
    returns: { 200: message, 204: empty },
    guard: eventDeletion,
    shownBy: "live_event_get",
    shownBeside: besideEvent,
    rules: ["live-event-types"],
    means: errors,
    example: { domain: "live.shop.example", streamId: "201044", eventName: "spring-show" },
  }),
};
