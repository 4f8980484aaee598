/** Keys for zone transfers, which are secret, and the state of transfers and of DNSSEC. */
import { pickArguments } from "../../language/conduct.js";
import { act } from "../../language/guards.js";
import { listAt } from "../../language/member.js";
import { listInWords } from "../../language/words.js";
import { z } from "../../language/z.js";
import { keyLists, operationAt } from "./v2-shapes.js";

const lost = { never: "The API does not show the former secret here: write it again from where you keep it." } as const;
const transfers = "the zone is no longer updated from its masters if they have another key";

const none = "The zone has no key, or there is no such zone.";

export const keys = {
  dns_keys_list: operationAt("GET /config-dns/v2/keys", {
    does: "Lists the TSIG keys for zone transfers and how many zones use each.",
    arguments: { search: z.string() },
    corrects: keyLists,
  }),
  dns_zone_key_get: operationAt("GET /config-dns/v2/zones/{zone}/key", {
    does: "Reads the name and algorithm of a zone's TSIG key.",
    means: { 404: none },
    example: { zone: "partner.example" },
  }),
  dns_zone_key_replace: operationAt("PUT /config-dns/v2/zones/{zone}/key", {
    does: "Replaces the TSIG key of a secondary zone.",
    arguments: { name: z.string().min(1) },
    effect: "destructive",
    guard: {
      kind: "credential",
      thing: "transfer key of the zone",
      network: "PRODUCTION",
      replaces: "body",
      // All members are required, so that no call leaves one out.
      write: "merge",
      says: `its secret is overwritten, and ${transfers}`,
      undo: lost,
    },
    shownBy: "dns_zone_key_get",
    example: {
      zone: "partner.example",
      body: { name: "transfer-2027", algorithm: "hmac-sha512", secret: "bWFkZS11cC1rZXktZm9yLTIwMjc=" },
    },
  }),
  dns_zone_key_delete: operationAt("DELETE /config-dns/v2/zones/{zone}/key", {
    does: "Removes the TSIG key of a zone.",
    guard: {
      kind: "credential",
      thing: "transfer key of the zone",
      network: "PRODUCTION",
      says: ({ zone }) =>
        act`REMOVE the transfer key of the zone ${String(zone)}, on PRODUCTION immediately: ${transfers}`,
      undo: lost,
      warns: (_, __, related) => {
        const zones = listAt(related["users"], "zones").map(String);
        return zones.length > 1 ? [`The key stays with the other zones that use it: ${listInWords(zones)}.`] : [];
      },
    },
    shownBy: "dns_zone_key_get",
    relatedReads: { users: { by: "dns_zone_key_zones_list", args: pickArguments("zone") } },
    example: { zone: "partner.example" },
  }),
  dns_zone_key_zones_list: operationAt("GET /config-dns/v2/zones/{zone}/key/used-by", {
    does: "Lists the zones that use the same TSIG key.",
    means: { 404: none },
    example: { zone: "partner.example" },
  }),
  dns_zone_dnssec_status: operationAt("POST /config-dns/v2/zones/dns-sec-status", {
    does: "Reads the DNSSEC state of signed zones: alerts, and the DS record for the parent.",
    effect: "read",
    example: { body: { zones: ["partner.example"] } },
  }),
  dns_zone_transfer_status: operationAt("POST /config-dns/v2/zones/zone-transfer-status", {
    does: "Reads when secondary zones were last transferred from their masters.",
    effect: "read",
    example: { body: { zones: ["partner.example"] } },
  }),
};
