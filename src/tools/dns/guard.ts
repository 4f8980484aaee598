/** Previews of writing a zone, its losses, and their refusal. */
import { type Check, unlessInsisted } from "../../language/check.js";
import type { Arguments, Guard, PastChange, ReviewForm } from "../../language/conduct.js";
import { type FieldProblem, fieldProblem, quoteValue } from "../../language/failure.js";
import { act, membership } from "../../language/guards.js";
import { isRecord, memberAt, withMember } from "../../language/member.js";
import { listInWords, plainOrQuoted, withoutFalse } from "../../language/words.js";
import { lossesOf, refusedLosses, zoneOverrides } from "./losses.js";
import { rdataText } from "./rdata.js";
import { type RecordSet, recordScope } from "./set-notation.js";
import { ownerOf, recordsOf, type StoredZone, typesOf } from "./zone.js";

/** Whether a value has the fields for finding losses; the schema of a write is stricter than stored data may be. */
const isZone = (value: unknown): value is StoredZone =>
  isRecord(value) && typeof value["name"] === "string" && isRecord(value["soa"]);

/** Refuses a write with losses, unless the caller overrides each of them with `override`. */
export const refuseLosses = unlessInsisted(zoneOverrides, async ({ args, present }) => {
  const newZone = memberAt(args, "body.zone");
  if (!isZone(newZone)) return [];
  const stored = memberAt(await present(), "zone");
  if (!isZone(stored)) return [];
  return refusedLosses(args, lossesOf(stored, newZone));
});

type Records = readonly (readonly [list: string, record: Arguments, index: number])[];

/** The records of a zone: its fields that are lists. */
const listedIn = (zone: unknown): Records =>
  Object.entries(isRecord(zone) ? zone : {}).flatMap(([list, records]) =>
    Array.isArray(records) ? records.filter(isRecord).map((record, index) => [list, record, index] as const) : [],
  );

const isApex = ({ name }: Arguments): boolean => name === null || name === undefined || name === "";
const addresses = ["a", "aaaa", "cname"];

/** The labels of a record's fields, in the order of a zone file. */
const fieldWords = { priority: "", weight: "", port: "", target: "", ttl: "TTL" } as const;

/** Records in the notation of zone files: `www A 192.0.2.1 TTL 300`, the apex as `@`. */
export const recordForm: ReviewForm = {
  title: (list, record) => [isApex(record) ? "@" : record["name"], list.toUpperCase()],
  titled: ["name"],
  sets: "all",
  ignores: { id: "id" },
  words: fieldWords,
  usual: { active: true },
  rank: (list, record) => {
    if (record === undefined) return list.startsWith("soa.") ? 5 : 4;
    if (isApex(record)) return list === "ns" ? 0 : 1;
    if (list === "ns") return 1;
    return list === "mx" ? 2 : addresses.includes(list) ? 3 : 6;
  },
};

/** The identity of a record: its name, its type and its data, but not its TTL. */
const keyOfRecord = ([list, { name, ttl: _, ...data }]: Records[number]): string =>
  JSON.stringify([list, String(name ?? "").toLowerCase(), Object.entries(data).sort()]);
/** The record sets that a zone serves. */
function servedSets(zone: StoredZone): readonly RecordSet[] {
  const sets = new Map<string, RecordSet>();
  for (const list of typesOf(zone))
    for (const record of recordsOf(zone, list)) {
      if (record.active === false) continue;
      const place = { name: ownerOf(zone.name, record.name), type: list.toUpperCase() };
      const key = `${place.name} ${place.type}`;
      sets.set(key, { ...place, ttl: record.ttl, rdata: [...(sets.get(key)?.rdata ?? []), rdataText(list, record)] });
    }
  return [...sets.values()];
}

/** Records by their names, types and values: `www A 192.0.2.1`. */
const recordWords = (records: Records): string =>
  listInWords(records, ([list, { name, ttl: _, active, ...data }]) =>
    [
      isApex({ name }) ? "@" : plainOrQuoted(name),
      list.toUpperCase(),
      // In the order of a zone file: the priority of a mail server comes before its name.
      ...[...new Set([...Object.keys(fieldWords), ...Object.keys(data)])]
        .filter((member) => Object.hasOwn(data, member))
        .map((member) => plainOrQuoted(data[member])),
      ...(active === false ? ["(inactive)"] : []),
    ].join(" "),
  );

/** Refuses what document B rejects: the token of a new zone for an existing one, and a serial that is not higher. */
export const zoneIsWritable: Check = async ({ args, present }) => {
  const state = await present();
  const [token, serial] = [memberAt(args, "body.token"), memberAt(args, "body.zone.soa.serial")];
  if (state === undefined)
    return token === "new" ? [] : [{ field: "body.token", takes: '"new", because the zone does not exist yet' }];
  const problems: FieldProblem[] = [];
  const takes =
    "the zone's own token, because the zone exists: read it with dns_zone_get and apply the change to what is there";
  if (token === "new") problems.push(...fieldProblem("body.token", token, takes));
  const now = memberAt(state, "zone.soa.serial");
  // With another token the zone has changed, which is a better explanation than its serial.
  const isSameZone = token === memberAt(state, "token");
  if (isSameZone && typeof now === "number" && typeof serial === "number" && serial <= now)
    problems.push(...fieldProblem("body.zone.soa.serial", serial, `a serial greater than ${now}`));
  return problems;
};

const hostLists = ["cname", "ns", "mx", "ptr", "srv", "afsdb"];

/** Names to which the zone's name would be appended although they look absolute. */
function seemAbsolute(zone: string, records: Records): string[] {
  return records.flatMap(([list, { name, target }, index]) => {
    const isWhole = typeof name === "string" && name.toLowerCase().replace(/\.$/, "").endsWith(zone.toLowerCase());
    const isHost = typeof target === "string" && hostLists.includes(list);
    const isOpen = isHost && target.includes(".") && !target.endsWith(".");
    const field = (member: string) => `body.zone.${list}[${index}].${member}`;
    return withoutFalse(
      isWhole &&
        `${field("name")} ${quoteValue(name)} is relative to the zone and would become ${quoteValue(`${name.replace(/\.$/, "")}.${zone}`)}`,
      isOpen &&
        `${field("target")} ${quoteValue(target)} lacks its final dot and may become ${quoteValue(`${target}.${zone}`)}`,
    );
  });
}

const maxNamed = 3;

function warningsOf(args: Arguments, present: unknown): string[] {
  const [before, zone] = [memberAt(present, "zone"), memberAt(args, "body.zone")];
  const keyOf = (list: string, record: Arguments) => JSON.stringify([list, Object.entries(record).sort()]);
  const there = new Set(listedIn(before).map(([list, record]) => keyOf(list, record)));
  const names = seemAbsolute(
    String(args["zone"]),
    listedIn(zone).filter(([list, record]) => !there.has(keyOf(list, record))),
  );
  const name = memberAt(zone, "name");
  // Without an override these are refused; with one, the approver has to see them first.
  const losses = isZone(zone) && isZone(before) ? lossesOf(before, zone) : [];
  return withoutFalse(
    ...losses.map(({ says }) => says),
    typeof name === "string" &&
      name.toLowerCase() !== String(args["zone"]).toLowerCase() &&
      `body.zone.name is ${quoteValue(name)}, but the zone of the path is ${quoteValue(args["zone"])}.`,
    ...names.slice(0, maxNamed).map((text) => `${text}.`),
    names.length > maxNamed && `${names.length - maxNamed} more names look absolute but are relative to the zone.`,
  );
}

/** The zone as it was, with a serial above the present one, because a serial never decreases. */
function zonePutBack({ given, before, now }: PastChange): Arguments | undefined {
  const [zone, token, serial] = [memberAt(before, "zone"), memberAt(now, "token"), memberAt(now, "zone.soa.serial")];
  if (!isZone(zone) || typeof token !== "string" || typeof serial !== "number") return undefined;
  const raised = withMember(zone, ["soa", "serial"], serial + 1);
  return { zone: given["zone"], body: { token, zone: raised }, override: Object.keys(zoneOverrides) };
}

export const zoneGuard: Guard = {
  kind: "overwrite",
  thing: "the whole DNS zone",
  replaces: "body.zone",
  undo: { tool: "dns_zone_write", args: zonePutBack },
  network: "PRODUCTION",
  review: recordForm,
  says: (args, present) => {
    const records = listedIn(memberAt(args, "body.zone"));
    const zone = String(args["zone"]);
    if (present === undefined)
      return act`ADD the DNS zone ${zone} with ${recordWords(records) || "only its SOA record"}, on PRODUCTION immediately`;
    const change = membership(listedIn(memberAt(present, "zone")), records, keyOfRecord);
    const [lost, gained] = [change.lost, change.gained].map(recordWords);
    const does = [lost && `it loses ${lost}`, gained && `it gains ${gained}`].filter(Boolean).join("; ");
    return act`REPLACE the whole DNS zone ${zone}: ${does || "its records keep their names and values"}, on PRODUCTION immediately`;
  },
  forecasts: (args, present) => {
    const [zone, before] = [memberAt(args, "body.zone"), memberAt(present, "zone")];
    // A zone that is new was not served before.
    if (!isZone(before)) return undefined;
    const { minimum, ttl } = before.soa;
    const absentSeconds = typeof minimum === "number" ? Math.min(minimum, ttl) : undefined;
    return recordScope(args["zone"], servedSets(before), isZone(zone) ? servedSets(zone) : [], absentSeconds);
  },
  warns: warningsOf,
};
