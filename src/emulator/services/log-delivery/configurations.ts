/** The log configurations and redeliveries of the emulated account: what is refused, and what becomes of them in time. */
import { dayMs, hourMs, minuteMs } from "../../../time/durations.js";
import { logDelivery } from "../../../tools/log-delivery/index.js";
import type { Call } from "../../behaviour.js";
import { undeclaredMembers } from "../../others.js";
import { seedsOf } from "../../primitives/seeds.js";
import { findIn, Store } from "../../primitives/store.js";
import { badRequest, conflict } from "../../reply.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import {
  choicesOf,
  encodingsFor,
  formatsFor,
  gpgId,
  hoursOf,
  parameterBody,
  retentionDays,
  root,
  type SourceType,
  sourceAt,
  sourceReference,
  sourcesOf,
  type TypedLogSource,
} from "./choices.js";
import seeds from "./seeds.json" with { type: "json" };

type Operations = (typeof logDelivery)["operations"];
type Content = Call<Operations["log_configuration_create"]>["body"];

interface Configuration {
  readonly id: string;
  readonly source: { readonly type: SourceType; readonly id: string };
  content: Content;
  /** The first day of its deliveries; a later start does not undo what was delivered. */
  readonly startAtMs: number;
  /** When it was suspended, and resumed again. */
  readonly suspensions: { readonly fromAtMs: number; toAtMs?: number }[];
  deletedAtMs?: number;
}
interface Redelivery {
  readonly id: string;
  readonly configurationId: string;
  readonly date: string;
  readonly beginTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly createdAtMs: number;
}
interface Seeds {
  readonly configurations: readonly (Omit<Configuration, "content"> & {
    readonly endAtMs?: number;
    readonly content: Omit<Content, "startDate" | "endDate">;
  })[];
  readonly redeliveries: readonly (Omit<Redelivery, "date"> & { readonly dayAtMs: number })[];
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const midnightOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

export const stateOf = (world: World) =>
  world.state("log delivery", () => {
    const { configurations, redeliveries } = seedsOf<Seeds>(seeds, world.startedAtMs);
    return {
      configurations: new Store<Configuration>(
        "id",
        (id) => `There is no log configuration ${id}`,
        configurations.map(({ startAtMs, endAtMs, content, ...others }) => {
          const startDate = dayOf(startAtMs);
          const ends = endAtMs === undefined ? {} : { endDate: dayOf(endAtMs) };
          return { ...others, startAtMs: midnightOf(startDate), content: { startDate, ...ends, ...content } };
        }),
      ),
      redeliveries: new Store<Redelivery>(
        "id",
        (id) => `There is no redelivery ${id}`,
        redeliveries.map(({ dayAtMs, ...others }) => ({ ...others, date: dayOf(dayAtMs), beginTime: 0, endTime: 24 })),
      ),
    };
  });

/** The status that a configuration has, or had at an instant: undefined where there was none any more. */
function statusAt({ content, suspensions, deletedAtMs }: Configuration, ms: number) {
  if (deletedAtMs !== undefined && deletedAtMs <= ms) return undefined;
  if (content.endDate && ms >= midnightOf(content.endDate) + dayMs) return "expired";
  const isSuspended = suspensions.some(
    ({ fromAtMs, toAtMs }) => fromAtMs <= ms && (toAtMs === undefined || ms < toAtMs),
  );
  return isSuspended ? "suspended" : "active";
}

/** The configurations that were not deleted. */
export const configurationsOf = (world: World): readonly Configuration[] =>
  stateOf(world).configurations.all.filter(({ deletedAtMs }) => deletedAtMs === undefined);
export const configurationOf = (world: World, id: string | number): Configuration =>
  findIn(configurationsOf(world), { id: String(id) }, `There is no log configuration ${id}`);
/** The configurations of a source, one at most. */
export const configurationsAt = (world: World, { type, id }: { type: string; id: string }) =>
  configurationsOf(world).filter(({ source }) => source.type === type && source.id === id);

/** A configuration that is to be moved out of a status; refuses one that has another. */
export function configurationIn(world: World, id: string | number, wanted: "active" | "suspended"): Configuration {
  const configuration = configurationOf(world, id);
  const status = statusAt(configuration, world.now());
  if (status !== wanted) throw conflict(`The log configuration ${id} is ${status}, not ${wanted}`);
  return configuration;
}

/** The choice that an aggregation has by its type: its member, the kind of parameter, and the reference to it. */
const choiceOfAggregation = (aggregation: Content["aggregationDetails"]) =>
  aggregation.type === "byLogArrival"
    ? ({ name: "deliveryFrequency", kind: "delivery-frequencies", choice: aggregation.deliveryFrequency } as const)
    : ({ name: "deliveryThreshold", kind: "delivery-thresholds", choice: aggregation.deliveryThreshold } as const);

/** Refuses the value of a member of a body. */
const invalid = (field: string, value: unknown, detail: string) => badRequest(detail, { field, value });

/** The day from which a new configuration can deliver. */
export const earliestStart = (world: World): string => dayOf(world.now() + dayMs);

/** Refuses what the source or the delivery does not take. @param former The content that is replaced. */
function checkContent(world: World, { type, products }: TypedLogSource, content: Content, former?: Content): void {
  const { startDate, endDate, aggregationDetails, encodingDetails } = content;
  const earliest = earliestStart(world);
  if (startDate < earliest && startDate !== former?.startDate)
    throw invalid("startDate", startDate, `startDate must be at least one day after today, from ${earliest} on`);
  if (endDate && endDate < startDate) throw invalid("endDate", endDate, "endDate must not be before startDate");
  const { encoding, encodingKey } = encodingDetails;
  const aggregation = choiceOfAggregation(aggregationDetails);
  const chosen = [
    ["logFormatDetails.logFormat", content.logFormatDetails.logFormat, formatsFor(type, products)],
    ["messageSize", content.messageSize, choicesOf("message-sizes")],
    ["contactDetails.contact", content.contactDetails.contact, choicesOf("contacts")],
    ["encodingDetails.encoding", encoding, encodingsFor(content.deliveryDetails.type, type)],
    [`aggregationDetails.${aggregation.name}`, aggregation.choice, choicesOf(aggregation.kind)],
  ] as const;
  for (const [field, { id }, choices] of chosen)
    if (!choices.some((one) => one.id === id))
      throw invalid(field, id, `${field} must be one of ${choices.map((one) => one.id).join(", ")}`);
  if (encoding.id === gpgId && encodingKey === undefined)
    throw invalid("encodingDetails.encodingKey", undefined, "GPG needs an encodingKey");
}

/** Adds a configuration to a source that has none. */
export function addConfiguration(world: World, source: TypedLogSource, content: Content) {
  const [taken] = configurationsAt(world, source);
  if (taken) throw conflict(`The log source ${source.id} has the log configuration ${taken.id} already`);
  checkContent(world, source, content);
  const id = String(world.next("log configuration", 163_900));
  const at = { source: { id: source.id, type: source.type }, startAtMs: midnightOf(content.startDate) };
  stateOf(world).configurations.add({ id, ...at, content, suspensions: [] });
  return { location: `${root}/log-configurations/${id}` };
}

/** Writes other content in the place of a configuration's. */
export function replaceContent(world: World, configuration: Configuration, content: Content) {
  const { id, source } = configuration;
  checkContent(world, sourceAt(world, source.type, source.id), content, configuration.content);
  configuration.content = content;
  return { location: `${root}/log-configurations/${id}` };
}

/** A configuration as it is answered: without its password. */
export function configurationBody(world: World, configuration: Configuration) {
  const { id, source: at, content } = configuration;
  const { aggregationDetails, deliveryDetails, contactDetails, logFormatDetails } = content;
  const aggregation = choiceOfAggregation(aggregationDetails);
  // A zone that was deleted meanwhile is still named.
  const source = sourcesOf(world).find((one) => one.type === at.type && one.id === at.id) ?? at;
  const chosen = (kind: Parameters<typeof parameterBody>[0], reference: { readonly id: string }) => ({
    ...reference,
    ...parameterBody(kind, reference.id),
  });
  const ofType = `${root}/log-sources/${at.type}`;
  const same = "Get Log Configurations for the same log source";
  return {
    ...undeclaredMembers(logDelivery.operations.log_configuration_replace, content),
    id,
    status: statusAt(configuration, world.now()) ?? "expired",
    startDate: content.startDate,
    endDate: content.endDate,
    logSource: sourceReference(source),
    contactDetails: { ...contactDetails, contact: chosen("contacts", contactDetails.contact) },
    logFormatDetails: { ...logFormatDetails, logFormat: chosen("log-formats", logFormatDetails.logFormat) },
    messageSize: chosen("message-sizes", content.messageSize),
    aggregationDetails: { ...aggregationDetails, [aggregation.name]: chosen(aggregation.kind, aggregation.choice) },
    encodingDetails: { ...content.encodingDetails, encoding: chosen("encodings", content.encodingDetails.encoding) },
    deliveryDetails: deliveryDetails.type === "ftp" ? { ...deliveryDetails, password: "" } : deliveryDetails,
    links: [
      { rel: "self", href: `${root}/log-configurations/${id}` },
      { rel: "get-log-configurations-for-log-source", href: `${ofType}/${at.id}/log-configurations`, title: same },
      {
        rel: "get-log-configurations-for-log-source-type",
        href: `${ofType}/log-configurations`,
        title: `${same} type`,
      },
    ],
  };
}

/** When the original delivery of the hours of a day up to one is complete. */
function completeAt({ content }: Configuration, date: string, endTime: number): number {
  const { kind, choice } = choiceOfAggregation(content.aggregationDetails);
  const hours = hoursOf(kind, choice.id);
  // A threshold counts from the end of the day. Logs of a frequency's period are delivered in the hour after it.
  const last = kind === "delivery-thresholds" ? 24 + hours : Math.ceil(endTime / hours) * hours + 1;
  return midnightOf(date) + last * hourMs;
}

/** Takes a request for a redelivery, or refuses it for its hours, its day or its configuration. */
export function addRedelivery(world: World, request: Call<Operations["log_redelivery_create"]>["body"]) {
  const { logConfiguration, redeliveryDate: date, beginTime, endTime } = request;
  const configuration = configurationOf(world, logConfiguration.id);
  const isByDay = configuration.content.aggregationDetails.type === "byHitTime";
  const [from, to] = [beginTime ?? 0, endTime ?? 24];
  if (to <= from) throw invalid("endTime", endTime, "endTime must be after beginTime");
  if (isByDay && (from !== 0 || to !== 24))
    throw invalid("beginTime", beginTime, "By calendar day, only whole days are redelivered");
  const status = statusAt(configuration, world.now());
  const inactive = `The log configuration is ${status}, and only active ones deliver`;
  if (status !== "active") throw invalid("logConfiguration.id", configuration.id, inactive);
  if (date < dayOf(world.now() - retentionDays * dayMs))
    throw invalid("redeliveryDate", date, `Logs are kept for ${retentionDays} days`);
  const originalMs = completeAt(configuration, date, to);
  const isDelivered =
    midnightOf(date) >= configuration.startAtMs &&
    originalMs <= world.now() &&
    statusAt(configuration, originalMs) === "active";
  if (!isDelivered) throw invalid("redeliveryDate", date, "The original delivery is not complete");
  const id = String(world.next("log redelivery", 800));
  const createdAtMs = world.now();
  stateOf(world).redeliveries.add({ id, configurationId: configuration.id, date, beginTime, endTime, createdAtMs });
  return { location: `${root}/log-redeliveries/${id}` };
}

const scheduledAfterMs = 5 * minuteMs;
const endedAfterMs = 2 * hourMs;
/** How far a redelivery is: it waits behind the original deliveries, and fails unless its configuration is active then. */
function progressOf(world: World, { configurationId, createdAtMs }: Redelivery) {
  const age = world.now() - createdAtMs;
  if (age < scheduledAfterMs) return { status: "new", modifiedAtMs: createdAtMs };
  if (age < endedAfterMs) return { status: "scheduled", modifiedAtMs: createdAtMs + scheduledAfterMs };
  const endedAtMs = createdAtMs + endedAfterMs;
  const isDelivered = statusAt(stateOf(world).configurations.find(configurationId), endedAtMs) === "active";
  return { status: isDelivered ? "success" : "failed", modifiedAtMs: endedAtMs };
}

export function redeliveryBody(world: World, redelivery: Redelivery) {
  const { id, configurationId, createdAtMs, date, beginTime, endTime } = redelivery;
  const { status, modifiedAtMs } = progressOf(world, redelivery);
  const links = [{ rel: "self", href: `${root}/log-configurations/${configurationId}` }];
  return {
    id,
    logConfiguration: { id: configurationId, links },
    redeliveryDate: date,
    beginTime,
    endTime,
    status,
    createdDate: instant(createdAtMs),
    modifiedDate: instant(modifiedAtMs),
    links: [{ rel: "self", href: `${root}/log-redeliveries/${id}` }],
  };
}
