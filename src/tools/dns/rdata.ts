/** The data of a record in the text form of zone files, as `10 mail.example.com.` for MX, and as the API's fields. */
import { isIPv4, isIPv6 } from "node:net";
import type { DnsRecord } from "./zone.js";
import { hostNamed } from "./zone.js";

export type Rdata = Readonly<Record<string, string | number>>;

/** One field of the data: what it takes in words, and its value; undefined for an invalid text. */
interface Field {
  readonly name: string;
  readonly takes: string;
  readonly read: (text: string, zone: string) => string | number | undefined;
  /** The canonical spelling of a value, for comparison; the text itself by default. */
  readonly canonical?: (text: string) => string;
}

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined);
const target = "target";
const lower = (text: string): string => text.toLowerCase();

// Names compare without case (RFC 4343).
const host = (name = target): Field => ({
  name,
  takes: "a host name with its final dot, such as www.example.com.",
  read: (text, zone) => hostNamed(zone, text),
  canonical: lower,
});
const number = (name: string, max: number): Field => ({
  name,
  takes: `${name} from 0 to ${max}`,
  read: (text) => (/^\d{1,10}$/.test(text) && Number(text) <= max ? Number(text) : undefined),
});
const byte = (name: string) => number(name, 255);
const short = (name: string) => number(name, 65_535);
const hex = (name: string): Field => ({
  name,
  takes: `${name} in hexadecimal digits`,
  read: matching(/^([0-9A-Fa-f]{2})+$/),
  canonical: lower,
});
const word = (name: string): Field => ({
  name,
  takes: `${name}, in double quotes if it has spaces`,
  read: matching(/^[\x20-\x7e]{0,255}$/),
});

// A longer text is several strings, each in double quotes; how the API splits a plain one is not documented.
const plainText = /^(?!")[\x20-\x7e]{1,255}$/;
const quotedTexts = /^"(?:[^"\\]|\\.){0,255}"(?: +"(?:[^"\\]|\\.){0,255}")*$/;
const text: Field = {
  name: target,
  takes: "printable ASCII of at most 255 characters; a longer text as strings in double quotes, each of at most 255",
  read: (given) =>
    plainText.test(given) || (quotedTexts.test(given) && /^[\x20-\x7e]*$/.test(given)) ? given : undefined,
};

const isAddress6 = (given: string): boolean => isIPv6(given) && !given.includes("%");
const address6: Field = {
  name: target,
  takes: "an IPv6 address",
  read: (given) => (isAddress6(given) ? given.toLowerCase() : undefined),
  canonical: (given) => (isAddress6(given) ? new URL(`http://[${given}]/`).hostname : given),
};

/** Data with a single text is used unchanged, including spaces. */
const isWhole = (fields: readonly Field[]): boolean => fields.length === 1;

/** The fields of each type in the order of the text form (RFC 1035, 1183, 2782, 3403, 4034, 4255). */
const fieldsByType: Readonly<Record<string, readonly Field[]>> = {
  a: [{ name: target, takes: "an IPv4 address", read: (given) => (isIPv4(given) ? given : undefined) }],
  aaaa: [address6],
  afsdb: [short("subtype"), host()],
  cname: [host()],
  ds: [short("keytag"), byte("algorithm"), byte("digest_type"), hex("digest")],
  hinfo: [word("hardware"), word("software")],
  loc: [{ name: target, takes: "a location as in RFC 1876", read: matching(/^[0-9NSEWm. -]{5,120}$/) }],
  mx: [short("priority"), host()],
  naptr: [short("order"), short("preference"), word("flags"), word("service"), word("regexp"), host("replacement")],
  ns: [host()],
  ptr: [host()],
  rp: [host("mailbox"), host("txt")],
  spf: [text],
  srv: [short("priority"), short("weight"), short("port"), host()],
  sshfp: [byte("algorithm"), byte("fingerprint_type"), hex("fingerprint")],
  txt: [text],
};

const fieldsOf = (type: string): readonly Field[] | undefined =>
  Object.hasOwn(fieldsByType, type) ? fieldsByType[type] : undefined;

/** The types that can be set, in lower case. Those made by DNSSEC signing are not among them. */
export const settableTypes: readonly string[] = Object.keys(fieldsByType);

/** The words of a text; those in double quotes can have spaces. */
function wordsOf(given: string): readonly string[] {
  // A quote that is not closed is part of a word, so that the search for its end is not repeated from each quote after
  // it.
  const found = given.matchAll(/"((?:[^"\\]|\\.)*)"|".*|[^\s"]+/gs);
  return [...found].map(([whole, quoted]) => quoted?.replaceAll(/\\(.)/g, "$1") ?? whole);
}

/**
 * Parses the data of a record from its text form.
 * @param type In lower case, one of `settableTypes`.
 * @returns the fields, or the expected form of the text.
 */
export function readRdata(type: string, given: string, zone: string): Rdata | { readonly takes: string } {
  const fields = fieldsOf(type) ?? [];
  const whole = fields.map(({ takes }) => takes).join("; then ");
  const words = isWhole(fields) ? [given] : wordsOf(given);
  if (words.length !== fields.length) return { takes: whole };
  const values = fields.map(({ name, read }, at) => [name, read(words[at] ?? "", zone)] as const);
  const wrong = values.findIndex(([, value]) => value === undefined);
  if (wrong >= 0) return { takes: isWhole(fields) ? whole : `${whole}; ${JSON.stringify(words[wrong])} does not fit` };
  return Object.fromEntries(values) as Rdata;
}

const wordOf = (value: unknown): string => {
  const written = String(value ?? "");
  return /^[^\s"]+$/.test(written) ? written : `"${written.replaceAll(/["\\]/g, "\\$&")}"`;
};

/** The data of a stored record in its text form, in the order of its type, or of its fields if the type is unknown. */
export function rdataText(type: string, record: Rdata | DnsRecord): string {
  const known = fieldsOf(type);
  if (known && isWhole(known)) return String(record[target] ?? "");
  const { name: _, ttl: __, active: ___, ...rest } = record;
  return (known?.map(({ name }) => record[name]) ?? Object.values(rest)).map(wordOf).join(" ");
}

/** What a stored record has in addition to its name, its TTL and the fields of its type. */
export function besidesOf(type: string, { name: _, ttl: __, active: ___, ...rest }: DnsRecord): object {
  const known = fieldsOf(type);
  return known
    ? Object.fromEntries(Object.entries(rest).filter(([field]) => known.every(({ name }) => name !== field)))
    : {};
}

/** A key that is equal for two records of a type with the same data, however it is spelled. */
export function rdataKey(type: string, record: DnsRecord | Rdata): string {
  const fields = fieldsOf(type) ?? [];
  return JSON.stringify(fields.map(({ name, canonical = String }) => canonical(String(record[name] ?? ""))));
}

/** Whether the data of a type is text, which a zone file has in quotes. */
export const isTextType = (type: string): boolean => fieldsOf(type)?.[0] === text;

/** The data of a record as a zone file has it: like its text form, but with texts always in quotes. */
export function masterText(type: string, record: Rdata | DnsRecord): string {
  const plain = rdataText(type, record);
  return isTextType(type) && !plain.startsWith('"') ? `"${plain.replaceAll(/["\\]/g, "\\$&")}"` : plain;
}
