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
