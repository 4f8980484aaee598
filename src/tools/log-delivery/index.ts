/** Log delivery (document C): where the logs of each log source go, in which form and how often, and redeliveries. */
import { json, op } from "../../language/define.js";
import { type DeclaredResource, introduction } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { configurationOperations } from "./configurations.js";
import { DeliveryType, LogConfiguration, LogSource, LogSourceType, Parameter, ParameterId, source } from "./shapes.js";

/** The distinct types of the account's log sources. */
const SourceTypes = z
  .array(LogSource)
  .transform((sources) => [...new Set(sources.map(({ type }) => type))])
  .catch([]);
const values = { logSourceType: { tool: "log_sources_list", of: SourceTypes } };

const parameter = (name: string, tool: string, title: string): DeclaredResource => ({
  address: `log://parameters/${name}`,
  name: `log-${name}`,
  title,
  description: `${title}: the ids that a log configuration takes, read from the account.`,
  content: { tool },
});

const type = { logSourceType: LogSourceType };
const parameterResponse = { 200: json(Parameter) };
const list = { 200: json(z.array(Parameter)) };
const configurations = { 200: json(z.array(LogConfiguration)) };
const errors = { 404: "There is no such log source: log_sources_list lists all." };
const parameters = "/lds-api/v3/log-configuration-parameters";
const forDelivery = { deliveryType: DeliveryType.optional() };
const forSource = { ...forDelivery, logSourceType: LogSourceType.optional() };

export const logDelivery = service("log", {
  name: "log-delivery",
  document: "C",
  title: "Log delivery",
  about: "Configures the delivery of logs by mail, by FTP or to network storage, and requests redeliveries.",
  standing: { state: "unknown", successor: "DataStream v3" },
  frontLine: ["log_type_configurations_list"],
  introduction: introduction`${"log_delivery_create"} sets up a log delivery choice by choice.`,
  resources: [
    {
      address: "log://sources/{logSourceType}/log-configurations",
      name: "log-configurations",
      title: "Log configurations",
      description: "Where the logs of each source of a type go, in which form and how often.",
      content: { tool: "log_type_configurations_list", values },
    },
    {
      address: "log://sources/{logSourceType}/log-formats",
      name: "log-formats",
      title: "Log formats",
      description: "The log formats that sources of a type can have.",
      content: { tool: "log_type_formats_list", values },
    },
    parameter("encodings", "log_encodings_list", "Encodings of log files"),
    parameter("delivery-frequencies", "log_delivery_frequencies_list", "Delivery frequencies of logs"),
    parameter("delivery-thresholds", "log_delivery_thresholds_list", "Completion thresholds of a day's logs"),
    parameter("message-sizes", "log_message_sizes_list", "Message sizes of log mails"),
    parameter("contacts", "log_contacts_list", "Contacts for log delivery"),
  ],
  ids: {
    logFormatId: "log_type_formats_list",
    logConfigurationId: "log_type_configurations_list",
    "body.copyTarget.logSource.id": "log_type_sources_list",
    "body.logConfiguration.id": "log_type_configurations_list",
  },
  rules: {
    "log-one-per-source": "A log source has at most one configuration.",
    "log-start-ahead": "startDate is at least one day after today.",
    "log-aggregation":
      "Logs are delivered as they arrive, with a frequency, or by calendar day, with a completion threshold: the percentage of the expected logs to wait for. A high one makes a delivery more complete and may delay it; a low one leaves more to the delivery of residual data.",
    "log-location": "A creation returns the new resource's Location, whose last segment is its id.",
    "log-gpg-key": "GPG requires an uploaded key.",
    "log-replaced": "A replacement removes the members that it leaves out.",
    "log-password-hidden": "The password of an FTP delivery is empty in every response.",
    "log-status-moves":
      "An active configuration can be suspended, and a suspended one resumed; only active ones deliver.",
    "log-status-expired": "A configuration is expired after its endDate.",
    "log-formats": "The available log formats depend on the log source.",
    "log-encodings":
      "deliveryType and logSourceType limit the encodings: gzip with uuencode and MIME with base-64 are for mail.",
    "log-encodings-gpg-only": "Resolver-service and threat-protection sources support only GPG.",
    "log-message-sizes": "A message has 1 to 50 MB compressed.",
    "log-redelivery-complete": "A redelivery can be requested only after the original delivery is complete.",
    "log-redelivery-retention": "A day can be redelivered while the log source keeps its logs.",
    "log-redelivery-whole-day":
      "With aggregation by calendar day, only whole days are redelivered, without begin and end.",
    "log-redelivery-priority": "A redelivery runs at lower priority: it is new, then scheduled, then done.",
  },
  operations: {
    log_sources_list: op("GET /lds-api/v3/log-sources", {
      does: "Lists the log sources: CP codes, zones, traffic-management properties and others.",
      returns: { 200: json(z.array(LogSource)) },
    }),
    log_type_sources_list: op("GET /lds-api/v3/log-sources/{logSourceType}", {
      does: "Lists the log sources of a type.",
      path: type,
      returns: { 200: json(z.array(LogSource)) },
      note: "Older pages call the types gtm-properties, edns-zones and answerx-objects.",
      example: { logSourceType: "cpcode-products" },
    }),
    log_source_get: op("GET /lds-api/v3/log-sources/{logSourceType}/{logSourceId}", {
      does: "Reads a log source and how long its logs are kept.",
      path: source,
      returns: { 200: json(LogSource) },
      means: errors,
      example: { logSourceType: "cpcode-products", logSourceId: "12345-1" },
    }),
    log_type_configurations_list: op("GET /lds-api/v3/log-sources/{logSourceType}/log-configurations", {
      does: "Lists the log configurations of a type of source.",
      path: type,
      returns: configurations,
      example: { logSourceType: "cpcode-products" },
    }),
    log_source_configurations_list: op("GET /lds-api/v3/log-sources/{logSourceType}/{logSourceId}/log-configurations", {
      does: "Lists the log configuration of a source, at most one.",
      path: source,
      returns: configurations,
      rules: ["log-one-per-source"],
      means: errors,
      example: { logSourceType: "cpcode-products", logSourceId: "12345-1" },
    }),
    log_type_formats_list: op("GET /lds-api/v3/log-sources/{logSourceType}/log-formats", {
      does: "Lists the log formats of a type of source.",
      path: type,
      returns: list,
      example: { logSourceType: "cpcode-products" },
    }),
    log_source_formats_list: op("GET /lds-api/v3/log-sources/{logSourceType}/{logSourceId}/log-formats", {
      does: "Lists the log formats that a source can have.",
      path: source,
      returns: list,
      rules: ["log-formats"],
      means: errors,
      example: { logSourceType: "cpcode-products", logSourceId: "12345-1" },
    }),
    log_type_encodings_list: op("GET /lds-api/v3/log-sources/{logSourceType}/encodings", {
      does: "Lists the encodings that a type of source can have.",
      path: type,
      query: forDelivery,
      returns: list,
      rules: ["log-encodings", "log-encodings-gpg-only"],
      example: { logSourceType: "cpcode-products", deliveryType: "ftp" },
    }),
    log_delivery_frequencies_list: op(`GET ${parameters}/delivery-frequencies`, {
      does: "Lists how often logs can be delivered (byLogArrival).",
      returns: list,
    }),
    log_delivery_frequency_get: op(`GET ${parameters}/delivery-frequencies/{deliveryFrequencyId}`, {
      does: "Reads a delivery frequency.",
      path: { deliveryFrequencyId: ParameterId },
      returns: parameterResponse,
      example: { deliveryFrequencyId: "1" },
    }),
    log_delivery_thresholds_list: op(`GET ${parameters}/delivery-thresholds`, {
      does: "Lists the completion thresholds: the share of a day's logs to wait for (byHitTime).",
      returns: list,
      rules: ["log-aggregation"],
    }),
    log_delivery_threshold_get: op(`GET ${parameters}/delivery-thresholds/{deliveryThresholdId}`, {
      does: "Reads a completion threshold.",
      path: { deliveryThresholdId: ParameterId },
      returns: parameterResponse,
      rules: ["log-aggregation"],
      example: { deliveryThresholdId: "1" },
    }),
    log_format_get: op(`GET ${parameters}/log-formats/{logFormatId}`, {
      does: "Reads a log format.",
      path: { logFormatId: ParameterId },
      returns: parameterResponse,
      means: { 404: "There is no such log format: log_type_formats_list lists those of a type of log source." },
      example: { logFormatId: "2" },
    }),
    log_encodings_list: op(`GET ${parameters}/encodings`, {
      does: "Lists the encodings of logs.",
      query: forSource,
      returns: list,
      rules: ["log-encodings", "log-encodings-gpg-only"],
      example: { deliveryType: "ftp", logSourceType: "cpcode-products" },
    }),
    log_encoding_get: op(`GET ${parameters}/encodings/{encodingId}`, {
      does: "Reads an encoding.",
      path: { encodingId: ParameterId },
      query: forSource,
      returns: parameterResponse,
      example: { encodingId: "4" },
    }),
    log_message_sizes_list: op(`GET ${parameters}/message-sizes`, {
      does: "Lists the sizes at which a delivery is split.",
      returns: list,
      rules: ["log-message-sizes"],
    }),
    log_message_size_get: op(`GET ${parameters}/message-sizes/{messageSizeId}`, {
      does: "Reads a message size.",
      path: { messageSizeId: ParameterId },
      returns: parameterResponse,
      example: { messageSizeId: "3" },
    }),
    log_contacts_list: op(`GET ${parameters}/contacts`, {
      does: "Lists the people that a configuration can name as its contact.",
      returns: list,
    }),
    log_contact_get: op(`GET ${parameters}/contacts/{contactId}`, {
      does: "Reads a contact.",
      path: { contactId: ParameterId },
      returns: parameterResponse,
      example: { contactId: "1-C30O" },
    }),
    ...configurationOperations,
  },
});
