/** The data of a record in presentation format, as `10 mail.example.com.` for MX, and as the API's fields. */
import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import {
  type FileWord,
  fileLinesOf,
  inAscii,
  inQuotationMarks,
  type NameQualifier,
  nameIn,
  namesOfValues,
  octetsOf,
  ttlIn,
} from "./presentation.js";
import type { ZoneRecord } from "./zone.js";

export type Rdata = Readonly<Record<string, string | number>>;

/** One field of the data: what it takes in words, and its value; undefined for an invalid text. */
interface Field {
  readonly name: string;
  readonly takes: string;
  /** Whether its value is a number, and not a text. */
  readonly isNumber?: true;
  /** Whether it takes all words that are left, and how many at least. */
  readonly rest?: number;
  readonly read: (words: readonly FileWord[], names: NameQualifier) => string | number | undefined;
  /** The value in presentation format; as it is by default. */
  readonly write?: (value: string) => string;
  /** The canonical spelling of what is written, for comparison; the text itself by default. */
  readonly canonical?: (text: string) => string;
}

const target = "target";
const lower = (text: string): string => text.toLowerCase();
const joined = (words: readonly FileWord[], by = ""): string => words.map(({ raw }) => raw).join(by);
const matching =
  (pattern: RegExp, by = "") =>
  (words: readonly FileWord[]) => {
    const text = joined(words, by);
    return pattern.test(text) ? text : undefined;
  };

// Names compare without case (RFC 4343).
const host = (name = target): Field => ({
  name,
  takes: "a host name with its final dot, such as www.example.com.",
  read: (words, names) => nameIn(joined(words), names),
  canonical: lower,
});
const number = (name: string, max: number): Field => ({
  name,
  takes: `${name} from 0 to ${max}`,
  isNumber: true,
  read: (words) => {
    const text = joined(words);
    return /^\d{1,10}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
  },
});
const byte = (name: string) => number(name, 255);
const short = (name: string) => number(name, 65_535);
const long = (name: string) => number(name, 4_294_967_295);
const seconds = (name: string): Field => ({
  name,
  takes: `${name} in seconds up to 2147483647, or in units as in 1h30m`,
  isNumber: true,
  read: (words) => ttlIn(joined(words)),
});
/** A number with names for some of its values. */
const mnemonic = (name: string, max: number, names: Readonly<Record<string, number>>): Field => ({
  ...number(name, max),
  read: (words, ...more) => names[joined(words).toUpperCase()] ?? number(name, max).read(words, ...more),
});
// The registry of DNS Security Algorithm Numbers, and of CERT types (RFC 4398, 2.1).
const algorithm = mnemonic("algorithm", 255, {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  "DSA-NSEC3-SHA1": 6,
  "RSASHA1-NSEC3-SHA1": 7,
  RSASHA256: 8,
  RSASHA512: 10,
  "ECC-GOST": 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
});
const certificateType = mnemonic("certificate_type", 65_535, {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
});
const hex = (name: string): Field => ({
  name,
  takes: `${name} in hexadecimal digits`,
  rest: 1,
  read: matching(/^([0-9A-Fa-f]{2})+$/),
  canonical: lower,
});
const base64 = (name: string): Field => ({
  name,
  takes: `${name} in base64`,
  rest: 1,
  read: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
});
const salt: Field = {
  name: "salt",
  takes: "a salt in hexadecimal digits, or -",
  read: matching(/^(-|([0-9A-Fa-f]{2})+)$/),
  canonical: lower,
};
const word = (name: string, max = 255): Field => ({
  name,
  takes: `${name} of at most ${max} octets of ASCII, in double quotes if it has spaces or a semicolon`,
  read: (words) => {
    const octets = octetsOf(joined(words));
    return octets !== undefined && octets.length <= max ? octets : undefined;
  },
  write: inQuotationMarks,
});
const typeWord = /^[A-Z][A-Z0-9-]*$/i;
const bitmap: Field = {
  name: "type_bitmaps",
  takes: "types such as A RRSIG",
  rest: 0,
  read: (words) => (words.every(({ raw }) => typeWord.test(raw)) ? joined(words, " ").toUpperCase() : undefined),
  canonical: (given) => given.split(" ").sort().join(" "),
};
const instant = (name: string): Field => ({
  name,
  takes: `${name} as YYYYMMDDHHmmSS or in seconds`,
  read: matching(/^(\d{1,10}|\d{14})$/),
});

/** A text is one or several strings (RFC 1035, 3.3.14). What is stored is the only one of a plain text, or all in quotes. */
const stored = (strings: readonly string[]): string => {
  const [only = ""] = strings;
  return strings.length === 1 && /^[!#-[\]-~](?:[ -[\]-~]*[!-[\]-~])?$/.test(only)
    ? only
    : strings.map(inQuotationMarks).join(" ");
};
const stringsIn = (words: readonly FileWord[]): readonly string[] | undefined => {
  const strings = words.map(({ raw }) => octetsOf(raw));
  return strings.every((one) => one !== undefined && one.length <= 255) ? (strings as string[]) : undefined;
};
/** A text without quotes is a single string, with its spaces. */
const asText = (given: string): readonly FileWord[] =>
  given.startsWith('"') ? wordsIn(given) : [{ raw: given, isQuoted: false }];
const text: Field = {
  name: target,
  takes:
    "printable ASCII of at most 255 characters; a longer text as strings in double quotes, each of at most 255; other octets as \\DDD",
  rest: 1,
  read: (words) => {
    const strings = stringsIn(words);
    return strings && stored(strings);
  },
  write: (value) => (stringsIn(asText(value)) ?? [value]).map(inQuotationMarks).join(" "),
};

const isAddress6 = (given: string): boolean => isIPv6(given) && !given.includes("%");
const address: Field = {
  name: target,
  takes: "an IPv4 address",
  read: (words) => (isIPv4(joined(words)) ? joined(words) : undefined),
};
const address6: Field = {
  name: target,
  takes: "an IPv6 address",
  read: (words) => (isAddress6(joined(words)) ? joined(words).toLowerCase() : undefined),
  canonical: (given) => (isAddress6(given) ? new URL(`http://[${given}]/`).hostname : given),
};

// Degrees, minutes and seconds of latitude and longitude, altitude, size and two precisions in metres (RFC 1876, 3).
const minutes = String.raw`( [0-5]?\d( [0-5]?\d(\.\d{1,3})?)?)?`;
const location: Field = {
  name: target,
  takes: "a location as in RFC 1876, such as 51 30 12.748 N 0 7 39.611 W 0.00m",
  rest: 1,
  read: matching(
    new RegExp(
      String.raw`^(90|[0-8]?\d)${minutes} [NS] (180|1[0-7]\d|\d{1,2})${minutes} [EW] -?\d{1,8}(\.\d{1,2})?m?( \d{1,8}(\.\d{1,2})?m?){0,3}$`,
      "i",
    ),
    " ",
  ),
  canonical: (given) => given.toLowerCase().replaceAll(/[\d.]+m?/g, (one) => String(Number.parseFloat(one))),
};

/** The keys of service parameters (RFC 9460, 14.3), and the form of the values of some. */
const parameters: readonly (readonly [key: string, isValue: (value: string | undefined) => boolean])[] = [
  ["mandatory", (value = "") => /^[a-z0-9-]+(,[a-z0-9-]+)*$/.test(value)],
  ["alpn", (value) => value !== undefined && value !== "" && value.length <= 65_535],
  ["no-default-alpn", (value) => value === undefined],
  ["port", (value = "") => /^\d{1,5}$/.test(value) && Number(value) <= 65_535],
  ["ipv4hint", (value = "") => value.split(",").every((one) => isIPv4(one))],
  ["ech", (value = "") => /^[A-Za-z0-9+/]+={0,2}$/.test(value)],
  ["ipv6hint", (value = "") => value.split(",").every(isAddress6)],
  ["dohpath", (value) => value !== undefined],
  ["ohttp", (value) => value === undefined],
];
const keyNumber = (key: string): number => {
  const known = parameters.findIndex(([name]) => name === key);
  return known >= 0 ? known : /^key(0|[1-9]\d{0,4})$/.test(key) ? Number(key.slice(3)) : -1;
};

/** A service parameter; undefined where it is none. */
function parameterIn(raw: string): { readonly key: number; readonly written: string } | undefined {
  const [, name = "", rawValue] = /^([a-z0-9-]+)(?:=([\s\S]*))?$/i.exec(raw) ?? [];
  const inner = rawValue !== undefined && /^"[\s\S]*"$/.test(rawValue) ? rawValue.slice(1, -1) : rawValue;
  const value = inner === undefined ? undefined : octetsOf(inner);
  const key = keyNumber(name.toLowerCase());
  if (key < 0 || key > 65_535 || (inner !== undefined && value === undefined)) return undefined;
  const [known, isValue = () => true] = parameters[key] ?? [];
  if (known === name.toLowerCase() && !isValue(value)) return undefined;
  const plain = /^[\w!#-'*-:<-@^`{|}~+/.-]+$/;
  const text = value === undefined ? "" : `=${plain.test(value) ? value : inQuotationMarks(value)}`;
  return { key, written: `${known ?? name.toLowerCase()}${text}` };
}
const service: Field = {
  name: "params",
  takes: 'service parameters, each once, such as alpn="h2,h3" port=8443',
  rest: 0,
  read: (words) => {
    const found = words.map(({ raw }) => parameterIn(raw));
    const keys = new Set(found.map((one) => one?.key));
    return keys.has(undefined) || keys.size !== found.length ? undefined : found.map((one) => one?.written).join(" ");
  },
  canonical: (given) =>
    wordsIn(given)
      .map(({ raw }) => raw)
      .sort()
      .join(" "),
};

// Edge hostnames have no final dot here, and the API refuses one.
const edgeName = (name: string): Field => ({
  name,
  takes: "a whole host name without a final dot, such as www.example.com.edgekey.net",
  read: (words) => {
    const text = joined(words);
    return text.includes(".") && !text.endsWith(".") ? nameIn(`${text}.`, namesOfValues(""))?.slice(0, -1) : undefined;
  },
  canonical: lower,
});

const key = [short("flags"), byte("protocol"), algorithm, base64("key")];
const digest = [short("keytag"), algorithm, byte("digest_type"), hex("digest")];
const nsec3 = [byte("algorithm"), byte("flags"), short("iterations"), salt];
/** The fields of the types that both generations of the API have (RFC 1035, 1183, 2782, 3403, 4034, 4255, 5155). */
const former = {
  a: [address],
  aaaa: [address6],
  afsdb: [short("subtype"), host()],
  cname: [host()],
  dnskey: key,
  ds: digest,
  hinfo: [word("hardware"), word("software")],
  loc: [location],
  mx: [short("priority"), host()],
  naptr: [short("order"), short("preference"), word("flags"), word("service"), word("regexp"), host("replacement")],
  ns: [host()],
  nsec3: [
    ...nsec3,
    { name: "next_hashed_owner_name", takes: "a hash in base32", read: matching(/^[0-9A-Va-v]+$/), canonical: lower },
    bitmap,
  ],
  nsec3param: nsec3,
  ptr: [host()],
  rp: [host("mailbox"), host("txt")],
  rrsig: [
    { name: "type_covered", takes: "a type such as A", read: matching(typeWord) },
    algorithm,
    byte("labels"),
    seconds("original_ttl"),
    instant("expiration"),
    instant("inception"),
    short("keytag"),
    host("signer"),
    base64("signature"),
  ],
  spf: [text],
  srv: [short("priority"), short("weight"), short("port"), host()],
  sshfp: [byte("algorithm"), byte("fingerprint_type"), hex("fingerprint")],
  txt: [text],
} satisfies Readonly<Record<string, readonly Field[]>>;

/** Those of the others (RFC 1035, 4034, 4398, 6698, 7344, 8659, 9460, and the vendor's own). */
const later: Readonly<Record<string, readonly Field[]>> = {
  akamaicdn: [edgeName(target)],
  akamaitlc: [{ name: "answer_type", takes: "A, AAAA or DUAL", read: matching(/^(A|AAAA|DUAL)$/) }, edgeName(target)],
  caa: [
    byte("flags"),
    { name: "tag", takes: "a tag such as issue", read: matching(/^[a-z0-9]+$/i), canonical: lower },
    word("value", 65_000),
  ],
  cdnskey: key,
  cds: digest,
  cert: [certificateType, short("keytag"), algorithm, base64("certificate")],
  https: [short("priority"), host(), service],
  nsec: [host("next_owner_name"), bitmap],
  soa: [
    host("originserver"),
    host("contact"),
    long("serial"),
    seconds("refresh"),
    seconds("retry"),
    seconds("expire"),
    seconds("minimum"),
  ],
  svcb: [short("priority"), host(), service],
  tlsa: [byte("usage"), byte("selector"), byte("matching_type"), hex("data")],
};

const fieldsByType: ReadonlyMap<string, readonly Field[]> = new Map(Object.entries({ ...former, ...later }));

/** A type of records in the former API, in lower case. */
export type FormerType = keyof typeof former;
export const formerTypes = Object.keys(former) as readonly FormerType[];
/** The fields of a type in the former API by name, and whether each is a number. */
export const formerFields = (type: FormerType): readonly { readonly name: string; readonly isNumber?: true }[] =>
  former[type].toSorted((one: Field, other: Field) => one.name.localeCompare(other.name));

const madeBySigning: readonly string[] = ["dnskey", "nsec3", "nsec3param", "rrsig"];
/**
 * The types that can be set in zones of the former API and of today's, in lower case; for the former API, without those
 * that DNSSEC signing creates.
 */
export const settableTypes = {
  former: formerTypes.filter((type) => !madeBySigning.includes(type)) as readonly string[],
  today: [...fieldsByType.keys()].filter((type) => type !== "soa").sort(),
};

/** All types whose data can be read, in lower case. */
export const knownTypes: readonly string[] = [...fieldsByType.keys()].sort();

/** The words of a text of one line without a comment; none where it is no such text. */
function wordsIn(given: string): readonly FileWord[] {
  const [line, ...others] = fileLinesOf(given);
  return line === undefined || others.length > 0 || line.hasComment || line.takes !== undefined ? [] : line.words;
}

/** The words of a single text, or what it takes in place of one that has none. */
function wordsOf(type: string, given: string): readonly FileWord[] | string {
  const isText = fieldsByType.get(type)?.[0] === text;
  // A backslash before a letter is one that was not meant as an escape.
  if (isText && !given.startsWith('"') && /\\[A-Za-z]/.test(given)) return "a backslash itself as \\\\";
  const words = isText ? asText(given) : wordsIn(given);
  return words.length > 0 ? words : "on one line, with ; only in double quotes, which are closed";
}

/** The fields of words; what is wrong with one of them, or nothing if it is their number. */
function fieldsIn(fields: readonly Field[], words: readonly FileWord[], names: NameQualifier): Rdata | string {
  const least = fields.reduce((sum, { rest = 1 }) => sum + rest, 0);
  const isMore = words.length > fields.length && fields.at(-1)?.rest === undefined;
  if (words.length < least || isMore) return "";
  const parts = fields.map(({ rest }, at) => words.slice(at, rest === undefined ? at + 1 : undefined));
  const values = fields.map(({ name, read }, at) => [name, read(parts[at] ?? [], names)] as const);
  const wrong = values.findIndex(([, value]) => value === undefined);
  if (wrong < 0) return Object.fromEntries(values) as Rdata;
  return fields.length === 1 ? "" : `${JSON.stringify(joined(parts[wrong] ?? [], " "))} does not fit`;
}

/** What a text is in ASCII: octets as escapes, and names in Punycode (RFC 5891). */
const asciiOf = (fields: readonly Field[], given: string): string =>
  fields.some(({ write }) => write)
    ? inAscii(given)
    : given.replaceAll(/\S+/g, (one) => (/^[\0-\x7f]*$/.test(one) ? one : domainToASCII(one)));

// The data of a record has 16 bits for its length, and each octet at most four characters.
const longestData = 4 * 65_535;

/**
 * Parses the data of a record from its text form.
 * @param type In lower case, one of `knownTypes`.
 * @param input The words of a line, or a text, which can be one string without quotes for a type that is text.
 * @returns the fields, or the expected form of the text.
 */
export function readRdata(
  type: string,
  input: string | readonly FileWord[],
  names: NameQualifier,
): Rdata | { readonly takes: string } {
  const fields = fieldsByType.get(type) ?? [];
  const rawText = typeof input === "string" ? input.trim() : joined(input, " ");
  if (rawText.length > longestData) return { takes: "at most 65535 octets" };
  const words = typeof input === "string" ? wordsOf(type, rawText) : input;
  const read = typeof words === "string" ? words : fieldsIn(fields, words, names);
  if (typeof read !== "string") return read;
  const more = /^[\0-\x7f]*$/.test(rawText) ? read : `in ASCII, as in ${asciiOf(fields, rawText)}`;
  return { takes: [fields.map(({ takes }) => takes).join("; then "), more].filter((part) => part !== "").join("; ") };
}

const textOf = ({ name, write = String }: Field, record: Rdata | ZoneRecord): string =>
  write(String(record[name] ?? ""));
const wordOf = (value: unknown): string => {
  const written = String(value ?? "");
  return /^[^\s"();\\]+$/.test(written) ? written : inQuotationMarks(written);
};

/** The data of a record in presentation format, in the order of its type, or of its fields if the type is unknown. */
export function rdataText(type: string, record: Rdata | ZoneRecord): string {
  const { name: _, ttl: __, active: ___, ...rest } = record;
  const parts = fieldsByType.get(type)?.map((field) => textOf(field, record)) ?? Object.values(rest).map(wordOf);
  return parts.filter((part) => part !== "").join(" ");
}

/** What a stored record has in addition to its name, its TTL and the fields of its type. */
export function otherMembersOf(type: string, { name: _, ttl: __, active: ___, ...rest }: ZoneRecord): object {
  const known = fieldsByType.get(type);
  return known
    ? Object.fromEntries(Object.entries(rest).filter(([field]) => known.every(({ name }) => name !== field)))
    : {};
}

/** A key that is equal for two records of a type with the same data, however it is spelled. */
export function rdataKey(type: string, record: ZoneRecord | Rdata): string {
  const fields = fieldsByType.get(type) ?? [];
  return JSON.stringify(fields.map((field) => (field.canonical ?? String)(textOf(field, record))));
}

/** Whether a text is the data of one record without a comment, which the API would cut off. */
export const isOneRecord = (given: string): boolean => wordsIn(given).length > 0;

/** A key that is equal for two texts of a type with the same data; the text itself where it cannot be read. */
export function textKey(type: string, given: string, zone = ""): string {
  const lowered = lower(type);
  const data = readRdata(lowered, given, namesOfValues(zone));
  return "takes" in data ? given : rdataKey(lowered, data);
}
