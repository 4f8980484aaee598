/** Log delivery (document C): where the logs of each log source go, in which form and how often, and redeliveries. */
import { type DeclaredResource, introduction } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { configurationOperations, redeliveryOperations } from "./configurations.js";
import { LogSource } from "./shapes.js";
import { parameterOperations, sourceOperations } from "./sources.js";

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
  operations: { ...sourceOperations, ...parameterOperations, ...configurationOperations, ...redeliveryOperations },
});
