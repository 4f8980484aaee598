/** Log configurations and redeliveries as the API checks and answers them. */
import type { Call } from "../../../language/behaviour.js";
import { dayMs } from "../../../language/durations.js";
import { logDelivery } from "../../../tools/log-delivery/index.js";
import { othersIn } from "../../others.js";
import { conflict } from "../../reply.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import {
  encodingsFor,
  formatsFor,
  gpgId,
  kinds,
  parameterBody,
  retentionDays,
  type Source,
  sourceAt,
  sourceReference,
  sourcesOf,
} from "./choices.js";
import {
  type Configuration,
  completeAt,
  configurationOf,
  configurationsOf,
  dayOf,
  invalid,
  midnightOf,
  progressOf,
  type Redelivery,
  stateOf,
  statusAt,
} from "./store.js";

const root = "/lds-api/v3";

/** Refuses what the source or the delivery does not take. */
function checkContent(
  { type, products }: Source,
  content: Configuration["content"],
  { earliest, unless }: { readonly earliest: string; readonly unless?: string },
): void {
  const { startDate, endDate, aggregationDetails: aggregation, encodingDetails } = content;
  if (startDate < earliest && startDate !== unless)
    throw invalid("startDate", startDate, `startDate must be at least one day after today, from ${earliest} on`);
  if (endDate !== undefined && endDate !== null && endDate < startDate)
    throw invalid("endDate", endDate, "endDate must not be before startDate");
  const { encoding, encodingKey } = encodingDetails;
  const [frequencies, thresholds] = [kinds["delivery-frequencies"].choices, kinds["delivery-thresholds"].choices];
  const chosen = [
    ["logFormatDetails.logFormat", content.logFormatDetails.logFormat, formatsFor(type, products)],
    ["messageSize", content.messageSize, kinds["message-sizes"].choices],
    ["contactDetails.contact", content.contactDetails.contact, kinds.contacts.choices],
    ["encodingDetails.encoding", encoding, encodingsFor(content.deliveryDetails.type, type)],
    aggregation.type === "byLogArrival"
      ? (["aggregationDetails.deliveryFrequency", aggregation.deliveryFrequency, frequencies] as const)
      : (["aggregationDetails.deliveryThreshold", aggregation.deliveryThreshold, thresholds] as const),
  ] as const;
  for (const [field, { id }, choices] of chosen)
    if (!choices.some((one) => one.id === id))
      throw invalid(field, id, `${field} must be one of ${choices.map((one) => one.id).join(", ")}`);
  if (encoding.id === gpgId && encodingKey === undefined)
    throw invalid("encodingDetails.encodingKey", undefined, "GPG needs an encodingKey");
}

/** The day from which a new configuration can deliver. */
export const earliestStart = (world: World): string => dayOf(world.now() + dayMs);

/** The configurations of a source, one at most. */
export const configurationsAt = (world: World, { type, id }: { type: string; id: string }) =>
  configurationsOf(world).filter(({ source }) => source.type === type && source.id === id);

/** Adds a configuration to a source that has none. */
export function addConfiguration(world: World, source: Source, content: Configuration["content"]): string {
  const [taken] = configurationsAt(world, source);
  if (taken) throw conflict(`The log source ${source.id} has the log configuration ${taken.id} already`);
  checkContent(source, content, { earliest: earliestStart(world) });
  const id = String(world.next("log configuration", 163_900));
  stateOf(world).configurations.set(id, {
    id,
    source: { type: source.type, id: source.id },
    content,
    sinceMs: midnightOf(content.startDate),
    suspensions: [],
  });
  return `${root}/log-configurations/${id}`;
}

/** A configuration as it is answered: without its password. */
export function configurationBody(world: World, configuration: Configuration) {
  const { id, source: at, content } = configuration;
  const { aggregationDetails: aggregation, deliveryDetails, contactDetails, logFormatDetails } = content;
  // A zone that was deleted meanwhile is still named.
  const source = sourcesOf(world).find((one) => one.type === at.type && one.id === at.id) ?? at;
  const chosen = (kind: keyof typeof kinds, reference: { readonly id: string }) => ({
    ...reference,
    ...parameterBody(kind, reference.id),
  });
  const ofType = `${root}/log-sources/${at.type}`;
  const same = "Get Log Configurations for the same log source";
  return {
    ...othersIn(logDelivery.operations.log_configuration_replace, content),
    id,
    status: statusAt(configuration, world.now()) ?? "expired",
    startDate: content.startDate,
    ...(content.endDate === undefined ? {} : { endDate: content.endDate }),
    logSource: sourceReference(source),
    contactDetails: { ...contactDetails, contact: chosen("contacts", contactDetails.contact) },
    logFormatDetails: { ...logFormatDetails, logFormat: chosen("log-formats", logFormatDetails.logFormat) },
    messageSize: chosen("message-sizes", content.messageSize),
    aggregationDetails:
      aggregation.type === "byLogArrival"
        ? { ...aggregation, deliveryFrequency: chosen("delivery-frequencies", aggregation.deliveryFrequency) }
        : { ...aggregation, deliveryThreshold: chosen("delivery-thresholds", aggregation.deliveryThreshold) },
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

/** Writes other content in the place of a configuration's. */
export function replaceContent(world: World, configuration: Configuration, content: Configuration["content"]): void {
  const { type, id } = configuration.source;
  checkContent(sourceAt(world, type, id), content, {
    earliest: earliestStart(world),
    unless: configuration.content.startDate,
  });
  configuration.content = content;
}

type Asked = Call<(typeof logDelivery)["operations"]["log_redelivery_create"]>["body"];

/** Takes a request for a redelivery, or refuses it for its hours, its day or its configuration. */
export function addRedelivery(world: World, { logConfiguration, redeliveryDate, beginTime, endTime }: Asked): string {
  const configuration = configurationOf(world, logConfiguration.id);
  const isByDay = configuration.content.aggregationDetails.type === "byHitTime";
  const [from, to] = [beginTime ?? 0, endTime ?? 24];
  if (to <= from) throw invalid("endTime", endTime, "endTime must be after beginTime");
  if (isByDay && (from !== 0 || to !== 24))
    throw invalid("beginTime", beginTime, "By calendar day, only whole days are redelivered");
  const status = statusAt(configuration, world.now());
  const inactive = `The log configuration is ${status}, and only active ones deliver`;
  if (status !== "active") throw invalid("logConfiguration.id", configuration.id, inactive);
  if (redeliveryDate < dayOf(world.now() - retentionDays * dayMs))
    throw invalid("redeliveryDate", redeliveryDate, `Logs are kept for ${retentionDays} days`);
  const originalMs = completeAt(configuration, redeliveryDate, to);
  const isDelivered =
    midnightOf(redeliveryDate) >= configuration.sinceMs &&
    originalMs <= world.now() &&
    statusAt(configuration, originalMs) === "active";
  if (!isDelivered) throw invalid("redeliveryDate", redeliveryDate, "The original delivery is not complete");
  const id = String(world.next("log redelivery", 800));
  const { id: configurationId } = configuration;
  const createdAtMs = world.now();
  stateOf(world).redeliveries.set(id, { id, configurationId, date: redeliveryDate, beginTime, endTime, createdAtMs });
  return `${root}/log-redeliveries/${id}`;
}

export function redeliveryBody(world: World, redelivery: Redelivery) {
  const { id, configurationId, date, beginTime, endTime, createdAtMs } = redelivery;
  const { status, modifiedAtMs } = progressOf(world, redelivery);
  return {
    id,
    logConfiguration: {
      id: configurationId,
      links: [{ rel: "self", href: `${root}/log-configurations/${configurationId}` }],
    },
    redeliveryDate: date,
    ...(beginTime === undefined ? {} : { beginTime }),
    ...(endTime === undefined ? {} : { endTime }),
    status,
    createdDate: instant(createdAtMs),
    modifiedDate: instant(modifiedAtMs),
    links: [{ rel: "self", href: `${root}/log-redeliveries/${id}` }],
  };
}
