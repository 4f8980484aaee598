/** The sum of a column's numbers, and their extremes. */
import { numberOf } from "./cell-type.js";
import type { ColumnFigures } from "./row-file.js";

/** A column whose numbers are examined one after another. */
export class Measure {
  #numbers = 0;
  #sum = 0;
  #large = 0n;
  #isWhole = true;
  #most = Number.NEGATIVE_INFINITY;
  #least = Number.POSITIVE_INFINITY;
  #mostRow = -1;
  #leastRow = -1;

  /**
   * Adds the number of a row's cell.
   * @returns the number; undefined for any other cell, which adds nothing.
   */
  add(cell: unknown, row: number): number | undefined {
    const value = numberOf(cell);
    if (value === undefined) return undefined;
    if (Number.isSafeInteger(value)) this.addWhole(value, row);
    else {
      if (Number.isInteger(value))
        this.#large += typeof cell === "string" && /^-?\d+$/.test(cell) ? BigInt(cell) : BigInt(value);
      else {
        this.#isWhole = false;
        this.#sum += value;
      }
      this.#place(value, row);
    }
    return value;
  }

  /** Adds a safe integer. */
  addWhole(value: number, row: number): void {
    const sum = this.#sum + value;
    if (!this.#isWhole || Number.isSafeInteger(sum)) this.#sum = sum;
    else {
      this.#large += BigInt(this.#sum);
      this.#sum = value;
    }
    this.#place(value, row);
  }

  #place(value: number, row: number): void {
    this.#numbers += 1;
    if (value > this.#most) [this.#most, this.#mostRow] = [value, row];
    if (value < this.#least) [this.#least, this.#leastRow] = [value, row];
  }

  figures(): Omit<ColumnFigures, "type"> {
    const sum = this.#isWhole
      ? String(this.#large + BigInt(this.#sum))
      : String(Number((this.#sum + Number(this.#large)).toPrecision(12)));
    return { numbers: this.#numbers, sum, mostRow: this.#mostRow, leastRow: this.#leastRow };
  }
}
