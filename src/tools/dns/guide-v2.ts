/** The written part of the guide to DNS zones with today's API. */
import type { Guide } from "../../language/guide.js";
import type { dnsV2 as service } from "./v2.js";

export const dnsV2 = {
  purpose:
    "Use it to host zones and change their records. Records are written as record sets: all records of one name and type, with one TTL. A written record set is live at once, and the serial of the SOA record grows by itself. For one record set use `dns_record_set` and `dns_record_remove`, which read what is there and choose the call; for several use a change list, and for a step back a version. Names are absolute (www.example.com), and values are as in zone files, so the host in an MX record ends with a dot.",
  objects: {
    zone: "A domain whose records are served: `PRIMARY` zones have their records here, `SECONDARY` zones fetch them from your own servers, and `ALIAS` zones copy another zone.",
    changelist:
      "Your draft of changes to one zone, made on its present version. Nothing is live until `dns_changelist_submit`, which makes all of it live together.",
    "zone version":
      "The state of a zone after a change. `dns_zone_version_activate` serves the record sets of a former one again.",
    key: "A TSIG key, with which a secondary zone is fetched from its masters.",
    recordset: "All records of one name and type in a zone, with one TTL.",
  },
  lives: [
    {
      of: "a zone",
      shown: { by: "dns_zone_config_get", at: "activationState" },
      moves: [
        { to: "NEW", by: "dns_zone_create", when: "it is primary" },
        { to: "ACTIVE", by: "dns_zone_create", when: "it is secondary or an alias" },
        { from: "NEW", to: "ACTIVE", by: "dns_changelist_submit" },
        { from: "ACTIVE", by: "dns_zone_deletion_submit", when: "the request is complete" },
      ],
    },
    {
      of: "a change list",
      moves: [
        { to: "current", by: "dns_changelist_create" },
        { from: "current", by: "dns_changelist_submit" },
        { from: "current", to: "stale", when: "the zone has changed" },
        { from: "stale", by: "dns_changelist_delete" },
      ],
    },
  ],
  limits: ["dns-v2-full-replacement", "dns-v2-all-or-none", "dns-v2-serial", "dns-v2-delete-checks"],
} satisfies Guide<typeof service>;
