/** Exact arithmetic on numbers of any size and number of decimals. */
import { isNumeral } from "../cell-type.js";

/** `units` divided by ten to the power of `scale`. */
interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** An exact number: a safe integer, which is usual and fast, or a decimal. */
export type Exact = number | Decimal;

const shortInteger = /^-?(?:0|[1-9]\d{0,14})$/;

function decimalOf(text: string): Decimal {
  const [mantissa = "0", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** The number of a cell, including one written as text; undefined for any other cell. */
export function exactOf(cell: unknown): Exact | undefined {
  if (typeof cell === "number") {
    if (Number.isSafeInteger(cell)) return cell;
    return Number.isFinite(cell) ? decimalOf(String(cell)) : undefined;
  }
  if (typeof cell !== "string") return undefined;
  // The usual case of numbers in reports.
  if (shortInteger.test(cell)) return Number(cell);
  return isNumeral(cell) ? decimalOf(cell) : undefined;
}

// The exponent is limited, because ten to its power is computed.
const numberPattern = /^[+-]?\d{1,100}(?:\.\d{1,100})?(?:[eE][+-]?\d{1,3})?$/;

/** The number in a condition, which may also be written as 1e6 or +5. */
export const parseNumber = (text: string): Exact | undefined =>
  exactOf(text) ?? (numberPattern.test(text) ? decimalOf(text) : undefined);

const asDecimal = (value: Exact): Decimal => (typeof value === "number" ? { units: BigInt(value), scale: 0 } : value);

/** Two numbers in the same unit. */
function aligned(a: Exact, b: Exact): readonly [bigint, bigint, number] {
  const [left, right] = [asDecimal(a), asDecimal(b)];
  const scale = Math.max(left.scale, right.scale);
  const unitsOf = ({ units, scale: own }: Decimal) => (own === scale ? units : units * 10n ** BigInt(scale - own));
  return [unitsOf(left), unitsOf(right), scale];
}

/** Negative, zero or positive, as for sorting. */
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

/** A quotient rounded to a number of decimals, halves away from zero; undefined if the divisor is zero. */
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

/** An exact number in JSON: a number if that is exact, otherwise its digits as text. */
export function jsonOf(value: Exact): number | string {
  if (typeof value === "number") return value;
  const text = textOf(value);
  const number = Number(text);
  if (!text.includes(".")) return Number.isSafeInteger(number) ? number : text;
  return compareExact(decimalOf(String(number)), value) === 0 ? number : text;
}
