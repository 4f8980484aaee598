/** Planned events of today: the same events as in the former version, with names next to their ids. */
import { isRecord, listAt } from "../../../language/member.js";
import { hourMs } from "../../../time/durations.js";
import { kinds } from "../../../tools/events/former.js";
import { eventsV3 as declared } from "../../../tools/events/v3.js";
import type { Call } from "../../behaviour.js";
import { noContent, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { instant, utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { cpCodes, people } from "../account.js";
import { errorFormat, eventsIn, findVersion, refusal, type StoredEvent, write } from "./index.js";

type Query = Call<(typeof declared)["operations"]["events_list"]>["query"];
type Content = Omit<Call<(typeof declared)["operations"]["event_update"]>["body"], "version">;
type ObjectType = NonNullable<Content["objects"]>[number]["type"];
/** The members of `services` that hold the objects of a type; the former version has no MSL4 streams. */
const memberOf = Object.fromEntries([
  ...Object.entries(kinds).map(([member, type]) => [type, member]),
  ["MSL4_STREAM", "msl4Streams"],
]) as Readonly<Record<ObjectType, string>>;

/** The ids of tags, in the order in which they were first seen. */
function tagView(world: World, name: string) {
  const ids = world.state("event tags", () => new Map<string, number>());
  if (!ids.has(name)) ids.set(name, ids.size + 1);
  return { id: ids.get(name) ?? 0, name };
}
const tagsOf = ({ tags = [] }: StoredEvent): readonly string[] => tags.map(({ name }) => name);

/** Streams and slots are served under the account's first CP code. */
const cpCode = Number(cpCodes[0]?.id);
const named = (id: number) => ({ id, name: cpCodes.find((one) => Number(one.id) === id)?.name ?? `Object ${id}` });
const objectsOf = ({ services = {} }: StoredEvent) =>
  (Object.entries(memberOf) as [ObjectType, string][]).flatMap(([type, member]) =>
    listAt(services, member).map((entry) => {
      const { id, bitrates } = isRecord(entry) ? entry : { id: entry };
      if (type === "SRIP_SLOT") return { id: Number(id), type, cpCode };
      if (type === "CP_CODE" || type === "QOS_REPORT_PACK") return { ...named(Number(id)), type };
      return { ...named(Number(id)), type, cpCode, bitrates: Array.isArray(bitrates) ? bitrates : undefined };
    }),
  );

const countries = new Intl.DisplayNames("en", { type: "region" });
const personOf = (userName: string) => {
  const { firstName = userName, lastName = "" } = people.find(({ login }) => login === userName) ?? {};
  return { userName, firstName, lastName };
};

const listView = (world: World, event: StoredEvent) => ({
  id: Number(event.id),
  name: event.name,
  version: event.version,
  start: instant(event.start),
  end: instant(event.end),
  customerEventId: event.customerEventId,
  tags: tagsOf(event).map((name) => tagView(world, name)),
});
const view = (world: World, event: StoredEvent) => ({
  ...listView(world, event),
  createdBy: event.createdBy,
  createdDate: instant(event.createdDate),
  modifiedBy: event.modifiedBy,
  modifiedDate: instant(event.modifiedDate),
  description: event.description ?? undefined,
  audienceSize: event.audienceSize,
  audienceLocations: (event.audienceLocations ?? []).map((code) => ({ code, name: countries.of(code) ?? code })),
  coordinators: (event.coordinators ?? []).map(personOf),
  objects: objectsOf(event),
});

/** The content of an event as it is stored for both versions. */
function storedOf(
  { objects = [], tags = [], audienceLocations, coordinators, start, end, ...content }: Content,
  later = 0,
) {
  const services: Record<string, (number | { id: number; bitrates: number[] })[]> = {};
  for (const { id, type, bitrates } of objects) {
    const member = memberOf[type];
    services[member] = [...(services[member] ?? []), Array.isArray(bitrates) ? { id, bitrates } : id];
  }
  return {
    ...content,
    audienceLocations: audienceLocations && [...audienceLocations],
    coordinators: coordinators && [...coordinators],
    tags: tags.map((name) => ({ name, global: false })),
    services,
    start: utcOf(start) + later,
    end: utcOf(end) + later,
  };
}

const steps = { HOURLY: hourMs, DAILY: 24 * hourMs, WEEKLY: 168 * hourMs } as const;
/** How much later an occurrence is than the first. */
function laterBy(start: string, frequency: keyof typeof steps | "MONTHLY", at: number): number {
  if (frequency !== "MONTHLY") return steps[frequency] * at;
  const first = new Date(utcOf(start));
  return new Date(first).setUTCMonth(first.getUTCMonth() + at) - first.getTime();
}

function create(world: World, content: ReturnType<typeof storedOf>): StoredEvent {
  const { name, start, end } = content;
  const isTaken = eventsIn(world).all.some((one) => one.name === name && one.start === start && one.end === end);
  if (isTaken) throw refusal(409, "Entity already exists");
  return write(world, { ...content, locked: false });
}

/** A page of rows, sorted by one of their members. */
function pageOf<T extends { readonly name: string }>(
  rows: readonly T[],
  { page = 1, pageSize = 25, sort = "name" }: Pick<Query, "page" | "pageSize" | "sort">,
) {
  const [property = "name", direction = "asc"] = sort.split(",") as [string?, ("asc" | "desc")?];
  const valueIn = (row: T) => String((row as Readonly<Record<string, unknown>>)[property] ?? "");
  const sorted = rows.toSorted((a, b) => valueIn(a).localeCompare(valueIn(b)) * (direction === "desc" ? -1 : 1));
  return {
    data: sorted.slice((page - 1) * pageSize, page * pageSize),
    metadata: {
      page,
      pageSize,
      sort: [{ property, direction }],
      totalPageCount: Math.ceil(rows.length / pageSize),
      totalResultsCount: rows.length,
    },
  };
}

const msOf = (text: string | undefined, otherwise: number): number => (text === undefined ? otherwise : utcOf(text));

export const eventsV3 = emulateService(declared, errorFormat, {
  events_list: ({ query }, world) => {
    const [never, ever] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const { tag: tags, customerEventId: ids } = query;
    const matches = eventsIn(world).all.filter(
      (event) =>
        event.start >= msOf(query.minStart, never) &&
        event.start < msOf(query.maxStart, ever) &&
        event.end > msOf(query.minEnd, never) &&
        event.end <= msOf(query.maxEnd, ever) &&
        (ids === undefined || ids.includes(event.customerEventId ?? "")) &&
        (tags === undefined || tagsOf(event).some((tag) => tags.includes(tag))),
    );
    const rows = matches.map((event) => listView(world, event));
    return ok(pageOf(rows, query));
  },
  event_get: ({ path }, world) => ok(view(world, eventsIn(world).find(path.eventId))),
  event_create: ({ body: { recurrence, ...body } }, world) => {
    const { frequency = "DAILY", count = 1 } = recurrence ?? {};
    const made = Array.from({ length: count }, (_, at) => storedOf(body, laterBy(body.start, frequency, at)));
    return ok(made.map((event) => view(world, create(world, event))));
  },
  event_update: ({ path, body: { version, ...body } }, world) => {
    const stored = findVersion(world, path.eventId, version);
    return ok(view(world, write(world, { ...storedOf(body), locked: stored.locked }, stored)));
  },
  event_delete: ({ path }, world) => {
    const events = eventsIn(world);
    events.delete(events.find(path.eventId).id);
    return noContent();
  },
  event_tags_list: ({ query }, world) => {
    const names = new Set(eventsIn(world).all.flatMap(tagsOf));
    const rows = [...names].map((name) => tagView(world, name));
    return ok(pageOf(rows, query));
  },
});
