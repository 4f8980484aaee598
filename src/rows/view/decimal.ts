/** Numbers that are compared, added and divided exactly, however large they are and however many decimals they have. */
import { isNumeral } from "../cell-type.js";

/** `units` divided by ten to the power of `scale`. */
interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** An exact number: an integer that a number holds safely, which is the rule and fast, or a decimal. */
export type Exact = number | Decimal;

const shortInteger = /^-?(?:0|[1-9]\d{0,14})$/;

function decimalOf(text: string): Decimal {
  const [mantissa = "0", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** The number that a cell is, also where it is written as text; undefined for any other cell. */
export function exactOf(cell: unknown): Exact | undefined {
  if (typeof cell === "number") {
    if (Number.isSafeInteger(cell)) return cell;
    return Number.isFinite(cell) ? decimalOf(String(cell)) : undefined;
  }
  if (typeof cell !== "string") return undefined;
  // What nearly all numbers of a report are.
  if (shortInteger.test(cell)) return Number(cell);
  return isNumeral(cell) ? decimalOf(cell) : undefined;
}

// The exponent is short, because ten to its power is written out.
const written = /^[+-]?\d{1,100}(?:\.\d{1,100})?(?:[eE][+-]?\d{1,3})?$/;

/** The number that a person wrote to compare cells with, who may write 1e6 or +5. */
export const writtenNumber = (text: string): Exact | undefined =>
  exactOf(text) ?? (written.test(text) ? decimalOf(text) : undefined);

const asDecimal = (value: Exact): Decimal => (typeof value === "number" ? { units: BigInt(value), scale: 0 } : value);

/** Two numbers as counts of the same unit. */
function aligned(a: Exact, b: Exact): readonly [bigint, bigint, number] {
  const [left, right] = [asDecimal(a), asDecimal(b)];
  const scale = Math.max(left.scale, right.scale);
  const unitsOf = ({ units, scale: own }: Decimal) => (own === scale ? units : units * 10n ** BigInt(scale - own));
  return [unitsOf(left), unitsOf(right), scale];
}

/** Less than 0, 0 or more than 0, as a comparison of sorting returns it. */
export function compareExact(a: Exact, b: Exact): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function plus(a: Exact, b: Exact): Exact {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const [left, right, scale] = aligned(a, b);
  return { units: left + right, scale };
}

export function minus(a: Exact, b: Exact): Exact {
  const [left, right, scale] = aligned(a, b);
  return { units: left - right, scale };
}

/** How many decimals a number has. */
export const decimalsOf = (value: Exact): number => (typeof value === "number" ? 0 : value.scale);

/** A quotient rounded to a number of decimals, halves away from zero; undefined where the divisor is zero. */
export function quotient(a: Exact, b: Exact, decimals: number): Exact | undefined {
  const [left, right] = aligned(a, b);
  if (right === 0n) return undefined;
  const isNegative = left < 0n !== right < 0n;
  const size = (value: bigint) => (value < 0n ? -value : value);
  const units = (size(left) * 10n ** BigInt(decimals) * 2n + size(right)) / (size(right) * 2n);
  return { units: isNegative ? -units : units, scale: decimals };
}

function textOf({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/(?<!0)0+$/, "");
  return (units < 0n ? "-" : "") + whole + (fraction === "" ? "" : `.${fraction}`);
}

/** An exact number as JSON has it: a number where that is exactly this one, and otherwise its digits as text. */
export function jsonOf(value: Exact): number | string {
  if (typeof value === "number") return value;
  const text = textOf(value);
  const number = Number(text);
  if (!text.includes(".")) return Number.isSafeInteger(number) ? number : text;
  return compareExact(decimalOf(String(number)), value) === 0 ? number : text;
}
