/** Event service (document A): planned periods of high traffic, with optimistic locking by a version stamp. */
import type { AccountReading } from "../../language/account.js";
import { json, op, repeat } from "../../language/define.js";
import { nonEmpty, openObject } from "../../language/open-object.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { CountryCode, EpochMs, members, Names } from "../fields.js";
import { serviceLists } from "./former.js";

const WrittenIds = z.array(z.union([z.int(), z.string().min(1), nonEmpty(z.looseObject({}))]));
const optionalFields = {
  customerEventId: z.string().max(100).optional().describe("Your own id; need not be unique"),
  description: z.string().nullable().optional(),
  audienceSize: z.int().min(0).optional(),
  audienceLocations: z.array(CountryCode).optional().describe("ISO country codes, such as DE"),
  coordinators: z.array(z.string().min(1)).optional().describe("User names"),
  locked: z.boolean().optional(),
  tags: z.array(openObject({ name: z.string(), global: z.boolean() })).optional(),
  services: openObject(members(WrittenIds.optional(), ...serviceLists)).optional(),
};
const required = { name: z.string().min(1), start: EpochMs, end: EpochMs };
const Customer = z.looseObject({ accountID: z.string(), accountName: z.string(), supportLevel: z.string() });
const Event = z.looseObject({
  ...required,
  ...optionalFields,
  id: z.string(),
  version: z.int(),
  eventType: z.string().optional(),
  createdDate: EpochMs.optional(),
  createdBy: z.string().optional(),
  modifiedDate: EpochMs.optional(),
  modifiedBy: z.string().optional(),
  audienceLocations: z.array(z.string()).optional(),
  customer: Customer.partial().optional(),
  services: z
    .looseObject(members(z.array(z.union([z.int(), z.string(), z.looseObject({})])).optional(), ...serviceLists))
    .optional(),
});
// The document names the ignored fields; a new event has no version to ignore.
const ignored = ["id", ...Object.keys(Event.omit({ id: true, version: true }).shape)];
// The id `id` would address the look-up of ids.
const eventId = z.string().regex(/^\d+$/, "an event id, which is a number");
const start = "2026-11-27T00:00:00Z";
const end = "2026-11-28T00:00:00Z";

/** The account of an event. */
export const accountOfEvents: AccountReading = {
  tool: "events_list",
  args: { limit: 1 },
  read: (body) => {
    const { data } = z.tuple([z.looseObject({ customer: Customer })]).safeParse(body);
    return data && { id: data[0].customer.accountID, name: data[0].customer.accountName };
  },
};

export const events = service("event", {
  name: "events",
  document: "A",
  title: "Event service",
  about: "Stores planned high-traffic events with optimistic locking by version stamp.",
  standing: { state: "superseded", successor: "Event service v3 (/events/v3)" },
  ids: {
    accountId: { given: "an account id, or current-account" },
    customerEventId: { given: "your own id of the event" },
  },
  rules: {
    "event-version-stamp":
      "An update whose version differs from the stored one is refused, because another client changed the event.",
    "event-milliseconds": "Dates are epoch milliseconds, not seconds.",
    "event-ignored-input": "created*, modified*, customer and eventType are ignored on input.",
    "event-create-needs": "A new event needs a name, a start and an end; its other members are optional.",
    "event-put-creates": "PUT creates an event; POST updates it.",
    "event-customer-id-length": "customerEventId holds at most 100 characters and need not be unique.",
    "event-ids-result": "The id lookup returns status ok and contents, an array of integers.",
    "event-list-order": "The list can be limited to a range, sorted by four fields, and paged by a zero-based index.",
  },
  operations: {
    events_list: op("GET /events/ws/api/v2/current-account/events", {
      does: "Lists the account's events.",
      query: {
        ...members(EpochMs.optional(), "startRange", "endRange"),
        sortField: z.enum(["name", "start", "end", "accountName"]).optional(),
        sortOrder: z.enum(["asc", "desc"]).optional(),
        startIndex: z.int().min(0).optional().describe("Zero-based"),
        limit: z.int().min(1).optional(),
        customerEventId: repeat(Names.optional().describe("Your own ids")),
      },
      period: { start: "startRange", end: "endRange", form: "epochMs" },
      returns: { 200: json(z.array(Event)) },
      rules: ["event-list-order"],
      example: { sortField: "start", limit: 10 },
    }),
    event_get: op("GET /events/ws/api/v2/current-account/events/{eventId}", {
      does: "Reads one event, with the version stamp that an update needs.",
      path: { eventId },
      returns: { 200: json(Event) },
      example: { eventId: "20051" },
    }),
    event_create: op("PUT /events/ws/api/v2/current-account/events", {
      does: "Creates an event.",
      body: json(withReadOnlyMembers({ ...required, ...optionalFields }, ...ignored)),
      returns: { 200: json(Event), 201: json(Event) },
      effect: "create",
      shownBy: "events_list",
      rules: [
        "event-put-creates",
        "event-create-needs",
        "event-milliseconds",
        "event-ignored-input",
        "event-customer-id-length",
      ],
      example: { body: { name: "Black Friday", start, end, audienceSize: 250_000 } },
    }),
    event_update: op("POST /events/ws/api/v2/current-account/events/{eventId}", {
      does: "Updates an event; the body is the whole event, with version unchanged.",
      path: { eventId },
      body: json(
        withReadOnlyMembers(
          { ...required, ...optionalFields, version: z.int().min(0).describe("Version stamp as read") },
          ...ignored,
        ),
      ),
      returns: { 200: json(Event) },
      effect: "update",
      shownBy: "event_get",
      lock: { field: "body.version", from: "event_get" },
      rules: ["event-version-stamp", "event-milliseconds", "event-ignored-input"],
      means: {
        409: "Another client changed the event: read it with event_get, apply your change to that, and send its version.",
      },
      note: "The document gives no path for the update; the id in the path is a public fact.",
      example: { eventId: "20051", body: { name: "Spring sale", start, end, version: 12 } },
    }),
    event_ids_list: op("GET /events/ws/api/v2/{accountId}/events/id", {
      does: "Looks up event ids by your own customer event ids.",
      path: { accountId: z.string().min(1).describe("Account id, or current-account") },
      query: { customerEventId: repeat(Names.optional().describe("Your own ids")) },
      returns: { 200: json(z.looseObject({ status: z.string(), contents: z.array(z.int()) })) },
      rules: ["event-ids-result"],
      example: { accountId: "current-account", customerEventId: ["spring-2026"] },
    }),
  },
});
