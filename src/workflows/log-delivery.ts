/** Sets up a log delivery step by step: offers choices for what is missing, and validates the given ones. */
import type { Composition, Invoke, NoChange } from "../calls/context.js";
import { composedChange } from "../calls/workflow.js";
import type { Arguments } from "../language/conduct.js";
import { type FieldProblem, quoteValue } from "../language/failure.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { Day } from "../tools/fields.js";
import { sourceTitle } from "../tools/log-delivery/guards.js";
import {
  DeliveryDetails,
  LogConfiguration,
  LogSource,
  LogSourceType,
  MailAddresses,
  Parameter,
} from "../tools/log-delivery/shapes.js";
import { parseShape } from "./steps.js";

const maxOffered = 50;

type Source = z.output<typeof LogSource>;
type Choice = z.output<typeof Parameter>;

/** The intermediate result: problems, and remaining choices. */
interface Finding {
  readonly problems: FieldProblem[];
  readonly choices: Record<string, unknown>;
}

async function listOf<S extends z.ZodType>(invoke: Invoke, from: string, args: Arguments, item: S) {
  return parseShape(from, z.array(item), (await invoke(from, args)).body);
}

/** The first of many, with a line that counts the rest. */
const bounded = (items: readonly unknown[], more: string): readonly unknown[] =>
  items.length <= maxOffered ? items : [...items.slice(0, maxOffered), `${items.length - maxOffered} more: ${more}`];

const parameterText = ({ id, value }: Choice): string =>
  `${quoteValue(id)}${value === undefined ? "" : ` (${quoteValue(value.trim())})`}`;
const isSame = (one: string | undefined, other: string): boolean =>
  one?.trim().toLowerCase() === other.trim().toLowerCase();

/** The choice that an id or a value names; without one the choices are offered, and an unknown one is a problem. */
function chooseParameter(finding: Finding, field: string, idOrValue: string | undefined, offered: readonly Choice[]) {
  const offer = offered.map(({ id, value }) => ({ id, ...(value === undefined ? {} : { value: value.trim() }) }));
  if (idOrValue === undefined) {
    finding.choices[field] = bounded(offer, "ask for the id in full");
    return undefined;
  }
  const parameter = offered.find(({ id }) => id === idOrValue) ?? offered.find(({ value }) => isSame(value, idOrValue));
  if (!parameter)
    finding.problems.push({
      field,
      given: quoteValue(idOrValue),
      takes: `one of ${offered.map(parameterText).join(", ") || "none"}`,
    });
  return parameter;
}

/** Whether a text names a source: by its id, its name, or the number of its CP code. */
const isNamed = (source: Source, name: string): boolean =>
  source.id === name || isSame(sourceTitle(source), name) || source.cpCode?.trim().split(" ")[0] === name;

/** The ids of a type's sources that already have a configuration and cannot have another. */
async function sourcesInUse(invoke: Invoke, logSourceType: string): Promise<ReadonlySet<string>> {
  const from = "log_type_configurations_list";
  const configurations = await listOf(invoke, from, { logSourceType }, LogConfiguration.pick({ logSource: true }));
  return new Set(configurations.map(({ logSource }) => logSource.id));
}

/** The named source, if it is free; without a name, the free ones are offered. */
async function sourceOf(
  finding: Finding,
  invoke: Invoke,
  logSourceType: z.output<typeof LogSourceType> | undefined,
  name: string | undefined,
): Promise<Source | undefined> {
  const all = await (logSourceType === undefined
    ? listOf(invoke, "log_sources_list", {}, LogSource)
    : listOf(invoke, "log_type_sources_list", { logSourceType }, LogSource));
  const named = name === undefined ? all : all.filter((one) => isNamed(one, name));
  const free: Source[] = [];
  // There is no list for an unknown type.
  for (const type of new Set(named.map((one) => one.type).filter((one) => LogSourceType.safeParse(one).success))) {
    const inUse = await sourcesInUse(invoke, type);
    free.push(...named.filter((one) => one.type === type && !inUse.has(one.id)));
  }
  const [only, ...others] = free;
  if (name !== undefined && only && others.length === 0) return only;
  const offer = free.map((one) => ({ type: one.type, id: one.id, name: sourceTitle(one) }));
  if (name === undefined) finding.choices["logSource"] = bounded(offer, "log_sources_list shows all");
  else {
    const takes = only
      ? `one source; this names ${offer.map(({ type, id }) => `${type} ${id}`).join(", ")}`
      : named.length === 0
        ? "the id or the name of a log source; leave it out to see which are free"
        : "a log source without a configuration, because each has at most one; log_configuration_replace changes an existing one";
    finding.problems.push({ field: "logSource", given: quoteValue(name), takes });
  }
  return undefined;
}

/** When logs are delivered: as they arrive, or by calendar day. */
async function aggregationOf(finding: Finding, invoke: Invoke, request: DeliveryRequest) {
  const { deliveryFrequency, deliveryThreshold, deliverResidualData } = request;
  if (deliveryFrequency !== undefined && deliveryThreshold !== undefined) {
    const takes = "nothing together with deliveryFrequency: logs are delivered as they arrive or by calendar day";
    finding.problems.push({ field: "deliveryThreshold", given: quoteValue(deliveryThreshold), takes });
    return undefined;
  }
  if (deliverResidualData !== undefined && deliveryFrequency !== undefined)
    finding.problems.push({
      field: "deliverResidualData",
      given: quoteValue(deliverResidualData),
      takes: "nothing with deliveryFrequency, because logs are delivered as they arrive",
    });
  const frequencies = () => listOf(invoke, "log_delivery_frequencies_list", {}, Parameter);
  const thresholds = () => listOf(invoke, "log_delivery_thresholds_list", {}, Parameter);
  if (deliveryThreshold !== undefined) {
    const parameter = chooseParameter(finding, "deliveryThreshold", deliveryThreshold, await thresholds());
    const residual = deliverResidualData === undefined ? {} : { deliverResidualData };
    return (
      parameter && {
        value: parameter.value,
        written: { type: "byHitTime", deliveryThreshold: { id: parameter.id }, ...residual },
      }
    );
  }
  const parameter = chooseParameter(finding, "deliveryFrequency", deliveryFrequency, await frequencies());
  if (deliveryFrequency === undefined) chooseParameter(finding, "deliveryThreshold", undefined, await thresholds());
  return (
    parameter && { value: parameter.value, written: { type: "byLogArrival", deliveryFrequency: { id: parameter.id } } }
  );
}

/** How logs are packed: options that suit the source and the delivery, with a key if it is needed. */
async function encodingOf(finding: Finding, invoke: Invoke, { type: logSourceType }: Source, request: DeliveryRequest) {
  const { deliveryDetails, encoding, encodingKey } = request;
  if (deliveryDetails === undefined) return undefined;
  const args = { logSourceType, deliveryType: deliveryDetails.type };
  const offered = await listOf(invoke, "log_type_encodings_list", args, Parameter);
  const parameter = chooseParameter(finding, "encoding", encoding, offered);
  const isGpg = /gpg/i.test(parameter?.value ?? "");
  if (parameter && isGpg && encodingKey === undefined)
    finding.choices["encodingKey"] = "The public key of the recipients, which GPG needs";
  if (parameter && !isGpg && encodingKey !== undefined)
    finding.problems.push({
      field: "encodingKey",
      takes: `nothing with ${parameterText(parameter)}: only GPG takes a key`,
    });
  return parameter;
}

const tool = "log_delivery_create";
const choice = z.string().min(1).optional();
const input = z.strictObject({
  logSourceType: LogSourceType.optional(),
  logSource: choice.describe("Id, CP code or name"),
  logFormat: choice.describe("Of this and the other parameters: id or value"),
  logIdentifier: choice.describe("First word of file names"),
  deliveryDetails: DeliveryDetails.optional(),
  encoding: choice,
  encodingKey: choice.describe("Public GPG key"),
  deliveryFrequency: choice.describe("As logs arrive; or deliveryThreshold"),
  deliveryThreshold: choice.describe("By calendar day"),
  deliverResidualData: z.boolean().optional().describe("Late logs, too"),
  messageSize: choice,
  contact: choice,
  mailAddresses: MailAddresses.optional(),
  startDate: Day.optional().describe("From tomorrow on"),
  endDate: Day.optional(),
});
type DeliveryRequest = z.output<typeof input>;

/** The choices, when they are complete. */
interface DeliveryChoices {
  readonly startDate: string;
  readonly deliveryDetails: z.output<typeof DeliveryDetails>;
  readonly aggregation: unknown;
  readonly contact: Choice;
  readonly encoding: Choice;
  readonly format: Choice;
  readonly size: Choice;
}

/** The configuration in the API's form. */
function configurationOf(
  { endDate, logIdentifier, encodingKey, mailAddresses }: DeliveryRequest,
  { startDate, deliveryDetails, aggregation, contact, encoding, format, size }: DeliveryChoices,
) {
  return {
    startDate,
    ...(endDate === undefined ? {} : { endDate }),
    contactDetails: { contact: { id: contact.id }, ...(mailAddresses === undefined ? {} : { mailAddresses }) },
    logFormatDetails: { logFormat: { id: format.id }, ...(logIdentifier === undefined ? {} : { logIdentifier }) },
    messageSize: { id: size.id },
    aggregationDetails: aggregation,
    encodingDetails: { encoding: { id: encoding.id }, ...(encodingKey === undefined ? {} : { encodingKey }) },
    deliveryDetails,
  };
}

/** What each kind of delivery needs, for a caller who has not chosen yet. */
const deliveries = [
  { type: "email", emailAddress: "address" },
  { type: "ftp", machine: "host", login: "user", password: "secret", directory: "/path" },
  {
    type: "httpsns4",
    domainPrefix: "prefix of the upload host",
    cpcodeId: "CP code of the storage",
    directory: "/path",
  },
] as const;

export const logDeliveryCreation = composedChange({
  title: "Log delivery: set up step by step",
  does: "Sets up the delivery of a log source's logs. Call it with what you know: it offers choices for the rest, and previews the configuration when it is complete.",
  input,
  steps: [
    "List the log sources that have no configuration yet.",
    "List the log formats of the source.",
    "List the encodings that suit the source and the kind of delivery.",
    "List the delivery frequencies, completion thresholds, message sizes and contacts.",
    "Preview the configuration, and when it is approved create it.",
  ],
  example: {
    logSource: "12346",
    logFormat: "combined",
    deliveryDetails: { type: "email", emailAddress: "logs@shop.example" },
    encoding: "2",
    deliveryFrequency: "1",
    messageSize: "3",
    contact: "1-C30O",
    startDate: "2099-01-01",
  },
  makes: "log_configuration_create",

  async compose(request, { invoke }): Promise<Composition | NoChange> {
    const finding: Finding = { problems: [], choices: {} };
    const { logSourceType, logSource, deliveryDetails, startDate } = request;
    const choose = async (field: "logFormat" | "messageSize" | "contact", from: string, args: Arguments = {}) =>
      chooseParameter(finding, field, request[field], await listOf(invoke, from, args, Parameter));
    const source = await sourceOf(finding, invoke, logSourceType, logSource);
    const place = source && { logSourceType: source.type, logSourceId: source.id };
    const format = place && (await choose("logFormat", "log_source_formats_list", place));
    if (deliveryDetails === undefined) finding.choices["deliveryDetails"] = deliveries;
    const encoding = source && (await encodingOf(finding, invoke, source, request));
    const aggregation = await aggregationOf(finding, invoke, request);
    const size = await choose("messageSize", "log_message_sizes_list");
    const contact = await choose("contact", "log_contacts_list");
    if (startDate === undefined) finding.choices["startDate"] = "A UTC date from tomorrow on";
    if (finding.problems.length > 0) throw invalidInput(tool, finding.problems);
    const isWhole = source && format && encoding && aggregation && size && contact && deliveryDetails && startDate;
    const open = Object.keys(finding.choices);
    if (!isWhole || open.length > 0)
      return {
        unchanged: `Not all choices are made yet: ${open.join(", ")}. Call ${tool} again with the previous arguments and a choice for each${source && deliveryDetails ? "" : "; formats and encodings are offered once the source and the delivery are known"}. Choose either deliveryFrequency or deliveryThreshold.`,
        choices: finding.choices,
      };
    const chosen = { startDate, deliveryDetails, aggregation: aggregation.written, contact, encoding, format, size };
    return {
      args: { ...place, body: configurationOf(request, chosen) },
      notes: [
        `Format: ${parameterText(format)}; encoding: ${parameterText(encoding)}; message size: ${parameterText(size)}.`,
        `Delivered: ${quoteValue(aggregation.value ?? "")}; contact: ${parameterText(contact)}.`,
      ],
    };
  },
});
