/** The operations on live-streaming configurations, which the API calls domains. */
import { empty, op, xml } from "../../language/define.js";
import { besideDomain, domainDeletion } from "./domain-guards.js";
import { Domain, Domains, Hostname, Message, NewDomain } from "./shapes.js";

export const domain = { domain: Hostname };
export const message = xml("response-message", Message);
export const domainMissing = { 404: "There is no such configuration: live_domains_list shows all." };

export const domainOperations = {
  live_domains_list: op("GET /config-media-live/v1/live", {
    does: "Lists live-streaming configurations with their versions.",
    returns: { 200: xml("domains", Domains) },
    rules: ["live-lists"],
  }),
  live_domain_create: op("POST /config-media-live/v1/live", {
    does: "Creates a live-streaming configuration, which begins with version 1.",
    body: xml("domain", NewDomain),
    returns: { 200: message },
    effect: "create",
    shownBy: "live_domains_list",
    rules: ["live-first-version", "live-archive-cpcode", "live-cpcode-each", "live-order", "live-error"],
    means: {
      400: "The configuration was refused: live_cpcodes_list shows the CP codes that are left, live_archive_locations_list the locations, live_domains_list the hostnames that are taken.",
    },
    note: "Document C does not say which elements a configuration needs; its name, its hostname and the CP codes are taken as required here.",
    example: {
      body: {
        "configuration-details": {
          "configuration-name": "Autumn collection",
          hostname: "autumn.shop.example",
          "reporting-cpcode": "67891",
        },
        "archive-configuration": {
          "archive-name": "autumn",
          "archive-cpcode": "70003",
          "archive-storage-location": "Frankfurt",
        },
        "advanced-configuration": "Enabled",
        "fms-backup-option": "Disabled",
      },
    },
  }),
  live_domain_get: op("GET /config-media-live/v1/live/{domain}", {
    does: "Reads a live-streaming configuration with its versions and where they are active.",
    path: domain,
    returns: { 200: xml("domain", Domain) },
    rules: ["live-hostname", "live-text"],
    means: domainMissing,
    example: { domain: "live.shop.example" },
  }),
  live_domain_delete: op("DELETE /config-media-live/v1/live/{domain}", {
    does: "Deletes a live-streaming configuration with its versions.",
    path: domain,
    returns: { 200: message, 204: empty },
    guard: domainDeletion,
    shownBy: "live_domain_get",
    shownBeside: besideDomain,
    means: domainMissing,
    note: "No source says what becomes of the streams of a configuration that is deleted; the emulator deletes them.",
    example: { domain: "events.shop.example" },
  }),
};
