/** What a column of CSV comes to, learned cell by cell: its type, its sum, and where its extremes are. */
import { isNumeral, timeOf } from "./cell-type.js";
import { ColumnTypes } from "./column-type.js";
import type { ColumnFigures } from "./row-file.js";

const [zero, minus] = [48, 45];

const isDigitAt = (text: string, at: number): boolean => text.charCodeAt(at) >= zero && text.charCodeAt(at) <= zero + 9;

/** An instant in UTC to the second, in the usual form of one; a 29 February is told apart by its year. */
const usualInstant =
  /^[1-9]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

// So many digits a double holds exactly.
const usualDigits = 15;

/** A whole number that begins with no zero; NaN for any other text, which most are not. A loop, which is the fastest. */
function usualWhole(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start) === minus ? start + 1 : start;
  if (end - first > usualDigits || (text.charCodeAt(first) === zero && end - start > 1)) return Number.NaN;
  let value = 0;
  for (let at = first; at < end; at += 1) {
    const digit = text.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  if (end === first) return Number.NaN;
  return first > start ? -value : value;
}

/** Whether the engine takes a text for the time that it is: others it reads as no value, silently, or not at all. */
const isReadByEngine = (text: string): boolean => /^\d{4}-\d{2}-\d{2}(?:$|[T ]\d{2}:\d{2}(?:$|:\d{2}))/.test(text);

/** A column of which cell after cell is looked at. */
export class CsvColumn {
  readonly #types = new ColumnTypes();
  #sum = 0;
  #large = 0n;
  #isWhole = true;
  #most = Number.NEGATIVE_INFINITY;
  #least = Number.POSITIVE_INFINITY;
  #mostRow = -1;
  #leastRow = -1;

  /** Looks at the cell of a row; of a quoted one at what is inside the quotes. */
  add(text: string, start: number, end: number, row: number): void {
    if (start === end) return;
    const value = usualWhole(text, start, end);
    if (Number.isNaN(value)) {
      this.#addOther(text.slice(start, end), row);
      return;
    }
    this.#types.addShortWhole(end - start - (value < 0 ? 1 : 0), true);
    this.#addWhole(value);
    this.#addNumber(value, row);
  }

  #addOther(text: string, row: number): void {
    if (usualInstant.test(text)) {
      this.#types.addInstant();
      return;
    }
    // What begins with no digit is neither number nor time here, and most texts that begin with one are neither.
    if (
      !isDigitAt(text, text.charCodeAt(0) === minus ? 1 : 0) ||
      (this.#types.isText && !isDigitAt(text, text.length - 1))
    ) {
      this.#types.addText();
      return;
    }
    if (isNumeral(text)) {
      this.#types.add(text);
      this.#addNumeral(text, row);
    } else if (timeOf(text) && isReadByEngine(text)) this.#types.add(text);
    else this.#types.addText();
  }

  #addNumeral(text: string, row: number): void {
    if (/^-?\d+$/.test(text)) this.#large += BigInt(text);
    else {
      this.#isWhole = false;
      this.#sum += Number(text);
    }
    this.#addNumber(Number(text), row);
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
    const sum = this.#isWhole
      ? String(this.#large + BigInt(this.#sum))
      : String(Number((this.#sum + Number(this.#large)).toPrecision(12)));
    return { type: this.#types.type(), sum, mostRow: this.#mostRow, leastRow: this.#leastRow };
  }
}
