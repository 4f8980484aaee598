/** Tasks about traffic and errors. */
import { asAggregate, largestOf, largestSum, rowsAt, sumOf, sumsBy, type Task } from "./task.js";

const usage = { reportName: "endpoint-usage-by-time", metrics: ["edgeHits"] };
const week = { start: "2026-05-13T12:00:00Z", end: "2026-05-20T12:00:00Z", interval: "HOUR" };
const yesterday = { start: "2026-05-19T00:00:00Z", end: "2026-05-20T00:00:00Z" };
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
    question: "How many requests were answered with a server error yesterday, and what share of all requests is that?",
    seed: 4,
    calls: [
      ["report_types_list", { report: "endpoint-usage-by-response-code" }],
      [
        "report_data_get",
        {
          reportName: "endpoint-usage-by-response-code",
          period: "yesterday",
          allObjectIds: true,
          metrics: ["edgeHits"],
          view: { group_by: "response_code", aggregate: ["sum(edgeHits)", "share(edgeHits)"] },
        },
      ],
    ],
    figures: async (raw) => {
      const report = { reportName: "endpoint-usage-by-response-code", metrics: ["edgeHits"], ...yesterday };
      const rows = rowsAt(await raw("report_data_get", { ...report, allObjectIds: true }), "data");
      const all = sumOf(rows, "edgeHits");
      return rows
        .filter(({ response_code: code }) => Number(code) >= 500)
        .map(
          (row) =>
            `${row["response_code"]},${row["edgeHits"]},${Number(((Number(row["edgeHits"]) / all) * 100).toFixed(2))}`,
        );
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
    question: "Did errors rise yesterday, for which site, and when was it worst?",
    seed: 5,
    calls: [["traffic_compare", { period: "yesterday" }]],
    figures: async (raw) => {
      const byCode = { reportName: "endpoint-usage-by-response-code", metrics: ["edgeHits"], objectIds: ["12345"] };
      const errorsIn = async (days: object) =>
        sumOf(
          rowsAt(await raw("report_data_get", { ...byCode, ...days }), "data").filter(
            ({ response_code: code }) => Number(code) >= 500,
          ),
          "edgeHits",
        );
      const before = { start: "2026-05-18T00:00:00Z", end: "2026-05-19T00:00:00Z" };
      const hours = { ...usage, ...yesterday, interval: "HOUR", filters: { response_class: ["5xx"] } };
      const worst = largestOf(
        rowsAt(await raw("report_data_get", { ...hours, allObjectIds: true }), "data"),
        "edgeHits",
      );
      return [
        `12345,5xx,${await errorsIn(before)},${await errorsIn(yesterday)}`,
        String(worst["startdatetime"]),
        Number(worst["edgeHits"]),
      ];
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
  {
    question:
      "Customers cannot open the cart at http://api.shop.example/cart: how many requests fail, and is it our origin?",
    seed: 7,
    today: {
      calls: [["edgediag_statistic_get", { body: { url: "http://api.shop.example/cart" } }]],
      figures: async (raw) => {
        const body = await raw("edgediag_statistic_get", { body: { url: "http://api.shop.example/cart" } });
        const { result } = body as { result: Readonly<Record<string, number>> };
        return [result["edgeHits"], result["edgeFailurePercentage"], result["originFailurePercentage"]].map(Number);
      },
    },
    calls: [["diag_url_statistic_get", { url: "http://api.shop.example/cart" }]],
    figures: async (raw) => {
      const body = await raw("diag_url_statistic_get", { url: "http://api.shop.example/cart" });
      const failed = (path: string) =>
        sumOf(
          rowsAt(body, path).filter(({ httpStatus }) => Number(httpStatus) >= 400),
          "hits",
        );
      return [
        `edgeErrors: ${failed("eStats.edgeStatusCodeDistribution")}`,
        `originErrors: ${failed("eStats.originStatusCodeDistribution")}`,
        "113:CONNECT_FAIL",
      ];
    },
  },
  {
    question: "A visitor sent us Reference #9.c000020a.1779000000.692: what happened, to which URL, and when?",
    seed: 8,
    today: {
      calls: [["edgediag_error_translation_launch", { body: { errorCode: "9.c000020a.1779000000.692" }, wait: true }]],
      figures: async () => ["503"],
    },
    calls: [["diag_error_translation_get", { errorCode: "9.c000020a.1779000000.692" }]],
    figures: async () => [
      // The third part of a reference code is the time in seconds since 1970.
      new Date(1_779_000_000_000).toUTCString(),
      "The edge server could not connect to the origin server",
      "503",
    ],
  },
  {
    question: "When did DNS lookups of our zones peak yesterday, and how high?",
    seed: 11,
    calls: [
      ["report_types_list", { report: "authoritative-dns-traffic-by-time" }],
      [
        "report_data_get",
        {
          reportName: "authoritative-dns-traffic-by-time",
          period: "yesterday",
          interval: "FIVE_MINUTES",
          allObjectIds: true,
          metrics: ["sum_hits"],
          view: { aggregate: "max(sum_hits)" },
        },
      ],
    ],
    figures: async (raw) => {
      const report = { reportName: "authoritative-dns-traffic-by-time", metrics: ["sum_hits"], ...yesterday };
      const body = await raw("report_data_get", { ...report, interval: "FIVE_MINUTES", allObjectIds: true });
      const peak = largestOf(rowsAt(body, "data"), "sum_hits");
      return [`"max(sum_hits)":${Number(peak["sum_hits"])}`, asAggregate(peak["startdatetime"])];
    },
  },
];
