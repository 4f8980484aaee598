/** A prompt that guides the delivery of a log source's logs by email. */
import { type Prompt, personDecides } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { LogSource } from "./shapes.js";

const SourceIds = z
  .array(LogSource)
  .transform((sources) => sources.map(({ id }) => String(id)))
  .catch([]);

export const deliverLogs: Prompt = {
  name: "logs_deliver",
  title: "Deliver logs",
  description:
    "Sets up the delivery of a log source's logs choice by choice; the user makes the choices and approves the configuration.",
  arguments: [
    {
      name: "logSource",
      description: "Id, CP code or name of the log source",
      values: { tool: "log_sources_list", of: SourceIds },
    },
    {
      name: "email",
      description: "Where the logs go",
      form: { pattern: "[^\\s@]+@[^\\s@]+\\.[^\\s@]+", takes: "an email address" },
    },
  ],
  task: ({ logSource = "", email = "" }) => `Deliver the logs of the log source ${logSource} to ${email}.`,
  steps: ({ logSource = "", email = "" }) => {
    const known = `logSource ${logSource} and deliveryDetails {"type":"email","emailAddress":"${email}"}`;
    return [
      `Call log_sources_list and find ${logSource}. If it already has a configuration, say where its logs go and stop: a source has at most one.`,
      `Call log_delivery_create with ${known}. It offers the choices: the format, the encoding, the frequency, the size, the contact, and the first day.`,
      `Let the user choose, and call log_delivery_create with ${known} and all choices. Logs contain visitors' addresses: say to which host they go. ${personDecides}`,
      "Call log_source_configurations_list for the source. Report that the configuration is active, from which day, and how often files come.",
    ];
  },
};
