/** How wide a text is in the font of the pictures, closely enough to lay it out and to cut it where it has no room. */

// Measured in the font: the width of a character by its size, by groups of about equal ones.
const groups: readonly (readonly [characters: string, em: number])[] = [
  [" ijlI!,.:·';`\\", 0.29],
  ["ft|()/[]r1{}", 0.38],
  ['-_"^–', 0.48],
  ["acekLJsvxyz?7F", 0.57],
  ["mwMW@%…", 0.95],
  ["CDGHNOQUAV", 0.74],
];
const known = new Map(groups.flatMap(([characters, em]) => [...characters].map((one) => [one, em] as const)));
const usual = 0.63;
const beyondLatin = 0.85;
const ideographic = 1.05;
const boldFactor = 1.05;

function emOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return known.get(character) ?? (code < 0x250 ? usual : code < 0x2e80 ? beyondLatin : ideographic);
}

/** The width of a text; `fontStyle` is a CSS font, of which the size and the weight count. */
export function textWidth(written: string, fontStyle: string): number {
  const size = Number(/(?<![\d.])([\d.]+)px/.exec(fontStyle)?.[1] ?? 12);
  let em = 0;
  for (const character of written) em += emOf(character);
  return em * size * (/\b(bold|600)\b/.test(fontStyle) ? boldFactor : 1);
}

const fits = (written: string, room: number, fontStyle: string): boolean => textWidth(written, fontStyle) <= room;

/** A text that is cut in its middle where it has no room: names that resemble each other mostly differ at their ends. */
export function cutInMiddle(written: string, room: number, fontStyle: string): string {
  if (fits(written, room, fontStyle)) return written;
  const characters = [...written];
  const cutTo = (kept: number): string =>
    `${characters.slice(0, Math.ceil(kept / 2)).join("")}…${characters.slice(characters.length - Math.floor(kept / 2)).join("")}`;
  let kept = characters.length - 1;
  while (kept > 0 && !fits(cutTo(kept), room, fontStyle)) kept -= 1;
  return cutTo(kept);
}

/** A text that ends with an ellipsis where it has no room. */
function cutAtEnd(written: string, room: number, fontStyle: string): string {
  if (fits(written, room, fontStyle)) return written;
  const kept = [...written];
  while (kept.length > 0 && !fits(`${kept.join("").trimEnd()}…`, room, fontStyle)) kept.pop();
  return `${kept.join("").trimEnd()}…`;
}

/** How much of a text has room on a line: up to the end of a word, or a part of a word that alone has none. */
function lineEnd(characters: readonly string[], room: number, fontStyle: string): number {
  let end = 0;
  while (
    end < characters.length &&
    fits(
      characters
        .slice(0, end + 1)
        .join("")
        .trimEnd(),
      room,
      fontStyle,
    )
  )
    end += 1;
  if (end === characters.length) return end;
  const space = characters.slice(0, end + 1).lastIndexOf(" ");
  return space > 0 ? space + 1 : Math.max(1, end);
}

/** A text in lines that have room; the last of so many at most ends with an ellipsis where the text has no room in them. */
export function linesOf(written: string, room: number, fontStyle: string, max: number): string[] {
  const lines: string[] = [];
  let rest = [...written];
  while (lines.length < max - 1 && !fits(rest.join(""), room, fontStyle)) {
    const end = lineEnd(rest, room, fontStyle);
    lines.push(rest.slice(0, end).join("").trimEnd());
    rest = rest.slice(end);
  }
  return [...lines, cutAtEnd(rest.join(""), room, fontStyle)].filter((line) => line !== "");
}
