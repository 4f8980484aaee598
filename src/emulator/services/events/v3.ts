/** Planned events of today: the same events as in the former version, with names next to their ids. */
import { hourMs } from "../../../language/durations.js";
import { kinds } from "../../../tools/events/former.js";
import { eventsV3 as declared } from "../../../tools/events/v3.js";
import { noContent, ok } from "../../reply.js";
import { emulated } from "../../service.js";
import { instant, utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { cpCodes, people, portalUser, userInUse } from "../account.js";
import { checkPeriod, checkVersion, customer, errorFormat, eventsIn, find, refusal, type Stored } from "./index.js";

/** The members of `services` that hold the objects of a type; the former version has no MSL4 streams. */
const memberOf = Object.fromEntries([
  ...Object.entries(kinds).map(([member, type]) => [type, member]),
  ["MSL4_STREAM", "msl4Streams"],
]) as Readonly<Record<(typeof kinds)[keyof typeof kinds] | "MSL4_STREAM", string>>;
type ObjectType = keyof typeof memberOf;
const listIn = (event: object, name: string): readonly unknown[] => {
  const list = (event as Readonly<Record<string, unknown>>)[name];
  return Array.isArray(list) ? list : [];
};

/** The ids of tags, in the order in which they were first seen. */
function tagView(world: World, name: string) {
  const ids = world.state("event tags", () => new Map<string, number>());
  if (!ids.has(name)) ids.set(name, ids.size + 1);
  return { id: ids.get(name) ?? 0, name };
}
const tagsOf = (event: Stored): readonly string[] => listIn(event, "tags").map((tag) => (tag as { name: string }).name);

/** Streams and slots are served under the account's first CP code. */
const cpCode = Number(cpCodes[0]?.id);
const named = (id: number) => ({ id, name: cpCodes.find((one) => Number(one.id) === id)?.name ?? `Object ${id}` });
function objectsOf(event: Stored) {
  const services = (event["services"] ?? {}) as object;
  return (Object.entries(memberOf) as [ObjectType, string][]).flatMap(([type, member]) =>
    listIn(services, member).map((one) => {
      const { id, bitrates } = typeof one === "object" ? (one as { id: unknown; bitrates?: unknown }) : { id: one };
      if (type === "SRIP_SLOT") return { id: Number(id), type, cpCode };
      if (!type.endsWith("STREAM")) return { ...named(Number(id)), type };
      return { ...named(Number(id)), type, cpCode, ...(Array.isArray(bitrates) && { bitrates }) };
    }),
  );
}

const countries = new Intl.DisplayNames("en", { type: "region" });
const personOf = (login: unknown) => {
  const { firstName = String(login), lastName = "" } = people.find((one) => one.login === login) ?? {};
  return { userName: String(login), firstName, lastName };
};

const listView = (world: World, event: Stored) => ({
  ...{ id: Number(event.id), name: event.name, version: event.version },
  ...{ start: instant(event.start), end: instant(event.end) },
  ...(event.customerEventId !== undefined && { customerEventId: event.customerEventId }),
  tags: tagsOf(event).map((name) => tagView(world, name)),
});
function view(world: World, event: Stored) {
  const {
    createdBy = portalUser,
    createdDate,
    modifiedBy = portalUser,
    modifiedDate,
    description,
    audienceSize,
  } = event;
  return {
    ...listView(world, event),
    ...{ createdBy: String(createdBy), createdDate: instant(Number(createdDate)) },
    ...{ modifiedBy: String(modifiedBy), modifiedDate: instant(Number(modifiedDate)) },
    ...(typeof description === "string" && { description }),
    ...(typeof audienceSize === "number" && { audienceSize }),
    audienceLocations: listIn(event, "audienceLocations").map((code) => ({
      ...{ code: String(code), name: countries.of(String(code)) ?? String(code) },
    })),
    coordinators: listIn(event, "coordinators").map(personOf),
    objects: objectsOf(event),
  };
}

interface Body {
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly tags?: readonly unknown[] | undefined;
  readonly objects?:
    | readonly { readonly id: number; readonly type: ObjectType; readonly bitrates?: unknown }[]
    | undefined;
}

/** An event as it is stored for both versions. */
function storedOf({ objects = [], tags = [], start, end, ...body }: Body, later = 0) {
  const services: Record<string, unknown[]> = {};
  for (const { id, type, bitrates } of objects) {
    const member = memberOf[type];
    services[member] = [...(services[member] ?? []), Array.isArray(bitrates) ? { id, bitrates } : id];
  }
  const [startMs, endMs] = [utcOf(start) + later, utcOf(end) + later];
  checkPeriod({ start: startMs, end: endMs });
  const named = { ...body, tags: tags.map((name) => ({ name, global: false })), services };
  return { ...named, start: startMs, end: endMs };
}

const steps = { HOURLY: hourMs, DAILY: 24 * hourMs, WEEKLY: 168 * hourMs } as const;
/** How much later an occurrence is than the first. */
function laterBy(start: string, frequency: keyof typeof steps | "MONTHLY", at: number): number {
  if (frequency !== "MONTHLY") return steps[frequency] * at;
  const first = new Date(utcOf(start));
  return new Date(first).setUTCMonth(first.getUTCMonth() + at) - first.getTime();
}

function create(world: World, made: ReturnType<typeof storedOf>): Stored {
  const events = eventsIn(world);
  const same = [...events.values()].find(
    ({ name, start, end }) => name === made.name && start === made.start && end === made.end,
  );
  if (same !== undefined) throw refusal(409, "Entity already exists");
  const [id, now] = [String(world.next("event", 20_100)), world.now()];
  const event: Stored = {
    ...{ ...made, id, version: 0, eventType: "STREAMING", customer, locked: false },
    ...{ createdDate: now, createdBy: userInUse, modifiedDate: now, modifiedBy: userInUse },
  };
  events.set(id, event);
  return event;
}

interface Paged {
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly sort?: string | undefined;
}

/** A page of rows, sorted by one of their members. */
function pageOf<T extends { readonly name: string }>(
  rows: readonly T[],
  { page = 1, pageSize = 25, sort = "name" }: Paged,
) {
  const [property = "name", direction = "asc"] = sort.split(",") as [string?, ("asc" | "desc")?];
  const valueIn = (row: T) => String((row as Readonly<Record<string, unknown>>)[property] ?? "");
  const sorted = rows.toSorted((a, b) => valueIn(a).localeCompare(valueIn(b)) * (direction === "desc" ? -1 : 1));
  return {
    data: sorted.slice((page - 1) * pageSize, page * pageSize),
    metadata: {
      ...{ page, pageSize, sort: [{ property, direction }] },
      ...{ totalPageCount: Math.ceil(rows.length / pageSize), totalResultsCount: rows.length },
    },
  };
}

const msOf = (text: string | undefined, otherwise: number): number => (text === undefined ? otherwise : utcOf(text));

export const eventsV3 = emulated(declared, errorFormat, {
  events_list: ({ query }, world) => {
    const [never, ever] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const { tag: tags, customerEventId: ids } = query;
    const found = [...eventsIn(world).values()].filter(
      (one) =>
        one.start >= msOf(query.minStart, never) &&
        one.start < msOf(query.maxStart, ever) &&
        one.end > msOf(query.minEnd, never) &&
        one.end <= msOf(query.maxEnd, ever) &&
        (ids === undefined || ids.includes(one.customerEventId ?? "")) &&
        (tags === undefined || tagsOf(one).some((tag) => tags.includes(tag))),
    );
    const rows = found.map((one) => listView(world, one));
    return ok(pageOf(rows, query));
  },
  event_get: ({ path }, world) => ok(view(world, find(world, String(path.eventId)))),
  event_create: ({ body: { recurrence, ...body } }, world) => {
    const { frequency = "DAILY", count = 1 } = recurrence ?? {};
    const made = Array.from({ length: count }, (_, at) => storedOf(body, laterBy(body.start, frequency, at)));
    return ok(made.map((one) => view(world, create(world, one))));
  },
  event_update: ({ path, body: { version, ...body } }, world) => {
    const stored = find(world, String(path.eventId));
    checkVersion(stored, version);
    const { id, eventType, createdDate, createdBy, locked } = stored;
    const event: Stored = {
      ...{ ...storedOf(body), id, eventType, customer, createdDate, createdBy, locked },
      ...{ version: stored.version + 1, modifiedDate: world.now(), modifiedBy: userInUse },
    };
    eventsIn(world).set(id, event);
    return ok(view(world, event));
  },
  event_delete: ({ path }, world) => {
    eventsIn(world).delete(find(world, String(path.eventId)).id);
    return noContent();
  },
  event_tags_list: ({ query }, world) => {
    const names = new Set([...eventsIn(world).values()].flatMap(tagsOf));
    const rows = [...names].map((name) => tagView(world, name));
    return ok(pageOf(rows, query));
  },
});
