/** Daily usage comes with what each month comes to: how far it is final, and what of it can still change. */
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { type Args, callsAt } from "../lab/calls.js";

const here = callsAt(Date.UTC(2026, 4, 2, 12, 10));
const presentation = { upstream: "u", secrets: [], maxTokens: 8_000 };

interface Day {
  readonly date: string;
  readonly value: number;
  readonly final: boolean;
  readonly statistic: { readonly name: string; readonly unit: string };
}
const usage = { contractId: "C-1FRYVV3", productId: "M-SITE-7" };
const range = { fromMonth: 4, fromYear: 2026, toMonth: 5, toYear: 2026 };

async function shownOf(args: Args, maxTokens = 8_000) {
  const outcome = await here.calls.call("usage_contract_measures_list", { ...usage, ...args });
  if (outcome.kind !== "answer") throw new Error(JSON.stringify(outcome));
  const { structuredContent, content } = successResult(outcome.reply, { ...presentation, maxTokens }, outcome.declared);
  return { days: outcome.reply.body as readonly Day[], shown: structuredContent, text: content[0].text };
}

const hundredths = (days: readonly Day[]) => days.reduce((sum, { value }) => sum + Math.round(value * 100), 0) / 100;

it("usage: each month and statistic has a block over all its days", async () => {
  const { days } = await shownOf(range);
  const names = ["Bytes Delivered", "Requests"];
  const expected = ["2026-04", "2026-05"].flatMap((month) =>
    names.map((name) => {
      const own = days.filter(({ date, statistic }) => date.startsWith(month) && statistic.name === name);
      const final = own.filter((one) => one.final);
      return {
        month,
        statistic: name,
        unit: own[0]?.statistic.unit,
        sum: hundredths(own),
        finalSum: hundredths(final),
        provisionalSum: hundredths(own.filter((one) => !one.final)),
        finalUntil: final.at(-1)?.date ?? null,
        days: own.length,
      };
    }),
  );
  expect(expected.map(({ finalUntil }) => finalUntil)).toEqual(["2026-04-28", "2026-04-28", null, null]);
  expect(expected.every(({ provisionalSum }) => provisionalSum > 0)).toBe(true);
  for (const maxTokens of [8_000, 900]) {
    const { shown, text } = await shownOf(range, maxTokens);
    expect(shown["cut"]).toBe(maxTokens === 900 ? true : undefined);
    expect(shown["months"]).toHaveLength(4);
    expect(shown["months"]).toEqual(expect.arrayContaining(expected));
    // A sum over statistics of different units would say nothing.
    expect(shown).not.toHaveProperty("summary");
    expect(text).toMatch(/^months \(4 rows\):$/m);
    expect(text).toContain(`2026-04,Requests,millions,${expected[1]?.sum},`);
  }
});

it("adds and compares values as numbers in a view", async () => {
  const { days } = await shownOf({ month: 4, year: 2026 });
  const view = { group_by: "statistic.name", aggregate: "sum(value), max(value)", sort: "-sum(value)" };
  const { days: rows, shown } = await shownOf({ month: 4, year: 2026, view });
  expect(shown).not.toHaveProperty("months");
  for (const row of rows as unknown as Record<string, unknown>[]) {
    const own = days.filter(({ statistic }) => statistic.name === row["statistic.name"]);
    expect(own.length).toBe(30);
    expect(row["sum(value)"]).toBe(hundredths(own));
    expect(row["max(value)"]).toBe(Math.max(...own.map(({ value }) => value)));
  }
});
