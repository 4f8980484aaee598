/** The operations on sites, the named sets of public addresses whose visitors are protected. */
import { empty, json, op } from "../../api/define.js";
import { z } from "../../api/z.js";
import { sameId } from "./checks.js";
import { siteDeletion } from "./guards.js";
import { liveByDeployment, nameTaken, noSuch, stale } from "./notes.js";
import { config, id, locked, Site, siteBody, siteChange, stamped } from "./shapes.js";

const site = { ...config, siteId: id };
const errors = { ...noSuch("threat_sites_list"), ...stale("threat_site_get") };
const lock = { field: "ifMatch", from: "threat_site_get", at: "headers.etag" } as const;

export const siteOperations = {
  threat_sites_list: op("GET /etp-config/v1/configs/{configId}/sites", {
    does: "Lists a configuration's sites.",
    path: config,
    returns: { 200: json(z.array(Site)) },
    example: { configId: 1100 },
  }),
  threat_site_create: op("POST /etp-config/v1/configs/{configId}/sites", {
    does: "Creates a site: public addresses, the local DNS server's too, under a policy.",
    path: config,
    body: json(siteBody),
    answerHeaders: stamped,
    returns: { 200: json(Site.optional()), 201: json(Site.optional()) },
    means: liveByDeployment,
    effect: "create",
    shownBy: "threat_sites_list",
    rules: ["threat-name-unique", "threat-configuration-deployment"],
    errors: nameTaken,
    example: {
      configId: 1100,
      body: {
        name: "Leipzig office",
        policyId: 1031,
        exitPoints: [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "198.51.100.32/28" }],
      },
    },
  }),
  threat_site_get: op("GET /etp-config/v1/configs/{configId}/sites/{siteId}", {
    does: "Reads a site with its etag.",
    path: site,
    answerHeaders: stamped,
    returns: { 200: json(Site) },
    errors: noSuch("threat_sites_list"),
    example: { configId: 1100, siteId: 101 },
  }),
  threat_site_update: op("PUT /etp-config/v1/configs/{configId}/sites/{siteId}", {
    does: "Replaces a site's name, policy and addresses.",
    path: site,
    headers: locked,
    body: json(siteChange),
    answerHeaders: stamped,
    returns: { 200: json(Site.optional()), 204: empty },
    means: liveByDeployment,
    effect: "update",
    shownBy: "threat_site_get",
    lock,
    checks: [sameId("siteId")],
    previewedAs: { kind: "overwrite", thing: "site", named: "name", replaces: "body" },
    rules: ["threat-stamp", "threat-configuration-deployment"],
    errors: { ...errors, ...nameTaken },
    example: {
      configId: 1100,
      siteId: 101,
      ifMatch: '"1735722000000"',
      body: {
        name: "Berlin office",
        policyId: 1030,
        exitPoints: [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "198.51.100.16/28" }],
      },
    },
  }),
  threat_site_delete: op("DELETE /etp-config/v1/configs/{configId}/sites/{siteId}", {
    does: "Deletes a site: its addresses are then unidentified.",
    path: site,
    headers: locked,
    returns: { 200: json(Site.optional()), 204: empty },
    means: liveByDeployment,
    guard: siteDeletion,
    shownBy: "threat_site_get",
    lock,
    rules: ["threat-stamp", "threat-configuration-deployment"],
    errors,
    example: { configId: 1100, siteId: 102, ifMatch: '"1735722000000"' },
  }),
} as const;
