/** What people say for the delivery of logs. */
import type { Said } from "../../api/said.js";
import type { logDelivery as service } from "../log-delivery/index.js";

export const logDelivery = {
  service: "log delivery; access logs; raw logs; log shipping to FTP, mail or NetStorage; LDS",
  operations: {
    log_sources_list:
      "what can we get logs of; all log sources: CP codes, zones, GTM; every kind at once; everything that we could get logs of; inventory of things that write logs; all source types together; everything that writes logs",
    log_type_sources_list:
      "which CP codes can we get logs of; log sources of one type only; only the CP codes that can ship logs, or only the zones; sources of a single type: CP codes, DNS zones, GTM, resolver, threat protection",
    log_source_get:
      "how long are a CP code's logs kept; retention of logs; one log source; products and details of one log source; one source's products and retention; how many days of logs remain; know how far back lost logs can be had",
    log_type_configurations_list:
      "where do all our logs go; which CP codes have log delivery set up; all log configurations of a type; overview of the deliveries for every CP code, or every DNS zone; audit of where logs go; all log shipments of a type; find where all logs go before an audit",
    log_source_configurations_list:
      "where do this CP code's logs go; is log delivery on for one source; its log configuration; is log delivery set up for one CP code; configuration id for a particular source; one source's shipment, if any; does somebody get a CP code's logs",
    log_type_formats_list:
      "which log formats are there for CP codes; W3C, combined, all formats of a source type; formats of logs by type; extended or combined columns",
    log_source_formats_list:
      "which log formats can this very source use; formats to choose for one CP code; formats that suit one source",
    log_type_encodings_list:
      "can logs of this kind of source be gzipped or mailed; encodings for a source type; compressed or encrypted; compression choices by type and by delivery, mail or FTP",
    log_delivery_frequencies_list:
      "how often can logs be sent; every hour or every day; delivery frequencies; shortest interval between two log shipments; hourly or daily shipping; how fast can logs come; intervals to choose",
    log_delivery_frequency_get:
      "what does one delivery frequency id mean; read a single frequency, hours; one interval by id; what stands a frequency id for",
    log_delivery_thresholds_list:
      "how complete must a day's logs be before they are sent; completion thresholds, 95 or 99 percent; completeness against speed of logs; percent of logs to wait for; shares to choose",
    log_delivery_threshold_get:
      "what does one completion threshold id mean; read a single threshold; how many percent is threshold 2; one share by id; what stands a threshold id for",
    log_format_get:
      "which fields are in this log format; what does a log format id mean; one log format; columns of one format by id; what stands a format id for",
    log_encodings_list:
      "how can logs be encoded or compressed; gzip, uuencode, GPG; all encodings; compression choices: gzip, zip, PGP, uuencode",
    log_encoding_get:
      "what does one encoding id mean; read a single encoding; encoding number found in a log configuration; one compression by id; what stands an encoding id for",
    log_message_sizes_list:
      "how large can log mails or files be; sizes at which logs are split; all message sizes; chunk sizes; limit of mail attachments; megabytes to choose",
    log_message_size_get:
      "what does one message size id mean; read a single size; one chunk size by id; what stands a size id for; how many megabytes is a message size id",
    log_contacts_list:
      "who can be the contact of log delivery; people to notify about logs; contact ids; persons to name as contact for logs; ids of contacts",
    log_contact_get:
      "who is this log contact; mail and phone of one contact; name behind a contact number; one contact by id; who gets asked about log delivery",
    log_configuration_get:
      "show one log configuration; FTP host, format and frequency of a log delivery; settings of one log delivery configuration; one shipment's target, format, interval and end date",
    log_configuration_create:
      "create a log configuration with known ids; turn on logs for a source by raw body; new log delivery without guidance; turn on log shipping for a fresh CP code; start shipping a source's logs with ids at hand; direct creation",
    log_configuration_replace:
      "send the logs to another FTP server or mailbox; change the log format or FTP password; edit a log delivery; extend its end date; other target, directory, mailbox, format, interval or contact of a shipment; prolong a shipment; get logs to a new server; change who is asked about them",
    log_configuration_delete:
      "stop log delivery for good; delete a log configuration; we no longer want these logs; never send these logs again and forget the setup; end a shipment for ever; archive no longer used",
    log_configuration_copy:
      "same log delivery for another CP code; copy or clone a log configuration to a different source; reuse a shipment for a new CP code; same target for another source; get logs of a second site in the same way",
    log_configuration_suspend:
      "pause log delivery while the FTP server is in maintenance; stop sending logs for now; put logs on hold; stop a shipment for a while; storage is full, hold logs; temporarily off; keep logs from piling up while a server is away",
    log_configuration_resume:
      "turn paused logs back on; continue a suspended log delivery; start sending logs again; storage is back, go on shipping; lift the pause",
    log_redeliveries_list:
      "which logs have we asked to be sent again; all redelivery requests and their status; outstanding requests for lost logs; repeat requests and their states",
    log_redelivery_create:
      "send last Tuesday's logs again; logs of a day are missing, resend them; redeliver lost log files; send yesterday's logs once more; FTP server was down, files of a day are gone; get old logs again; repeat a day's shipment; fill a gap in our log archive",
    log_redelivery_get:
      "are the resent logs on the way; status of one redelivery; progress of a log resend; follow one request for logs; one repeat request's state; are the files of that day coming",
  },
  resources: { "log-configurations": "where the logs of a type of source go, as a document" },
} satisfies Said<typeof service>;
