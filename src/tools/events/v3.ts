/** Planned events of today (v3): periods of high traffic, with a version stamp. */
import definition from "../../definitions/box/planned_event.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import { type Arguments, pickArguments, type ReviewForm } from "../../language/conduct.js";
import { repeat } from "../../language/define.js";
import { differenceLines } from "../../language/difference-lines.js";
import { act } from "../../language/guards.js";
import { defined, isEmpty, isRecord, memberAt } from "../../language/member.js";
import { withSpelling } from "../../language/mend.js";
import { openObject } from "../../language/open-object.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { review } from "../../language/review.js";
import { service } from "../../language/service.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { CountryCode, members, Names, Timestamp } from "../fields.js";
import { formerList, formerWrite, kinds } from "./former.js";

/** The member of what a response shows as an object by which a write names it. */
const namedBy = { audienceLocations: "code", coordinators: "userName", tags: "name" } as const;
const isNamed = (list: string): list is keyof typeof namedBy => Object.hasOwn(namedBy, list);
const namedSchema = <S extends z.ZodType>(list: keyof typeof namedBy, schema: S) =>
  z.preprocess((one) => (isRecord(one) && one["global"] !== true ? (one[namedBy[list]] ?? one) : one), schema);

const objectType = z.enum([...Object.values(kinds), "MSL4_STREAM"]);
const bitrates = z.array(z.int()).max(20).nullable().optional().describe("Expected, in kbit/s");
const ObjectWritten = openObject(
  withReadOnlyMembers({ id: z.int(), type: objectType, bitrates }, "name", "cpCode", "hostname"),
);
const few = <S extends z.ZodType>(schema: S) => z.array(schema).max(20);
/** What a write sets, and its way back restores. */
const fields = {
  name: true,
  start: Timestamp,
  end: Timestamp,
  customerEventId: z.string().max(100).describe("Your own id"),
  description: z.string().max(2_000),
  audienceSize: z.int().min(1),
  audienceLocations: few(namedSchema("audienceLocations", CountryCode)).describe("Country codes"),
  coordinators: few(namedSchema("coordinators", z.string().min(1).max(256))).describe("User names"),
  tags: few(namedSchema("tags", z.string().min(1).max(100))),
  objects: z.array(ObjectWritten).describe("What delivers the event"),
} as const;

const operationAt = overlay(definition, {
  arguments: {
    ...fields,
    ...members(Timestamp, "minStart", "maxStart", "minEnd", "maxEnd"),
    sort: z
      .string()
      .regex(/^\w+(,(asc|desc))?$/)
      .describe("Such as name,asc"),
    version: z.int().min(0),
    recurrence: true,
    eventId: withSpelling(z.int(), (given) => (/^\d+$/.test(String(given)) ? Number(given) : undefined)),
  },
  answers: members(Timestamp, "start", "end", "createdDate", "modifiedDate"),
  // The definition requires a description of a slot, and has no member for it.
  optional: ["description"],
});
const whyClosed = "a member of other versions, such as services, would be lost";
const noEvent = { 404: "There is no such event: events_list lists all." } as const;

const itemOf = (list: string, entry: unknown): unknown =>
  isNamed(list)
    ? (memberAt(entry, namedBy[list]) ?? entry)
    : isRecord(entry)
      ? defined(pickArguments("id", "type", "bitrates")(entry))
      : entry;
/** An event as an update writes it, from the form in which it is read or written. */
const asWritten = (event: unknown): Arguments =>
  defined(
    Object.fromEntries(
      Object.keys(fields).map((name) => {
        const value = memberAt(event, name);
        return [name, Array.isArray(value) ? value.map((one) => itemOf(name, one)) : value];
      }),
    ),
  );
const valuesOf = (event: unknown): Arguments =>
  Object.fromEntries(Object.entries(asWritten(event)).filter(([, value]) => !isEmpty(value)));
/** Nothing in an event has an order. */
const form: ReviewForm = { sets: "all" };
const nameOf = ({ eventId: id }: Arguments, event: unknown): string => {
  const name = memberAt(event, "name");
  return typeof name === "string" ? `event ${plainOrQuoted(name)} (${String(id)})` : `event ${String(id)}`;
};

const start = "2026-11-27T00:00:00Z";
const end = "2026-11-28T00:00:00Z";

export const eventsV3 = service("event", {
  name: "events-v3",
  document: "today",
  title: "Planned events",
  about: "Announces events with high traffic, with optimistic locking by a version stamp.",
  standing: { state: "alive" },
  replaces: {
    services: ["events"],
    gone: { event_ids_list: "Call events_list with customerEventId: it lists the events with your own ids." },
  },
  frontLine: ["events_list"],
  ids: {
    customerEventId: { given: "your own id of the event" },
    "body.objects.id": { given: "the id of a CP code, a stream, a slot or a report pack, as in objects of event_get" },
  },
  rules: {
    "event-v3-version":
      "An update whose version differs from the stored one is refused, because the event has changed.",
    "event-v3-unique": "No two events have the same name, start and end.",
    "event-v3-recurrence": "A recurrence creates an event for each of its 1 to 366 occurrences.",
  },
  operations: {
    events_list: operationAt("GET /events/v3/events", {
      does: "Lists planned events without audience and authors.",
      corrects: {
        why: "The definition gives them the type of one text and describes them as lists.",
        query: { tag: repeat(Names.optional()), customerEventId: repeat(Names.optional()) },
      },
      period: { start: "minEnd", end: "maxStart", form: "iso" },
      formerly: formerList,
      note: "The definition gives tag and customerEventId the type of one text and describes them as lists; several are sent as repeated parameters.",
      example: { sort: "name,asc", pageSize: 10 },
    }),
    event_get: operationAt("GET /events/v3/events/{eventId}", {
      does: "Reads one event with its version.",
      means: noEvent,
      example: { eventId: 20_051 },
    }),
    event_create: operationAt("POST /events/v3/events", {
      does: "Announces an event, or a series of them with recurrence.",
      accepts: ["GET /events/v3/events/{eventId}"],
      whyClosed,
      effect: "create",
      shownBy: "events_list",
      formerly: formerWrite,
      rules: ["event-v3-unique", "event-v3-recurrence"],
      means: { 409: "An event with this name, start and end exists: events_list shows it." },
      example: { body: { name: "Black Friday", start, end, audienceSize: 250_000 } },
    }),
    event_update: operationAt("PUT /events/v3/events/{eventId}", {
      does: "Replaces an event; the body is the whole event.",
      whyClosed,
      effect: "update",
      guard: {
        kind: "overwrite",
        thing: "event {name}",
        undo: {
          tool: "event_update",
          args: ({ given: { eventId: id }, before, now }) =>
            before === undefined
              ? before
              : { eventId: id, body: { ...asWritten(before), version: memberAt(now, "version") } },
          isWhole: true,
        },
        says: (args, present) => {
          const [before, after] = [valuesOf(present), valuesOf(args["body"])];
          const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
          const lost = gone.length === 0 ? "" : `${listInWords(gone)} ${gone.length === 1 ? "is" : "are"} removed; `;
          const { changes } = review(before, after, form);
          const isChanged = changes.some(({ list }) => !gone.includes(list));
          return act`REPLACE ${nameOf(args, present)}: ${lost}${isChanged ? "other fields change" : "the other fields stay the same"}`;
        },
        compares: (args, present) =>
          present === undefined ? [] : differenceLines(valuesOf(present), valuesOf(args["body"]), form),
      },
      shownBy: "event_get",
      lock: { field: "body.version", from: "event_get" },
      formerly: formerWrite,
      rules: ["event-v3-version"],
      means: {
        ...noEvent,
        409: "Another client changed the event: read it with event_get, apply your change to that, and send its version.",
      },
      example: { eventId: 20_051, body: { name: "Spring sale", start, end, version: 12 } },
    }),
    event_delete: operationAt("DELETE /events/v3/events/{eventId}", {
      does: "Deletes an event.",
      guard: {
        kind: "delete",
        thing: "event {name}",
        undo: {
          tool: "event_create",
          args: ({ before }) => (before === undefined ? before : { body: asWritten(before) }),
        },
        says: (args, present) => {
          const [from, to] = [memberAt(present, "start"), memberAt(present, "end")].map(plainOrQuoted);
          return present === undefined
            ? present
            : act`DELETE ${nameOf(args, present)}, from ${from} to ${to}: its traffic is no longer announced`;
        },
      },
      shownBy: "event_get",
      means: noEvent,
      example: { eventId: 20_052 },
    }),
    event_tags_list: operationAt("GET /events/v3/tags", {
      does: "Lists the tags of the account's events.",
    }),
  },
});
