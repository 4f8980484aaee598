/** Values of the engine as JSON holds them: exact, with instants in ISO form. */
import type * as Engine from "@duckdb/node-api";

type Api = typeof Engine;

/** A number where it holds the integer exactly, else its digits. */
const integer = (value: bigint): number | string => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
};

/** A number where it says the same as the digits do, else the digits: 1.50 is 1.5, and 20 digits are text. */
const decimal = (digits: string): number | string => {
  const number = Number(digits);
  const isExact = digits.replace(/[-.]/g, "").replace(/^0+/, "").length <= 15;
  return isExact ? number : digits;
};

/** A value as JSON can hold it. */
export function jsonValue(value: Engine.DuckDBValue, api: Api): unknown {
  const inside = (member: Engine.DuckDBValue): unknown => jsonValue(member, api);
  if (typeof value === "bigint") return integer(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof api.DuckDBDecimalValue) return decimal(value.toString());
  if (value instanceof api.DuckDBTimestampTZValue)
    return value.isFinite ? value.toString().replace(" ", "T").replace("+00", "Z") : value.toString();
  if (value instanceof api.DuckDBListValue || value instanceof api.DuckDBArrayValue) return value.items.map(inside);
  if (value instanceof api.DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, member]) => [name, inside(member)]));
  if (value instanceof api.DuckDBMapValue)
    return value.entries.map(({ key, value: member }) => ({ key: inside(key), value: inside(member) }));
  return value.toString();
}
