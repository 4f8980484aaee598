/** The event service: events with a version stamp that every update has to send. */
import { STATUS_CODES } from "node:http";
import { dayMs } from "../../../language/durations.js";
import { events as declared } from "../../../tools/events/index.js";
import { byId } from "../../primitives/store.js";
import { created, type ErrorFormat, ok, orNotFound, Refusal } from "../../reply.js";
import { emulated } from "../../service.js";
import type { World } from "../../world.js";
import { account, portalUser, userInUse } from "../account.js";

export interface Stored extends Record<string, unknown> {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly customerEventId?: string | undefined;
}

export const customer = { accountID: account.id, accountName: account.name, supportLevel: account.supportLevel };

/** The events, which both versions of the service show. */
export const eventsIn = (world: World): Map<string, Stored> =>
  world.state("events", () => {
    const today = Math.floor(world.startedAtMs / dayMs) * dayMs;
    const event = (id: string, version: number, name: string, inDays: number, customerEventId?: string): Stored => ({
      id,
      ...(customerEventId === undefined ? {} : { customerEventId }),
      version,
      name,
      description: null,
      eventType: "STREAMING",
      customer,
      start: today + inDays * dayMs,
      end: today + (inDays + 1) * dayMs,
      createdDate: today - 40 * dayMs,
      createdBy: portalUser,
      modifiedDate: today - 2 * dayMs,
      modifiedBy: portalUser,
      audienceSize: 120_000,
      audienceLocations: ["JP", "DE"],
      coordinators: [portalUser],
      locked: false,
      tags: [{ name: "sale", global: false }],
    });
    return byId([
      event("20051", 12, "Spring sale", 3, "spring-2026"),
      event("20052", 0, "Product film", 9, "film-7"),
      event("20053", 4, "Annual meeting", -20),
    ]);
  });

const kinds: Readonly<Record<number, string>> = { 400: "Constraint violation", 409: "Concurrent modification" };

/** The error format of the event service's next version, because that of this version is not known (public facts A, 8). */
export const errorFormat: ErrorFormat = ({ status, detail, more: { field, value } }) => {
  const kind = kinds[status];
  const type = kind === undefined ? "about:blank" : `/event-center/error-types/${kind.toLowerCase().replace(" ", "-")}`;
  const title = kind ?? STATUS_CODES[status];
  const errors = field === undefined ? {} : { errors: [{ type, title, detail, path: field, value }] };
  return { body: { type, title, status, detail, ...errors } };
};
export const refusal = (status: number, detail: string, field?: string): Refusal =>
  new Refusal(status, STATUS_CODES[status] ?? "", detail, field === undefined ? {} : { field });

/** The events with one of the customer's own ids, or all where none are given. */
const eventsOf = (world: World, wanted: readonly string[] | undefined): readonly Stored[] =>
  [...eventsIn(world).values()].filter(
    ({ customerEventId: id }) => !wanted || (id !== undefined && wanted.includes(id)),
  );

export const find = (world: World, id: string): Stored =>
  orNotFound(eventsIn(world).get(id), `Event entity with id ${id} not found`);

export function checkPeriod(body: { readonly start: number; readonly end: number }): void {
  if (body.end <= body.start) throw refusal(400, "end must be after start", "end");
}

export function checkVersion({ version }: Stored, given: number): void {
  if (given !== version)
    throw refusal(409, `Version mismatch for Event entity, expected version: ${version}, but got: ${given}`);
}

const sortValue = (event: Stored, field: string): string | number =>
  field === "accountName" ? account.name : field === "start" || field === "end" ? event[field] : event.name;

export const events = emulated(declared, errorFormat, {
  events_list: ({ query }, world) => {
    const {
      startRange = 0,
      endRange = Number.POSITIVE_INFINITY,
      sortField = "start",
      sortOrder = "asc",
      startIndex = 0,
      limit,
    } = query;
    const found = eventsOf(world, query.customerEventId)
      .filter(({ start, end }) => end >= startRange && start <= endRange)
      .sort((a, b) => {
        const [x, y] = [sortValue(a, sortField), sortValue(b, sortField)];
        return (x < y ? -1 : x > y ? 1 : 0) * (sortOrder === "desc" ? -1 : 1);
      });
    return ok(found.slice(startIndex, limit === undefined ? undefined : startIndex + limit));
  },

  event_get: ({ path }, world) => ok(find(world, path.eventId)),

  event_create: ({ body }, world) => {
    checkPeriod(body);
    const id = String(world.next("event", 20_100));
    const now = world.now();
    // Values that the server sets override those in the body.
    const event: Stored = {
      ...body,
      id,
      version: 0,
      eventType: "STREAMING",
      customer,
      createdDate: now,
      createdBy: userInUse,
      modifiedDate: now,
      modifiedBy: userInUse,
    };
    eventsIn(world).set(id, event);
    return created(event);
  },

  event_update: ({ path, body }, world) => {
    const stored = find(world, path.eventId);
    const { version } = stored;
    checkVersion(stored, body.version);
    checkPeriod(body);
    const event: Stored = {
      ...body,
      id: stored.id,
      version: version + 1,
      eventType: stored["eventType"],
      customer,
      createdDate: stored["createdDate"],
      createdBy: stored["createdBy"],
      modifiedDate: world.now(),
      modifiedBy: userInUse,
    };
    eventsIn(world).set(stored.id, event);
    return ok(event);
  },

  event_ids_list: ({ path, query }, world) => {
    if (path.accountId !== "current-account" && path.accountId !== account.id)
      throw refusal(403, "The account is not one of this client's");
    const found = eventsOf(world, query.customerEventId);
    return ok({ status: "ok", contents: found.map(({ id }) => Number(id)) });
  },
});
