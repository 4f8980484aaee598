/** What a cell is to whoever reads one: a number, a time, empty (see `isEmpty`), or else text. */
import { isoOfUs } from "../time/instant.js";

/** A number has no more digits, so that the engine of queries holds it exactly. */
export const maxDigits = 38;
/** Digits that say no more than the number: zeros before them, a plus, blanks and commas are signs of something else. */
const plain = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/;
/** As programs print a double. Without its point it can be a code as well, such as 1e3. */
const printed = /^-?[1-9]\.\d{1,17}[eE][+-]?\d{1,2}$/;

/** The digits of a number's text, with their zeros. */
const digitsIn = (text: string): string => text.replace(/[-.]/g, "");

/** Whether a text is a number. */
export const isNumeral = (text: string): boolean =>
  text.length <= maxDigits + 2 &&
  (plain.test(text) ? text.length <= maxDigits || digitsIn(text).length <= maxDigits : printed.test(text));

/** Whether a cell is a number, also one that is written as text. */
export const isNumber = (cell: unknown): cell is number | string =>
  typeof cell === "number" ? Number.isFinite(cell) : typeof cell === "string" && isNumeral(cell);

/** The number that a cell is, or the nearest to one of many digits; undefined for any other cell. */
export const numberOf = (cell: unknown): number | undefined => (isNumber(cell) ? Number(cell) : undefined);

/** The digits before and after the point of a number's text; undefined for a printed double, which does not fix them. */
export function placesOf(numeral: string): { readonly whole: number; readonly fraction: number } | undefined {
  const found = plain.exec(numeral);
  if (!found) return undefined;
  const fraction = found[1]?.length ?? 0;
  return { whole: digitsIn(numeral).length - fraction, fraction };
}

/** Whether the text of a number is the one that the number has by itself: 1.10 and -0 say more than 1.1 and 0. */
export const isPlainNumber = (numeral: string): boolean => String(Number(numeral)) === numeral;

/** Whether a double holds all digits of a number's text. */
export function fitsDouble(numeral: string): boolean {
  const significant = numeral.replace(/^[-0.]+/, "").replace(".", "");
  return significant.length <= 15 || printed.test(numeral) || isPlainNumber(numeral);
}

/** When a cell is. */
export interface Time {
  /** A day, a time on some clock, or an instant. */
  readonly kind: "day" | "local" | "instant";
  /** Milliseconds since 1970: of a day its first moment, and of a time without an offset, as if they were of UTC. */
  readonly ms: number;
  /** The microseconds beyond those. */
  readonly micros: number;
}

const iso =
  /^\d{4}-\d{2}-\d{2}(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/;
const [shortestTime, longestTime] = [10, 35];
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A time as HTTP and log lines write it: Sun, 22 Nov 2026 02:05:48 GMT. */
function httpTime(text: string): Time | undefined {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? { kind: "instant", ms, micros: 0 } : undefined;
}

/** The number of two digits. */
const pair = (text: string, at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;

/** The day in a text at midnight UTC; undefined where there is no such day. */
function midnightOf(text: string): number | undefined {
  const [year, month, day] = [pair(text, 0) * 100 + pair(text, 2), pair(text, 5), pair(text, 8)];
  // A year before 100 would be taken for one after 1900, and a day that a month does not have for one of the next.
  const isMonth = year >= 100 && month >= 1 && month <= 12;
  const ms = Date.UTC(year, month - 1, day);
  return isMonth && day >= 1 && ms < Date.UTC(year, month, 1) ? ms : undefined;
}

/** How many minutes the clocks of a text are ahead of UTC; undefined where it does not say so. */
function aheadIn(text: string): number | undefined {
  if (text.endsWith("Z")) return 0;
  const at = Math.max(text.lastIndexOf("+"), text.lastIndexOf("-"));
  if (at < 10) return undefined;
  const minutes = text.length - at > 3 ? pair(text, text.length - 2) : 0;
  return (pair(text, at + 1) * 60 + minutes) * (text[at] === "-" ? -1 : 1);
}

/** The time that a cell is: in ISO 8601, also with a blank for its T, in the American form, or in that of HTTP. */
export function timeOf(cell: unknown): Time | undefined {
  if (typeof cell !== "string" || cell.length < shortestTime || cell.length > longestTime) return undefined;
  const text = cell[2] === "/" ? isoOfUs(cell) : cell;
  if (!iso.test(text)) return httpDate.test(text) ? httpTime(text) : undefined;
  const midnight = midnightOf(text);
  if (midnight === undefined) return undefined;
  if (text.length === shortestTime) return { kind: "day", ms: midnight, micros: 0 };
  const [hour, minute, second] = [pair(text, 11), pair(text, 14), text[16] === ":" ? pair(text, 17) : 0];
  const ahead = aheadIn(text);
  const micros = text[19] === "." ? Math.round(Number.parseFloat(text.slice(19, 26)) * 1_000_000) : 0;
  return {
    kind: ahead === undefined ? "local" : "instant",
    ms: midnight + (hour * 60 + minute - (ahead ?? 0)) * 60_000 + second * 1_000 + Math.floor(micros / 1_000),
    micros: micros % 1_000,
  };
}

// As seconds these are 1973 to 5138; as milliseconds, 1973 to 5138 again.
const [leastSeconds, leastMs, mostMs] = [1e8, 1e11, 1e14];

/** The milliseconds since 1970 of a number that counts those or seconds; undefined for any other cell. */
export function epochMs(cell: unknown): number | undefined {
  const number = numberOf(cell);
  if (number === undefined || !(number >= leastSeconds && number < mostMs)) return undefined;
  return Math.floor(number < leastMs ? number * 1_000 : number);
}

/** Whether a name says that the numbers under it are times. */
export const isTimeName = (name: string): boolean =>
  /time|date|stamp|start|epoch|instant|^(?:t|ts|at|end|begin|hour|day|week|month)$/i.test(name);
