/** Tasks about traffic and errors. */
import { asAggregate, largestOf, largestSum, rowsAt, sumOf, sumsBy, type Task } from "./task.js";

const usage = { reportName: "endpoint-usage-by-time", metrics: ["edgeHits"] };
const week = { start: "2026-05-13T12:00:00Z", end: "2026-05-20T12:00:00Z", interval: "HOUR" };
const describeUsage = ["report_types_list", { report: "endpoint-usage-by-time" }] as const;
const hourOf = (at: unknown, plusHours = 0): string => String((new Date(String(at)).getUTCHours() + plusHours) % 24);

export const traffic: readonly Task[] = [
  {
    question: "In which hour of the last seven days did the shop (CP code 12345) have the most requests, and how many?",
    seed: 1,
    calls: [
      describeUsage,
      [
        "report_data_get",
        {
          ...usage,
          period: "last_7d",
          interval: "HOUR",
          objectIds: ["12345"],
          view: { aggregate: ["max(edgeHits)", "sum(edgeHits)"] },
        },
      ],
    ],
    figures: async (raw) => {
      const rows = rowsAt(await raw("report_data_get", { ...usage, ...week, objectIds: ["12345"] }), "data");
      const peak = largestOf(rows, "edgeHits");
      return [Number(peak["edgeHits"]), asAggregate(peak["startdatetime"]), sumOf(rows, "edgeHits")];
    },
  },
  {
    question:
      "At what hour of the day, Tokyo time, is the traffic of all our sites heaviest, over the last seven days?",
    seed: 2,
    calls: [
      describeUsage,
      [
        "report_data_get",
        {
          ...usage,
          period: "last_7d",
          interval: "HOUR",
          allObjectIds: true,
          view: {
            group_by: "hour(startdatetime)",
            aggregate: "sum(edgeHits)",
            sort: "-sum(edgeHits)",
            top: 3,
            time_zone: "Asia/Tokyo",
          },
        },
      ],
    ],
    figures: async (raw) => {
      const rows = rowsAt(await raw("report_data_get", { ...usage, ...week, allObjectIds: true }), "data");
      const sums = sumsBy(rows, (row) => hourOf(row["startdatetime"], 9), "edgeHits");
      return [largestSum(sums).join(",")];
    },
  },
  {
    question: "Compare the requests of the CP codes 12345, 12346 and 67890 of the last seven days in one table.",
    seed: 4,
    calls: [
      describeUsage,
      [
        "call_batch",
        {
          tool: "report_data_get",
          arguments: ["12345", "12346", "67890"].map((code) => ({
            ...usage,
            period: "last_7d",
            interval: "HOUR",
            objectIds: [code],
          })),
          view: { group_by: "objectIds", aggregate: "sum(edgeHits), share", sort: "-share" },
        },
      ],
    ],
    figures: async (raw) => {
      const sums = new Map<string, number>();
      for (const code of ["12345", "12346", "67890"])
        sums.set(
          code,
          sumOf(rowsAt(await raw("report_data_get", { ...usage, ...week, objectIds: [code] }), "data"), "edgeHits"),
        );
      const all = [...sums.values()].reduce((total, one) => total + one);
      return [...sums]
        .sort(([, a], [, b]) => b - a)
        .map(([code, sum]) => `${code},${sum},${Number(((sum / all) * 100).toFixed(2))}`);
    },
  },
  {
    question:
      "How many of the shop's last 200 requests in Tokyo before 14:30 UTC on May 19 had which status? (CP code 12345)",
    seed: 6,
    today: null,
    calls: [
      ["diag_locations_list", {}],
      [
        "diag_location_logs_list",
        { locationId: "tokyo-japan", cpCode: 12345, maxLogLines: 2, endTime: "2026-05-19T14:30:00Z" },
      ],
      [
        "diag_location_logs_list",
        {
          locationId: "tokyo-japan",
          endTime: "2026-05-19T14:30:00Z",
          cpCode: 12345,
          maxLogLines: 200,
          view: { group_by: "HTTP status code", aggregate: "count" },
        },
      ],
    ],
    figures: async (raw) => {
      const body = await raw("diag_location_logs_list", {
        locationId: "tokyo-japan",
        endTime: "2026-05-19T14:30:00Z",
        cpCode: 12345,
        maxLogLines: 200,
      });
      const { headers, logs } = (body as { logLines: { headers: string; logs: readonly string[] } }).logLines;
      const at = headers.split("\t").indexOf("HTTP status code");
      const counts = sumsBy(
        logs.map((line) => ({ status: line.split("\t")[at] })),
        ({ status }) => String(status),
      );
      return [...counts].map((one) => one.join(","));
    },
  },
];
