/** Numbers of JSON that a double cannot hold: they are never rounded, but shown as text, or refused by name. */

/** The significant digits of a numeral without zeros around them, and the power of ten of the last one. */
function digitsOf(numeral: string): string {
  const [mantissa = "", exponent = "0"] = numeral.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === "0") start += 1;
  while (end > start && digits[end - 1] === "0") end -= 1;
  return start === end
    ? "0"
    : `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/** Whether a number of JSON, read as a double and written again, is the same number; -0, which is written as 0, is not. */
export function isExact(numeral: string): boolean {
  const number = Number(numeral);
  return Number.isFinite(number) && !Object.is(number, -0) && digitsOf(numeral) === digitsOf(String(number));
}

const before = "[not a double: ";
const after = "]";
/** The text that replaces such a number in arguments, so that their check can name its field. */
export const inexactMark = (numeral: string): string => `${before}${numeral}${after}`;

/** The number that was replaced by a text; undefined for any other text. */
export const inexactIn = (text: string): string | undefined =>
  text.startsWith(before) && text.endsWith(after) ? text.slice(before.length, -after.length) : undefined;

/** What is taken in place of such a number. */
export const takesExact =
  "a number that is not rounded in JSON, of at most 15 digits; where the API takes text, the digits in quotes";
