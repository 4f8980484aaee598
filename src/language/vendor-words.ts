/** The words with which the documents replace the vendor's, and their translation to and from the wire. */
import { isRecord } from "./member.js";

/** The vendor's words (public facts B, the mapping before 1). */
export const usualVendorWords = { "free-ca": "lets-encrypt", vendorRuleId: "akaRuleId" } as const;
/** A word of the documents whose counterpart is configurable. */
export type VendorWord = keyof typeof usualVendorWords;
/** The vendor's words, by those of the documents. */
export type VendorWords = Readonly<Record<VendorWord, string>>;

type Place = "values" | "names";
/** Whether a word occurs in values, which are identifiers or paths, or in the names of fields. */
const placeOf: Readonly<Record<VendorWord, Place>> = { "free-ca": "values", vendorRuleId: "names" };

const isWord = (name: string): name is VendorWord => Object.hasOwn(usualVendorWords, name);

/** Parses `word=vendor's,…`, with defaults for missing words; undefined if the text is invalid. */
export function readVendorWords(text: string): VendorWords | undefined {
  const words: Record<VendorWord, string> = { ...usualVendorWords };
  for (const pair of text.split(",")) {
    const [, name = "", real = ""] = /^([\w-]+)=([A-Za-z][A-Za-z0-9-]*)$/.exec(pair.trim()) ?? [];
    if (!isWord(name)) return undefined;
    words[name] = real;
  }
  return new Set(Object.values(words)).size === Object.keys(words).length ? words : undefined;
}

/**
 * A call's arguments with the vendor's usual names replaced by the documents', and notes about it. If an argument is given
 * under both names, the vendor's stays and is refused as unknown.
 * @param names The names of the tool's arguments.
 */
export function withDocumentedNames(
  words: readonly VendorWord[],
  args: unknown,
  names: readonly string[],
): { readonly args: unknown; readonly notes: readonly string[] } {
  if (!isRecord(args)) return { args, notes: [] };
  const taken = words.filter(
    (word) =>
      placeOf[word] === "names" &&
      names.includes(word) &&
      Object.hasOwn(args, usualVendorWords[word]) &&
      !Object.hasOwn(args, word),
  );
  if (taken.length === 0) return { args, notes: [] };
  const nameOf = (name: string) => taken.find((word) => usualVendorWords[word] === name) ?? name;
  return {
    args: Object.fromEntries(Object.entries(args).map(([name, value]) => [nameOf(name), value])),
    notes: taken.map((word) => `${usualVendorWords[word]} was read as ${word}.`),
  };
}

type Pairs = readonly (readonly [from: string, to: string])[];
type Replacements = readonly (readonly [from: RegExp, to: string])[];

/** Replacements for words at the beginning of an identifier or path segment. */
const replacementsOf = (values: Pairs): Replacements =>
  values.map(([from, to]) => [new RegExp(`(?<=^|/)${from}(?=[-/?#]|$)`, "g"), to]);

/** Text with a space is free text, which is not translated. */
const translatedText = (text: string, values: Replacements): string =>
  /\s/.test(text) ? text : values.reduce((whole, [from, to]) => whole.replaceAll(from, to), text);

function translated(value: unknown, values: Replacements, names: Pairs): unknown {
  if (typeof value === "string") return translatedText(value, values);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => translated(item, values, names));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const to = names.find(([from]) => from === name)?.[1];
      // If the field exists under both names, renaming it would overwrite the other.
      return [to === undefined || Object.hasOwn(value, to) ? name : to, translated(member, values, names)];
    }),
  );
}

/** Both directions of the translation; they are inverse unless a text mixes the words of both sides. */
export interface Translation {
  toWire<T>(value: T): T;
  toDocuments<T>(value: T): T;
}

const unchanged: Translation = { toWire: (value) => value, toDocuments: (value) => value };

/** The translation of a service's words; the identity for a service that has none. */
export function vendorTranslation(words: readonly VendorWord[], real: VendorWords): Translation {
  if (words.length === 0) return unchanged;
  const pairs = (place: Place, isToWire: boolean): Pairs =>
    words.filter((word) => placeOf[word] === place).map((word) => (isToWire ? [word, real[word]] : [real[word], word]));
  const direction = (isToWire: boolean) => {
    const [values, names] = [replacementsOf(pairs("values", isToWire)), pairs("names", isToWire)];
    // Only texts and declared names are replaced, so that the shape stays the same.
    return <T>(value: T): T => translated(value, values, names) as T;
  };
  return { toWire: direction(true), toDocuments: direction(false) };
}
