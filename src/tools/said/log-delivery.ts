/** What people say for the delivery of logs. */
import type { Said } from "../../api/said.js";
import type { logDelivery as service } from "../log-delivery/index.js";

export const logDelivery = {
  service: "log delivery; access logs; raw logs; log shipping to FTP, mail or NetStorage; LDS",
  operations: {
    log_sources_list:
      "what can we get logs of; all log sources: CP codes, zones, GTM; every kind at once; everything that we could get logs of; inventory of things that write logs; all source types together; everything that writes logs; what can I get logs from, of; everything that has logs; all log sources; which things produce logs; sources of every kind, type; loggable objects; what on earth writes logs here; anything with logs, whatever the kind; everything that we could get logs of, off, from; which of our things have logs; learn what is loggable before setting up",
    log_type_sources_list:
      "which CP codes can we get logs of; log sources of one type only; only the CP codes that can ship logs, or only the zones; sources of a single type: CP codes, DNS zones, GTM, resolver, threat protection; log sources of one type: only CP codes, only zones, only GTM; which cpcodes can ship logs, have logs; sources by type; only cp codes with logs please; zones with logs; just CP codes that can have logs; which DNS zones, GTM properties can have logs; narrow sources by type",
    log_source_get:
      "how long are a CP code's logs kept; retention of logs; one log source; products and details of one log source; one source's products and retention; how many days of logs remain; know how far back lost logs can be had; one log source: retention, how long logs are kept, stored; details of a source; how far back; which products are in a source's logs; how far back can I get lost logs; for how many days are logs around; retention of one CP code's logs; can I still get the logs from last month; one source in detail",
    log_type_configurations_list:
      "where do all our logs go; which CP codes have log delivery set up; all log configurations of a type; overview of the deliveries for every CP code, or every DNS zone; audit of where logs go; all log shipments of a type; find where all logs go before an audit; all log deliveries, configurations for a type; where do our logs go; which cpcodes deliver logs; list of log setups; existing log configurations; who gets logs; who is getting our logs; which cp codes ship logs already; all deliveries for every zone, CP code; find who still receives logs before an audit; overview of raw log deliveries",
    log_source_configurations_list:
      "where do this CP code's logs go; is log delivery on for one source; its log configuration; is log delivery set up for one CP code; configuration id for a particular source; one source's shipment, if any; does somebody get a CP code's logs; log configuration of one source, CP code, zone; is log delivery on, set up, configured for a CP code; where do its logs go; find the logConfigurationId; does this cp code ship logs already; where to; is delivery set up for CP code 12345; one source's configuration id; see whether a site's logs already go anywhere",
    log_type_formats_list:
      "which log formats are there for CP codes; W3C, combined, all formats of a source type; formats of logs by type; extended or combined columns; log formats of a type; combined, W3C, extended; which formats can logs have; list formats; available columns; what do log lines look like, the choices; compare formats before choosing; formats for DNS zone logs; which columns could logs of a type have",
    log_source_formats_list:
      "which log formats can this very source use; formats to choose for one CP code; formats that suit one source; formats one source, CP code supports; which format can I pick for this source; how may this one cp code's log lines look; shapes in which this CP code's logs can come; can this source do W3C",
    log_type_encodings_list:
      "can logs of this kind of source be gzipped or mailed; encodings for a source type; compressed or encrypted; compression choices by type and by delivery, mail or FTP; encodings for a type of source and way of delivery: gzip, uuencode, GPG; may logs of zones be compressed, encrypted; encoding by mail or FTP; can logs of zones be zipped when mailed; must logs of a resolver be encrypted; allowed compressions for a type when sent by FTP, mail",
    log_delivery_frequencies_list:
      "how often can logs be sent; every hour or every day; delivery frequencies; shortest interval between two log shipments; hourly or daily shipping; how fast can logs come; intervals to choose; how often can logs be delivered; hourly, every 24 hours, interval; frequency options; can logs come hourly; list delivery frequencies; how soon after can I have the logs; every how many hours; shortest wait for logs; pick an interval; near real time logs, every hour",
    log_delivery_frequency_get:
      "what does one delivery frequency id mean; read a single frequency, hours; one interval by id; what stands a frequency id for; one delivery frequency by id; what is frequency 3; interval behind an id; how many hours is frequency id 2; interval 3, is that hourly; frequency number in a configuration explained",
    log_delivery_thresholds_list:
      "how complete must a day's logs be before they are sent; completion thresholds, 95 or 99 percent; completeness against speed of logs; percent of logs to wait for; shares to choose; completion, completeness thresholds; how complete before sending; options of percent; wait for late logs; list thresholds; send early or wait till nearly all lines are in; trade completeness for speed; percentages that can be chosen; pick a threshold",
    log_delivery_threshold_get:
      "what does one completion threshold id mean; read a single threshold; how many percent is threshold 2; one share by id; what stands a threshold id for; one threshold by id; what is threshold 2; percent behind an id; what share is threshold id 2; threshold 2, how many percent; threshold number in a configuration explained",
    log_format_get:
      "which fields are in this log format; what does a log format id mean; one log format; columns of one format by id; what stands a format id for; one log format by id: fields, columns; which columns does the log have; what does format 5 contain; what's in each line of this format; format 5, which columns; format number in a configuration explained; is the referrer, user agent in the log",
    log_encodings_list:
      "how can logs be encoded or compressed; gzip, uuencode, GPG; all encodings; compression choices: gzip, zip, PGP, uuencode; encodings, compressions of logs; gzip, GPG, uuencode; how can logs be packed, encrypted; list all encodings; ways to squeeze or scramble log files; all compressions, encryption for logs; pick an encoding; is there zip",
    log_encoding_get:
      "what does one encoding id mean; read a single encoding; encoding number found in a log configuration; one compression by id; what stands an encoding id for; one encoding by id; what is encoding 3; compression behind an id; is encoding id 3 gzip; encoding 3, is that gzip, uuencode; encoding number in a configuration explained",
    log_message_sizes_list:
      "how large can log mails or files be; sizes at which logs are split; all message sizes; chunk sizes; limit of mail attachments; megabytes to choose; maximum size of a log file, mail before it's split; how big may a log file, e-mail get; size options, megabytes; list message sizes; how big can the chunks be; mailbox rejects big files; our mail server rejects large mails, pick a smaller chunk; pick a size; largest attachment",
    log_message_size_get:
      "what does one message size id mean; read a single size; one chunk size by id; what stands a size id for; how many megabytes is a message size id; one message size by id; what is size 2; megabytes behind an id; how big is size id 2; message size 2, how many MB; size number in a configuration explained",
    log_contacts_list:
      "who can be the contact of log delivery; people to notify about logs; contact ids; persons to name as contact for logs; ids of contacts; people who can be log delivery contact; list contacts for logs; point person; who can be notified; contact ids; who can be bugged about logs; point person for logs, who can it be; pick a contact",
    log_contact_get:
      "who is this log contact; mail and phone of one contact; name behind a contact number; one contact by id; who gets asked about log delivery; one contact by id; name, phone, mail of a log contact; who is contact 5; who's contact number 7; whose name is contact 12; contact number in a configuration explained",
    log_configuration_get:
      "show one log configuration; FTP host, format and frequency of a log delivery; settings of one log delivery configuration; one shipment's target, format, interval and end date; one log configuration by id: target, FTP host, format, encoding, schedule; how is log delivery configured; read a log setup; where do logs of configuration go; where and how does this one ship logs; settings of log delivery 77; to which server does delivery 77 send; read before editing a delivery",
    log_configuration_create:
      "create a log configuration with known ids; turn on logs for a source by raw body; new log delivery without guidance; turn on log shipping for a fresh CP code; start shipping a source's logs with ids at hand; direct creation; new log configuration; start sending, shipping raw access logs to our FTP, NetStorage, mailbox; enable, switch on logging for a CP code, source; deliver logs daily; create log delivery; analysts want logs; feed our SIEM; begin getting logs; ops wants raw logs on their server; start a feed of hits for the security team; analysts want raw access logs of a site each day; turn on shipping for a new CP code; begin delivery; logs to the security team",
    log_configuration_replace:
      "send the logs to another FTP server or mailbox; change the log format or FTP password; edit a log delivery; extend its end date; other target, directory, mailbox, format, interval or contact of a shipment; prolong a shipment; get logs to a new server; change who is asked about them; edit, change, update a log configuration; different FTP host, directory, password, mailbox, format, contact; logs should go elsewhere; move logs to a new server; extend end date; switch to gzip; the log server moved; ftp password changed; ship logs zipped from now on; logs to another mailbox; send delivery 77 somewhere else; new password for the log FTP; other mailbox for logs; keep delivery going beyond its end date",
    log_configuration_delete:
      "stop log delivery for good; delete a log configuration; we no longer want these logs; never send these logs again and forget the setup; end a shipment for ever; archive no longer used; delete a log configuration; end log delivery for good; no longer need, want logs; cancel log shipping permanently; nobody reads these logs, end it; stop shipping for ever; never send these logs again, forget the setup; delivery 77 is of no use; nobody needs raw logs of the site",
    log_configuration_copy:
      "same log delivery for another CP code; copy or clone a log configuration to a different source; reuse a shipment for a new CP code; same target for another source; get logs of a second site in the same way; copy, clone, duplicate log setup to another CP code, source; same logging for a second site; reuse logging config; do the same log thing for another cp code; give another CP code the same delivery; reuse delivery 77 for a new site",
    log_configuration_suspend:
      "pause log delivery while the FTP server is in maintenance; stop sending logs for now; put logs on hold; stop a shipment for a while; storage is full, hold logs; temporarily off; keep logs from piling up while a server is away; pause, suspend, hold, halt, stop log delivery, shipping, feed for a while; temporarily no logs; FTP server down, in maintenance; disable logging for now; log server is full, hold it; stop logs over the weekend; hold delivery 77 while the FTP server moves; no logs during maintenance, for the weekend",
    log_configuration_resume:
      "turn paused logs back on; continue a suspended log delivery; start sending logs again; storage is back, go on shipping; lift the pause; resume, restart, continue, unpause log delivery, feed, shipping; start again after a pause; FTP server is back up; re-enable; logs should come again; log server has space again, carry on; get the logs flowing again; FTP server is back, go on with delivery 77; logs should come again after the pause",
    log_redeliveries_list:
      "which logs have we asked to be sent again; all redelivery requests and their status; outstanding requests for lost logs; repeat requests and their states; log resends, redeliveries, repeats: all and their status; list redelivery requests; which resends are open; how are my requests for old logs doing; outstanding, past requests for lost logs; how many resends are running; resend overview",
    log_redelivery_create:
      "send last Tuesday's logs again; logs of a day are missing, resend them; redeliver lost log files; send yesterday's logs once more; FTP server was down, files of a day are gone; get old logs again; repeat a day's shipment; fill a gap in our log archive; resend, redeliver, repeat, re-send logs of a day; lost, missing, deleted logs; get old logs once more; we lost Tuesday's logs; gap in logs; ask for logs again; somebody deleted Monday's logs, get them back; auditors need a day's logs again; files got lost, deleted, corrupted: get logs of a day once more; yesterday's logs once more; auditor needs old logs",
    log_redelivery_get:
      "are the resent logs on the way; status of one redelivery; progress of a log resend; follow one request for logs; one repeat request's state; are the files of that day coming; one redelivery by id: done, on the way, status; progress of a log resend; is the resend finished; are the old logs coming; follow one request for logs to be delivered again; resend 12, is it through",
  },
  resources: {
    "log-formats": "log formats of a type of source as a document",
    "log-encodings": "encodings that log deliveries take, as a document",
    "log-delivery-frequencies": "how often logs can come, as a document",
    "log-delivery-thresholds": "completion thresholds of a day of logs as a document",
    "log-message-sizes": "sizes of log mails as a document",
    "log-contacts": "contacts for log deliveries as a document",
    "log-configurations": "where the logs of a type of source go, as a document",
  },
} satisfies Said<typeof service>;
