/** The stored log configurations and redeliveries, and what becomes of them as time passes. */
import type { Call } from "../../../language/behaviour.js";
import { dayMs, hourMs, minuteMs } from "../../../language/durations.js";
import type { logDelivery } from "../../../tools/log-delivery/index.js";
import { byId, foundIn } from "../../primitives/store.js";
import { badRequest } from "../../reply.js";
import type { World } from "../../world.js";
import { hoursOf, type SourceType } from "./choices.js";

type Written = Call<(typeof logDelivery)["operations"]["log_configuration_create"]>["body"];

export interface Configuration {
  readonly id: string;
  readonly source: { readonly type: SourceType; readonly id: string };
  content: Written;
  /** The first day of its deliveries; a later start does not undo what was delivered. */
  readonly sinceMs: number;
  /** When it was suspended, and resumed again. */
  readonly suspensions: { readonly fromMs: number; toMs?: number }[];
  deletedAtMs?: number;
}
export interface Redelivery {
  readonly id: string;
  readonly configurationId: string;
  readonly date: string;
  readonly beginTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly createdAtMs: number;
}
interface State {
  readonly configurations: Map<string, Configuration>;
  readonly redeliveries: Map<string, Redelivery>;
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const midnightOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

const key = "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQENBEmulated\n-----END PGP PUBLIC KEY BLOCK-----";

function seeds(world: World): State {
  const day = (days: number) => dayOf(world.startedAtMs + days * dayMs);
  const contactDetails = { contact: { id: "1-C30O" }, mailAddresses: ["operations@shop.example"] };
  const one = (
    id: string,
    type: SourceType,
    sourceId: string,
    content: Omit<Written, "contactDetails">,
  ): Configuration => ({
    id,
    source: { type, id: sourceId },
    content: { ...content, contactDetails },
    sinceMs: midnightOf(content.startDate),
    suspensions: [],
  });
  const again = (id: string, days: number, createdAtMs: number): Redelivery => {
    const hours = { beginTime: 0, endTime: 24 };
    return { id, configurationId: "163842", date: day(days), ...hours, createdAtMs };
  };
  return {
    configurations: byId([
      one("163842", "cpcode-products", "12345-1", {
        startDate: day(-60),
        logFormatDetails: { logFormat: { id: "2" }, logIdentifier: "shop" },
        messageSize: { id: "3" },
        aggregationDetails: { type: "byLogArrival", deliveryFrequency: { id: "1" } },
        encodingDetails: { encoding: { id: "1" } },
        deliveryDetails: {
          type: "ftp",
          machine: "logs.shop.example",
          login: "edge",
          password: "emulated",
          directory: "/shop",
        },
      }),
      one("163843", "edns", "8101", {
        startDate: day(-200),
        endDate: day(-20),
        logFormatDetails: { logFormat: { id: "11" }, logIdentifier: "dns" },
        messageSize: { id: "2" },
        aggregationDetails: { type: "byHitTime", deliveryThreshold: { id: "2" }, deliverResidualData: true },
        encodingDetails: { encoding: { id: "2" } },
        deliveryDetails: { type: "email", emailAddress: "logs@shop.example" },
      }),
      {
        ...one("163844", "cpcode-products", "67890-1", {
          startDate: day(-90),
          logFormatDetails: { logFormat: { id: "3" }, logIdentifier: "images" },
          messageSize: { id: "4" },
          aggregationDetails: { type: "byHitTime", deliveryThreshold: { id: "1" }, deliverResidualData: false },
          encodingDetails: { encoding: { id: "4" }, encodingKey: key },
          deliveryDetails: { type: "httpsns4", domainPrefix: "exampleshops", cpcodeId: 67_890, directory: "/logs" },
        }),
        suspensions: [{ fromMs: world.startedAtMs - 9 * dayMs }],
      },
    ]),
    redeliveries: byId([again("701", -6, world.startedAtMs - 5 * dayMs), again("702", -3, world.startedAtMs - hourMs)]),
  };
}

/** Refuses what a member of a body says. */
export const invalid = (field: string, value: unknown, detail: string) => badRequest(detail, { field, value });

export const stateOf = (world: World): State => world.state("log delivery", () => seeds(world));

/** The configurations that were not deleted. */
export const configurationsOf = (world: World): readonly Configuration[] =>
  [...stateOf(world).configurations.values()].filter(({ deletedAtMs }) => deletedAtMs === undefined);

export const configurationOf = (world: World, id: string | number): Configuration =>
  foundIn(configurationsOf(world), { id: String(id) }, `There is no log configuration ${id}`);

/** The status that a configuration has, or had at an instant: undefined where there was none any more. */
export function statusAt({ content, suspensions, deletedAtMs }: Configuration, ms: number) {
  if (deletedAtMs !== undefined && deletedAtMs <= ms) return undefined;
  if (content.endDate !== undefined && content.endDate !== null && ms >= midnightOf(content.endDate) + dayMs)
    return "expired";
  const isSuspended = suspensions.some(({ fromMs, toMs }) => fromMs <= ms && (toMs === undefined || ms < toMs));
  return isSuspended ? "suspended" : "active";
}

/** When the original delivery of the hours of a day up to one is complete. */
export function completeAt({ content }: Configuration, date: string, endTime: number): number {
  const { aggregationDetails: aggregation } = content;
  const start = midnightOf(date);
  if (aggregation.type === "byHitTime")
    return start + dayMs + hoursOf("delivery-thresholds", aggregation.deliveryThreshold.id) * hourMs;
  const every = hoursOf("delivery-frequencies", aggregation.deliveryFrequency.id);
  // Logs of a period are delivered in the hour after it.
  return start + (Math.ceil(endTime / every) * every + 1) * hourMs;
}

const scheduledAfterMs = 5 * minuteMs;
const endedAfterMs = 2 * hourMs;

/** How far a redelivery is: it waits behind the original deliveries, and fails unless its configuration is active then. */
export function progressOf(world: World, { configurationId, createdAtMs }: Redelivery) {
  const age = world.now() - createdAtMs;
  if (age < scheduledAfterMs) return { status: "new", modifiedAtMs: createdAtMs };
  if (age < endedAfterMs) return { status: "scheduled", modifiedAtMs: createdAtMs + scheduledAfterMs };
  const endedAtMs = createdAtMs + endedAfterMs;
  const configuration = stateOf(world).configurations.get(configurationId);
  const isDelivered = configuration !== undefined && statusAt(configuration, endedAtMs) === "active";
  return { status: isDelivered ? "success" : "failed", modifiedAtMs: endedAtMs };
}
