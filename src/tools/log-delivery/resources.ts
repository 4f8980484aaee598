/** What can be read of log delivery: the configurations of each type of source, and what their parameters take. */
import type { DeclaredResource } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { LogSource } from "./shapes.js";

/** The types of the sources that there are, each once. */
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

export const logResources: readonly DeclaredResource[] = [
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
    description: "The log formats that sources of a type have.",
    content: { tool: "log_type_formats_list", values },
  },
  parameter("encodings", "log_encodings_list", "Encodings of log files"),
  parameter("delivery-frequencies", "log_delivery_frequencies_list", "Delivery frequencies of logs"),
  parameter("delivery-thresholds", "log_delivery_thresholds_list", "Completion thresholds of a day's logs"),
  parameter("message-sizes", "log_message_sizes_list", "Message sizes of log mails"),
  parameter("contacts", "log_contacts_list", "Contacts for log delivery"),
];
