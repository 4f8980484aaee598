/** A delivery of logs set up step by step: what is not chosen yet is offered, what is chosen is checked against the offer. */
import { invalidInput } from "../api/arguments.js";
import { shown } from "../api/failure.js";
import { Day } from "../api/fields.js";
import { z } from "../api/z.js";
import type { Composition, Unchanged } from "../calls/context.js";
import { change } from "../calls/workflow.js";
import { DeliveryDetails, LogSourceType, MailAddresses, Parameter } from "../tools/log-delivery/shapes.js";
import {
  aggregationOf,
  chosenOf,
  encodingOf,
  type Finding,
  inWords,
  listOf,
  sourceOf,
} from "./log-delivery-choices.js";

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
/** What each kind of delivery needs, for somebody who has not chosen yet. */
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

export const logDeliveryCreation = change({
  title: "Log delivery: set up step by step",
  does: "Sets up the delivery of a log source's logs. Call it with what is known: it offers choices for the rest, and previews the configuration when all is chosen.",
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

  async compose(asked, { invoke }): Promise<Composition | Unchanged> {
    const finding: Finding = { problems: [], choices: {} };
    const { logSourceType, logSource, deliveryDetails, startDate, endDate, logIdentifier, mailAddresses } = asked;
    const source = await sourceOf(finding, invoke, logSourceType, logSource);
    const place = source && { logSourceType: source.type, logSourceId: source.id };
    const format =
      place &&
      chosenOf(
        finding,
        "logFormat",
        asked.logFormat,
        await listOf(invoke, "log_source_formats_list", place, Parameter),
      );
    if (deliveryDetails === undefined) finding.choices["deliveryDetails"] = deliveries;
    const encoding = source && (await encodingOf(finding, invoke, source, asked));
    const aggregation = await aggregationOf(finding, invoke, asked);
    const sizes = await listOf(invoke, "log_message_sizes_list", {}, Parameter);
    const size = chosenOf(finding, "messageSize", asked.messageSize, sizes);
    const contact = chosenOf(
      finding,
      "contact",
      asked.contact,
      await listOf(invoke, "log_contacts_list", {}, Parameter),
    );
    if (startDate === undefined) finding.choices["startDate"] = "A UTC date from tomorrow on";
    if (finding.problems.length > 0) throw invalidInput(tool, finding.problems);
    const isWhole = source && format && encoding && aggregation && size && contact && deliveryDetails && startDate;
    const open = Object.keys(finding.choices);
    if (!isWhole || open.length > 0)
      return {
        unchanged: `Not all is chosen yet: ${open.join(", ")}. Call ${tool} again with what was given and a choice for each${source && deliveryDetails ? "" : "; formats and encodings are offered once the source and the delivery are known"}. Of deliveryFrequency and deliveryThreshold choose one.`,
        choices: finding.choices,
      };
    const { encodingKey } = asked;
    return {
      args: {
        ...place,
        body: {
          startDate,
          ...(endDate === undefined ? {} : { endDate }),
          contactDetails: { contact: { id: contact.id }, ...(mailAddresses === undefined ? {} : { mailAddresses }) },
          logFormatDetails: {
            logFormat: { id: format.id },
            ...(logIdentifier === undefined ? {} : { logIdentifier }),
          },
          messageSize: { id: size.id },
          aggregationDetails: aggregation.written,
          encodingDetails: { encoding: { id: encoding.id }, ...(encodingKey === undefined ? {} : { encodingKey }) },
          deliveryDetails,
        },
      },
      notes: [
        `Format: ${inWords(format)}; encoding: ${inWords(encoding)}; message size: ${inWords(size)}.`,
        `Delivered: ${shown(aggregation.value ?? "")}; contact: ${inWords(contact)}.`,
      ],
    };
  },
});
