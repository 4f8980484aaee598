/** DNS zones of today (v2): zones, record sets that are live when written, change lists, versions and keys. */
import { service } from "../../language/service.js";
import { changes } from "./v2-changes.js";
import { keys } from "./v2-keys.js";
import { records } from "./v2-records.js";
import { versions } from "./v2-versions.js";
import { zones } from "./v2-zones.js";

export const dnsV2 = service("dns", {
  name: "dns-v2",
  document: "today",
  title: "DNS zones",
  about: "Manages zones and their record sets, one by one, in change lists, or as whole zones.",
  standing: { state: "alive" },
  replaces: {
    services: ["dns"],
    gone: {
      dns_zone_get:
        "The records of a zone are listed by dns_recordsets_list, its settings by dns_zone_config_get, and the whole as a master file by dns_zone_file_get.",
      dns_zone_write:
        "Records are written as they are: dns_record_set changes one record set, dns_zone_recordset_replace all of them, and dns_zone_create adds a zone.",
    },
  },
  frontLine: ["dns_zones_list"],
  ids: {
    zone: "dns_zones_list",
    name: "dns_zone_names_list",
    contractId: "contract_ids_list",
    uuid: "dns_zone_versions_list",
    endCustomerId: { given: "your own id of a customer" },
  },
  rules: {
    "dns-v2-full-replacement": "Writing all record sets of a zone removes those that the call leaves out.",
    "dns-v2-all-or-none": "Several record sets are created together, or none of them if one exists.",
    "dns-v2-serial": "The serial of the SOA record grows with each change of a zone.",
    "dns-v2-new": "A new primary zone has no records until its first change list is submitted.",
    "dns-v2-stale": "A change list cannot be submitted once its zone has changed.",
    "dns-v2-reactivation": "A reactivated version becomes a new version with the present settings and a higher serial.",
    "dns-v2-type": "The type of a zone cannot be changed.",
    "dns-v2-delete-checks": "A zone that is delegated or queried is not deleted unless the safety checks are bypassed.",
  },
  operations: { ...zones, ...records, ...changes, ...versions, ...keys },
});
