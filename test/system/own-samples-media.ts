/** Small samples of the project's own for log delivery, media analytics and live streaming: shapes of the public facts, and made-up values. */
import type { OwnSample } from "./own-samples.js";

const links = [{ rel: "self", href: "/lds-api/v3/x", method: "GET", kept: null }];
const source = { id: "7-1", type: "cpcode-products", cpCode: "7 - Ünï", logRetentionDays: 0, links };
const place = { logSourceType: "cpcode-products", logSourceId: "7-1" };
const configuration = {
  id: 7,
  status: "expired",
  startDate: "2026-05-20",
  endDate: null,
  logSource: source,
  contactDetails: { contact: { id: "C" } },
  logFormatDetails: { logFormat: { id: "2", links } },
  messageSize: { id: "3" },
  aggregationDetails: { type: "byHitTime", deliverResidualData: false, kept: "" },
  encodingDetails: { encoding: { id: "1" }, encodingKey: null },
  deliveryDetails: { type: "httpsns4", domainPrefix: "p", cpcodeId: 7 },
};
const parameter = { id: "1", value: "0–1 MB", links, extra: { kept: [null] } };
const lists: readonly (readonly [tool: string, args: object])[] = [
  ["log_type_formats_list", { logSourceType: "etp" }],
  ["log_source_formats_list", place],
  ["log_type_encodings_list", { logSourceType: "etp" }],
  ["log_delivery_frequencies_list", {}],
  ["log_delivery_thresholds_list", {}],
  ["log_encodings_list", { deliveryType: "ftp" }],
  ["log_message_sizes_list", {}],
  ["log_contacts_list", {}],
];
const gets: readonly (readonly [tool: string, args: object])[] = [
  ["log_delivery_frequency_get", { deliveryFrequencyId: "1" }],
  ["log_delivery_threshold_get", { deliveryThresholdId: "1" }],
  ["log_format_get", { logFormatId: "1" }],
  ["log_encoding_get", { encodingId: "1" }],
  ["log_message_size_get", { messageSizeId: "1" }],
  ["log_contact_get", { contactId: "1" }],
];
const logs: readonly OwnSample[] = [
  { tool: "log_source_get", args: place, answer: source, status: 200 },
  {
    tool: "log_type_configurations_list",
    args: { logSourceType: "gtm" },
    answer: [{ ...configuration, logSource: { id: "p", type: "gtm", propertyName: "p" } }],
    status: 200,
  },
  { tool: "log_source_configurations_list", args: place, answer: [configuration], status: 200 },
  ...lists.map(
    ([tool, args]): OwnSample => ({ tool, args: { ...args }, answer: [parameter, { id: "2" }], status: 200 }),
  ),
  ...gets.map(([tool, args]): OwnSample => ({ tool, args: { ...args }, answer: parameter, status: 200 })),
  {
    tool: "log_configuration_copy",
    args: { logConfigurationId: 7 },
    request: { copyTarget: { logSource: { id: "8-1", type: "cpcode-products" } } },
    status: 201,
    also: { "/lds-api/v3/log-sources/cpcode-products/8-1/log-configurations": () => "[]" },
  },
  { tool: "log_configuration_suspend", args: { logConfigurationId: "7" }, status: 200 },
  { tool: "log_configuration_resume", args: { logConfigurationId: "7" }, status: 202 },
  { tool: "log_configuration_delete", args: { logConfigurationId: "7" }, status: 204 },
  {
    tool: "log_redeliveries_list",
    answer: [{ id: 1, logConfiguration: { id: 7, links }, redeliveryDate: "2026-05-20", status: "new", kept: "" }],
    status: 200,
  },
];

const media: readonly OwnSample[] = [
  {
    tool: "media_report_pack_get",
    args: { family: "audience-analytics", reportPackId: 5 },
    answer: {
      id: 5,
      name: "Zuschauer",
      isActive: false,
      dataSources: [{ id: 1, name: "Ünï" }],
      dimensions: [{ id: 2, name: "Time", type: "standard", kept: null }],
      metrics: [{ id: 3, name: "Plays" }],
      filters: null,
      dataStores: [],
    },
    status: 200,
  },
  {
    tool: "media_data_sources_list",
    args: { family: "qos-monitor", reportPackId: 5 },
    answer: [{ id: 1, name: "", kept: 0 }],
    status: 200,
  },
];

const type = "application/xml";
const done = { answer: "<response-message><message>Done &amp; «gone»</message></response-message>", status: 200, type };
const doneValue = { value: { message: "Done & «gone»" } };
const domain = { domain: "live.example" };
const event = { ...domain, streamId: "007", eventName: "e 1" };
const version = { ...domain, versionId: 2 };
const domainText =
  "<configuration-details><configuration-name>A &lt;b&gt;</configuration-name><hostname>live.example</hostname>" +
  "<reporting-cpcode>0067</reporting-cpcode></configuration-details><domain-versions><domain-version>" +
  "<version>01</version></domain-version></domain-versions>";
const domainValue = {
  "configuration-details": { "configuration-name": "A <b>", hostname: "live.example", "reporting-cpcode": "0067" },
  "domain-versions": { "domain-version": [{ version: "01" }] },
};
const streams: readonly OwnSample[] = [
  {
    tool: "live_domains_list",
    answer: `<domains><domain>${domainText}</domain></domains>`,
    status: 200,
    type,
    value: { domain: [domainValue] },
  },
  {
    tool: "live_domain_get",
    args: domain,
    answer: `<domain>${domainText}<kept/></domain>`,
    status: 200,
    type,
    value: { ...domainValue, kept: "" },
  },
  {
    tool: "live_domain_create",
    args: {
      body: {
        "configuration-details": { "configuration-name": "A", hostname: "a.example", "reporting-cpcode": "0067" },
        "archive-configuration": { "archive-cpcode": "068" },
      },
    },
    ...done,
    ...doneValue,
  },
  { tool: "live_domain_delete", args: domain, ...done, ...doneValue },
  { tool: "live_stream_delete", args: { ...domain, streamId: "007" }, ...done, ...doneValue },
  {
    tool: "live_event_get",
    args: event,
    answer: "<event><event-name>e 1</event-name><backup-event><delete-time/></backup-event></event>",
    status: 200,
    type,
    value: { "event-name": "e 1", "backup-event": { "delete-time": "" } },
  },
  { tool: "live_event_delete", args: event, ...done, ...doneValue },
  {
    tool: "live_version_create",
    args: { ...domain, body: { "delivery-formats": { "apple-hls": "Enabled" }, author: "Ünï & <co>" } },
    ...done,
    ...doneValue,
  },
  {
    tool: "live_version_get",
    args: version,
    answer: "<domain-version><version>02</version><author>a &amp; b</author></domain-version>",
    status: 200,
    type,
    value: { version: "02", author: "a & b" },
  },
  {
    tool: "live_activation_get",
    args: version,
    answer: "<domain-version><version>02</version><activate-environment/></domain-version>",
    status: 200,
    type,
    value: { version: "02", "activate-environment": "" },
  },
  { tool: "live_version_activate", args: { ...version, environment: "Production" }, ...done, ...doneValue },
  { tool: "live_archive_locations_list", answer: { repSetList: [{ id: 1, name: "", kept: null }] }, status: 200 },
  {
    tool: "live_contacts_list",
    answer: "<contacts><contactList><name>O’Neil</name><pin>0012</pin></contactList></contacts>",
    status: 200,
    type,
    value: { contactList: [{ name: "O’Neil", pin: "0012" }] },
  },
  {
    tool: "live_countries_list",
    answer: { geoCountryList: [{ countryCode: "CI", countryName: "Côte d’Ivoire" }] },
    status: 200,
  },
  {
    tool: "live_cpcodes_list",
    answer: { "reporting-cpcode-list": { "cpcode-list": [] }, "netstorage-cpcode-list": { "cpcode-list": [] } },
    status: 200,
  },
  { tool: "live_delivery_formats_list", answer: { kept: [null, { "apple-hls": "Enabled" }] }, status: 200 },
  {
    tool: "live_ingest_formats_list",
    answer: "<format><format-name>rtmp</format-name></format>",
    status: 200,
    type,
    value: { "format-name": "rtmp" },
  },
];

export const ownSamplesOfMedia: readonly OwnSample[] = [...logs, ...media, ...streams];
