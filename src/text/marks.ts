/** The marks that replace parts of a result that are not shown: truncated data and invisible characters. */

/** The mark at the end of a truncated list, text or object. */
export const cutMark = (kept: number, total: number): string => `[cut by edgewise: ${kept} of ${total} shown]`;

/** Whether a text contains the mark of a truncation. */
export const hasCutMark = (text: string): boolean => text.includes("[cut by edgewise: ");

// Scripts whose spelling needs joiners: Unicode, chapter 23.2, and the contexts of RFC 5892, appendix A.
const joinedScripts =
  "Arabic Syriac Mandaic Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan";
const joined = joinedScripts
  .split(" ")
  .map((script) => `\\p{Script=${script}}`)
  .join("");
const emoji = "\\p{Extended_Pictographic}";

/**
 * A character that is invisible in its context: control characters, Unicode's default ignorable code points, line
 * separators and interlinear marks. Line ends and tabs are visible, as are a single variation selector after the character
 * that it varies, and a joiner between emoji or between letters of a script that needs it.
 */
const hidden = new RegExp(
  [
    "(?!\\r\\n|[\\n\\t\\u200c\\u200d\\ufe00-\\ufe0f])[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb]",
    "(?<![^\\p{Cc}\\p{Zs}\\p{Default_Ignorable_Code_Point}])[\\ufe00-\\ufe0f]",
    `(?<![${joined}])\\u200c`,
    `\\u200c(?![${joined}])`,
    `(?<![${joined}]|${emoji}\\ufe0f?|\\p{Emoji_Modifier})\\u200d`,
    `\\u200d(?![${joined}]|${emoji})`,
  ].join("|"),
  "gu",
);

const characterMark = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** The number of invisible characters in a text. */
export const countHidden = (text: string): number => text.match(hidden)?.length ?? 0;

// A text can consist of these, so runs of them are replaced together; the length is limited because a match is buffered.
const hiddenRun = new RegExp(`(?:${hidden.source}){1,1000}`, "gu");

/** A text with each invisible character replaced by a mark such as `[U+200B]`. */
export const withHiddenShown = (text: string): string =>
  text.replace(hiddenRun, (run) =>
    run.replace(/(.)\1*/gsu, (same, character: string) =>
      characterMark(character).repeat(same.length / character.length),
    ),
  );

/** A text on one line: each invisible character, line end, and space that only looks like the usual one is a mark. */
export const onOneLine = (text: string): string =>
  // Most text is plain, and the search for invisible characters is slow.
  /^[\x20-\x7e]*$/.test(text)
    ? text
    : withHiddenShown(text.toWellFormed()).replace(/[\n\r\t]|(?! )\p{Zs}/gu, characterMark);

/** The first mark of an invisible character in a text, and that character. */
export function findCharacterMark(text: string): { readonly mark: string; readonly character: string } | undefined {
  // Most texts contain none, and matching a pattern against every text of a large value is slow.
  if (!text.includes("[U+")) return undefined;
  for (const [mark, digits = ""] of text.matchAll(/\[U\+([0-9A-F]{4,6})\]/g)) {
    const code = Number.parseInt(digits, 16);
    if (code > 0x10_ffff) continue;
    const character = String.fromCodePoint(code);
    if (countHidden(character) > 0) return { mark, character };
  }
  return undefined;
}
