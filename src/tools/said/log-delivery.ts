/** What people say for the delivery of logs. */
import type { Said } from "../../api/said.js";
import type { logDelivery as service } from "../log-delivery/index.js";

export const logDelivery = {
  service: "log delivery; access logs; raw logs; log shipping to FTP, mail or NetStorage; LDS",
  operations: {
    log_sources_list: "what can we get logs of; all log sources: CP codes, zones, GTM; every kind at once",
    log_type_sources_list: "which CP codes can we get logs of; log sources of one type only",
    log_source_get: "how long are a CP code's logs kept; retention of logs; one log source",
    log_type_configurations_list:
      "where do all our logs go; which CP codes have log delivery set up; all log configurations of a type",
    log_source_configurations_list:
      "where do this CP code's logs go; is log delivery on for one source; its log configuration",
    log_type_formats_list: "which log formats are there for CP codes; W3C, combined, all formats of a source type",
    log_source_formats_list: "which log formats can this very source use; formats to choose for one CP code",
    log_type_encodings_list:
      "can logs of this kind of source be gzipped or mailed; encodings for a source type; compressed or encrypted",
    log_delivery_frequencies_list: "how often can logs be sent; every hour or every day; delivery frequencies",
    log_delivery_frequency_get: "what does one delivery frequency id mean; read a single frequency, hours",
    log_delivery_thresholds_list:
      "how complete must a day's logs be before they are sent; completion thresholds, 95 or 99 percent",
    log_delivery_threshold_get: "what does one completion threshold id mean; read a single threshold",
    log_format_get: "which fields are in this log format; what does a log format id mean; one log format",
    log_encodings_list: "how can logs be encoded or compressed; gzip, uuencode, GPG; all encodings",
    log_encoding_get: "what does one encoding id mean; read a single encoding",
    log_message_sizes_list: "how large can log mails or files be; sizes at which logs are split; all message sizes",
    log_message_size_get: "what does one message size id mean; read a single size",
    log_contacts_list: "who can be the contact of log delivery; people to notify about logs; contact ids",
    log_contact_get: "who is this log contact; mail and phone of one contact",
    log_configuration_get: "show one log configuration; FTP host, format and frequency of a log delivery",
    log_configuration_create:
      "create a log configuration with known ids; turn on logs for a source by raw body; new log delivery without guidance",
    log_configuration_replace:
      "send the logs to another FTP server or mailbox; change the log format or FTP password; edit a log delivery; extend its end date",
    log_configuration_delete: "stop log delivery for good; delete a log configuration; we no longer want these logs",
    log_configuration_copy:
      "same log delivery for another CP code; copy or clone a log configuration to a different source",
    log_configuration_suspend:
      "pause log delivery while the FTP server is in maintenance; stop sending logs for now; put logs on hold",
    log_configuration_resume: "turn paused logs back on; continue a suspended log delivery; start sending logs again",
    log_redeliveries_list: "which logs have we asked to be sent again; all redelivery requests and their status",
    log_redelivery_create:
      "send last Tuesday's logs again; logs of a day are missing, resend them; redeliver lost log files",
    log_redelivery_get: "are the resent logs on the way; status of one redelivery; progress of a log resend",
  },
  resources: { "log-configurations": "where the logs of a type of source go, as a document" },
} satisfies Said<typeof service>;
