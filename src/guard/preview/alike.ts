/** Texts that a reader takes for one another: by look-alike letters, case, a final dot, or a value that stands for none. */

// The letters of other scripts that are drawn as Latin ones in common fonts (Unicode Technical Standard 39, the pairs that
// occur in names of hosts), and the digits that stand for letters.
const drawnAs: Readonly<Record<string, string>> = {
  ...{ а: "a", с: "c", ԁ: "d", е: "e", һ: "h", і: "l", ј: "j", ӏ: "l", о: "o", р: "p", ԛ: "q", ѕ: "s", ѵ: "v" },
  ...{ ԝ: "w", х: "x", у: "y", α: "a", ι: "l", κ: "k", ν: "v", ο: "o", ρ: "p", υ: "u", χ: "x", օ: "o", ո: "n", ս: "u" },
  ...{ "0": "o", "1": "l", "|": "l", i: "l" },
};

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** What a text looks like: two texts that a reader may take for one another have one outline. */
const outlineOf = (text: string): string =>
  [...text.normalize("NFKC").toLowerCase().replace(/\.$/, "")].map((one) => drawnAs[one] ?? one).join("");

/** A key that is the same for values that a reader may take for one another; null and nothing look like an empty text. */
export const lookOf = (value: unknown): string => outlineOf(String(value ?? ""));

const codeOf = (character: string): string =>
  `${character} is U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

// Scripts with letters that are drawn as Latin ones; those of other scripts nobody takes for them.
const confusable =
  /[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;

/** Whether a letter is another form of an ASCII one, such as a wide or a mathematical letter. */
const isVariant = (letter: string): boolean => !isPlain(letter) && isPlain(letter.normalize("NFKC"));

/** The letters of a text that stand where a Latin one is expected: in a word with Latin letters, or in one drawn as such. */
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

/** What has to be said behind a text whose letters are not what they look like; empty for all others. */
export function lookAlikeMark(text: string): string {
  if (isPlain(text)) return "";
  const foreign = foreignIn(text);
  if (foreign.length === 0) return "";
  const more = foreign.length > maxNamed ? ", …" : "";
  return ` (look-alike letters: ${foreign.slice(0, maxNamed).map(codeOf).join(", ")}${more})`;
}

/** How two values differ that a reader may take for one another; undefined for values that nobody does. */
export function likeness(one: unknown, other: unknown): string | undefined {
  if (one === other || lookOf(one) !== lookOf(other)) return undefined;
  if (typeof one !== "string" || typeof other !== "string") return "another kind of value";
  if (one.toLowerCase() === other.toLowerCase()) return "only upper and lower case differ";
  if (one.replace(/\.$/, "") === other.replace(/\.$/, "")) return "only the final dot differs";
  return "the characters look alike and are others";
}
