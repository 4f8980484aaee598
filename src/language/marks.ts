/** The marks that stand in an answer for what it does not show: what was cut, and invisible characters. */

/** The mark at the end of what was cut: of a list, a text, or the members of an object. */
export const cutMark = (kept: number, total: number): string => `[cut by edgewise: ${kept} of ${total} shown]`;

/** Whether a text holds the mark of a cut, wherever it stands. */
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
 * A character that is invisible in its context: controls, what Unicode calls default ignorable, separators of lines and
 * interlinear marks. Line ends and tabs are text; a variation selector is, once, behind what it varies; a joiner is,
 * between letters of a script that needs it or between emoji.
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

/** How many characters of a text are invisible. */
export const countHidden = (text: string): number => text.match(hidden)?.length ?? 0;

// One after another, because a text can consist of them; so many at a time, because each one is remembered meanwhile.
const hiddenRun = new RegExp(`(?:${hidden.source}){1,1000}`, "gu");

/** A text with a mark such as `[U+200B]` in place of each invisible character. */
export const withHiddenShown = (text: string): string =>
  text.replace(hiddenRun, (run) =>
    run.replace(/(.)\1*/gsu, (same, character: string) =>
      characterMark(character).repeat(same.length / character.length),
    ),
  );

/** A text on one line, with a mark in place of each invisible character, line ends included. */
export const onOneLine = (text: string): string =>
  // Plain text is by far the most, and the search for what is hidden is slow.
  /^[\x20-\x7e]*$/.test(text) ? text : withHiddenShown(text.toWellFormed()).replace(/[\n\r\t]/g, characterMark);

/** The first mark in a text that stands for an invisible character, and that character. */
export function findCharacterMark(text: string): { readonly mark: string; readonly character: string } | undefined {
  // Most texts hold none, and a search by pattern for each of a large value's texts is slow.
  if (!text.includes("[U+")) return undefined;
  for (const [mark, digits = ""] of text.matchAll(/\[U\+([0-9A-F]{4,6})\]/g)) {
    const code = Number.parseInt(digits, 16);
    if (code > 0x10_ffff) continue;
    const character = String.fromCodePoint(code);
    if (countHidden(character) > 0) return { mark, character };
  }
  return undefined;
}
