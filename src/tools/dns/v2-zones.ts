/** Zones: their settings, aliases, contracts and groups, and requests that delete several of them. */
import type { Arguments, UpstreamAnswer } from "../../language/conduct.js";
import { contractArgument } from "../../language/defaults.js";
import { act, flag } from "../../language/guards.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";
import { listInWords } from "../../language/words.js";
import { z } from "../../language/z.js";
import { skipsSafety } from "./set-notation.js";
import { contractList, operationAt, zoneLists } from "./v2-shapes.js";

const zonesOf = (args: Arguments): readonly string[] => listAt(args, "body.zones").map(String);

/** The warning about the deletion of a zone; false if nothing is known against it. */
function deletionWarning(name: unknown, zone: unknown): string | false {
  if (zone === null || zone === undefined) return `There is no zone ${String(name)}.`;
  const aliases = Number(memberAt(zone, "aliasCount") ?? 0);
  return aliases > 0 && `Alias zones that copy ${String(name)}: ${aliases}. They are no longer served either.`;
}

/** The record type and name of the other operations are the type of a zone here, and the name of its key. */
const ofZone = { type: true, name: z.string().min(1) } as const;
const none = "There is no such zone: dns_zones_list lists them.";

export const zones = {
  dns_zones_list: operationAt("GET /config-dns/v2/zones", {
    does: "Lists the account's DNS zones with their settings.",
    arguments: { search: z.string().describe("Part of the name") },
    corrects: zoneLists,
    example: { showAll: true },
  }),
  dns_zone_config_get: operationAt("GET /config-dns/v2/zones/{zone}", {
    does: "Reads a zone's settings: type, contract, DNSSEC and state.",
    means: { 404: none },
    example: { zone: "example.com" },
  }),
  dns_zone_create: operationAt("POST /config-dns/v2/zones", {
    does: "Creates a zone.",
    arguments: { ...ofZone, contractId: contractArgument(z.string().min(1), "contract_ids_list"), gid: "Group id" },
    needs: "A PRIMARY one is NEW until dns_changelist_create and dns_changelist_submit.",
    effect: "create",
    guard: {
      kind: "create",
      when: "asked",
      undo: {
        tool: "dns_zone_deletion_submit",
        args: ({ given }) => ({ body: { zones: [memberAt(given, "body.zone")] } }),
      },
      says: (args) =>
        act`CREATE the ${String(memberAt(args, "body.type"))} zone ${String(memberAt(args, "body.zone"))} in contract ${String(args["contractId"])}`,
      target: (args) => String(memberAt(args, "body.zone")),
    },
    shownBy: { by: "dns_zones_list", args: (args) => ({ search: memberAt(args, "body.zone") }) },
    rules: ["dns-v2-new"],
    means: { 409: "There is a zone of this name, perhaps in another account." },
    example: { contractId: "C-1FRYVV3", gid: 11_111, body: { zone: "new-shop.example", type: "PRIMARY" } },
  }),
  dns_zone_config_replace: operationAt("PUT /config-dns/v2/zones/{zone}", {
    does: "Replaces a zone's settings except its type; omitted ones are reset.",
    arguments: { ...ofZone, contractId: true },
    needs: "Change the response of dns_zone_config_get.",
    effect: "destructive",
    guard: {
      kind: "overwrite",
      thing: "the settings of the DNS zone",
      network: "PRODUCTION",
      replaces: "body",
      undo: {
        tool: "dns_zone_config_replace",
        args: ({ given: { zone, skipSignAndServeSafetyCheck }, before }) =>
          isRecord(before) ? { zone, skipSignAndServeSafetyCheck, body: before } : undefined,
      },
      critical: [skipsSafety],
      warns: (args, present) => {
        const [was, is] = [memberAt(present, "signAndServe") === true, memberAt(args, "body.signAndServe") === true];
        const [from, to] = [memberAt(present, "contractId"), memberAt(args, "body.contractId")];
        return [
          args["skipSignAndServeSafetyCheck"] === true &&
            "The check is skipped: if the parent zone has a DS record, resolvers that validate no longer answer for this zone.",
          was &&
            !is &&
            "DNSSEC ends: the zone does not resolve where answers are validated while its parent has a DS record.",
          !was && is && "DNSSEC begins: the chain of trust is complete once the parent zone has the DS record.",
          from !== undefined && to !== undefined && from !== to && `The zone moves from contract ${from} to ${to}.`,
        ];
      },
    },
    shownBy: "dns_zone_config_get",
    rules: ["dns-v2-type"],
    means: { 404: none },
    example: {
      zone: "example.com",
      skipSignAndServeSafetyCheck: false,
      body: { zone: "example.com", type: "PRIMARY", comment: "Main site" },
    },
  }),
  dns_zone_aliases_list: operationAt("GET /config-dns/v2/zones/{zone}/aliases", {
    does: "Lists the alias zones that copy a zone.",
    example: { zone: "example.com" },
  }),
  dns_zone_contract_get: operationAt("GET /config-dns/v2/zones/{zone}/contract", {
    does: "Reads the contract of a zone, with its limits and features.",
    arguments: { gid: "Group id" },
    example: { zone: "example.com", gid: 11_111 },
  }),
  dns_contracts_list: operationAt("GET /config-dns/v2/data/contracts", {
    does: "Lists a group's contracts for DNS zones, with permissions and limits.",
    example: { gid: 11_111 },
  }),
  dns_groups_list: operationAt("GET /config-dns/v2/data/groups", {
    does: "Reads a group's contracts and permissions for DNS zones.",
    example: { gid: 11_111 },
  }),
  dns_authorities_list: operationAt("GET /config-dns/v2/data/authorities", {
    does: "Lists the name servers to delegate zones to, by contract.",
    corrects: contractList,
  }),
  dns_record_types_list: operationAt("GET /config-dns/v2/data/recordset-types", {
    does: "Lists the record types that a zone takes.",
    example: { zone: "example.com" },
  }),
  dns_zone_deletion_submit: operationAt("POST /config-dns/v2/zones/delete-requests", {
    does: "Deletes zones with all their records.",
    arguments: { bypassSafetyChecks: "Also if still in use" },
    whyClosed: "it could reach more zones than are named",
    effect: "destructive",
    guard: {
      kind: "delete",
      thing: "DNS zones",
      network: "PRODUCTION",
      counts: "body.zones",
      undo: { never: "A deleted zone does not come back: create it again and restore its records from a master file." },
      target: (args) => listInWords(zonesOf(args)),
      says: (args) =>
        act`DELETE the DNS zone${zonesOf(args).length === 1 ? "" : "s"} ${listInWords(zonesOf(args))} with all records, on PRODUCTION${args["bypassSafetyChecks"] === true ? ", without the check whether they are still in use" : ""}`,
      critical: [flag("bypassSafetyChecks", "it deletes zones that may still be in use")],
      warns: (args, _, related) => [
        ...listAt(related, "zones").map((zone, at) => deletionWarning(zonesOf(args)[at], zone)),
        args["bypassSafetyChecks"] === true &&
          "The safety checks are bypassed: a zone that is still delegated stops resolving, and so do its mail and websites.",
        "Keep each zone first: dns_zone_file_get reads it as a master file.",
      ],
    },
    shownBy: { by: "dns_zones_list", args: (args) => ({ search: zonesOf(args)[0] }), isBound: false },
    relatedReads: {
      zones: { by: "dns_zone_config_get", args: (args) => zonesOf(args).map((zone) => ({ zone })), isBound: true },
    },
    awaits: {
      status: "dns_zone_deletion_status",
      result: "dns_zone_deletion_result",
      follow: ({ body }: UpstreamAnswer) => {
        const requestId = memberAt(body, "requestId");
        return typeof requestId === "string" ? { requestId } : undefined;
      },
      isReady: ({ body }) => memberAt(body, "isComplete") === true,
      state: ({ body }) => ["isComplete", "successCount", "failureCount"].map((name) => memberAt(body, name)).join("/"),
    },
    rules: ["dns-v2-delete-checks"],
    example: { body: { zones: ["spring.example"] } },
  }),
  dns_zone_deletion_status: operationAt("GET /config-dns/v2/zones/delete-requests/{requestId}", {
    does: "Reads how far a deletion of zones is.",
    example: { requestId: "6b1f7a52-3c0d-4e8f-9a2b-000000000001" },
  }),
  dns_zone_deletion_result: operationAt("GET /config-dns/v2/zones/delete-requests/{requestId}/result", {
    does: "Reads which zones a request deleted.",
    example: { requestId: "6b1f7a52-3c0d-4e8f-9a2b-000000000001" },
  }),
};
