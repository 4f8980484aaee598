/** Daily values that become final later: their monthly totals, and the share that can still change. */
import type { AnswerDisplay } from "../language/conduct.js";
import { memberAt } from "../language/member.js";
import { rowsIn } from "../rows/index.js";
import { type Exact, exactOf, jsonOf, plus } from "../rows/view/decimal.js";

/** The value of a day. */
export interface DayValue {
  /** In ISO form. */
  readonly date: string;
  readonly value: unknown;
  readonly final: boolean;
}

/** The exact sum of values; anything but a number counts as zero. */
export const sumOfDays = (days: readonly DayValue[]): Exact =>
  days.reduce<Exact>((sum, { value }) => plus(sum, exactOf(value) ?? 0), 0);

/** The last day up to which all days are final; null if the first one is not. */
function finalUntil(days: readonly DayValue[]): string | null {
  const open = days.findIndex(({ final }) => !final);
  return (open === -1 ? days.at(-1) : days[open - 1])?.date ?? null;
}

/** The totals of consecutive days: of all, of final ones, and of those that can still change. */
export const dailyTotals = (days: readonly DayValue[]) => ({
  sum: jsonOf(sumOfDays(days)),
  finalSum: jsonOf(sumOfDays(days.filter(({ final }) => final))),
  provisionalSum: jsonOf(sumOfDays(days.filter(({ final }) => !final))),
  finalUntil: finalUntil(days),
  days: days.length,
});

/**
 * The totals of the daily values in a body, by month and subject.
 * @returns undefined if its operation declares none, or it has none.
 */
export function monthlyTotals(body: unknown, shows: AnswerDisplay): readonly object[] | undefined {
  const { daily } = shows;
  if (!daily) return undefined;
  const groups = new Map<string, { readonly of: object; readonly days: DayValue[] }>();
  for (const row of rowsIn(body, shows)?.rows ?? []) {
    const date = memberAt(row, daily.date);
    if (typeof date !== "string") continue;
    const subject = Object.entries(daily.of).map(([name, path]) => [name, memberAt(row, path)] as const);
    const of = { month: date.slice(0, 7), ...Object.fromEntries(subject) };
    const key = JSON.stringify(of);
    const group = groups.get(key) ?? { of, days: [] };
    groups.set(key, group);
    group.days.push({ date, value: memberAt(row, daily.value), final: memberAt(row, daily.final) === true });
  }
  if (groups.size === 0) return undefined;
  return [...groups.values()].map(({ of, days }) => {
    const sorted = days.sort((a, b) => a.date.localeCompare(b.date));
    const unreadable = sorted.filter(({ value }) => exactOf(value) === undefined).length;
    return { ...of, ...dailyTotals(sorted), ...(unreadable > 0 ? { unreadable } : {}) };
  });
}
