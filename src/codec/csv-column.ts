/** What a column of CSV comes to, learned from the bytes of its cells: its type, its sum, and where its extremes are. */
import { type ColumnType, daysOf, decimalText, integerText, isPlainNumber, microsOf } from "../api/cell-type.js";
import type { ColumnFigures } from "../api/row-file.js";

// A bit for each type that all cells so far are of, from the narrowest on.
const types: readonly ColumnType[] = ["BIGINT", "HUGEINT", "DOUBLE", "TIMESTAMPTZ", "TIMESTAMP", "DATE"];
const [bigint, hugeint, double, instant, local, date] = types.map((_, at) => 1 << at) as [
  number,
  number,
  number,
  number,
  number,
  number,
];
const all = (1 << types.length) - 1;
const numeric = /^-?\d+(?:\.\d+)?$/;
const [zero, minus, capitalZ] = [48, 45, 90];

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= zero && byte <= zero + 9;
const pair = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) - zero) * 10 + ((bytes[at + 1] ?? 0) - zero);
const instantForm = "dddd-dd-ddTdd:dd:ddZ";
const formBytes = [...instantForm].map((character) => (character === "d" ? undefined : character.charCodeAt(0)));

/** Whether a cell is an instant in UTC to the second, whose day every month has; by far the most are. */
function isUsualInstant(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== formBytes.length || bytes[end - 1] !== capitalZ) return false;
  for (let at = 0; at < formBytes.length; at += 1) {
    const wanted = formBytes[at];
    const byte = bytes[start + at];
    if (wanted === undefined ? !isDigit(byte) : byte !== wanted) return false;
  }
  const [month, day] = [pair(bytes, start + 5), pair(bytes, start + 8)];
  if (month < 1 || month > 12 || day < 1 || day > 28 || bytes[start] === zero) return false;
  return pair(bytes, start + 11) < 24 && pair(bytes, start + 14) < 60 && pair(bytes, start + 17) < 60;
}

/** The types of a text that is no short whole number. */
function typesOf(text: string): number {
  let found = 0;
  if (integerText.test(text)) found |= hugeint | (Number.isSafeInteger(Number(text)) ? bigint : 0);
  if (decimalText.test(text)) found |= double;
  // The engine reads a time with an offset and without seconds as no value, silently.
  if (/\d{2}:\d{2}:\d{2}/.test(text) && microsOf(text, true) !== undefined) found |= instant;
  if (microsOf(text, false) !== undefined) found |= local;
  return daysOf(text) === undefined ? found : found | date;
}

/** A column of which cell after cell is looked at. */
export class CsvColumn {
  #possible = all;
  #isGiven = false;
  // Digits after the point tell 1.10 from 1.1 where they are of a version: a number says the same, or all have as many.
  #scale = -1;
  #hasOneScale = true;
  #arePlain = true;
  #sum = 0;
  #large = 0n;
  #isWhole = true;
  #most = Number.NEGATIVE_INFINITY;
  #least = Number.POSITIVE_INFINITY;
  #mostRow = -1;
  #leastRow = -1;

  /** Looks at the cell of a row; of a quoted one at what is inside the quotes. */
  add(bytes: Buffer, start: number, end: number, row: number): void {
    if (start === end) return;
    this.#isGiven = true;
    const isNegative = bytes[start] === minus;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let value = 0;
    for (; at < end; at += 1) {
      const digit = (bytes[at] ?? 0) - zero;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === first) {
      this.#possible = 0;
      return;
    }
    // So many digits a double holds exactly.
    if (at < end || at - first > 15) {
      this.#addOther(bytes, start, end, row);
      return;
    }
    const isCode = at - first > 1 && bytes[first] === zero;
    this.#possible = isCode ? 0 : this.#possible & (bigint | hugeint | double);
    if (isNegative && value === 0) this.#arePlain = false;
    this.#addScale(0);
    this.#addWhole(isNegative ? -value : value);
    this.#addNumber(isNegative ? -value : value, row);
  }

  #addOther(bytes: Buffer, start: number, end: number, row: number): void {
    if (isUsualInstant(bytes, start, end)) {
      this.#possible &= instant;
      return;
    }
    // Most texts that begin with a digit are no number either.
    if (this.#possible === 0 && !isDigit(bytes[end - 1])) return;
    const text = bytes.toString("latin1", start, end);
    if (this.#possible !== 0) this.#possible &= typesOf(text);
    if (!numeric.test(text)) return;
    const [, fraction] = text.split(".");
    if (this.#possible !== 0) {
      this.#addScale(fraction?.length ?? 0);
      this.#arePlain &&= isPlainNumber(text);
    }
    if (fraction === undefined) this.#large += BigInt(text);
    else {
      this.#isWhole = false;
      this.#sum += Number(text);
    }
    this.#addNumber(Number(text), row);
  }

  #addScale(scale: number): void {
    if (this.#scale < 0) this.#scale = scale;
    else if (this.#scale !== scale) this.#hasOneScale = false;
  }

  #addWhole(value: number): void {
    this.#sum += value;
    if (this.#isWhole && (this.#sum > 2 ** 52 || this.#sum < -(2 ** 52))) {
      this.#large += BigInt(this.#sum);
      this.#sum = 0;
    }
  }

  #addNumber(value: number, row: number): void {
    if (value > this.#most) [this.#most, this.#mostRow] = [value, row];
    if (value < this.#least) [this.#least, this.#leastRow] = [value, row];
  }

  /** What was learned of all cells. */
  figures(): ColumnFigures {
    const type = types.find((_, at) => (this.#possible & (1 << at)) !== 0);
    const isUsable = this.#isGiven && (type !== "DOUBLE" || this.#hasOneScale || this.#arePlain);
    const sum = this.#isWhole
      ? String(this.#large + BigInt(this.#sum))
      : String(Number((this.#sum + Number(this.#large)).toPrecision(12)));
    return { type: (isUsable && type) || "VARCHAR", sum, mostRow: this.#mostRow, leastRow: this.#leastRow };
  }
}
