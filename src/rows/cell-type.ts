/** The type of a cell (number, time, empty according to `isEmpty`, or text), and that of a column by its cells. */
import { isEmpty } from "../language/member.js";
import { isoOfUs } from "../time/instant.js";

/** The maximum number of digits, so that the query engine represents the number exactly. */
export const maxDigits = 38;
/** Plain digits: leading zeros, a plus sign, blanks and commas indicate something else. */
const plain = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/;
/** A printed double. Without a decimal point it could also be a code, such as 1e3. */
const printed = /^-?[1-9]\.\d{1,17}[eE][+-]?\d{1,2}$/;

const digitsIn = (text: string): string => text.replace(/[-.]/g, "");

/** Whether a text is a number. */
export const isNumeral = (text: string): boolean =>
  text.length <= maxDigits + 2 &&
  (plain.test(text) ? text.length <= maxDigits || digitsIn(text).length <= maxDigits : printed.test(text));

/** Whether a cell is a number, including one written as text. */
export const isNumber = (cell: unknown): cell is number | string =>
  typeof cell === "number" ? Number.isFinite(cell) : typeof cell === "string" && isNumeral(cell);

/** The number of a cell, or the nearest double for many digits; undefined for any other cell. */
export const numberOf = (cell: unknown): number | undefined => (isNumber(cell) ? Number(cell) : undefined);

/**
 * The digits before and after the decimal point of a number's text; undefined for a printed double, which does not
 * determine them.
 */
function placesOf(numeral: string): { readonly whole: number; readonly fraction: number } | undefined {
  const found = plain.exec(numeral);
  if (!found) return undefined;
  const fraction = found[1]?.length ?? 0;
  return { whole: digitsIn(numeral).length - fraction, fraction };
}

/** Whether the text of a number is its canonical one: 1.10 and -0 differ from 1.1 and 0. */
const isPlainNumber = (numeral: string): boolean => String(Number(numeral)) === numeral;

/** Whether a double represents all digits of a number's text. */
function fitsDouble(numeral: string): boolean {
  const significant = numeral.replace(/^[-0.]+/, "").replace(".", "");
  return significant.length <= 15 || printed.test(numeral) || isPlainNumber(numeral);
}

export interface CellTime {
  /** A day, a local time, or an instant. */
  readonly kind: "day" | "local" | "instant";
  /** Milliseconds since 1970: for a day its first moment, and for a time without an offset as if in UTC. */
  readonly ms: number;
  /** The remaining microseconds. */
  readonly micros: number;
}

const iso =
  /^\d{4}-\d{2}-\d{2}(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/;
const [shortestTime, longestTime] = [10, 35];
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A time in the format of HTTP and logs: Sun, 22 Nov 2026 02:05:48 GMT. */
function httpTime(text: string): CellTime | undefined {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? { kind: "instant", ms, micros: 0 } : undefined;
}

/** The number of two digits. */
const pair = (text: string, at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;

/** The day in a text at midnight UTC; undefined if the day does not exist. */
function midnightOf(text: string): number | undefined {
  const [year, month, day] = [pair(text, 0) * 100 + pair(text, 2), pair(text, 5), pair(text, 8)];
  // Years before 100 would be read as after 1900, and invalid days as those of the next month.
  const isMonth = year >= 100 && month >= 1 && month <= 12;
  const ms = Date.UTC(year, month - 1, day);
  return isMonth && day >= 1 && ms < Date.UTC(year, month, 1) ? ms : undefined;
}

/** The UTC offset of a text in minutes; undefined if it has none. */
function aheadIn(text: string): number | undefined {
  if (text.endsWith("Z")) return 0;
  const at = Math.max(text.lastIndexOf("+"), text.lastIndexOf("-"));
  if (at < 10) return undefined;
  const minutes = text.length - at > 3 ? pair(text, text.length - 2) : 0;
  return (pair(text, at + 1) * 60 + minutes) * (text[at] === "-" ? -1 : 1);
}

/** The time of a cell: in ISO 8601, also with a blank for its T, in the American format, or in that of HTTP. */
export function timeOf(cell: unknown): CellTime | undefined {
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

/** The milliseconds since 1970 of a number in milliseconds or seconds; undefined for any other cell. */
export function epochMs(cell: unknown): number | undefined {
  const number = numberOf(cell);
  if (number === undefined || !(number >= leastSeconds && number < mostMs)) return undefined;
  return Math.floor(number < leastMs ? number * 1_000 : number);
}

/** Whether a name indicates that its numbers are times. */
export const isTimeName = (name: string): boolean =>
  /time|date|stamp|start|epoch|instant|^(?:t|ts|at|end|begin|hour|day|week|month)$/i.test(name);

/** The types, as the query engine names them. */
export type ColumnType =
  | "BIGINT"
  | "HUGEINT"
  | "DOUBLE"
  | "BOOLEAN"
  | "VARCHAR"
  | "TIMESTAMPTZ"
  | "TIMESTAMP"
  | "DATE"
  | `DECIMAL(${number},${number})`;

// A bit for each type that all cells so far have, from the narrowest on.
const types = ["BOOLEAN", "BIGINT", "HUGEINT", "DOUBLE", "DECIMAL", "TIMESTAMPTZ", "TIMESTAMP", "DATE"] as const;
const bitOf = (type: (typeof types)[number]): number => 1 << types.indexOf(type);
const [boolean, bigint, hugeint, double, decimal] = types.map(bitOf) as [number, number, number, number, number];
const bitsOfTimes = { instant: bitOf("TIMESTAMPTZ"), local: bitOf("TIMESTAMP"), day: bitOf("DATE") };
const allTypes = (1 << types.length) - 1;
const ofShortWhole = bigint | hugeint | double | decimal;
const shortWhole = /^-?(?:0|[1-9]\d{0,14})$/;
// Longer integers in JSON are read as text.
const maxDigitsInJson = 16;

/** The types of a number that is written as text. */
function bitsOfNumeral(text: string, isPlaced: boolean): number {
  const ofWhole = !isPlaced || text.includes(".") ? 0 : hugeint | (Number.isSafeInteger(Number(text)) ? bigint : 0);
  return ofWhole | (isPlaced ? decimal : 0) | (fitsDouble(text) ? double : 0);
}

/** The decimals of a decimal type; undefined for any other type. */
export const scaleOf = (type: ColumnType): number | undefined =>
  type.startsWith("DECIMAL") ? Number(type.slice(type.indexOf(",") + 1, -1)) : undefined;

/** The common types of a column's cells, cell by cell; empty cells have any type. */
export class ColumnTypes {
  #possible = allTypes;
  #isGiven = false;
  // Trailing digits distinguish 1.10 from 1.1 in version numbers: for numbers they are insignificant, or all have the
  // same length.
  #scale = -1;
  #hasOneScale = true;
  #arePlain = true;
  #whole = 0;
  #fraction = 0;

  /** Whether the column can only be text. */
  get isText(): boolean {
    return this.#possible === 0;
  }

  add(cell: unknown): void {
    if (isEmpty(cell)) return;
    this.#isGiven = true;
    if (this.#possible === 0) return;
    if (typeof cell === "number") this.#addNumber(cell);
    else if (typeof cell === "boolean") this.#possible &= boolean;
    else if (typeof cell === "string" && isNumeral(cell)) this.#addNumeral(cell);
    else {
      const time = timeOf(cell);
      this.#possible &= time ? bitsOfTimes[time.kind] : 0;
    }
  }

  /** Adds an integer of at most 15 digits that is written as text. */
  addShortWhole(digits: number, isPlain: boolean): void {
    this.#isGiven = true;
    this.#possible &= ofShortWhole;
    if (digits > this.#whole) this.#whole = digits;
    this.#addScale(0);
    this.#arePlain &&= isPlain;
  }

  addInstant(): void {
    this.#isGiven = true;
    this.#possible &= bitsOfTimes.instant;
  }

  /** Adds a text without another type. */
  addText(): void {
    this.#isGiven = true;
    this.#possible = 0;
  }

  #addNumber(cell: number): void {
    const isWhole = Number.isSafeInteger(cell);
    const places = isWhole ? { whole: maxDigitsInJson, fraction: 0 } : placesOf(String(cell));
    this.#possible &= isWhole ? ofShortWhole : Number.isFinite(cell) ? double | (places ? decimal : 0) : 0;
    this.#addDigits(places?.whole ?? 0, places?.fraction ?? 0);
  }

  #addNumeral(text: string): void {
    if (shortWhole.test(text)) {
      this.addShortWhole(text.startsWith("-") ? text.length - 1 : text.length, text !== "-0");
      return;
    }
    const places = placesOf(text);
    this.#possible &= bitsOfNumeral(text, places !== undefined);
    if (places === undefined) return;
    this.#addDigits(places.whole, places.fraction);
    this.#addScale(places.fraction);
    this.#arePlain &&= isPlainNumber(text);
  }

  #addDigits(whole: number, fraction: number): void {
    this.#whole = Math.max(this.#whole, whole);
    this.#fraction = Math.max(this.#fraction, fraction);
  }

  #addScale(fraction: number): void {
    if (this.#scale < 0) this.#scale = fraction;
    else if (this.#scale !== fraction) this.#hasOneScale = false;
  }

  type(): ColumnType {
    const type = this.#isGiven ? types.find((one) => (this.#possible & bitOf(one)) !== 0) : undefined;
    if (type !== "DOUBLE" && type !== "DECIMAL") return type ?? "VARCHAR";
    if (!this.#hasOneScale && !this.#arePlain) return "VARCHAR";
    if (type === "DOUBLE") return type;
    return this.#whole + this.#fraction > maxDigits ? "VARCHAR" : `DECIMAL(${maxDigits},${this.#fraction})`;
  }
}
