/** Versions of a zone: each change makes one, and the record sets of a former one can be served again. */
import { act } from "../../language/guards.js";
import { readsConfig, setsIn } from "./set-notation.js";
import { wholeZone } from "./v2-records.js";
import { operationAt, recordLists } from "./v2-shapes.js";

const none = "There is no such version: dns_zone_versions_list lists them.";
const was = { zone: "example.com", uuid: "e0ec2d8a-1c5b-4f3e-9a76-000000081011" };

export const versions = {
  dns_zone_versions_list: operationAt("GET /config-dns/v2/zones/{zone}/versions", {
    does: "Lists a zone's versions, newest first; each change makes one.",
    example: { zone: "example.com" },
  }),
  dns_zone_version_get: operationAt("GET /config-dns/v2/zones/{zone}/versions/{uuid}", {
    does: "Reads a zone's settings in one version.",
    means: { 404: none },
    example: was,
  }),
  dns_zone_version_compare: operationAt("GET /config-dns/v2/zones/{zone}/versions/diff", {
    does: "Compares two versions of a zone: what changed and when.",
    means: { 404: none },
    example: { zone: "example.com", from: was.uuid, to: "e0ec2d8a-1c5b-4f3e-9a76-000000081012" },
  }),
  dns_zone_version_recordsets_list: operationAt("GET /config-dns/v2/zones/{zone}/versions/{uuid}/recordsets", {
    does: "Lists a zone's record sets in one version.",
    corrects: recordLists,
    means: { 404: none },
    example: { ...was, types: ["A"] },
  }),
  dns_zone_version_file_get: operationAt("GET /config-dns/v2/zones/{zone}/versions/{uuid}/zone-file", {
    does: "Reads a version of a zone as a master file.",
    means: { 404: none },
    example: was,
  }),
  dns_zone_version_activate: operationAt("POST /config-dns/v2/zones/{zone}/versions/{uuid}/recordsets/activate", {
    does: "Puts back all record sets of a former version, live at once; settings stay.",
    effect: "destructive",
    guard: {
      ...wholeZone(
        (_, __, { now }) => setsIn(now, "recordsets"),
        (_, version) => setsIn(version, "recordsets").filter(({ type }) => type !== "SOA"),
        ({ zone, uuid: id }, words) =>
          act`REPLACE every record set of the zone ${String(zone)} with those of version ${String(id)}: ${words}; on PRODUCTION immediately`,
      ).guard,
      kind: "activate",
      thing: "version",
      target: ({ zone }) => String(zone),
    },
    shownBy: {
      by: "dns_zone_version_recordsets_list",
      args: ({ zone, uuid: id }) => ({ zone, uuid: id, showAll: true }),
    },
    relatedReads: {
      now: { by: "dns_recordsets_list", args: ({ zone }) => ({ zone, showAll: true }), isBound: true },
      ...readsConfig,
    },
    rules: ["dns-v2-reactivation", "dns-v2-serial"],
    means: { 404: none },
    example: was,
  }),
};
