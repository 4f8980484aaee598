/** Change lists: drafts of changes to a zone, of which nothing is served until they are submitted together. */

import type { Check } from "../../language/check.js";
import { type Arguments, pickArguments } from "../../language/conduct.js";
import { empty } from "../../language/define.js";
import { signedLine } from "../../language/difference-lines.js";
import { act, statement } from "../../language/guards.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";
import { plainOrQuoted, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import {
  changesSets,
  differenceOf,
  differenceWords,
  graveReasons,
  type RecordSet,
  readsConfig,
  recordScope,
  rewriteOf,
  type SetChange,
  setIn,
  setWarnings,
  skipsSafety,
  undoByFormerVersion,
} from "./set-notation.js";
import { fileOf, hasWholeValues, isMasterFile } from "./v2-records.js";
import { masterFileBody, operationAt, recordLists } from "./v2-shapes.js";

/** The record sets of a report, on one side of it. */
const sideOf = (report: unknown, side: "fromValue" | "toValue"): readonly RecordSet[] =>
  listAt(report, "diffs.recordSetDiffs").flatMap((change) => {
    const value = memberAt(change, side);
    const named = { name: memberAt(change, "name"), type: memberAt(change, "type") };
    return isRecord(value) ? (setIn({ ...value, ...named }) ?? []) : [];
  });
const changedSets = (report: unknown): readonly RecordSet[] => [
  ...sideOf(report, "fromValue"),
  ...sideOf(report, "toValue"),
];

/** The changes in a report, of record sets and then of settings; undefined if it could not be read. */
const changesIn = ({ zone }: Arguments, _: unknown, { diff }: Arguments): readonly SetChange[] | undefined => {
  const settings = listAt(diff, "diffs.settingsDiffs").map((setting): SetChange => {
    const [name, from, to] = ["fieldName", "fromValue", "toValue"].map((member) => memberAt(setting, member));
    const words = `${plainOrQuoted(from ?? "none")} → ${plainOrQuoted(to ?? "none")}`;
    return {
      verb: "change",
      words: `${String(name)} ${words}`,
      line: signedLine("changed", `${String(name)}: ${words}`),
    };
  });
  const sets = differenceOf(zone, sideOf(diff, "fromValue"), sideOf(diff, "toValue"));
  return diff === undefined ? undefined : [...sets, ...settings];
};

const reads = {
  diff: { by: "dns_changelist_compare", args: pickArguments("zone"), isBound: true },
  ...readsConfig,
} as const;

const keptIn = (present: unknown) =>
  listAt(present, "recordsets").flatMap((one) => (memberAt(one, "state") === "DELETED" ? [] : (setIn(one) ?? [])));

/** A stale change list cannot be submitted. */
const isCurrent: Check = async ({ args, present }) =>
  memberAt(await present(), "stale") === true
    ? [
        {
          field: "zone",
          takes: `a zone that has not changed since its change list was made: note its changes with dns_changelist_compare, discard it with dns_changelist_delete and make it again for ${String(args["zone"])}`,
        },
      ]
    : [];

/** An existing change list is only lost by its own deletion, which shows what it holds. */
const losesNone: Check = async ({ args: { zone, overwrite = "none" }, read }) => {
  if (overwrite === "none") return [];
  const lists = listAt(await read("dns_changelists_list", {}), "changeLists");
  const isThere = lists.some((one) => memberAt(one, "zone") === String(zone).toLowerCase());
  const takes = "nothing, because the zone has a change list: discard it with dns_changelist_delete first";
  return isThere ? [{ field: "overwrite", takes }] : [];
};

/** An added or edited record set has values, and a deleted one has none. */
const hasValues: Check = ({ args }) => {
  const [op_, rdata, ttl] = ["op", "rdata", "ttl"].map((member) => memberAt(args, ["body", member]));
  if (op_ === "DELETE") return [];
  return withoutFalse(rdata === undefined && "body.rdata", ttl === undefined && "body.ttl").map((field) => ({
    field,
    takes: "a value, because op adds or edits a record set",
  }));
};

const none = "You have no change list for this zone: dns_changelist_create makes one.";

export const changes = {
  dns_changelists_list: operationAt("GET /config-dns/v2/changelists", {
    does: "Lists your change lists.",
  }),
  dns_changelist_create: operationAt("POST /config-dns/v2/changelists", {
    does: "Starts a change list, a draft of changes to a zone.",
    needs: "That of a NEW zone already holds NS and SOA records.",
    effect: "create",
    checks: [losesNone],
    shownBy: "dns_changelists_list",
    rules: ["dns-v2-new"],
    means: { 409: "You have one for this zone: dns_changelist_get shows it." },
    example: { zone: "example.com" },
  }),
  dns_changelist_get: operationAt("GET /config-dns/v2/changelists/{zone}", {
    does: "Reads whether a change list is stale.",
    corrects: {
      why: "The compiled definition leaves out the status of a list that has not changed.",
      returns: { 304: empty },
    },
    means: { 404: none },
    example: { zone: "shop.example" },
  }),
  dns_changelist_delete: operationAt("DELETE /config-dns/v2/changelists/{zone}", {
    does: "Discards a change list.",
    guard: {
      kind: "delete",
      thing: "change list",
      undo: { never: "The changes in it are gone: make them again in a new change list." },
      ...changesSets(changesIn, ({ zone }, changes) => {
        const loses = changes?.length === 0 ? "it holds no change" : changes && `it would ${differenceWords(changes)}`;
        return act`DISCARD the change list of the zone ${String(zone)}, and nothing that is served: ${loses ?? "what it holds could not be read"}`;
      }),
    },
    shownBy: "dns_changelist_get",
    relatedReads: reads,
    means: { 404: none },
    example: { zone: "shop.example" },
  }),
  dns_changelist_recordsets_list: operationAt("GET /config-dns/v2/changelists/{zone}/recordsets", {
    does: "Lists a zone's record sets as a change list would make them.",
    corrects: recordLists,
    means: { 404: none },
    example: { zone: "shop.example", showAll: true },
  }),
  dns_changelist_recordset_set: operationAt("POST /config-dns/v2/changelists/{zone}/recordsets/add-change", {
    does: "Adds, edits or deletes one record set in a change list; live once submitted.",
    arguments: {
      ttl: z.int().min(0).describe("Unless op is DELETE"),
      rdata: z.array(z.string().min(1)).describe("All values, unless op is DELETE"),
    },
    effect: "update",
    checks: [hasValues, hasWholeValues],
    shownBy: "dns_changelist_recordsets_list",
    means: { 404: none, 409: "ADD needs a new record set, and EDIT or DELETE an existing one." },
    example: {
      zone: "shop.example",
      body: { name: "eu.shop.example", type: "A", op: "ADD", ttl: 300, rdata: ["203.0.113.41"] },
    },
  }),
  dns_changelist_file_replace: operationAt("POST /config-dns/v2/changelists/{zone}/recordsets", {
    does: "Replaces the record sets in a change list with a master file.",
    corrects: masterFileBody,
    effect: "destructive",
    checks: [isMasterFile],
    guard: {
      kind: "overwrite",
      thing: "change list",
      undo: { by: "Discard the change list with dns_changelist_delete and make its changes again." },
      ...changesSets(
        (args, present) => rewriteOf(args["zone"], keptIn(present), fileOf(args).sets),
        ({ zone }, changes = []) =>
          act`REPLACE what the change list of the zone ${String(zone)} holds, and nothing that is served: ${differenceWords(changes)}`,
      ),
    },
    shownBy: { by: "dns_changelist_recordsets_list", args: ({ zone }) => ({ zone, showAll: true }) },
    means: { 404: none },
    example: { zone: "shop.example", body: "@ 300 A 203.0.113.10\n" },
  }),
  dns_changelist_compare: operationAt("GET /config-dns/v2/changelists/{zone}/diff", {
    does: "Shows what a change list would change.",
    means: { 404: none },
    example: { zone: "shop.example" },
  }),
  dns_changelist_submit: operationAt("POST /config-dns/v2/changelists/{zone}/submit", {
    does: "Makes all changes of a change list live at once.",
    effect: "destructive",
    checks: [isCurrent],
    guard: {
      kind: "activate",
      thing: "change list",
      network: "PRODUCTION",
      undo: undoByFormerVersion,
      ...changesSets(changesIn, ({ zone, skipSignAndServeSafetyCheck }, changes) =>
        statement(
          skipSignAndServeSafetyCheck === true ? "WITHOUT THE DNSSEC CHECK, SUBMIT" : "SUBMIT",
          `the change list of the zone ${String(zone)}`,
          changes === undefined ? "what it changes could not be read" : differenceWords(changes),
          "on PRODUCTION immediately",
        ),
      ),
      forecasts: ({ zone }, _, { diff }) => recordScope(zone, sideOf(diff, "fromValue"), sideOf(diff, "toValue")),
      critical: [
        skipsSafety,
        ({ zone }, _, related) => graveReasons(zone, changedSets(related["diff"])),
        (_, __, { diff }) => [
          listAt(diff, "diffs.recordSetDiffs").length !== 1 && "it reaches more than one record set",
        ],
      ],
      warns: ({ zone }, _, related) => setWarnings(zone, related, changedSets(related["diff"])),
    },
    shownBy: "dns_changelist_get",
    relatedReads: reads,
    rules: ["dns-v2-stale", "dns-v2-serial"],
    means: { 404: none, 409: "The zone has changed since: make the change list again." },
    example: { zone: "shop.example", skipSignAndServeSafetyCheck: false },
  }),
};
