/** The usage of a month, with the sums of the daily values added here as whole hundredths. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import type { Invoke } from "../../src/calls/index.js";
import { usageSummary } from "../../src/workflows/usage-summary.js";
import { type Args, callsAt } from "../lab/calls.js";
import { workWith } from "../lab/options.js";

const here = callsAt(Date.UTC(2026, 4, 2, 12, 10));

type Row = Readonly<Record<string, unknown>>;
interface Summary {
  readonly month: string;
  readonly findings: readonly string[];
  readonly usage: readonly Row[];
  readonly steps: object;
}
const summarize = (args: Args) => here.calls.worked<Summary>("usage_summary", args);

const contractId = "C-1FRYVV3";
interface Day {
  readonly date: string;
  readonly value: number;
  readonly final: boolean;
}
async function daysOf(productId: string, statisticName: string, month: number): Promise<readonly Day[]> {
  const args = { contractId, productId, statisticName, month, year: 2026 };
  return (await here.calls.answer("usage_contract_measures_list", args)).body as Day[];
}
/** Whole hundredths, which are exact in a number. */
const hundredths = (days: readonly Day[]) => days.reduce((sum, { value }) => sum + Math.round(value * 100), 0);

describe("a month that is over", () => {
  it.each([
    ["M-SITE-7", "Bytes Delivered", "GB"],
    ["M-API-2", "Requests", "millions"],
  ])("of %s, %s is added exactly, final and provisional apart", async (product, statistic, unit) => {
    const { usage, month } = await summarize({ contractId });
    expect(month).toBe("2026-04");
    const row = usage.find((one) => one["product"] === product && one["statistic"] === statistic);
    const [days, before] = [await daysOf(product, statistic, 4), await daysOf(product, statistic, 3)];
    const open = days.filter(({ final }) => !final);
    const highest = [...days].sort((a, b) => b.value - a.value)[0];
    expect(row).toEqual({
      product,
      statistic,
      unit,
      sum: hundredths(days) / 100,
      finalSum: hundredths(days.filter(({ final }) => final)) / 100,
      provisionalSum: hundredths(open) / 100,
      finalUntil: "2026-04-28",
      days: 30,
      isMonthComplete: true,
      before: hundredths(before) / 100,
      change: (hundredths(days) - hundredths(before)) / 100,
      changePct: Math.round((hundredths(days) / hundredths(before) - 1) * 1_000) / 10,
      highest: { date: highest?.date, value: highest?.value },
    });
    expect(open).toHaveLength(2);
  });

  it("is small, and says how far it is final and which calls it took", async () => {
    const summary = await summarize({ contractId });
    expect(summary.findings).toHaveLength(4);
    expect(summary.findings[0]).toMatch(
      /^M-SITE-7, Bytes Delivered: [\d.]+ GB \([+-][\d.]+%\), final until 2026-04-28\.$/,
    );
    expect(summary.steps).toEqual({ done: { contract_product_summary_get: 1, usage_contract_measures_list: 2 } });
    expect(encode(JSON.stringify(summary)).length).toBeLessThan(1_000);
  });

  it("is final when all its days are", async () => {
    const { usage, findings } = await summarize({ contractId, productId: "M-API-2", month: "2026-03" });
    expect(usage.map((one) => [one["finalUntil"], one["provisionalSum"]])).toEqual([
      ["2026-03-31", 0],
      ["2026-03-31", 0],
    ]);
    expect(findings[0]).toMatch(/, final\.$/);
  });
});

it("compares a month that runs with the same days of the month before", async () => {
  here.world.reset();
  here.startAt(Date.UTC(2026, 4, 20, 12, 30));
  const { usage, findings } = await summarize({ contractId, productId: "M-SITE-7", month: "2026-05" });
  const before = (await daysOf("M-SITE-7", "Requests", 4)).filter(({ date }) => date <= "2026-04-20");
  const row = usage.find((one) => one["statistic"] === "Requests");
  expect(row).toMatchObject({ days: 20, before: hundredths(before) / 100, finalUntil: "2026-05-16" });
  expect(findings.join()).toContain("the same days of the previous month");
});

it("an unused or unreadable contract gives no usage, and says so", async () => {
  const { usage, findings, steps } = await summarize({ contractId: "C-UNKNOWN" });
  expect([usage, findings[0]]).toEqual([[], "No usage was found; see steps for what was read."]);
  expect(steps).toMatchObject({ notDone: [{ tool: "contract_product_summary_get", outcome: "failed" }] });
});

it("takes the only contract, and adds what binary fractions would not", async () => {
  const statistic = { name: "Bytes", unit: "GB" };
  const measure = (date: string, value: unknown) => ({ date, value, final: true, statistic });
  const bodies: Readonly<Record<string, unknown>> = {
    contract_ids_list: ["C-1"],
    contract_product_summary_get: { products: { "marketing-products": [{ marketingProductId: "P" }] } },
    usage_contract_measures_list: [
      measure("2026-04-01", 0.1),
      measure("2026-04-02", 0.2),
      measure("2026-04-03", "9007199254740993"),
      measure("2026-04-04", "n/a"),
      measure("2026-03-01", 0),
    ],
  };
  const invoke: Invoke = async (name) => ({ status: 200, body: bodies[name], headers: {}, notes: [] });
  const { contractId: only, usage } = await usageSummary.run({}, workWith(invoke));
  expect(only).toBe("C-1");
  expect(usage).toMatchObject([{ sum: "9007199254740993.3", before: 0, changePct: null, unreadable: 1, days: 4 }]);
});

it.each([
  [1000.49, 0, "0%"],
  [1000.5, 0.1, "+0.1%"],
  [1005.49, 0.5, "+0.5%"],
  [1005.5, 0.6, "+0.6%"],
  [994.51, -0.5, "-0.5%"],
  [994.5, -0.6, "-0.6%"],
  [0, -100, "-100%"],
  // 1.001 times 1000 is less than 1001 in binary fractions.
  [2001, 100.1, "+100.1%"],
])("has %d after 1000 as a change of %d percent", async (value, changePct, text) => {
  const measures = [
    ["2026-03-01", 1_000],
    ["2026-04-01", value],
  ].map(([date, amount]) => ({ date, value: amount, final: true, statistic: { name: "Hits", unit: "millions" } }));
  const answer = async () => ({ body: measures, status: 200 });
  const result = await usageSummary.run(
    { contractId, productId: "M-SITE-7", month: "2026-04" },
    workWith(answer as never),
  );
  const { usage, findings } = result as unknown as Summary;
  expect([usage[0]?.["changePct"], findings[0]]).toEqual([changePct, expect.stringContaining(`(${text})`)]);
});
