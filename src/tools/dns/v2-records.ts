/** The record sets of a zone: one at a time, several, all of them, and the zone as a master file. */
import { type Check, unlessInsisted } from "../../language/check.js";
import type { Arguments, Guard, Statement } from "../../language/conduct.js";
import { type FieldProblem, fieldProblem } from "../../language/failure.js";
import { act, type GuardParameters } from "../../language/guards.js";
import { listAt } from "../../language/member.js";
import { onceFor } from "../../language/once-for.js";
import { calling, naming } from "../../language/sentence.js";
import { listInWords } from "../../language/words.js";
import { lossesBetween, refusedLosses, zoneOverrides } from "./losses.js";
import { readMasterFile } from "./master-file.js";
import { isOneRecord } from "./rdata.js";
import {
  changesSets,
  changeWords,
  differenceWords,
  graveReasons,
  type RecordSet,
  readsConfig,
  recordScope,
  rewriteOf,
  rewriteScope,
  setIn,
  setsIn,
  setWarnings,
  setWords,
  setWordsWithoutTtl,
  signedWarning,
  undoByFormerVersion,
} from "./set-notation.js";
import { masterFileBody, operationAt, recordLists } from "./v2-shapes.js";
import { isIn } from "./zone.js";

const live = "on PRODUCTION immediately";

const outside = (field: string, zone: unknown, name: unknown): readonly FieldProblem[] =>
  isIn(String(zone), String(name))
    ? []
    : fieldProblem(field, name, `the full name of a record in ${String(zone)}: ${name}.${zone}`);

/** Refuses values of which a part would be lost as a comment, or whose quotes are not closed. */
const areWhole = (field: string, rdata: readonly unknown[]): readonly FieldProblem[] =>
  rdata.flatMap((text, at) =>
    isOneRecord(String(text))
      ? []
      : fieldProblem(`${field}[${at}]`, text, "a value with ; and ( only in double quotes, which are closed"),
  );
/** The same for the values of the record set in a body. */
export const hasWholeValues: Check = ({ args }) => areWhole("body.rdata", listAt(args, "body.rdata"));

/** Refuses a record set whose name or type is not that of its path, and a name outside the zone. */
const isOfPath: Check = ({ args }) => {
  const { zone, name, type, body } = args;
  const set = setIn(body);
  return [
    ...outside("name", zone, name),
    ...(set && set.name !== String(name).toLowerCase()
      ? fieldProblem("body.name", set.name, `${String(name)}, as name says`)
      : []),
    ...(set && set.type !== type ? fieldProblem("body.type", set.type, `${String(type)}, as type says`) : []),
  ];
};

const areOfZone: Check = ({ args }) => {
  const seen = new Set<string>();
  return setsIn(args, "body.recordsets").flatMap(({ name, type }, at) => {
    const key = `${name} ${type}`;
    const isTwice = seen.has(key);
    seen.add(key);
    const field = `body.recordsets[${at}]`;
    return [
      ...outside(`${field}.name`, args["zone"], name),
      ...(isTwice ? fieldProblem(field, key, "each name and type once, with all values in rdata") : []),
      ...areWhole(`${field}.rdata`, listAt(listAt(args, "body.recordsets")[at], "rdata")),
    ];
  });
};

/** Refuses the loss of a name server at the apex, unless the caller insists. */
const keepsNameServers = unlessInsisted({ apex_ns: zoneOverrides.apex_ns }, async ({ args, present }) => {
  const before = args["type"] === "NS" ? setIn(await present()) : undefined;
  if (before === undefined) return [];
  const losses = lossesBetween(String(args["zone"]), [before], [askedSet(args)]);
  return refusedLosses(
    args,
    losses.filter(({ override }) => override === "apex_ns"),
  );
});

/** The record set of a call: the one in its body, or else an empty one with the name and type of its path. */
const askedSet = ({ name, type, body }: Arguments): RecordSet =>
  setIn(body) ?? { name: String(name), type: String(type), rdata: [] };

/** The record set that is there, as a list. */
const presentSets = (present: unknown): readonly RecordSet[] => [setIn(present) ?? []].flat();

/** What the guards of a change of one set share. */
const oneSetGuard = {
  thing: "record set",
  network: "PRODUCTION",
  target: ({ name, type }: Arguments) => `${String(name)} ${String(type)}`,
  critical: [(args: Arguments) => graveReasons(args["zone"], [askedSet(args)])],
  warns: (args: Arguments, _: unknown, related: Arguments) => setWarnings(args["zone"], related, [askedSet(args)]),
} satisfies Partial<Guard>;

type SetsIn = (...seen: GuardParameters) => readonly RecordSet[];
/** The guard and the check of a change that replaces every record set of a zone, in whatever form they are. */
export function wholeZone(
  presentIn: SetsIn,
  writtenIn: SetsIn,
  statementFor: (args: Arguments, words: string) => Statement = ({ zone }, words) =>
    act`REPLACE every record set of the zone ${String(zone)}: ${words}, ${live}`,
) {
  const lossesOf = (...seen: GuardParameters) =>
    lossesBetween(String(seen[0]["zone"]), presentIn(...seen), writtenIn(...seen));
  const guard = {
    kind: "overwrite",
    undo: undoByFormerVersion,
    thing: "all record sets of the zone",
    network: "PRODUCTION",
    critical: [() => ["it replaces every record set of the zone"]],
    ...changesSets(
      (...seen) => rewriteOf(seen[0]["zone"], presentIn(...seen), writtenIn(...seen)),
      (args, changes = []) => statementFor(args, differenceWords(changes)),
    ),
    forecasts: (...seen) => rewriteScope(seen[0]["zone"], presentIn(...seen), writtenIn(...seen)),
    warns: (...seen) => [...lossesOf(...seen).map(({ says }) => says), ...signedWarning(seen[2], writtenIn(...seen))],
  } satisfies Guard;
  const check = unlessInsisted(zoneOverrides, async ({ args, present }) =>
    refusedLosses(args, lossesOf(args, await present(), {})),
  );
  return { guard, check };
}

const wholeListGuard = wholeZone(
  (_, present) => setsIn(present, "recordsets"),
  (args) => setsIn(args, "body.recordsets"),
);
/** The master file in the arguments of a call, which its checks and its preview all ask for. */
export const fileOf = onceFor(({ body, zone }: Arguments) => readMasterFile(String(body), String(zone)));
/** Refuses a file with lines that cannot be read, because they would be lost. */
export const isMasterFile: Check = ({ args }) => fileOf(args).problems;
const wholeFileGuard = wholeZone(
  ({ zone }, present) => (typeof present === "string" ? readMasterFile(present, String(zone)).sets : []),
  (args) => fileOf(args).sets,
);

const missing = "There is no such record set: dns_recordsets_list shows those of the zone.";
const refused = { 400: "The record set was refused: a value does not fit its type, or the name has a CNAME record." };
const www = { zone: "example.com", name: "www.example.com", type: "A" };
const shop = `$TTL 600
@ 86400 NS ns1.example.com.
@ 86400 NS ns2.example.com.
@ 300 A 203.0.113.10
origin A 203.0.113.10
origin-api A 203.0.113.66
origin-live A 203.0.113.70
www 60 CNAME www.shop.example.edgesuite.example.
api 60 CNAME api.shop.example.edgesuite.example.
images 60 CNAME images.shop.example.edgesuite.example.
`;

export const records = {
  dns_recordsets_list: operationAt("GET /config-dns/v2/zones/{zone}/recordsets", {
    does: "Lists a zone's record sets.",
    corrects: recordLists,
    means: { 404: "There is no such zone, or it is an alias zone: dns_zones_list lists them." },
    example: { zone: "example.com", types: ["A", "MX"], showAll: true },
  }),
  dns_recordset_get: operationAt("GET /config-dns/v2/zones/{zone}/names/{name}/types/{type}", {
    does: "Reads one record set: its TTL and values.",
    means: { 404: missing },
    example: www,
  }),
  dns_recordset_create: operationAt("POST /config-dns/v2/zones/{zone}/names/{name}/types/{type}", {
    does: "Creates a record set, live at once.",
    effect: "create",
    checks: [isOfPath, hasWholeValues],
    guard: {
      ...oneSetGuard,
      kind: "create",
      undo: {
        by: ({ given: { zone, name, type } }) =>
          naming`To remove it, ${calling({ tool: "dns_recordset_delete", arguments: { zone, name, type } })}.`,
      },
      says: (args) =>
        act`ADD ${setWordsWithoutTtl(args["zone"], askedSet(args))} to the zone ${String(args["zone"])}, ${live}`,
      forecasts: (args) => recordScope(args["zone"], [], [askedSet(args)]),
    },
    shownBy: {
      by: "dns_recordsets_list",
      args: ({ zone, name, type }) => ({ zone, types: [type], search: name, showAll: true }),
    },
    relatedReads: readsConfig,
    means: { ...refused, 409: "It exists: change it with dns_recordset_replace." },
    example: {
      zone: "example.com",
      name: "shop.example.com",
      type: "A",
      body: { name: "shop.example.com", type: "A", ttl: 300, rdata: ["203.0.113.31"] },
    },
  }),
  dns_recordset_replace: operationAt("PUT /config-dns/v2/zones/{zone}/names/{name}/types/{type}", {
    does: "Replaces the TTL and all values of a record set, live at once.",
    effect: "destructive",
    checks: [isOfPath, hasWholeValues, keepsNameServers],
    guard: {
      ...oneSetGuard,
      kind: "overwrite",
      replaces: "body",
      review: { sets: "all" },
      undo: "rewrite",
      says: (args, present) => {
        const [before, after] = [setIn(present), askedSet(args)];
        const set = `${setWordsWithoutTtl(args["zone"], { ...after, rdata: [] })} in the zone ${String(args["zone"])}`;
        return before === undefined
          ? act`REPLACE ${set}: there is no such record set`
          : act`REPLACE ${set}: ${changeWords(before, after)}, ${live}`;
      },
      forecasts: (args, present) => recordScope(args["zone"], presentSets(present), [askedSet(args)]),
    },
    shownBy: "dns_recordset_get",
    relatedReads: readsConfig,
    means: { ...refused, 404: `${missing} dns_recordset_create adds one.` },
    example: { ...www, body: { name: www.name, type: "A", ttl: 60, rdata: ["203.0.113.99"] } },
  }),
  dns_recordset_delete: operationAt("DELETE /config-dns/v2/zones/{zone}/names/{name}/types/{type}", {
    does: "Removes a record set, live at once.",
    checks: [isOfPath, keepsNameServers],
    guard: {
      ...oneSetGuard,
      kind: "delete",
      undo: {
        tool: "dns_recordset_create",
        isWhole: true,
        args: ({ given: { zone, name, type }, before }) =>
          before === undefined ? undefined : { zone, name, type, body: before },
      },
      says: (args, present) => {
        const set = setIn(present) ?? askedSet(args);
        return act`REMOVE ${setWordsWithoutTtl(args["zone"], set)} from the zone ${String(args["zone"])}, ${live}: the name then has no ${set.type} record`;
      },
      forecasts: (args, present) => recordScope(args["zone"], presentSets(present), []),
    },
    shownBy: "dns_recordset_get",
    relatedReads: readsConfig,
    means: { 404: missing },
    example: { zone: "example.com", name: "blog.example.com", type: "CNAME" },
  }),
  dns_zone_recordset_create: operationAt("POST /config-dns/v2/zones/{zone}/recordsets", {
    does: "Creates several record sets at once, all or none.",
    accepts: ["GET /config-dns/v2/zones/{zone}/recordsets"],
    effect: "create",
    checks: [areOfZone],
    guard: {
      kind: "create",
      thing: "record sets",
      network: "PRODUCTION",
      undo: undoByFormerVersion,
      counts: "body.recordsets",
      says: ({ zone, body }) => {
        const sets = listInWords(setsIn(body, "recordsets"), (one) => setWords(zone, one));
        return act`ADD ${sets} to the zone ${String(zone)}, ${live}`;
      },
      forecasts: ({ zone, body }) => recordScope(zone, [], setsIn(body, "recordsets")),
      critical: [
        (args) => graveReasons(args["zone"], setsIn(args, "body.recordsets")),
        (args) => [setsIn(args, "body.recordsets").length !== 1 && "it reaches more than one record set"],
      ],
      warns: (args, _, related) => setWarnings(args["zone"], related, setsIn(args, "body.recordsets")),
    },
    shownBy: { by: "dns_recordsets_list", args: ({ zone }) => ({ zone, showAll: true }) },
    relatedReads: readsConfig,
    rules: ["dns-v2-all-or-none"],
    means: { ...refused, 409: "One of them exists, so none was created: dns_recordsets_list shows what is there." },
    example: {
      zone: "example.com",
      body: { recordsets: [{ name: "eu.example.com", type: "A", ttl: 300, rdata: ["203.0.113.41"] }] },
    },
  }),
  dns_zone_recordset_replace: operationAt("PUT /config-dns/v2/zones/{zone}/recordsets", {
    does: "Replaces all record sets of a zone, live at once; omitted ones are removed.",
    needs: "For a few, use a change list.",
    effect: "destructive",
    checks: [areOfZone, wholeListGuard.check],
    guard: wholeListGuard.guard,
    shownBy: { by: "dns_recordsets_list", args: ({ zone }) => ({ zone, showAll: true }) },
    relatedReads: readsConfig,
    rules: ["dns-v2-full-replacement", "dns-v2-serial"],
    means: refused,
    example: { zone: "shop.example", body: { recordsets: [...readMasterFile(shop, "shop.example").sets] } },
  }),
  dns_zone_names_list: operationAt("GET /config-dns/v2/zones/{zone}/names", {
    does: "Lists the names in a zone that have records.",
    example: { zone: "example.com" },
  }),
  dns_name_types_list: operationAt("GET /config-dns/v2/zones/{zone}/names/{name}/types", {
    does: "Lists the types of records that a name has.",
    example: { zone: "example.com", name: "www.example.com" },
  }),
  dns_zone_file_get: operationAt("GET /config-dns/v2/zones/{zone}/zone-file", {
    does: "Reads a zone as a master file (BIND).",
    example: { zone: "example.com" },
  }),
  dns_zone_file_replace: operationAt("POST /config-dns/v2/zones/{zone}/zone-file", {
    does: "Replaces all record sets of a zone with a master file, live at once.",
    corrects: masterFileBody,
    effect: "destructive",
    checks: [isMasterFile, wholeFileGuard.check],
    guard: wholeFileGuard.guard,
    shownBy: "dns_zone_file_get",
    relatedReads: readsConfig,
    rules: ["dns-v2-full-replacement", "dns-v2-serial"],
    means: { 400: "The file was refused: a line is no record, or a record does not fit its type." },
    example: { zone: "shop.example", body: shop },
  }),
};
