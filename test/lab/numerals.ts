/** Numbers of JSON as texts, drawn around what a double can hold, and their comparison by other means than the program's. */
import fc from "fast-check";

const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{1,${most}}$`));

/** A number of JSON, of up to some 50 digits. */
export const numeral: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("", "-"),
      fc.bigInt({ min: 0n, max: 10n ** 25n }),
      fc.option(digits(22), { nil: undefined }),
      fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "e-"), fc.nat(400)), { nil: undefined }),
    )
    .map(
      ([sign, whole, fraction, exponent]) =>
        `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}${exponent?.join("") ?? ""}`,
    ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => JSON.stringify(one)),
  fc.constantFrom("-0", "-0.0", "0e9", "1e400", "1e-400", "9007199254740993", "0.1", "1.10", "100e-2", "1e21"),
);

/** A number as a fraction of two whole ones. */
function ratio(text: string): readonly [over: bigint, under: bigint] {
  const [mantissa = "0", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const power = Number(exponent) - fraction.length;
  const units = BigInt(whole + fraction);
  return power < 0 ? [units, 10n ** BigInt(-power)] : [units * 10n ** BigInt(power), 1n];
}

/** Whether two texts are the same number. */
export function isSame(one: string, other: string): boolean {
  const [[a, b], [c, d]] = [ratio(one), ratio(other)];
  return a * d === c * b;
}
