/** The documents' rules for the eight reports, tested against the emulator in raw HTTP; literals come from document A's tables. */
import { expect, it } from "vitest";
import { cpCodes } from "../../../src/emulator/services/account.js";
import { reporting } from "../../../src/emulator/services/reporting/index.js";
import { hitsByCode, incident, responseMix } from "../../../src/emulator/services/reporting/series.js";
import { createWorld } from "../../../src/emulator/world.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

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
const usageFilters = "endpoint_id http_method response_class response_code";
const errorFilters = "api_key endpoint_id response_class_errors response_code_errors";
const [dns, traffic] = ["sum_hits sum_nxdomain sum_requests", "edgeBytes edgeHits midgressBytes"];
const hits = "edgeHitsMax edgeHitsMin edgeHitsTotal";
const nine = `${hits.replaceAll("Hits", "Bytes")} ${hits} ${hits.replaceAll("edgeHits", "midgressBytes")}`;
const available = "avg_avail_pct max_avail_pct min_avail_pct";
const peaks = "peak_hits peak_nxhits total_hits total_nxhits";
const byMethod = "endpoint_id http_method response_code";
const byError = "endpoint_id api_key response_code_errors";
const time = "startdatetime";
const table = [
  ["authoritative-dns-traffic-by-time", 3, "edns", 5, time, dns, peaks, ""],
  ["authoritative-dns-availability", 1, "contracts", 3, time, "avail_pct contract_id", available, ""],
  ["endpoint-api-key-usage-by-time", 1, "cpcode", 5, time, traffic, nine, "api_key endpoint_id"],
  ["endpoint-errors-by-response-code", 1, "cpcode", 0, byError, "edgeHits", hits, errorFilters],
  ["endpoint-errors-by-time", 1, "cpcode", 5, time, "edgeHits", hits, errorFilters],
  ["endpoint-usage-by-response-code", 1, "cpcode", 0, "response_code", traffic, nine, usageFilters],
  ["endpoint-usage-by-time", 1, "cpcode", 5, time, traffic, nine, usageFilters],
  ["endpoint-hits-by-method-and-response", 1, "cpcode", 0, byMethod, traffic, nine, usageFilters],
] as const;

rule("report-catalogue", "describes the eight report types as the document's table has them", async () => {
  const words = (values: readonly { name: string }[]) => values.map(({ name }) => name).join(" ");
  for (const [name, version, objectType, intervals, groupBy, metrics, summaries, filters] of table) {
    const type = (await get(`/reporting-api/v1/reports/${name}/versions/${version}`)).json() as {
      readonly intervals?: readonly string[];
      readonly metrics: { name: string; summaryStatistic: boolean }[];
      readonly filters: { name: string }[];
    };
    const kind = { businessObjectName: objectType, timeBased: intervals > 0, dataRetentionDays: 90 };
    expect(type).toMatchObject({ name, version, ...kind, groupBy: groupBy.split(" ") });
    expect(words(type.metrics.filter((metric) => !metric.summaryStatistic))).toBe(metrics);
    expect(words(type.metrics.filter((metric) => metric.summaryStatistic))).toBe(summaries);
    expect(words(type.filters)).toBe(filters);
    expect(type.intervals?.length ?? 0).toBe(intervals);
  }
  expect((await get("/reporting-api/v1/reports/endpoint-usage-by-time/versions/2")).status).toBe(404);
});

it("enumeration filters have the document's values, and others have none", async () => {
  const values: Readonly<Record<string, string>> = {
    http_method: "connect copy delete get head lock mkcol move options patch post propfind proppatch put trace unlock",
    response_class: "0xx 1xx 2xx 3xx 4xx 5xx 6xx",
    response_class_errors: "4xx 5xx",
  };
  for (const [name, version] of table) {
    const { filters } = (await get(`/reporting-api/v1/reports/${name}/versions/${version}`)).json() as {
      filters: { name: string; type: string; required: boolean; values?: { value: string }[] }[];
    };
    for (const filter of filters) {
      const words = filter.values?.map(({ value }) => value).sort();
      const known = values[filter.name];
      expect(filter).toMatchObject({ type: known === undefined ? "int" : "enum", required: false });
      expect([filter.name, words?.join(" ")]).toEqual([filter.name, known]);
    }
  }
});

it("runs all eight, with the columns that the table names", async () => {
  for (const [name, version, , intervals, groupBy, metrics, summaries] of table) {
    const interval = intervals > 0 ? "&interval=DAY" : "";
    const result = await report(`${name}/versions/${version}`, `${week}&allObjectIds=true${interval}`);
    expect(result.data.length).toBeGreaterThan(0);
    for (const row of result.data) expect(Object.keys(row)).toEqual([...groupBy.split(" "), ...metrics.split(" ")]);
    expect(Object.keys(result.summaryStatistics)).toEqual(summaries.split(" "));
    expect(result.metadata).toMatchObject({ name, version: String(version), rowCount: result.data.length });
  }
});

rule("report-interval-required", "needs an interval over time and takes none by group", async () => {
  const missing = await get(`${path(usage)}?${week}&allObjectIds=true`);
  expect(missing.json()).toMatchObject({ errors: [{ type: "date.range.invalid.unrecognized.interval" }] });
  const byGroup = path("endpoint-usage-by-response-code/versions/1");
  const statuses = [missing, await get(`${byGroup}?${week}&allObjectIds=true&interval=DAY`)].map((one) => one.status);
  expect(statuses).toEqual([400, 400]);
});

rule("report-availability-intervals", "availability takes HOUR, DAY and FIVE_MINUTES, not WEEK or MONTH", async () => {
  const target = `${path("authoritative-dns-availability/versions/1")}?${week}&allObjectIds=true&interval=`;
  for (const interval of ["HOUR", "DAY", "FIVE_MINUTES"]) expect((await get(target + interval)).status).toBe(200);
  for (const interval of ["WEEK", "MONTH"]) expect((await get(target + interval)).status).toBe(400);
});

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

rule("report-objects-required", "is of named objects or of all, and of nothing else", async () => {
  const target = `${path(usage)}?${week}&interval=WEEK`;
  expect((await get(target)).status).toBe(400);
  for (const objectIds of [undefined, "some", []]) expect((await send("POST", target, { objectIds })).status).toBe(400);
  for (const objectIds of [["12345"], "all"]) expect((await send("POST", target, { objectIds })).status).toBe(200);
});

rule("report-columns", "report columns: labelled groupBy keys, then the metrics", async () => {
  const { metadata } = await report("endpoint-errors-by-response-code/versions/1", `${week}&allObjectIds=true`);
  expect(metadata.columns).toEqual([
    { name: "groupBy", label: "endpoint_id" },
    { name: "groupBy", label: "api_key" },
    { name: "groupBy", label: "response_code_errors" },
    { name: "edgeHits", label: expect.any(String) },
  ]);
});

const typeOf = async (name: string, version: number) =>
  (await get(`/reporting-api/v1/reports/${name}/versions/${version}`)).json() as {
    requiredProducts?: string[];
    requiredRoles?: string[];
    links: { rel: string; href: string }[];
  };

rule("report-api-gateway", "names a product and two roles in the API gateway's reports alone", async () => {
  for (const [name, version] of table) {
    const { requiredProducts = [], requiredRoles = [] } = await typeOf(name, version);
    const expected = name.startsWith("endpoint-") ? [1, 2] : [0, 0];
    expect([name, requiredProducts.length, requiredRoles.length]).toEqual([name, ...expected]);
  }
});

rule("report-type-links", "links to four places, under another prefix than the one that is called", async () => {
  const { links } = await typeOf("endpoint-usage-by-time", 1);
  expect(links.map(({ rel }) => rel)).toEqual(["self", "versions", "all-reports", "execute-report"]);
  for (const { href } of links) expect(href).toMatch(/^\/(?!reporting-api\/)/);
});

rule("report-values-strings", "gives every value in a row as text", async () => {
  const query = `${week}&interval=HOUR&allObjectIds=true`;
  const { data } = await report("authoritative-dns-traffic-by-time/versions/3", query);
  for (const row of data) for (const value of Object.values(row)) expect(value).toBeTypeOf("string");
});

rule("report-retention", "has no data older than 90 days", async () => {
  const status = async (start: string) =>
    (await get(`${path(usage)}?start=${start}&end=2026-05-01&interval=DAY&allObjectIds=true`)).status;
  // It is 20 May: 90 days ago was 19 February.
  expect([await status("2026-02-20"), await status("2026-02-17")]).toEqual([200, 400]);
  expect((await get(`${path(usage)}?start=2026-01-01&end=2026-01-02&interval=DAY&allObjectIds=true`)).status).toBe(400);
});

rule("report-filter-values", "a report filters by its values, refuses others and unknown filters", async () => {
  const query = `${week}&interval=WEEK&allObjectIds=true`;
  const all = await report(usage, query);
  const some = await report(usage, `${query}&filters=${encodeURIComponent("response_class=4xx,response_class=5xx")}`);
  const [four, five] = await Promise.all(
    ["4xx", "5xx"].map((value) => report(usage, `${query}&filters=${encodeURIComponent(`response_class=${value}`)}`)),
  );
  expect(sum(some)).toBeLessThan(sum(all) / 5);
  expect(Math.abs(sum(some) - sum(four as Report) - sum(five as Report))).toBeLessThan(5);
  expect(some.metadata["filters"]).toEqual([{ name: "response_class", values: ["4xx", "5xx"] }]);
  for (const filters of ["response_class=7xx", "colour=red", "response_code=4xx", "endpoint_id=shop"])
    expect((await get(`${path(usage)}?${query}&filters=${encodeURIComponent(filters)}`)).status).toBe(400);
  const unfiltered = path("authoritative-dns-availability/versions/1");
  expect((await get(`${unfiltered}?${query.replace("WEEK", "DAY")}&filters=endpoint_id%3D1`)).status).toBe(400);
});

it("gives the same answer to the JSON body as to the query", async () => {
  const query = await report(usage, `${week}&interval=DAY&objectIds=12345&metrics=edgeHits&filters=http_method%3Dget`);
  const body = await send("POST", `${path(usage)}?${week}&interval=DAY`, {
    objectIds: ["12345"],
    metrics: ["edgeHits"],
    filters: { http_method: ["get"] },
  });
  expect(body.json()).toEqual(query);
});

it("reports agree: hours make up days, and objects make up all", async () => {
  const query = "start=2026-05-11T00:00:00Z&end=2026-05-12T00:00:00Z&metrics=edgeHits";
  const [day, hours, slots] = await Promise.all(
    ["DAY", "HOUR", "FIVE_MINUTES"].map((interval) => report(usage, `${query}&allObjectIds=true&interval=${interval}`)),
  );
  for (const finer of [hours, slots])
    expect(Math.abs(sum(finer as Report) / sum(day as Report) - 1)).toBeLessThan(0.001);
  expect([hours?.data.length, slots?.data.length]).toEqual([24, 288]);
  const each = await Promise.all(cpCodes.map(({ id }) => report(usage, `${query}&objectIds=${id}&interval=DAY`)));
  expect(Math.abs(each.reduce((total, one) => total + sum(one), 0) - sum(day as Report))).toBeLessThan(5);
});

it("says until when the data is complete, and when to ask again", async () => {
  const period = "start=2026-05-20T10:00:00Z&end=2026-05-20T13:00:00Z&interval=FIVE_MINUTES";
  const { metadata, data } = await report(usage, `${period}&allObjectIds=true`);
  expect(metadata).toMatchObject({ availableDataEnds: "2026-05-20T11:40:00Z", suggestedRetryTime: expect.any(String) });
  expect(data.at(-1)?.["startdatetime"]).toBe("2026-05-20T11:35:00Z");
  const past = (await report(usage, `${week}&interval=DAY&allObjectIds=true`)).metadata;
  expect(past).toMatchObject({ availableDataEnds: null, suggestedRetryTime: null });
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
  // The vendor's own sample has a comma at the end of this line (public facts A, 1).
  expect(lines).toContain("interval,DAY,");
  expect(lines[lines.indexOf("#COLUMNS_START") + 1]).toBe("startdatetime,edgeHits");
});

type Query = Parameters<typeof reporting.behaviours.report_data_get>[0]["query"];
/** Runs a report by its behaviour alone, on a world of its own; a day of all objects unless the query says otherwise. */
const run = (reportName: string, query: Partial<Query>) => {
  const day = { start: "2026-05-11", end: "2026-05-12", allObjectIds: true };
  const call = { path: { reportName, version: 1 }, query: { ...day, ...query }, headers: {}, body: undefined };
  return reporting.behaviours.report_data_get(call, createWorld({ frozenAt: now })).body as unknown as Report;
};

rule("report-end-exclusive", "a report starts with the first interval in its period, stops at end", () => {
  const hitsIn = (start: string, end: string, interval: Query["interval"] = "HOUR") =>
    run("endpoint-usage-by-time", { start, end, interval, metrics: ["edgeHits"] }).data;
  const whole = hitsIn("2026-05-11T00:00:00Z", "2026-05-11T04:00:00Z");
  const part = hitsIn("2026-05-11T00:30:00Z", "2026-05-11T03:30:00Z");
  expect(part.map((row) => row["startdatetime"]?.slice(11, 13))).toEqual(["01", "02", "03"]);
  expect(part.slice(0, 2)).toEqual(whole.slice(1, 3));
  expect(Number(part[2]?.["edgeHits"])).toBeLessThan(Number(whole[3]?.["edgeHits"]) * 0.6);
  // 11 May 2026 is a Monday.
  expect(hitsIn("2026-05-12", "2026-05-19", "WEEK").map((row) => row["startdatetime"])).toEqual([
    "2026-05-18T00:00:00Z",
  ]);
});

it("report times: UTC without a zone, a date as midnight, zones as given", () => {
  const rows = (start: string, end: string) =>
    run("endpoint-usage-by-time", { start, end, interval: "HOUR", metrics: ["edgeHits"] }).data;
  const expected = rows("2026-05-11T00:00:00Z", "2026-05-12T00:00:00Z");
  expect(expected).toHaveLength(24);
  expect(rows("2026-05-11", "2026-05-12T00:00")).toEqual(expected);
  expect(rows("2026-05-11T02:00:00+02:00", "2026-05-11T19:00:00-05:00")).toEqual(expected);
});

it.each(["2026-05-11", "2026-05-10"])("refuses an end of %s for a start of 11 May", (end) => {
  expect(() => run("endpoint-usage-by-time", { end, interval: "DAY" })).toThrow(
    expect.objectContaining({ status: 400 }),
  );
});

it("counts an object and a filter's value that are named twice once", () => {
  const keys = "endpoint-api-key-usage-by-time";
  const once = run(keys, { interval: "DAY", objectIds: ["12345"], filters: { api_key: ["7001"] } });
  const twice = run(keys, { interval: "DAY", objectIds: ["12345", "12345"], filters: { api_key: ["7001", "7001"] } });
  expect(sum(once)).toBeGreaterThan(0);
  expect(twice).toEqual(once);
  const codes = (...response_code: string[]) =>
    sum(run("endpoint-usage-by-response-code", { filters: { response_code } }));
  expect(codes("404", "404")).toBe(codes("404"));
});

rule("report-filter-values", "each of the seven report filters leaves some of the traffic, not all", () => {
  const cases = [
    ["endpoint-api-key-usage-by-time", "api_key", "7001"],
    ["endpoint-api-key-usage-by-time", "endpoint_id", "101"],
    ["endpoint-errors-by-time", "response_class_errors", "5xx"],
    ["endpoint-errors-by-time", "response_code_errors", "404"],
    ["endpoint-usage-by-time", "http_method", "post"],
    ["endpoint-usage-by-time", "response_class", "3xx"],
    ["endpoint-usage-by-time", "response_code", "200"],
  ] as const;
  for (const [name, filter, value] of cases) {
    const filtered = sum(run(name, { interval: "DAY", filters: { [filter]: [value] } }));
    expect(filtered, filter).toBeGreaterThan(0);
    expect(filtered, filter).toBeLessThan(sum(run(name, { interval: "DAY" })));
  }
});

it("reports by group add up to the traffic over time without loss", () => {
  const time = sum(run("endpoint-usage-by-time", { interval: "DAY" }));
  for (const name of ["endpoint-usage-by-response-code", "endpoint-hits-by-method-and-response"])
    expect(Math.abs(sum(run(name, {})) / time - 1), name).toBeLessThan(0.001);
  const errors = sum(run("endpoint-errors-by-time", { interval: "DAY" }));
  // Errors are what the two classes hold together, nothing else.
  const classes = sum(run("endpoint-usage-by-time", { interval: "DAY", filters: { response_class: ["4xx", "5xx"] } }));
  expect(Math.abs(errors / classes - 1)).toBeLessThan(0.001);
  expect(Math.abs(sum(run("endpoint-errors-by-response-code", {})) / errors - 1)).toBeLessThan(0.001);
});

it("the incident has 40 times the server errors, in 15 % fewer requests", () => {
  const world = createWorld({ frozenAt: now });
  const { start, end } = incident(world);
  expect(new Date(start).toISOString()).toBe("2026-05-19T13:00:00.000Z");
  const errors = (at: number) =>
    Object.entries(responseMix(world, "12345", at)).reduce(
      (total, [code, part]) => total + (code.startsWith("5") ? part : 0),
      0,
    );
  for (const at of [start, end - 1]) {
    expect((errors(at) * 0.85) / errors(start - 1)).toBeCloseTo(40, 6);
    expect(Object.values(responseMix(world, "12345", at)).reduce((total, part) => total + part, 0)).toBeCloseTo(1, 9);
  }
  expect(errors(end)).toBe(errors(start - 1));
  const availability = run("authoritative-dns-availability", {
    start: "2026-05-19",
    end: "2026-05-20",
    interval: "HOUR",
  });
  expect(availability.data.filter((row) => Number(row["avail_pct"]) < 98)).toHaveLength(2);
  // A week earlier is the same hour of the same weekday; what is left is a few percent of noise.
  const week = 7 * 86_400_000;
  const counted = (from: number) => hitsByCode(world, "12345", from, from + end - start);
  const total = (from: number) => Object.values(counted(from)).reduce((sumSoFar, one) => sumSoFar + one, 0);
  expect(Math.abs(total(start) / total(start - week) - 0.85)).toBeLessThan(0.1);
  expect(Math.abs((counted(start)["503"] ?? 0) / (counted(start - week)["503"] ?? 1) - 40)).toBeLessThan(5);
});

it("grows a little from year to year", () => {
  const world = createWorld({ frozenAt: now });
  const week = 7 * 86_400_000;
  const total = (from: number) =>
    Object.values(hitsByCode(world, "12345", from, from + week)).reduce((a, b) => a + b, 0);
  const growth = total(Date.UTC(2026, 4, 11) + 52 * week) / total(Date.UTC(2026, 4, 11));
  expect(growth).toBeGreaterThan(1.05);
  expect(growth).toBeLessThan(1.11);
});
