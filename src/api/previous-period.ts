/** The period before the one that a call is for, as the arguments of the same operation. */
import { readInstant } from "./instant.js";
import type { PeriodArguments } from "./period.js";
import { readUsDate, usDateOf } from "./us-date.js";

type Values = Readonly<Record<string, unknown>>;

/** The arguments of the period before, when both begin, and when the present one ends, in milliseconds since 1970. */
interface PreviousPeriod {
  readonly args: Values;
  readonly starts: { readonly currentMs: number; readonly endMs: number; readonly previousMs: number };
}

const dayMs = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** How many months a period is long that begins and ends with a UTC month; undefined for any other. */
function monthsIn(startMs: number, endMs: number): number | undefined {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  const isFirst = (at: Date) => at.getUTCDate() === 1 && at.getTime() % dayMs === 0;
  if (!isFirst(start) || !isFirst(end)) return undefined;
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}

function monthsEarlier(ms: number, months: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, 1);
}

function beforeMonths(
  { one, range }: Extract<PeriodArguments, { form: "month" }>,
  values: Values,
): PreviousPeriod | undefined {
  const [fromMonth, fromYear, toMonth, toYear] = range;
  const [from, to] =
    values[one[0]] === undefined ? [[fromMonth, fromYear] as const, [toMonth, toYear] as const] : [one, one];
  const firstOf = ([month, year]: readonly [string, string]) =>
    Date.UTC(Number(values[year]), Number(values[month]) - 1, 1);
  const [currentMs, lastMs] = [firstOf(from), firstOf(to)];
  const count = (monthsIn(currentMs, lastMs) ?? Number.NaN) + 1;
  if (!(count > 0)) return undefined;
  const named = ([month, year]: readonly [string, string], ms: number): Values => ({
    [month]: new Date(ms).getUTCMonth() + 1,
    [year]: new Date(ms).getUTCFullYear(),
  });
  const previousMs = monthsEarlier(currentMs, count);
  return {
    args: { ...named(from, previousMs), ...named(to, monthsEarlier(lastMs, count)) },
    starts: { currentMs, endMs: monthsEarlier(lastMs, -1), previousMs },
  };
}

/**
 * The period before that of some checked arguments: as long, or as many months where it consists of UTC months.
 * @returns undefined where the arguments name no period with two bounds.
 */
export function previousPeriod(declared: PeriodArguments, values: Values): PreviousPeriod | undefined {
  if (declared.form === "month") return beforeMonths(declared, values);
  const { start, end, form } = declared;
  const [first, last] = [values[start], values[end]];
  if (first === undefined || last === undefined) return undefined;
  const read = (value: unknown) => (form === "usDate" ? readUsDate(String(value)) : readInstant(value));
  const currentMs = read(first);
  // The last day of a period of dates counts whole.
  const endMs = read(last) + (form === "date" ? dayMs : 0);
  if (!(endMs > currentMs)) return undefined;
  const months = monthsIn(currentMs, endMs);
  const previousMs = months === undefined ? 2 * currentMs - endMs : monthsEarlier(currentMs, months);
  const write = (ms: number): unknown =>
    form === "epochMs" ? ms : form === "usDate" ? usDateOf(iso(ms)) : form === "date" ? iso(ms).slice(0, 10) : iso(ms);
  return {
    args: { [start]: write(previousMs), [end]: write(form === "date" ? currentMs - dayMs : currentMs) },
    starts: { currentMs, endMs, previousMs },
  };
}
