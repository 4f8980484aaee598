/** Reads the record sets of a master file (RFC 1035, 5): origins, default TTLs, left-out names, parentheses, comments. */
import { type FieldProblem, fieldProblem, maxProblems } from "../../language/failure.js";
import { didYouMean } from "../../text/nearest.js";
import { type FileLine, type FileWord, fileLinesOf, nameIn, namesInFile, ttlIn } from "./presentation.js";
import { knownTypes, rdataKey, rdataText, readRdata } from "./rdata.js";
import { isIn } from "./zone.js";

type FileSet = {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string[];
};

/** The context of a line, which the lines before it determine. */
interface LineContext {
  readonly origin: string;
  /** The TTL of a record that has none: that of $TTL (RFC 2308, 4), or of the record before it (RFC 1035, 5.1). */
  readonly ttl: number;
  readonly isTtlSet: boolean;
  readonly name: string | undefined;
}

type FileRecord = FileSet & { readonly key: string };

/** A parsed line: its record, the context of the lines after it, and the form that it should have. */
interface LineReading {
  readonly record?: FileRecord;
  readonly before?: LineContext;
  readonly takes?: string;
}

/** The absolute name that a word means, in lower case and without its final dot; undefined for one that means none. */
const namedBy = (word: string, origin: string): string | undefined =>
  nameIn(word, namesInFile(origin))?.slice(0, -1).toLowerCase();
const ttlForm = "a TTL from 0 to 2147483647 seconds, or in units as in 1h30m";

/** What is written in place of the directives that need more than the file, or write its lines. */
const directives: Readonly<Record<string, string>> = {
  $INCLUDE: "the lines of the other file",
  $GENERATE: "the records themselves, each on a line",
};

/** A directive: only those that need nothing beside the file. */
function readDirective([directive, value, ...others]: readonly FileWord[], before: LineContext): LineReading {
  const [name = "", argument = ""] = [directive?.raw.toUpperCase(), value?.raw];
  if (name === "$ORIGIN" || name === "$TTL") {
    const origin = namedBy(argument, before.origin);
    const ttl = ttlIn(argument);
    if (others.length > 0) return { takes: `one value after ${name}` };
    if (name === "$TTL") return ttl === undefined ? { takes: ttlForm } : { before: { ...before, ttl, isTtlSet: true } };
    return origin === undefined ? { takes: "a name after $ORIGIN" } : { before: { ...before, origin } };
  }
  return { takes: `${directives[name] ?? "$ORIGIN or $TTL"}: ${name} is not supported` };
}

/** The TTL, the class and the type at the beginning of words, the first two in either order, and the data after them. */
function headIn(words: readonly FileWord[]) {
  const isClass = (one: FileWord | undefined) => /^(IN|CH|CS|HS|CLASS\d+)$/i.test(one?.raw ?? "");
  // A TTL, valid or not: no type begins with a digit.
  const isTime = (one: FileWord | undefined) => /^\d/.test(one?.raw ?? "");
  const [first, second] = words;
  const both = (isClass(first) && isTime(second)) || (isTime(first) && isClass(second));
  const count = both ? 2 : isClass(first) || isTime(first) ? 1 : 0;
  const [type, ...data] = words.slice(count);
  const head = words.slice(0, count);
  return { time: head.find(isTime)?.raw, class: head.find(isClass)?.raw ?? "IN", type: type?.raw ?? "", data };
}

const inFile = knownTypes.filter((one) => !one.startsWith("akamai")).map((one) => one.toUpperCase());

/** What a line of this type takes; undefined if it is one that a file can have. */
function typeProblem(type: string): string | undefined {
  if (inFile.includes(type)) return undefined;
  if (type.startsWith("AKAMAI"))
    return "records of other types: a master file cannot have those, and replacing it keeps the ones that are there";
  return `a type after the name, the TTL and the class: one of ${inFile.join(", ")}${didYouMean(type, inFile)}`;
}

/** The name of a line's record, or what it takes in place of one. */
function ownerIn({ isIndented, words }: FileLine, { origin, name }: LineContext, zone: string) {
  const own = isIndented ? name : namedBy(words[0]?.raw ?? "", origin);
  if (own === undefined)
    return {
      takes: isIndented ? "a name at its beginning: no line before it has one" : "a name in ASCII at its beginning",
    };
  return isIn(zone, own) ? { own } : { takes: `a name in ${zone}, but this one is ${own}.` };
}

/** The data of a record as text and key; what cannot be read is its words, with the form that they should have. */
function dataIn(type: string, words: readonly FileWord[], origin: string) {
  const takes = typeProblem(type);
  const data = takes === undefined ? readRdata(type.toLowerCase(), words, namesInFile(origin)) : { takes };
  if (!("takes" in data)) return { text: rdataText(type.toLowerCase(), data), key: rdataKey(type.toLowerCase(), data) };
  const text = words.map(({ raw, isQuoted }) => (isQuoted ? `"${raw}"` : raw)).join(" ");
  return { text, key: text, takes: takes ?? `${type} data: ${data["takes"]}` };
}

/** The record of a line. */
function readRecord(line: FileLine, before: LineContext, zone: string): LineReading {
  const { own: name, takes: owner } = ownerIn(line, before, zone);
  if (name === undefined) return { takes: owner };
  const head = headIn(line.isIndented ? line.words : line.words.slice(1));
  const ttl = head.time === undefined ? before.ttl : ttlIn(head.time);
  if (ttl === undefined) return { takes: ttlForm };
  if (head.class.toUpperCase() !== "IN") return { takes: "the class IN" };
  const type = head.type.toUpperCase();
  const { text, key, takes } = dataIn(type, head.data, before.origin);
  return {
    record: { name, type, ttl, rdata: [text], key },
    before: { ...before, name, ...(before.isTtlSet ? {} : { ttl }) },
    ...(takes === undefined ? {} : { takes }),
  };
}

function readLine(line: FileLine, before: LineContext, zone: string): LineReading {
  const { isIndented, words, takes } = line;
  if (takes !== undefined) return { takes };
  const isDirective = !isIndented && words[0]?.raw.startsWith("$") === true;
  return isDirective ? readDirective(words, before) : readRecord(line, before, zone);
}

/** Record sets that grow by records: one that is there twice is one, and there is one SOA record, at the apex. */
class FileSets {
  readonly byPlace = new Map<string, FileSet>();
  private readonly seen = new Set<string>();

  /** Adds a record; the form that it should have if it cannot be one. */
  add({ key, ...record }: FileRecord, zone: string): string | undefined {
    const place = `${record.name} ${record.type}`;
    if (this.seen.has(`${place} ${key}`)) return undefined;
    this.seen.add(`${place} ${key}`);
    const set = this.byPlace.get(place);
    if (record.type === "SOA" && (set || record.name !== zone)) return "one SOA record for a zone, at its apex";
    if (set) set.rdata.push(...record.rdata);
    else this.byPlace.set(place, record);
    return undefined;
  }
}

/**
 * The record sets of a master file, and the lines that cannot be read, as problems of the argument `body`. A record whose
 * type or data cannot be read has its words.
 * @param zone The origin where the file names none, and the only zone that it can have records of.
 */
export function readMasterFile(
  file: string,
  zone: string,
): { readonly sets: readonly FileSet[]; readonly problems: readonly FieldProblem[] } {
  const [apex, sets, problems] = [zone.toLowerCase(), new FileSets(), [] as FieldProblem[]];
  let before: LineContext = { origin: apex, name: undefined, ttl: 3_600, isTtlSet: false };
  for (const line of fileLinesOf(file).filter(({ words, takes }) => words.length > 0 || takes !== undefined)) {
    const { record, before: next = before, takes } = readLine(line, before, apex);
    before = next;
    const misplaced = record && sets.add(record, apex);
    const wrong = takes ?? misplaced;
    if (wrong !== undefined && problems.length < maxProblems)
      problems.push(
        ...fieldProblem("body", file.split(/\r\n?|\n/)[line.at - 1]?.trim(), `at line ${line.at} ${wrong}`),
      );
  }
  return { sets: [...sets.byPlace.values()], problems };
}
