/** What type a column has by all of its cells: the narrowest that holds each of them without loss, or else that of text. */
import { isEmpty } from "../language/member.js";
import { fitsDouble, isNumeral, isPlainNumber, maxDigits, placesOf, timeOf } from "./cell-type.js";

/** The types, as the engine of queries names them. */
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

// A bit for each type that all cells so far are of, from the narrowest on.
const types = ["BOOLEAN", "BIGINT", "HUGEINT", "DOUBLE", "DECIMAL", "TIMESTAMPTZ", "TIMESTAMP", "DATE"] as const;
const bitOf = (type: (typeof types)[number]): number => 1 << types.indexOf(type);
const [boolean, bigint, hugeint, double, decimal] = types.map(bitOf) as [number, number, number, number, number];
const bitsOfTimes = { instant: bitOf("TIMESTAMPTZ"), local: bitOf("TIMESTAMP"), day: bitOf("DATE") };
const all = (1 << types.length) - 1;
const ofShortWhole = bigint | hugeint | double | decimal;
const shortWhole = /^-?(?:0|[1-9]\d{0,14})$/;
// No whole number in JSON has more digits, or it would come as text.
const maxDigitsInJson = 16;

/** The types of which a number is that is written as text. */
function bitsOfNumeral(text: string, isPlaced: boolean): number {
  const ofWhole = !isPlaced || text.includes(".") ? 0 : hugeint | (Number.isSafeInteger(Number(text)) ? bigint : 0);
  return ofWhole | (isPlaced ? decimal : 0) | (fitsDouble(text) ? double : 0);
}

/** The digits behind the point of a type of decimals; undefined for any other type. */
export const scaleOf = (type: ColumnType): number | undefined =>
  type.startsWith("DECIMAL") ? Number(type.slice(type.indexOf(",") + 1, -1)) : undefined;

/** The types that all cells of a column are of, learned cell by cell; what is empty is of any. */
export class ColumnTypes {
  #possible = all;
  #isGiven = false;
  // Digits after the point tell 1.10 from 1.1 where they are of a version: a number says the same, or all have as many.
  #scale = -1;
  #hasOneScale = true;
  #arePlain = true;
  #whole = 0;
  #fraction = 0;

  /** Whether the column can only be one of text. */
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

  /** Adds a whole number of at most 15 digits that is written as text. */
  addShortWhole(digits: number, isPlain: boolean): void {
    this.#isGiven = true;
    this.#possible &= ofShortWhole;
    if (digits > this.#whole) this.#whole = digits;
    this.#addScale(0);
    this.#arePlain &&= isPlain;
  }

  /** Adds an instant. */
  addInstant(): void {
    this.#isGiven = true;
    this.#possible &= bitsOfTimes.instant;
  }

  /** Adds what is of no type but text. */
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

  /** The type of the column. */
  type(): ColumnType {
    const type = this.#isGiven ? types.find((one) => (this.#possible & bitOf(one)) !== 0) : undefined;
    if (type !== "DOUBLE" && type !== "DECIMAL") return type ?? "VARCHAR";
    if (!this.#hasOneScale && !this.#arePlain) return "VARCHAR";
    if (type === "DOUBLE") return type;
    return this.#whole + this.#fraction > maxDigits ? "VARCHAR" : `DECIMAL(${maxDigits},${this.#fraction})`;
  }
}
