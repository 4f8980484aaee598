/** The operations on sites, the named sets of public addresses whose visitors are protected. */
import { json, op } from "../../language/define.js";
import { z } from "../../language/z.js";
import { sameId } from "./checks.js";
import { siteDeletion } from "./guards.js";
import { kindOf, liveByDeployment } from "./notes.js";
import { config, id, locked, Site, siteBody, siteChange } from "./shapes.js";

const site = { ...config, siteId: id };
const kind = kindOf(Site, "threat_sites_list", "threat_site_get", liveByDeployment);

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
    ...kind.creation,
    effect: "create",
    shownBy: "threat_sites_list",
    rules: ["threat-name-unique", "threat-configuration-deployment"],
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
    ...kind.read,
    example: { configId: 1100, siteId: 101 },
  }),
  threat_site_update: op("PUT /etp-config/v1/configs/{configId}/sites/{siteId}", {
    does: "Replaces a site's name, policy and addresses.",
    path: site,
    headers: locked,
    body: json(siteChange),
    ...kind.update,
    effect: "update",
    shownBy: "threat_site_get",
    checks: [sameId("siteId")],
    guard: { kind: "overwrite", when: "asked", thing: "site {name}", replaces: "body" },
    rules: ["threat-stamp", "threat-configuration-deployment"],
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
    ...kind.deletion,
    shownBy: "threat_site_get",
    guard: siteDeletion,
    rules: ["threat-stamp", "threat-configuration-deployment"],
    example: { configId: 1100, siteId: 102, ifMatch: '"1735722000000"' },
  }),
} as const;
