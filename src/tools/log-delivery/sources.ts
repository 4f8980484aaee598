/** The operations that read log sources and the parameters of a configuration. */
import { json, op } from "../../language/define.js";
import { z } from "../../language/z.js";
import {
  DeliveryType,
  LogConfiguration,
  LogSource,
  LogSourceId,
  LogSourceType,
  Parameter,
  ParameterId,
} from "./shapes.js";

const type = { logSourceType: LogSourceType };
/** A log source in a path. */
export const source = { ...type, logSourceId: LogSourceId };
const one = { 200: json(Parameter) };
const list = { 200: json(z.array(Parameter)) };
const configurations = { 200: json(z.array(LogConfiguration)) };
const ofSource = { path: source, means: { 404: "There is no such log source: log_sources_list lists all." } } as const;
const parameters = "/lds-api/v3/log-configuration-parameters";
const forDelivery = { deliveryType: DeliveryType.optional() };
const forSource = { ...forDelivery, logSourceType: LogSourceType.optional() };

export const sourceOperations = {
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
    ...ofSource,
    returns: { 200: json(LogSource) },
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
    ...ofSource,
    returns: configurations,
    rules: ["log-one-per-source"],
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
    ...ofSource,
    returns: list,
    rules: ["log-formats"],
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
};

export const parameterOperations = {
  log_delivery_frequencies_list: op(`GET ${parameters}/delivery-frequencies`, {
    does: "Lists how often logs can be delivered (byLogArrival).",
    returns: list,
  }),
  log_delivery_frequency_get: op(`GET ${parameters}/delivery-frequencies/{deliveryFrequencyId}`, {
    does: "Reads a delivery frequency.",
    path: { deliveryFrequencyId: ParameterId },
    returns: one,
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
    returns: one,
    rules: ["log-aggregation"],
    example: { deliveryThresholdId: "1" },
  }),
  log_format_get: op(`GET ${parameters}/log-formats/{logFormatId}`, {
    does: "Reads a log format.",
    path: { logFormatId: ParameterId },
    returns: one,
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
    returns: one,
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
    returns: one,
    example: { messageSizeId: "3" },
  }),
  log_contacts_list: op(`GET ${parameters}/contacts`, {
    does: "Lists the people that a configuration can name as its contact.",
    returns: list,
  }),
  log_contact_get: op(`GET ${parameters}/contacts/{contactId}`, {
    does: "Reads a contact.",
    path: { contactId: ParameterId },
    returns: one,
    example: { contactId: "1-C30O" },
  }),
};
