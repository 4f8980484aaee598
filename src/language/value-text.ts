/** Values in the words of a difference or a preview: on one line, quoted if ambiguous, with look-alike letters marked. */
import { isDeepStrictEqual } from "node:util";
import { canonical } from "../text/canonical.js";
import { isRecord, memberAt, withEach } from "./member.js";
import { onceFor } from "./once-for.js";
import { formsAt } from "./shape.js";
import { z } from "./z.js";

// Letters of other scripts that look like Latin ones in common fonts (Unicode Technical Standard 39, limited to those
// in host names), and digits that look like letters.
const drawnAs: Readonly<Record<string, string>> = {
  ...{ а: "a", с: "c", ԁ: "d", е: "e", һ: "h", і: "l", ј: "j", ӏ: "l", о: "o", р: "p", ԛ: "q", ѕ: "s", ѵ: "v" },
  ...{ ԝ: "w", х: "x", у: "y", α: "a", ι: "l", κ: "k", ν: "v", ο: "o", ρ: "p", υ: "u", χ: "x", օ: "o", ո: "n", ս: "u" },
  ...{ "0": "o", "1": "l", "|": "l", i: "l" },
};

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** The visual skeleton of a text: texts that can be confused have the same one. */
const outlineOf = (text: string): string =>
  [...text.normalize("NFKC").toLowerCase().replace(/\.$/, "")].map((one) => drawnAs[one] ?? one).join("");

/** A key that is equal for values that can be confused; null and undefined look like an empty text. */
export const appearanceOf = (value: unknown): string =>
  // An object of an answer can have a member that is named like a conversion.
  outlineOf(typeof value === "object" && value !== null ? canonical(value) : String(value ?? ""));

const codeOf = (character: string): string =>
  `${character} is U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

// Scripts with letters that look like Latin ones.
const confusable =
  /[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;

/** Whether a letter is a variant of an ASCII letter, such as a wide or a mathematical one. */
const isVariant = (letter: string): boolean => !isPlain(letter) && isPlain(letter.normalize("NFKC"));

/** The letters of a text that replace Latin ones: in a word with Latin letters, or in one that looks Latin. */
function foreignIn(text: string): readonly string[] {
  const words = text.normalize("NFC").split(/[^\p{L}\p{M}\p{N}]+/u);
  const letters = words.flatMap((word) => {
    const all = [...word].filter((one) => /\p{L}/u.test(one));
    const others = all.filter((letter) => confusable.test(letter));
    const isMixed = others.length < all.length;
    const isDisguised = others.every((letter) => Object.hasOwn(drawnAs, letter.toLowerCase()));
    return [...all.filter(isVariant), ...(isMixed || isDisguised ? others : [])];
  });
  return [...new Set(letters)];
}

const maxNamed = 3;

/** The remark after a text with look-alike letters; empty for all others. */
export function lookAlikeMark(text: string): string {
  if (isPlain(text)) return "";
  const foreign = foreignIn(text);
  if (foreign.length === 0) return "";
  const more = foreign.length > maxNamed ? ", …" : "";
  return ` (look-alike letters: ${foreign.slice(0, maxNamed).map(codeOf).join(", ")}${more})`;
}

/** How two values differ that can be confused; undefined for all others. */
export function likeness(value: unknown, other: unknown): string | undefined {
  if (value === other || appearanceOf(value) !== appearanceOf(other)) return undefined;
  if (typeof value !== "string" || typeof other !== "string") return "a different type of value";
  if (value.toLowerCase() === other.toLowerCase()) return "only upper and lower case differ";
  if (value.replace(/\.$/, "") === other.replace(/\.$/, "")) return "only the final dot differs";
  return "the characters look alike but differ";
}

type Forms = readonly z.ZodType[];

/** The mask of a secret; a text that looks like one is quoted. */
class Mask {
  constructor(readonly text: string) {}
}

/**
 * A value that can be written: the raw one with each of its secrets masked.
 * @param seen The same value with masks in place of secrets.
 */
export function withMaskMarks(raw: unknown, seen: unknown): unknown {
  if (typeof seen === "string" && seen !== raw) return new Mask(seen);
  if (raw === seen || typeof raw !== "object" || raw === null) return seen;
  return withEach(raw, (member, key) => withMaskMarks(member, memberAt(seen, [key])));
}

/** A value with each record or list that is masked as a whole as one text, so that it is compared and written as one value. */
export function withMaskedAsText(raw: unknown, marked: unknown): unknown {
  if (raw === marked || typeof raw !== "object" || raw === null) return raw;
  if (marked instanceof Mask) return canonical(raw);
  return withEach(raw, (member, key) => withMaskedAsText(member, memberAt(marked, [key])));
}

/** Whether a value has members to write; a mask has none. */
export const isShownRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && !(value instanceof Mask);

/** Whether a value is written as one word, because it has no members to write separately. */
export const isLeaf = (value: unknown): boolean =>
  typeof value !== "object" || value === null || value instanceof Mask || Object.keys(value).length === 0;

const plainText = /^[A-Za-z0-9_@/.][A-Za-z0-9_@/:.?&=%#~+*$!-]*$/;
const plainName = /^[A-Za-z0-9_@$-]+$/;
const otherThanText = /^(true|false|null|[-+]?\d+(\.\d+)?(e[-+]?\d+)?)$/i;

const isDefault = (forms: Forms, value: unknown): boolean =>
  forms.some(
    (form) =>
      (form instanceof z.ZodDefault || form instanceof z.ZodPrefault) &&
      isDeepStrictEqual(form.def.defaultValue, value),
  );

const knownMembers = onceFor((_: Forms) => new Map<PropertyKey, Forms>());

/** The schemas of a member; cached, because the items of a long list have the same few names. */
export function memberForms(forms: Forms, key: PropertyKey): Forms {
  const known = knownMembers(forms);
  // All items of a list have the same schema; those of a tuple do not.
  const name = typeof key === "number" && !forms.some((form) => form instanceof z.ZodTuple) ? 0 : key;
  const found = known.get(name) ?? formsAt(forms, name);
  known.set(name, found);
  return found;
}

/** The name of a member, quoted if it could be mistaken for a path or a value. */
export const keyText = (key: PropertyKey): string => (plainName.test(String(key)) ? String(key) : JSON.stringify(key));

/** A path in words, `a.b[0]`, with whole names: different paths never look the same. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (at, key) => (typeof key === "number" ? `${at}[${key}]` : `${at}${at === "" ? "" : "."}${keyText(key)}`),
    "",
  );

/**
 * A value on one line. Texts are bare words or quoted, so that `"5"` and `5` differ, and look-alike letters are named.
 * @param forms Its schemas: a value that is their default is marked.
 */
export function valueText(value: unknown, forms: Forms = []): string {
  const mark = isDefault(forms, value) ? " (default)" : "";
  if (value instanceof Mask) return value.text;
  if (Array.isArray(value))
    return `[${value.map((item, at) => valueText(item, memberForms(forms, at))).join(", ")}]${mark}`;
  if (isRecord(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${keyText(key)}: ${valueText(member, memberForms(forms, key))}`,
    );
    return `{${members.join(", ")}}${mark}`;
  }
  if (typeof value !== "string") return `${String(value)}${mark}`;
  const isBare = plainText.test(value) && !otherThanText.test(value);
  return `${isBare ? value : JSON.stringify(value)}${lookAlikeMark(value)}${mark}`;
}

/** A count with its noun: `1 URL`, `2 URLs`. */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? noun : plural}`;
