/** Log configurations as the API checks and answers them. */
import { dayMs } from "../../../language/durations.js";
import { logDelivery } from "../../../tools/log-delivery/index.js";
import { othersIn } from "../../others.js";
import { conflict } from "../../reply.js";
import type { World } from "../../world.js";
import { encodingsFor, formatsFor, gpgId, kinds, parameterBody } from "./parameters.js";
import { type Source, sourceAt, sourceReference, sourcesOf } from "./sources.js";
import { type Configuration, configurationsOf, dayOf, invalid, midnightOf, stateOf, statusAt } from "./store.js";

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
  const chosen = [
    ["logFormatDetails.logFormat", content.logFormatDetails.logFormat, formatsFor(type, products)],
    ["messageSize", content.messageSize, kinds["message-sizes"].choices],
    ["contactDetails.contact", content.contactDetails.contact, kinds.contacts.choices],
    ["encodingDetails.encoding", encoding, encodingsFor(content.deliveryDetails.type, type)],
    aggregation.type === "byLogArrival"
      ? ([
          "aggregationDetails.deliveryFrequency",
          aggregation.deliveryFrequency,
          kinds["delivery-frequencies"].choices,
        ] as const)
      : ([
          "aggregationDetails.deliveryThreshold",
          aggregation.deliveryThreshold,
          kinds["delivery-thresholds"].choices,
        ] as const),
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
  return `/lds-api/v3/log-configurations/${id}`;
}

const root = "/lds-api/v3";

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
  const ofSource = `${root}/log-sources/${at.type}/${at.id}/log-configurations`;
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
      {
        rel: "get-log-configurations-for-log-source",
        href: ofSource,
        title: "Get Log Configurations for the same log source",
      },
      {
        rel: "get-log-configurations-for-log-source-type",
        href: `${root}/log-sources/${at.type}/log-configurations`,
        title: "Get Log Configurations for the same log source type",
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
