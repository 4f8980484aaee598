/** Sums up a contract's usage in a month: each statistic with its final part, compared with the previous month. */
import { dailyTotals, sumOfDays } from "../answers/daily.js";
import { workflow } from "../calls/workflow.js";
import { quoteValue } from "../language/failure.js";
import { z } from "../language/z.js";
import { compareExact, type Exact, exactOf, jsonOf, minus, plus, quotient } from "../rows/view/decimal.js";
import { invalidInput } from "../schema/arguments.js";
import { incompleteNotes, type Steps, startSteps, stepsInBrief } from "./steps.js";

const Ids = z.array(z.string());
const Products = z.looseObject({
  products: z.looseObject({ "marketing-products": z.array(z.looseObject({ marketingProductId: z.string() })) }),
});
const Measures = z.array(
  z.looseObject({
    date: z.string(),
    value: z.union([z.number(), z.string()]),
    final: z.boolean(),
    statistic: z.looseObject({ name: z.string(), unit: z.string() }),
  }),
);
type Measure = z.output<typeof Measures>[number];

const maxRows = 10;
const tool = "usage_summary";

const firstDay = (month: string): Date => new Date(`${month}-01T00:00:00Z`);
const monthText = (date: Date): string => date.toISOString().slice(0, 7);
const dayText = (date: Date): string => date.toISOString().slice(0, 10);
/** The first day of the month a number of months later. */
const later = (month: Date, count: number): Date =>
  new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + count, 1));
const dayOf = ({ date }: Measure): number => Number(date.slice(8, 10));

function highestOf(days: readonly Measure[]) {
  const valued = days.flatMap(({ date, value }) => {
    const exact = exactOf(value);
    return exact === undefined ? [] : [{ date, exact }];
  });
  const [first, ...rest] = valued;
  const highest = rest.reduce((best, one) => (best && compareExact(one.exact, best.exact) > 0 ? one : best), first);
  return highest ? { date: highest.date, value: jsonOf(highest.exact) } : null;
}

/** A statistic of the month next to that of the previous month, for the same number of days. */
function statisticRow(product: string, all: readonly Measure[], month: Date) {
  const sorted = [...all].sort((a, b) => a.date.localeCompare(b.date));
  const days = sorted.filter(({ date }) => date.startsWith(monthText(month)));
  const last = days.at(-1);
  const isComplete = last !== undefined && last.date >= dayText(new Date(later(month, 1).getTime() - 1));
  const before = sorted.filter(
    (one) => one.date.startsWith(monthText(later(month, -1))) && (isComplete || !last || dayOf(one) <= dayOf(last)),
  );
  const [sum, earlier] = [sumOfDays(days), sumOfDays(before)];
  const change = minus(sum, earlier);
  const changePct = quotient(plus(0, change), earlier, 3);
  const unreadable = [...days, ...before].filter(({ value }) => exactOf(value) === undefined).length;
  return {
    product,
    statistic: all[0]?.statistic.name ?? "",
    unit: all[0]?.statistic.unit ?? "",
    ...dailyTotals(days),
    isMonthComplete: isComplete,
    before: jsonOf(earlier),
    change: jsonOf(change),
    changePct: changePct === undefined ? null : percent(changePct),
    highest: highestOf(days),
    ...(unreadable > 0 ? { unreadable } : {}),
  };
}

/** A ratio, rounded to three decimals, in percent with one decimal. */
const percent = (share: Exact): number => Math.round(Number(jsonOf(share)) * 1_000) / 10;

/** The given contract, or the only one. */
async function contractOf(steps: Steps, given: string | undefined): Promise<string | undefined> {
  if (given !== undefined) return given;
  const ids = await steps.call("the contracts", "contract_ids_list", { depth: "ALL" }, Ids);
  if (ids === undefined || ids.length === 1) return ids?.[0];
  const takes = ids.length === 0 ? "a contract id: the account lists none" : `one of ${ids.slice(0, 20).join(", ")}`;
  throw invalidInput(tool, [{ field: "contractId", takes }]);
}

async function productsOf(steps: Steps, contractId: string, month: Date, nowMs: number) {
  const to = dayText(new Date(Math.min(later(month, 1).getTime() - 1, nowMs)));
  const args = { contractId, from: dayText(month), to };
  const found = await steps.call("the products", "contract_product_summary_get", args, Products);
  return found?.products["marketing-products"].map(({ marketingProductId }) => marketingProductId);
}

/** The usage of a product in the month and the previous one, by statistic. */
async function rowsOf(steps: Steps, contractId: string, productId: string, month: Date) {
  const from = later(month, -1);
  const usage = await steps.call(
    `usage of ${productId}`,
    "usage_contract_measures_list",
    {
      contractId,
      productId,
      fromMonth: from.getUTCMonth() + 1,
      fromYear: from.getUTCFullYear(),
      toMonth: month.getUTCMonth() + 1,
      toYear: month.getUTCFullYear(),
    },
    Measures,
  );
  const groups = new Map<string, Measure[]>();
  for (const measure of usage ?? []) {
    const key = `${measure.statistic.name}\u0000${measure.statistic.unit}`;
    groups.set(key, [...(groups.get(key) ?? []), measure]);
  }
  return [...groups.values()].map((measures) => statisticRow(productId, measures, month));
}

/** The given month, or the last one. */
function monthOf(given: string | undefined, nowMs: number): Date {
  const present = later(new Date(nowMs), 0);
  const month = given === undefined ? later(present, -1) : firstDay(given);
  if (month <= present) return month;
  const takes = `nothing later than ${monthText(present)}: there is no usage yet`;
  throw invalidInput(tool, [{ field: "month", given: quoteValue(given), takes }]);
}

export const usageSummary = workflow({
  title: "Usage of a contract in a month",
  does: "Sums up a contract's usage in a month by product and statistic, with what is final and the change from the previous month.",
  input: z.strictObject({
    contractId: z.string().min(1).optional().describe("Default: the only one"),
    productId: z.string().min(1).optional().describe("Default all"),
    month: z
      .string()
      .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, "a month such as 2026-05")
      .optional()
      .describe("YYYY-MM; default last month"),
  }),
  steps: [
    "Find the contract, unless one is named.",
    "List its products in the month, unless one is named.",
    "Read the daily usage of each product in the month and in the previous one, and add it exactly.",
  ],
  example: { contractId: "C-1FRYVV3" },

  async run({ contractId: inputContract, productId, month: inputMonth }, context) {
    const nowMs = Date.now();
    const month = monthOf(inputMonth, nowMs);
    const steps = startSteps(context);
    const contractId = await contractOf(steps, inputContract);
    const listed = productId === undefined && contractId !== undefined;
    const products = listed ? await productsOf(steps, contractId, month, nowMs) : productId && [productId];
    const rows = [];
    if (contractId !== undefined)
      for (const product of products || []) rows.push(...(await rowsOf(steps, contractId, product, month)));
    const findings = rows.slice(0, maxRows).map((row) => {
      const isFinal = row.isMonthComplete && row.finalUntil !== null && row.provisionalSum === 0;
      const change = row.changePct === null ? "no usage before" : `${row.changePct > 0 ? "+" : ""}${row.changePct}%`;
      const state = isFinal ? "final" : `final until ${row.finalUntil ?? "no day yet"}`;
      return `${row.product}, ${row.statistic}: ${row.sum} ${row.unit} (${change}), ${state}.`;
    });
    if (rows.some(({ isMonthComplete }) => !isMonthComplete))
      findings.push("The month has days without data yet; before covers the same days of the previous month.");
    if (rows.length > maxRows) findings.push(`${rows.length - maxRows} more rows are not shown: name a productId.`);
    if (rows.length === 0) findings.push("No usage was found; see steps for what was read.");
    findings.push(...incompleteNotes(steps, "the summary is incomplete"));
    const comparedWith = monthText(later(month, -1));
    return {
      contractId: contractId ?? null,
      month: monthText(month),
      comparedWith,
      findings,
      usage: rows.slice(0, maxRows),
      steps: stepsInBrief(steps),
    };
  },
});
