/** The written part of the guide to log delivery. */
import type { Guide } from "../../language/guide.js";
import type { logDelivery as service } from "./index.js";

export const logDelivery = {
  purpose:
    "Use it to have the logs of edge servers delivered by mail, by FTP or to network storage. A log source, such as the products of a CP code, has one configuration: format, encoding, size, frequency and destination, each chosen from a list. `log_delivery_create` guides through the choices. Missing logs can be delivered again while the source keeps them.",
  objects: {
    source: "Something that produces logs, identified by `logSourceType` and `logSourceId`.",
    configuration: "Where a source's logs are delivered, in which form and how often.",
    redelivery: "A request to deliver the logs of a day again.",
    contact: "Who is notified when a delivery fails.",
    format: "The fields of a log line.",
    encoding: "How a log file is compressed or encrypted.",
  },
  lives: [
    {
      of: "a configuration",
      shown: { by: "log_configuration_get", at: "status" },
      moves: [
        { to: "active", by: "log_configuration_create" },
        { from: "active", to: "suspended", by: "log_configuration_suspend" },
        { from: "suspended", to: "active", by: "log_configuration_resume" },
        { from: "active", to: "expired", when: "its endDate has passed" },
        { from: "suspended", to: "expired", when: "its endDate has passed" },
        { from: "active", by: "log_configuration_delete" },
        { from: "suspended", by: "log_configuration_delete" },
        { from: "expired", by: "log_configuration_delete" },
      ],
    },
    {
      of: "a redelivery",
      shown: { by: "log_redelivery_get", at: "status" },
      moves: [
        { to: "new", by: "log_redelivery_create" },
        { from: "new", to: "scheduled", when: "the original deliveries leave room" },
        { from: "scheduled", to: "success", when: "its logs are delivered" },
        { from: "scheduled", to: "failed", when: "its configuration is not active by then" },
      ],
    },
  ],
  limits: [
    "log-one-per-source",
    "log-start-ahead",
    "log-status-moves",
    "log-encodings",
    "log-encodings-gpg-only",
    "log-message-sizes",
    "log-redelivery-complete",
    "log-redelivery-whole-day",
  ],
} satisfies Guide<typeof service>;
