/** The events of a stream: operations, and previews of deleting recordings. */
import { type Arguments, type Guard, pickArguments } from "../../language/conduct.js";
import { empty, op, xml } from "../../language/define.js";
import { quoteValue } from "../../language/failure.js";
import { guardsOf, statement } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { z } from "../../language/z.js";
import { messageMedium, ofStream, streamName } from "./domains.js";
import { Event, EventChange, Events } from "./shapes.js";
import { eventMs, isAmbiguous, timeInWords } from "./times.js";

const parts = ["primary", "backup"] as const;
type EventPart = (typeof parts)[number];
const timeAt = (value: unknown, part: EventPart, name: string): number | undefined =>
  eventMs(memberAt(value, [`${part}-event`, name]));

/** The parts for which a call sets a deletion time; null for one that is kept. */
const deletionsIn = (args: Arguments): readonly (readonly [EventPart, number | null])[] =>
  parts.flatMap((part) =>
    memberAt(args, ["body", `${part}-event`, "delete-time"]) === undefined
      ? []
      : [[part, timeAt(args["body"], part, "delete-time") ?? null] as const],
  );

/** The present recordings of an event. */
const recordedIn = (present: unknown): readonly EventPart[] =>
  parts.filter((part) => timeAt(present, part, "archive-start-time") !== undefined);
/** Whether an event is being broadcast. */
export const isOnAir = (present: unknown): boolean =>
  parts.some(
    (part) => timeAt(present, part, "on-air-time") !== undefined && timeAt(present, part, "off-air-time") === undefined,
  );
const target = (args: Arguments): string => `${String(args["eventName"])} of stream ${String(args["streamId"])}`;

const eventChange: Guard = {
  kind: "delete",
  thing: "recordings of an event",
  replaces: "body",
  write: "merge",
  undo: "rewrite",
  target,
  says: (args) => {
    const all = deletionsIn(args);
    const isKept = all[0]?.[1] === null;
    const which = all.map(([part, ms], at) => {
      const verb = at === 0 ? "" : ms === null ? "KEEP " : "DELETE ";
      return `${verb}the ${part} recording${ms === null ? "" : ` on ${timeInWords(ms)}`}`;
    });
    const of = `of event ${quoteValue(args["eventName"])} of stream ${streamName(args, undefined)}`;
    return statement(isKept ? "KEEP" : "DELETE", `${which.join(" and ")} ${of}`);
  },
  warns: (args, present) =>
    deletionsIn(args).flatMap(([part, ms]) => {
      const recorded = timeAt(present, part, "archive-start-time");
      const ended = timeAt(present, part, "archive-end-time");
      if (present !== undefined && recorded === undefined) return [`The event has no ${part} recording now.`];
      const isEarly = ms !== null && recorded !== undefined && (ended === undefined || ms < ended);
      return [
        isEarly && `The ${part} recording would be deleted before it has ended.`,
        ms !== null &&
          isAmbiguous(ms) &&
          `Public clients disagree whether the month or the day comes first in this time; it is sent month first. Check the event afterwards with live_event_get.`,
      ];
    }),
};

const eventDeletion = guardsOf(
  "event",
  (args, _, { stream }) => `event ${quoteValue(args["eventName"])} of stream ${streamName(args, stream)}`,
  target,
)("DELETE", {
  kind: "delete",
  undo: { never: "The recordings of a deleted event cannot be restored." },
  results: (_, present) => {
    const recorded = recordedIn(present).join(" and ");
    return recorded === "" ? "it has no recording" : `it is gone with its ${recorded} recording`;
  },
  warns: (_, present) => [isOnAir(present) && "The event is on air now."],
});

const ofEvent = {
  path: { ...ofStream.path, eventName: z.string().min(1).max(200) },
  means: {
    400: "Only streams of the type Universal Streaming Live have events: live_stream_get shows the type.",
    404: "There is no such event: live_events_list shows those of a stream.",
  },
} as const;
/** The note on a recording of an event. */
const recordingNote = (part: "primary" | "backup") => ({
  when: `${part}-event.delete-time`,
  says: `The ${part} recording of {event-name} is deleted at {${part}-event.delete-time} (month first, UTC).`,
});
const memberNotes = [recordingNote("primary"), recordingNote("backup")];

export const eventOperations = {
  live_events_list: op("GET /config-media-live/v1/live/{domain}/stream/{streamId}/event", {
    does: "Lists the events of a stream: when they were on air and recorded.",
    path: ofStream.path,
    returns: { 200: xml("event-list", Events) },
    memberNotes: memberNotes.map((one) => ({ each: "event", ...one })),
    rules: ["live-lists", "live-event-types", "live-event-times"],
    means: { 400: ofEvent.means[400], ...ofStream.means },
    example: { domain: "live.shop.example", streamId: "201044" },
  }),
  live_event_get: op("GET /config-media-live/v1/live/{domain}/stream/{streamId}/event/{eventName}", {
    does: "Reads one event of a stream.",
    ...ofEvent,
    returns: { 200: xml("event", Event) },
    memberNotes,
    rules: ["live-event-times"],
    example: { domain: "live.shop.example", streamId: "201044", eventName: "spring-show" },
  }),
  live_event_update: op("PUT /config-media-live/v1/live/{domain}/stream/{streamId}/event/{eventName}", {
    does: "Sets when the recordings of an event are deleted.",
    ...ofEvent,
    body: xml("event", EventChange),
    returns: { 200: messageMedium, 204: empty },
    effect: "update",
    // At that time the recording is deleted.
    guard: eventChange,
    shownBy: "live_event_get",
    rules: ["live-event-times", "live-event-deletion"],
    note: "Public clients send only delete-time, and read its day and month in different orders: month first is sent here.",
    example: {
      domain: "live.shop.example",
      streamId: "201044",
      eventName: "spring-show",
      body: { "backup-event": { "delete-time": "{now+45d}" } },
    },
  }),
  live_event_delete: op("DELETE /config-media-live/v1/live/{domain}/stream/{streamId}/event/{eventName}", {
    does: "Deletes an event with its recordings.",
    ...ofEvent,
    returns: { 200: messageMedium, 204: empty },
    guard: eventDeletion,
    shownBy: "live_event_get",
    // The stream, for its name.
    relatedReads: { stream: { by: "live_stream_get", args: pickArguments("domain", "streamId") } },
    rules: ["live-event-types"],
    example: { domain: "live.shop.example", streamId: "201044", eventName: "spring-show" },
  }),
};
