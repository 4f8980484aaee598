/** The event service: events with a version stamp that every update has to send. */
import { STATUS_CODES } from "node:http";
import { dayMs } from "../../../time/durations.js";
import { events as declared } from "../../../tools/events/index.js";
import type { Call } from "../../behaviour.js";
import { seedsOf } from "../../primitives/seeds.js";
import { Store } from "../../primitives/store.js";
import { created, type ErrorFormat, ok, RequestRefusal } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { account, portalUser, userInUse } from "../account.js";
import seeds from "./seeds.json" with { type: "json" };

type Content = Call<(typeof declared)["operations"]["event_create"]>["body"];
/** What the server sets beside the content of an event; instants are in milliseconds since 1970. */
type Marks = {
  readonly id: string;
  readonly version: number;
  readonly eventType: string;
  readonly customer: { readonly accountID: string; readonly accountName: string; readonly supportLevel: string };
  readonly createdDate: number;
  readonly createdBy: string;
  readonly modifiedDate: number;
  readonly modifiedBy: string;
};
export type StoredEvent = Content & Marks;
type Seed = Omit<Content, "start" | "end"> &
  Pick<Marks, "id" | "version" | "eventType"> & { readonly startAtMs: number };

const customer = { accountID: account.id, accountName: account.name, supportLevel: account.supportLevel };

/** The events, which both versions of the service show. */
export const eventsIn = (world: World) =>
  world.state("events", () => {
    const today = Math.floor(world.startedAtMs / dayMs) * dayMs;
    const all = seedsOf<readonly Seed[]>(seeds, today).map(({ startAtMs: start, ...event }) => ({
      ...event,
      customer,
      start,
      end: start + dayMs,
      createdDate: today - 40 * dayMs,
      createdBy: portalUser,
      modifiedDate: today - 2 * dayMs,
      modifiedBy: portalUser,
    }));
    return new Store<StoredEvent>("id", (id) => `Event entity with id ${id} not found`, all);
  });

/** Stores an event, in the place of a former one if there is one; what the server sets overrides what is given. */
export function write(world: World, content: Content, former?: StoredEvent): StoredEvent {
  if (content.end <= content.start) throw refusal(400, "end must be after start", "end");
  const { id = String(world.next("event", 20_100)), version = -1, eventType = "STREAMING" } = former ?? {};
  const modified = { modifiedDate: world.now(), modifiedBy: userInUse };
  const { createdDate = modified.modifiedDate, createdBy = userInUse } = former ?? {};
  const marks = { id, version: version + 1, eventType, customer, createdDate, createdBy, ...modified };
  return eventsIn(world).add({ ...content, ...marks });
}

const kinds: Readonly<Record<number, string>> = { 400: "Constraint violation", 409: "Concurrent modification" };

/** The error format of the event service's next version, because that of this version is not known (public facts A, 8). */
export const errorFormat: ErrorFormat = ({ status, detail, extras: { field, value } }) => {
  const kind = kinds[status];
  const type = kind === undefined ? "about:blank" : `/event-center/error-types/${kind.toLowerCase().replace(" ", "-")}`;
  const title = kind ?? STATUS_CODES[status];
  const errors = field === undefined ? undefined : [{ type, title, detail, path: field, value }];
  return { body: { type, title, status, detail, errors } };
};
export const refusal = (status: number, detail: string, field?: string): RequestRefusal =>
  new RequestRefusal(status, STATUS_CODES[status] ?? "", detail, field === undefined ? {} : { field });

/** The events with one of the customer's own ids, or all where none are given. */
const eventsOf = (world: World, wanted: readonly string[] | undefined): readonly StoredEvent[] =>
  eventsIn(world).all.filter(({ customerEventId: id }) => !wanted || (id !== undefined && wanted.includes(id)));

/** The event that an update of a version is about; refuses any but the stored version. */
export function findVersion(world: World, id: string | number, given: number): StoredEvent {
  const stored = eventsIn(world).find(id);
  const { version } = stored;
  if (given === version) return stored;
  throw refusal(409, `Version mismatch for Event entity, expected version: ${version}, but got: ${given}`);
}

const sortValue = (event: StoredEvent, field: string): string | number =>
  field === "accountName" ? account.name : field === "start" || field === "end" ? event[field] : event.name;

export const events = emulateService(declared, errorFormat, {
  events_list: ({ query }, world) => {
    const { startRange = 0, endRange = Number.POSITIVE_INFINITY, startIndex = 0, limit } = query;
    const { sortField = "start", sortOrder = "asc" } = query;
    const found = eventsOf(world, query.customerEventId)
      .filter(({ start, end }) => end >= startRange && start <= endRange)
      .sort((a, b) => {
        const [x, y] = [sortValue(a, sortField), sortValue(b, sortField)];
        return (x < y ? -1 : x > y ? 1 : 0) * (sortOrder === "desc" ? -1 : 1);
      });
    return ok(found.slice(startIndex, limit === undefined ? undefined : startIndex + limit));
  },

  event_get: ({ path }, world) => ok(eventsIn(world).find(path.eventId)),
  event_create: ({ body }, world) => created(write(world, body)),
  event_update: ({ path, body }, world) => ok(write(world, body, findVersion(world, path.eventId, body.version))),
  event_ids_list: ({ path, query }, world) => {
    if (path.accountId !== "current-account" && path.accountId !== account.id)
      throw refusal(403, "The account is not one of this client's");
    const found = eventsOf(world, query.customerEventId);
    return ok({ status: "ok", contents: found.map(({ id }) => Number(id)) });
  },
});
