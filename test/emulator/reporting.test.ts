/** The documents' rules for the eight reports, asked of the emulator in raw HTTP; literals come from document A's tables. */
import { expect, it } from "vitest";
import { incident } from "../../src/emulator/services/report-series.js";
import { createWorld } from "../../src/emulator/world.js";
import { rule } from "../rules.js";
import { now, startRaw } from "./raw.js";

interface Report {
  readonly metadata: Record<string, unknown> & {
    readonly rowCount: number;
    readonly columns: { name: string; label: string }[];
  };
  readonly data: Record<string, string>[];
  readonly summaryStatistics: Record<string, { value: string; details: object }>;
}

const usage = "endpoint-usage-by-time/versions/1";
const path = (report: string) => `/reporting-api/v1/reports/${report}/report-data`;
const week = "start=2026-05-11T00:00:00Z&end=2026-05-18T00:00:00Z";
const { get, send } = startRaw();
const report = async (name: string, query: string) => (await get(`${path(name)}?${query}`)).json() as Report;
const sum = ({ data }: Report, metric = "edgeHits") => data.reduce((total, row) => total + Number(row[metric]), 0);

/** Name, version, object type, intervals, groupBy, metrics, summary metrics and filters, from the catalogue's table. */
const nine =
  "edgeBytesMax edgeBytesMin edgeBytesTotal edgeHitsMax edgeHitsMin edgeHitsTotal midgressBytesMax midgressBytesMin midgressBytesTotal";
const three = "edgeHitsMax edgeHitsMin edgeHitsTotal";
const traffic = "edgeBytes edgeHits midgressBytes";
const errors = "api_key endpoint_id response_class_errors response_code_errors";
const usageFilters = "endpoint_id http_method response_class response_code";
const table = [
  [
    "authoritative-dns-traffic-by-time",
    3,
    "edns",
    5,
    "startdatetime",
    "sum_hits sum_nxdomain sum_requests",
    "peak_hits peak_nxhits total_hits total_nxhits",
    "",
  ],
  [
    "authoritative-dns-availability",
    1,
    "contracts",
    3,
    "startdatetime",
    "avail_pct contract_id",
    "avg_avail_pct max_avail_pct min_avail_pct",
    "",
  ],
  ["endpoint-api-key-usage-by-time", 1, "cpcode", 5, "startdatetime", traffic, nine, "api_key endpoint_id"],
  [
    "endpoint-errors-by-response-code",
    1,
    "cpcode",
    0,
    "endpoint_id api_key response_code_errors",
    "edgeHits",
    three,
    errors,
  ],
  ["endpoint-errors-by-time", 1, "cpcode", 5, "startdatetime", "edgeHits", three, errors],
  ["endpoint-usage-by-response-code", 1, "cpcode", 0, "response_code", traffic, nine, usageFilters],
  ["endpoint-usage-by-time", 1, "cpcode", 5, "startdatetime", traffic, nine, usageFilters],
  [
    "endpoint-hits-by-method-and-response",
    1,
    "cpcode",
    0,
    "endpoint_id http_method response_code",
    traffic,
    nine,
    usageFilters,
  ],
] as const;

rule("report-catalogue", "describes the eight report types as the document's table has them", async () => {
  const words = (values: readonly { name: string }[]) => values.map(({ name }) => name).join(" ");
  for (const [name, version, objectType, intervals, groupBy, metrics, summaries, filters] of table) {
    const type = (await get(`/reporting-api/v1/reports/${name}/versions/${version}`)).json() as Record<
      string,
      never
    > & { metrics: { name: string; summaryStatistic: boolean }[]; filters: { name: string }[] };
    expect(type).toMatchObject({
      name,
      version,
      businessObjectName: objectType,
      timeBased: intervals > 0,
      dataRetentionDays: 90,
      groupBy: groupBy.split(" "),
    });
    expect(words(type.metrics.filter((metric) => !metric.summaryStatistic))).toBe(metrics);
    expect(words(type.metrics.filter((metric) => metric.summaryStatistic))).toBe(summaries);
    expect(words(type.filters)).toBe(filters);
    expect((type["intervals"] as string[] | undefined)?.length ?? 0).toBe(intervals);
  }
  expect((await get("/reporting-api/v1/reports/endpoint-usage-by-time/versions/2")).status).toBe(404);
});

it("runs all eight, with the columns that the table names", async () => {
  for (const [name, version, , intervals, groupBy, metrics, summaries] of table) {
    const result = await report(
      `${name}/versions/${version}`,
      `${week}&allObjectIds=true${intervals > 0 ? "&interval=DAY" : ""}`,
    );
    expect(result.data.length).toBeGreaterThan(0);
    for (const row of result.data) expect(Object.keys(row)).toEqual([...groupBy.split(" "), ...metrics.split(" ")]);
    expect(Object.keys(result.summaryStatistics)).toEqual(summaries.split(" "));
    expect(result.metadata).toMatchObject({ name, version: String(version), rowCount: result.data.length });
  }
});

rule("report-end-exclusive", "holds the start's interval and not the end's", async () => {
  const { data } = await report(
    usage,
    `start=2026-05-11T00:00:00Z&end=2026-05-13T00:00:00Z&interval=DAY&allObjectIds=true`,
  );
  expect(data.map((row) => row["startdatetime"])).toEqual(["2026-05-11T00:00:00Z", "2026-05-12T00:00:00Z"]);
});

rule("report-interval-required", "needs an interval over time and takes none by group", async () => {
  const missing = await get(`${path(usage)}?${week}&allObjectIds=true`);
  expect(missing.status).toBe(400);
  expect(missing.json()).toMatchObject({
    errors: [
      {
        type: "date.range.invalid.unrecognized.interval",
        title: "Missing or invalid interval, should be one of [FIVE_MINUTES, HOUR, DAY, WEEK, MONTH]",
      },
    ],
  });
  expect(
    (await get(`${path("endpoint-usage-by-response-code/versions/1")}?${week}&allObjectIds=true&interval=DAY`)).status,
  ).toBe(400);
});

rule(
  "report-availability-intervals",
  "takes HOUR, DAY and FIVE_MINUTES for availability and neither WEEK nor MONTH",
  async () => {
    const status = async (interval: string) =>
      (await get(`${path("authoritative-dns-availability/versions/1")}?${week}&allObjectIds=true&interval=${interval}`))
        .status;
    expect(await Promise.all(["HOUR", "DAY", "FIVE_MINUTES", "WEEK", "MONTH"].map(status))).toEqual([
      200, 200, 200, 400, 400,
    ]);
  },
);

rule("report-all-metrics", "holds all metrics when none is named, and only those that are", async () => {
  const some = await report(usage, `${week}&interval=DAY&allObjectIds=true&metrics=edgeHits%2CedgeHitsMax`);
  expect(Object.keys(some.data[0] ?? {})).toEqual(["startdatetime", "edgeHits"]);
  expect(Object.keys(some.summaryStatistics)).toEqual(["edgeHitsMax"]);
  expect((await get(`${path(usage)}?${week}&interval=DAY&allObjectIds=true&metrics=nonsense`)).status).toBe(400);
});

rule("report-all-objects-ignored", "ignores allObjectIds when objects are named", async () => {
  const query = `${week}&interval=WEEK&metrics=edgeHits`;
  const named = await report(usage, `${query}&objectIds=67890`);
  expect(await report(usage, `${query}&objectIds=67890&allObjectIds=true`)).toEqual(named);
  expect(sum(await report(usage, `${query}&allObjectIds=true`))).toBeGreaterThan(sum(named));
  expect((await get(`${path(usage)}?${query}&objectIds=163902`)).json()).toMatchObject({
    errors: [{ title: "Some of the requested objects are unauthorized: [163902]" }],
  });
});

rule("report-values-strings", "gives every value in a row as text", async () => {
  const { data } = await report(
    "authoritative-dns-traffic-by-time/versions/3",
    `${week}&interval=HOUR&allObjectIds=true`,
  );
  for (const row of data) for (const value of Object.values(row)) expect(value).toBeTypeOf("string");
});

rule("report-retention", "has no data older than 90 days", async () => {
  expect((await get(`${path(usage)}?start=2026-01-01&end=2026-01-02&interval=DAY&allObjectIds=true`)).status).toBe(400);
});

rule(
  "report-filter-values",
  "filters by its values, refuses others, and takes no filter where there is none",
  async () => {
    const query = `${week}&interval=WEEK&allObjectIds=true`;
    const all = await report(usage, query);
    const some = await report(usage, `${query}&filters=${encodeURIComponent("response_class=4xx,response_class=5xx")}`);
    const [four, five] = await Promise.all(
      ["4xx", "5xx"].map((value) => report(usage, `${query}&filters=${encodeURIComponent(`response_class=${value}`)}`)),
    );
    expect(sum(some)).toBeLessThan(sum(all) / 5);
    expect(Math.abs(sum(some) - sum(four as Report) - sum(five as Report))).toBeLessThan(5);
    expect(some.metadata["filters"]).toEqual([{ name: "response_class", values: ["4xx", "5xx"] }]);
    for (const filters of ["response_class=7xx", "colour=red"])
      expect((await get(`${path(usage)}?${query}&filters=${encodeURIComponent(filters)}`)).status).toBe(400);
    expect(
      (
        await get(
          `${path("authoritative-dns-availability/versions/1")}?${week}&interval=DAY&allObjectIds=true&filters=endpoint_id%3D1`,
        )
      ).status,
    ).toBe(400);
  },
);

it("gives the same answer to the JSON body as to the query", async () => {
  const query = await report(
    usage,
    `${week}&interval=DAY&objectIds=12345&metrics=edgeHits&filters=${encodeURIComponent("http_method=get")}`,
  );
  const body = await send("POST", `${path(usage)}?${week}&interval=DAY`, {
    objectIds: ["12345"],
    metrics: ["edgeHits"],
    filters: { http_method: ["get"] },
  });
  expect(body.json()).toEqual(query);
});

it("agrees with itself: hours make up days, objects make up all, and the same instant is the same whatever is asked", async () => {
  const query = "start=2026-05-11T00:00:00Z&end=2026-05-12T00:00:00Z&metrics=edgeHits";
  const [day, hours, slots] = await Promise.all(
    ["DAY", "HOUR", "FIVE_MINUTES"].map((interval) => report(usage, `${query}&allObjectIds=true&interval=${interval}`)),
  );
  for (const finer of [hours, slots])
    expect(Math.abs(sum(finer as Report) / sum(day as Report) - 1)).toBeLessThan(0.001);
  expect([hours?.data.length, slots?.data.length]).toEqual([24, 288]);
  const each = await Promise.all(
    ["12345", "12346", "67890"].map((id) => report(usage, `${query}&objectIds=${id}&interval=DAY`)),
  );
  expect(Math.abs(each.reduce((total, one) => total + sum(one), 0) - sum(day as Report))).toBeLessThan(5);
});

it("follows the day: far more at the evening's peak than at night", async () => {
  const { data } = await report(
    usage,
    "start=2026-05-12T00:00:00Z&end=2026-05-13T00:00:00Z&metrics=edgeHits&allObjectIds=true&interval=HOUR",
  );
  expect(Number(data[19]?.["edgeHits"])).toBeGreaterThan(Number(data[7]?.["edgeHits"]) * 2);
});

it("has one incident in the last week, in errors and in availability", async () => {
  const { start, end } = incident(createWorld({ frozenAt: now }));
  expect(new Date(start).toISOString()).toBe("2026-05-17T13:00:00.000Z");
  const hours = await report(
    "endpoint-errors-by-time/versions/1",
    `${week}&interval=HOUR&allObjectIds=true&filters=${encodeURIComponent("response_class_errors=5xx")}`,
  );
  const isWithin = (row: Record<string, string>) =>
    Date.parse(row["startdatetime"] ?? "") >= start && Date.parse(row["startdatetime"] ?? "") < end;
  const worstUsual = Math.max(...hours.data.filter((row) => !isWithin(row)).map((row) => Number(row["edgeHits"])));
  const inside = hours.data.filter(isWithin);
  expect(inside).toHaveLength(2);
  for (const row of inside) expect(Number(row["edgeHits"])).toBeGreaterThan(worstUsual * 5);
  const availability = await report(
    "authoritative-dns-availability/versions/1",
    `${week}&interval=HOUR&allObjectIds=true`,
  );
  expect(availability.data.filter((row) => Number(row["avail_pct"]) < 98)).toHaveLength(2);
  expect(Number(availability.summaryStatistics["min_avail_pct"]?.value)).toBeLessThan(98);
});

it("says until when the data is complete, and when to ask again", async () => {
  const { metadata, data } = await report(
    usage,
    "start=2026-05-20T10:00:00Z&end=2026-05-20T13:00:00Z&interval=FIVE_MINUTES&allObjectIds=true",
  );
  expect(metadata).toMatchObject({ availableDataEnds: "2026-05-20T11:40:00Z", suggestedRetryTime: expect.any(String) });
  expect(data.at(-1)?.["startdatetime"]).toBe("2026-05-20T11:35:00Z");
  expect((await report(usage, `${week}&interval=DAY&allObjectIds=true`)).metadata).toMatchObject({
    availableDataEnds: null,
    suggestedRetryTime: null,
  });
});

rule("report-csv-sections", "writes the CSV's four sections in the document's order", async () => {
  const { ask } = startRaw();
  const { text, headers } = await ask({
    target: `${path(usage)}?${week}&interval=DAY&objectIds=12345&metrics=edgeHits,edgeHitsTotal&filters=response_class%3D4xx`,
    headers: { accept: "text/csv" },
  });
  expect(headers["content-type"]).toBe("text/csv");
  const lines = text.split("\n");
  expect(lines.filter((line) => line.startsWith("#"))).toEqual(
    ["METADATA", "SUMMARYSTATISTICS", "COLUMNS", "DATA"].flatMap((name) => [`#${name}_START`, `#${name}_END`]),
  );
  expect(lines.slice(1, 5)).toEqual([
    "name,endpoint-usage-by-time",
    "version,1",
    'source,"Traffic Data"',
    "groupBy,startdatetime",
  ]);
  expect(lines).toContain("response_class,4xx");
  expect(lines[lines.indexOf("#COLUMNS_START") + 1]).toBe("startdatetime,edgeHits");
});
