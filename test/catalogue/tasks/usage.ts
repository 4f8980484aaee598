/** Tasks about what a contract used. */
import { rowsAt, type Task } from "./task.js";

/** Daily usage in whole hundredths, which are exact. */
const hundredths = (rows: readonly Readonly<Record<string, unknown>>[]): number =>
  rows.reduce((sum, { value }) => sum + Math.round(Number(value) * 100), 0);
const measures = (productId: string, statisticName: string, month: number) =>
  ["usage_contract_measures_list", { contractId: "C-1FRYVV3", productId, statisticName, month, year: 2026 }] as const;

export const usage: readonly Task[] = [
  {
    question: "How much did contract C-1FRYVV3 use last month, and is that more than the month before?",
    seed: 9,
    calls: [["usage_summary", { contractId: "C-1FRYVV3" }]],
    figures: async (raw) => {
      const figures = [];
      for (const [product, statistic, unit] of [
        ["M-SITE-7", "Bytes Delivered", "GB"],
        ["M-SITE-7", "Requests", "millions"],
        ["M-API-2", "Bytes Delivered", "GB"],
        ["M-API-2", "Requests", "millions"],
      ] as const) {
        const last = hundredths(rowsAt(await raw(...measures(product, statistic, 4))));
        const before = hundredths(rowsAt(await raw(...measures(product, statistic, 3))));
        figures.push(
          `${product},${statistic},${unit},${last / 100},${last / 100},${before / 100},${(last - before) / 100}`,
        );
      }
      return figures;
    },
  },
  {
    question:
      "Of what contract C-1FRYVV3 was delivered in April for product M-SITE-7, how much is final and how much may change?",
    seed: 10,
    at: "2026-05-02T12:10:00Z",
    calls: [["usage_summary", { contractId: "C-1FRYVV3", productId: "M-SITE-7", month: "2026-04" }]],
    figures: async (raw) => {
      const rows = rowsAt(await raw(...measures("M-SITE-7", "Bytes Delivered", 4)));
      const [final, open] = [rows.filter((row) => row["final"]), rows.filter((row) => !row["final"])];
      const until = final
        .map(({ date }) => String(date))
        .sort()
        .at(-1);
      return [hundredths(final) / 100, hundredths(open) / 100, `final until ${until}`];
    },
  },
];
