/** Who sees the text alone of a report that has no room can tell its totals and the hour of its peak, with the zone. */
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { rowsIn } from "../../src/rows/index.js";
import { reportTypes } from "../../src/tools/reporting/catalogue.js";
import { type Args, callsAt } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";

const here = callsAt(Date.UTC(2026, 4, 20, 12, 30));
type Row = Readonly<Record<string, string>>;

/** The text of a report in so few tokens that it has to be cut, and all of its rows. */
async function reportOf(tool: string, args: Args) {
  const outcome = await here.calls.call(tool, args);
  if (outcome.kind !== "answer") throw new Error(JSON.stringify(outcome).slice(0, 800));
  const presentation = { upstream: "u", secrets: [], maxTokens: 700 };
  const { content, structuredContent } = successResult(outcome.reply, presentation, outcome.declared);
  expect(structuredContent["cut"]).toBe(true);
  const rows = (rowsIn(outcome.reply.body, outcome.declared.shows)?.rows ?? []) as readonly Row[];
  const lines = content[0].text.split("\n");
  const start = lines.indexOf(`Summary of the ${rows.length} rows of this result:`);
  expect(start).toBeGreaterThan(0);
  const told = (member: string) => lines.slice(start).find((line) => line.startsWith(`  ${member}: `)) ?? "";
  return { rows, told };
}

const span = { start: "2026-05-10T00:00:00Z", end: "2026-05-17T00:00:00Z", allObjectIds: true };
const highest = (rows: readonly Row[], member: string) =>
  rows.reduce((best, row) => (Number(row[member]) > Number(best[member]) ? row : best), rows[0] ?? {});
/** Each hour with the sum of a member, worked out on its own. */
function hoursOf(rows: readonly Row[], member: string, time: string): [hour: string, sum: number][] {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const hour = new Date(row[time] ?? "").toISOString().slice(0, 13);
    sums.set(hour, (sums.get(hour) ?? 0) + Number(row[member]));
  }
  return [...sums];
}

// Each report has metrics of other units.
it("summary of a report in steps of five minutes", () =>
  holdsForEach(
    reportTypes.filter(({ intervals }) => intervals?.includes("FIVE_MINUTES")),
    async ({ name, metrics }) => {
      const args = { reportName: name, ...span, end: "2026-05-11T00:00:00Z", interval: "FIVE_MINUTES" };
      const { rows, told } = await reportOf("report_data_get", args);
      expect(rows).toHaveLength(288);
      const shown = metrics.filter(({ summaryStatistic, unit }) => !summaryStatistic && unit !== "STRING");
      expect(shown.length).toBeGreaterThan(0);
      for (const { name: member, unit } of shown) {
        const best = highest(rows, member);
        expect(told(member)).toContain(`max ${best[member]} at ${best["startdatetime"]}`);
        expect(best["startdatetime"]).toMatch(/T\d\d:\d\d:00Z$/);
        if (unit === "COUNT" || unit === "BYTE") {
          const sums = hoursOf(rows, member, "startdatetime");
          const most = Math.max(...sums.map(([, sum]) => sum));
          const [hour] = sums.find(([, sum]) => sum === most) ?? [];
          expect(told(member)).toContain(`sum ${rows.reduce((sum, row) => sum + Number(row[member]), 0)};`);
          expect(told(member)).toContain(`; busiest hour ${hour}:00Z with ${most}`);
        } else expect(told(member)).toMatch(/: mean \d/);
      }
    },
  ));

it("summary of a report by group names the largest group", async () => {
  const reportName = "endpoint-hits-by-method-and-response";
  const { rows, told } = await reportOf("report_data_get", { reportName, ...span });
  const { endpoint_id, http_method, response_code, edgeHits } = highest(rows, "edgeHits");
  expect(told("edgeHits")).toContain(
    `max ${edgeHits} (endpoint_id ${endpoint_id}, http_method ${http_method}, response_code ${response_code})`,
  );
});

it("summary of media plays has times from seconds", async () => {
  const { rows, told } = await reportOf("media_data_get", {
    family: "audience-analytics",
    reportPackId: 6831,
    startDate: span.start,
    endDate: span.end,
    aggregation: 3_600,
    dimensions: ["Time", "Stream"],
    metrics: ["Plays"],
    allPages: true,
  });
  const best = highest(rows, "Plays");
  expect(told("Plays")).toContain(`max ${best["Plays"]} at ${best["Time"]} (Stream ${best["Stream"]})`);
  const sums = hoursOf(rows, "Plays", "Time");
  const most = Math.max(...sums.map(([, sum]) => sum));
  expect(told("Plays")).toContain(`busiest hour ${sums.find(([, sum]) => sum === most)?.[0]}:00Z with ${most}`);
});

it("summary of log lines has times from HTTP dates", async () => {
  const { rows, told } = await reportOf("diag_location_logs_list", { locationId: "tokyo-japan", maxLogLines: 300 });
  const best = highest(rows, "object size");
  expect(told('"object size"')).toContain(
    `max ${best["object size"]} at ${new Date(best["Date & Time"] ?? "").toISOString().replace(".000Z", "Z")}`,
  );
  expect(told('"Epoch Time"')).toBe("");
});
