/** What the text of a cell can be taken for: a number, an instant, a local time or a date; everything else is text. */

/** The types of columns, as the engine of queries names them. */
export type ColumnType = "BIGINT" | "HUGEINT" | "DOUBLE" | "BOOLEAN" | "VARCHAR" | "TIMESTAMPTZ" | "TIMESTAMP" | "DATE";

/** A whole number of up to 38 digits; a leading zero is a sign of a code and no number. */
export const integerText = /^-?(?:0|[1-9]\d{0,37})$/;
/** A decimal that a double holds; its fraction is the first group. */
export const decimalText = /^-?(?:0|[1-9]\d{0,14})(?:\.(\d{1,14}))?$/;
const timeText = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6})\d*)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Whether the digits of a text say the same as the number does: 1.10 and -0 say more than 1.1 and 0. */
export const isPlainNumber = (text: string): boolean => String(Number(text)) === text;

/** The milliseconds of a day of the calendar at midnight UTC; undefined where there is no such day. */
function dayMs(year: string, month: string, day: string): number | undefined {
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return new Date(ms).toISOString().startsWith(`${year}-${month}-${day}`) ? ms : undefined;
}

/** Microseconds since 1970 of a time in ISO form, with or without an offset; a double holds them until the year 2255. */
export function microsOf(text: string, hasOffset: boolean): number | undefined {
  const found = timeText.exec(text);
  if (!found || (found[8] !== undefined) !== hasOffset) return undefined;
  const [, year = "", month = "", day = "", hour = "", minute = "", second = "0", fraction = "", offset = "Z"] = found;
  const ms = dayMs(year, month, day);
  if (ms === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const [, sign = "+", hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  const seconds = ms / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - ahead;
  const micros = seconds * 1_000_000 + Number(fraction.padEnd(6, "0"));
  return Number.isSafeInteger(micros) ? micros : undefined;
}

/** Days since 1970 of a date in ISO form. */
export function daysOf(text: string): number | undefined {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const ms = day === "" ? undefined : dayMs(year, month, day);
  return ms === undefined ? undefined : ms / 86_400_000;
}
