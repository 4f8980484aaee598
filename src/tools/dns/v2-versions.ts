/** Versions of a zone: each change makes one, and the record sets of a former one can be served again. */
import { type Guard, only } from "../../language/conduct.js";
import { act } from "../../language/guards.js";
import { byFormerVersion } from "./former-version.js";
import { lossesBetween } from "./losses.js";
import { changesSets, differenceOf, servedBy, setsIn, signedWarning } from "./set-notation.js";
import { on, recordLists } from "./v2-shapes.js";

const present = (related: Readonly<Record<string, unknown>>) =>
  setsIn(related["now"], "recordsets").filter(({ type }) => type !== "SOA");
const former = (version: unknown) => setsIn(version, "recordsets").filter(({ type }) => type !== "SOA");

const reactivation: Guard = {
  kind: "activate",
  thing: "version",
  network: "PRODUCTION",
  undo: byFormerVersion,
  target: ({ zone }) => String(zone),
  ...changesSets(
    ({ zone }, version, related) => differenceOf(zone, present(related), former(version)),
    ({ zone, uuid: id }, words) =>
      act`REPLACE every record set of the zone ${String(zone)} with those of version ${String(id)}: ${words}; on PRODUCTION immediately`,
  ),
  critical: [() => ["it replaces every record set of the zone"]],
  warns: ({ zone }, version, related) => [
    ...lossesBetween(servedBy(String(zone), present(related)), servedBy(String(zone), former(version))).map(
      ({ says }) => says,
    ),
    ...signedWarning(related, former(version)),
  ],
};

const none = "There is no such version: dns_zone_versions_list lists them.";
const was = { zone: "example.com", uuid: "e0ec2d8a-1c5b-4f3e-9a76-000000081011" };

export const versions = {
  dns_zone_versions_list: on("GET /config-dns/v2/zones/{zone}/versions", {
    does: "Lists a zone's versions, newest first; each change makes one.",
    example: { zone: "example.com" },
  }),
  dns_zone_version_get: on("GET /config-dns/v2/zones/{zone}/versions/{uuid}", {
    does: "Reads a zone's settings in one version.",
    means: { 404: none },
    example: was,
  }),
  dns_zone_version_compare: on("GET /config-dns/v2/zones/{zone}/versions/diff", {
    does: "Compares two versions of a zone: what changed and when.",
    means: { 404: none },
    example: { zone: "example.com", from: was.uuid, to: "e0ec2d8a-1c5b-4f3e-9a76-000000081012" },
  }),
  dns_zone_version_recordsets_list: on("GET /config-dns/v2/zones/{zone}/versions/{uuid}/recordsets", {
    does: "Lists a zone's record sets in one version.",
    corrects: recordLists,
    means: { 404: none },
    example: { ...was, types: ["A"] },
  }),
  dns_zone_version_file_get: on("GET /config-dns/v2/zones/{zone}/versions/{uuid}/zone-file", {
    does: "Reads a version of a zone as a master file.",
    means: { 404: none },
    example: was,
  }),
  dns_zone_version_activate: on("POST /config-dns/v2/zones/{zone}/versions/{uuid}/recordsets/activate", {
    does: "Puts back all record sets of a former version, live at once; settings stay.",
    effect: "destructive",
    guard: reactivation,
    shownBy: {
      by: "dns_zone_version_recordsets_list",
      args: ({ zone, uuid: id }) => ({ zone, uuid: id, showAll: true }),
    },
    relatedReads: {
      now: { by: "dns_recordsets_list", args: ({ zone }) => ({ zone, showAll: true }), isBound: true },
      config: { by: "dns_zone_config_get", args: only("zone") },
    },
    rules: ["dns-v2-reactivation", "dns-v2-serial"],
    means: { 404: none },
    example: was,
  }),
};
