/** Record sets in the sentences of previews, in the notation of zone files, and what the guards of their changes share. */
import { isDeepStrictEqual } from "node:util";
import {
  type Arguments,
  type DifferenceLine,
  type Guard,
  pickArguments,
  type Statement,
} from "../../language/conduct.js";
import { ignoredLines, lineTexts, signedLine } from "../../language/difference-lines.js";
import type { ChangedRecordSet, RecordScope } from "../../language/forecast.js";
import { flag, type GuardParameters, membership } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { calling, naming } from "../../language/sentence.js";
import { leadingWords, listInWords, plainOrQuoted } from "../../language/words.js";
import { textKey } from "./rdata.js";

/** A record set as far as it is known. */
export interface RecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl?: number;
  readonly rdata: readonly string[];
}

/** Values of a type, each once in its first spelling. */
const distinct = (type: string, rdata: readonly string[]): readonly string[] =>
  rdata.length < 2
    ? rdata
    : [...new Map(rdata.toReversed().map((one) => [textKey(type, one), one])).values()].reverse();

/** A record set from an answer or from arguments; undefined if the value is none. */
export function setIn(value: unknown): RecordSet | undefined {
  const [name, type, ttl] = ["name", "type", "ttl"].map((member) => memberAt(value, member));
  if (typeof name !== "string" || typeof type !== "string") return undefined;
  const rdata = distinct(type, listAt(value, "rdata").map(String));
  return { name: name.toLowerCase(), type, rdata, ...(typeof ttl === "number" ? { ttl } : {}) };
}

/** The record sets of an answer or of arguments, at a path. */
export const setsIn = (root: unknown, at: string): readonly RecordSet[] =>
  listAt(root, at).flatMap((one) => setIn(one) ?? []);

const keyOf = ({ name, type }: Pick<RecordSet, "name" | "type">): string => `${name} ${type}`;

/** A name relative to its zone, with `@` for the apex. */
function ownName(zone: unknown, name: string): string {
  const [apex, owner] = [String(zone).toLowerCase(), name.toLowerCase()];
  if (owner === apex) return "@";
  return owner.endsWith(`.${apex}`) ? owner.slice(0, -apex.length - 1) : `${owner}.`;
}

const titleOf = (zone: unknown, { name, type }: RecordSet): string => {
  const own = ownName(zone, name);
  return `${own === "@" ? own : plainOrQuoted(own)} ${type}`;
};
const valuesOf = (rdata: readonly string[]): string => listInWords(rdata, plainRdata);
const plainRdata = (text: string): string => (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) ? text : plainOrQuoted(text));

/** A record set: `www A 192.0.2.1`. */
export const setWordsWithoutTtl = (zone: unknown, set: RecordSet): string =>
  `${titleOf(zone, set)} ${valuesOf(set.rdata)}`.trim();

/** A record set with its TTL: `www A 192.0.2.1 TTL 300`. */
export const setWords = (zone: unknown, set: RecordSet): string =>
  `${setWordsWithoutTtl(zone, set)}${set.ttl === undefined ? "" : ` TTL ${set.ttl}`}`;

const unchanged = "it stays as it is";
/** What becomes of a record set whose name and type stay, such as `203.0.113.21 → 203.0.113.99, TTL 900 → 300`. */
export function changeWords(before: RecordSet, after: RecordSet): string {
  const { lost, gained } = membership(before.rdata, after.rdata, (text) => textKey(after.type, text));
  const values =
    lost.length > 0 && gained.length > 0
      ? [`${valuesOf(lost)} → ${valuesOf(gained)}`]
      : [...lost.map((one) => `REMOVE ${plainRdata(one)}`), ...gained.map((one) => `ADD ${plainRdata(one)}`)];
  const ttl =
    before.ttl !== after.ttl && after.ttl !== undefined ? [`TTL ${before.ttl ?? "unknown"} → ${after.ttl}`] : [];
  return [...values, ...ttl].join(", ") || unchanged;
}

/** What becomes of a record set or a setting: in words, and as a line of its own. */
export interface SetChange {
  readonly verb: "REMOVE" | "change" | "add" | "keep";
  readonly words: string;
  readonly line: DifferenceLine;
}

/** The values of a record set that another one has as well, as they are spelled. */
function sharedValues({ type, rdata }: RecordSet, other: RecordSet): readonly string[] {
  const keys = new Set(other.rdata.map((text) => textKey(type, text)));
  return rdata.filter((text) => keys.has(textKey(type, text)));
}

/** The keys of the record sets that another list has as well, in their order. */
function sharedKeys(sets: readonly RecordSet[], others: readonly RecordSet[]): readonly string[] {
  const keys = new Set(others.map(keyOf));
  return sets.map(keyOf).filter((key) => keys.has(key));
}

/** The difference between two lists of record sets: removals first, and last what differs without being a change. */
export function differenceOf(
  zone: unknown,
  before: readonly RecordSet[],
  after: readonly RecordSet[],
): readonly SetChange[] {
  const old = new Map(before.map((set) => [keyOf(set), set]));
  const { lost, gained } = membership(before, after, keyOf);
  const whole = (verb: "REMOVE" | "add", set: RecordSet): SetChange => {
    const words = setWords(zone, set);
    return { verb, words, line: signedLine(verb === "add" ? "added" : "removed", words) };
  };
  const keep = (words: string): SetChange => ({ verb: "keep", words, line: { text: words, verb: "ignored" } });
  const changed = after.flatMap((set): SetChange[] => {
    const former = old.get(keyOf(set));
    if (former === undefined || isDeepStrictEqual(former, set)) return [];
    const [words, title] = [changeWords(former, set), titleOf(zone, set)];
    const line = signedLine("changed", `${title}: ${words}`);
    return [
      ...(words === unchanged ? [] : [{ verb: "change", words: `${title} ${words}`, line } as const]),
      ...(isDeepStrictEqual(sharedValues(former, set), sharedValues(set, former))
        ? []
        : [keep(`${title}: the same values in another order or spelling`)]),
    ];
  });
  const isReordered = !isDeepStrictEqual(sharedKeys(before, after), sharedKeys(after, before));
  return [
    ...lost.map((set) => whole("REMOVE", set)),
    ...changed,
    ...gained.map((set) => whole("add", set)),
    ...(isReordered ? [keep("the record sets: the same in another order")] : []),
  ];
}

/** The difference that a write of all record sets makes. The SOA record stays if none is written. */
export function rewriteOf(
  zone: unknown,
  present: readonly RecordSet[],
  newSets: readonly RecordSet[],
): readonly SetChange[] {
  return differenceOf(zone, replacedBy(newSets, present), newSets);
}

/**
 * What a change of record sets reaches, for its forecast; undefined if it changes none.
 * @param absentSeconds How long resolvers may keep that a record does not exist, if that is known.
 */
export function recordScope(
  zone: unknown,
  before: readonly RecordSet[],
  after: readonly RecordSet[],
  absentSeconds?: number,
): RecordScope | undefined {
  const old = new Map(before.map((set) => [keyOf(set), set]));
  const changed = after.filter((set) => {
    const former = old.get(keyOf(set));
    return former === undefined || changeWords(former, set) !== unchanged;
  });
  const { lost } = membership(before, after, keyOf);
  const sets = [...lost, ...changed].map((set): ChangedRecordSet => {
    const former = old.get(keyOf(set));
    const { name, type } = set;
    return {
      ...{ name, type, isNew: former === undefined },
      ...(former?.ttl === undefined ? {} : { ttlBefore: former.ttl }),
    };
  });
  if (sets.length === 0) return undefined;
  return {
    change: "records",
    zone: String(zone),
    sets,
    ...(absentSeconds === undefined ? {} : { absentSeconds }),
  };
}

/** The record sets that a write of all of them replaces: the SOA record stays if none is written. */
const replacedBy = (newSets: readonly RecordSet[], present: readonly RecordSet[]): readonly RecordSet[] =>
  newSets.some(({ type }) => type === "SOA") ? present : present.filter(({ type }) => type !== "SOA");

/** What a write of all record sets reaches. */
export const rewriteScope = (
  zone: unknown,
  present: readonly RecordSet[],
  newSets: readonly RecordSet[],
): RecordScope | undefined => recordScope(zone, replacedBy(newSets, present), newSets);

/** The lines of changes, and then what differs without being one. */
export function changeLinesOf(changes: readonly SetChange[]): readonly DifferenceLine[] {
  const ignored = changes
    .filter(({ verb }) => verb === "keep")
    .map(({ words }) => ({ text: words, ignored: "order" }) as const);
  return [...changes.filter(({ verb }) => verb !== "keep").map(({ line }) => line), ...ignoredLines(ignored)];
}

const wordsIn = ({ words }: SetChange): string => words;
/** The changes with each verb, in their order. */
const byVerb = (changes: readonly SetChange[]) =>
  ["REMOVE", "change", "add"]
    .map((verb) => changes.filter((one) => one.verb === verb))
    .filter((some) => some.length > 0);

/** What a sentence says of a difference: what is removed, then what changes, then what is added. */
export const differenceWords = (changes: readonly SetChange[]): string =>
  byVerb(changes)
    .map((some) => `${some[0]?.verb} ${listInWords(some, wordsIn)}`)
    .join("; ") || "its record sets stay as they are";

const grave: Readonly<Record<string, string>> = {
  NS: "it decides which name servers answer",
  SOA: "it changes the zone's start of authority",
  MX: "it decides where mail goes",
  DS: "it decides whether a signed zone below is trusted",
};

/** Why a change of these sets is more than one of a single name. */
export function graveReasons(zone: unknown, sets: readonly RecordSet[]): readonly string[] {
  const reasons = sets.flatMap((set) => {
    const owner = ownName(zone, set.name);
    return [
      ...(Object.hasOwn(grave, set.type) ? [grave[set.type] ?? ""] : []),
      ...(owner === "@" ? ["it changes the apex of the zone"] : []),
      ...(owner.startsWith("*") ? ["a wildcard answers for every name that has no records"] : []),
    ];
  });
  return [...new Set(reasons)];
}

/** Why a change of these sets is more than one of a single name, in sentences. */
export const graveWarnings = (zone: unknown, sets: readonly RecordSet[]): readonly string[] =>
  graveReasons(zone, sets).map((reason) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);

/** What an approver has to know about a change of these sets: what depends on them, and that the zone is signed. */
export const setWarnings = (zone: unknown, related: Arguments, sets: readonly RecordSet[]): readonly string[] => [
  ...graveWarnings(zone, sets),
  ...signedWarning(related, sets),
];

/** The read of the zone's settings, which `signedWarning` and `undoByFormerVersion` need. */
export const readsConfig = { config: { by: "dns_zone_config_get", args: pickArguments("zone") } } as const;

/** The warning on a zone that the vendor signs, and on what its chain of trust depends. */
export function signedWarning({ config }: Arguments, sets: readonly RecordSet[]): readonly string[] {
  if (memberAt(config, "signAndServe") !== true) return [];
  const isChain = sets.some(({ type }) => type === "NS" || type === "DS");
  return [
    `The zone is signed with DNSSEC, so the change is signed again before it is served${isChain ? "; a wrong NS or DS record breaks the chain of trust" : ""}.`,
  ];
}

/** Undoes a change of several record sets with the version that was served before it. */
export const undoByFormerVersion: NonNullable<Guard["undo"]> = {
  by: ({ given: { zone }, related }) => {
    const uuid = memberAt(related["config"], "versionId");
    if (typeof uuid !== "string") return "Activate the version before with dns_zone_version_activate.";
    const call = { tool: "dns_zone_version_activate", arguments: { zone, uuid } };
    return { says: naming`To serve the version before again, ${calling(call)}.`, call };
  },
};

/**
 * The statement and the lines of a change of many record sets, from the difference that it makes, which is undefined if it
 * could not be read. The statement names the lines that it has whole.
 */
export const changesSets = (
  differenceFor: (...seen: GuardParameters) => readonly SetChange[] | undefined,
  statementFor: (args: Arguments, changes: readonly SetChange[] | undefined) => Statement,
): Pick<Guard, "says" | "compares"> => ({
  says: (...seen) => {
    const changes = differenceFor(...seen);
    const shows = byVerb(changes ?? []).flatMap((some) =>
      lineTexts(changeLinesOf(some.slice(0, leadingWords(some, wordsIn).length))),
    );
    return { ...statementFor(seen[0], changes), shows };
  },
  compares: (...seen) => changeLinesOf(differenceFor(...seen) ?? []),
});

export const skipsSafety = flag("skipSignAndServeSafetyCheck", "it skips the check that protects a signed zone");
