/** What a report accepts, from document A's catalogue, checked before anything is sent. */
import { describe, expect, it } from "vitest";
import { hintFor } from "../../../src/language/hint.js";
import { validateArguments } from "../../../src/schema/arguments.js";
import { reportTypes } from "../../../src/tools/reporting/catalogue.js";
import { reporting } from "../../../src/tools/reporting/index.js";
import { checkFully } from "../../lab/checked.js";

const { report_data_get: get, report_data_find: find, report_type_get: type } = reporting.operations;
const day = { version: 1, start: "2026-05-01", end: "2026-05-02" };
const fieldsOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return (error as { detail: { fields: { field: string; takes: string }[] } }).detail.fields;
  }
  return [];
};

describe("a report", () => {
  it.each([
    ["endpoint-usage-by-response-code", { interval: "DAY" }, "interval", "nothing: "],
    ["endpoint-usage-by-time", {}, "interval", "one of MONTH, WEEK, DAY, HOUR, FIVE_MINUTES; "],
    ["authoritative-dns-availability", { interval: "WEEK" }, "interval", "one of HOUR, DAY, FIVE_MINUTES for"],
    ["endpoint-usage-by-time", { interval: "DAY", metrics: ["edgeHit"] }, "metrics", 'did you mean "edgeHits"'],
    ["endpoint-errors-by-time", { interval: "DAY", metrics: ["edgeBytes"] }, "metrics", "one of edgeHits"],
    ["authoritative-dns-availability", { interval: "DAY", filters: { x: ["1"] } }, "filters.x", "nothing: "],
    ["endpoint-usage-by-time", { interval: "DAY", filters: { http_method: ["fetch"] } }, "filters.http_method", "get"],
    ["endpoint-usage-by-time", { interval: "DAY", filters: { api_key: ["1"] } }, "filters.api_key", "only endpoint_id"],
  ])("%s refuses %j at %s", (reportName, more, field, takes) => {
    const problems = fieldsOf(() => checkFully("report_data_get", get, { reportName, ...day, ...more }));
    expect(problems).toEqual([expect.objectContaining({ field, takes: expect.stringContaining(takes) })]);
    const { metrics, filters, ...query } = more as Record<string, unknown>;
    const body = { objectIds: "all", ...(metrics ? { metrics } : {}), ...(filters ? { filters } : {}) };
    const inBody = fieldsOf(() => checkFully("report_data_find", find, { reportName, ...day, ...query, body }));
    expect(inBody.map((one) => one.field)).toEqual([field === "interval" ? field : `body.${field}`]);
  });

  it.each([
    ["endpoint-usage-by-response-code", {}],
    ["authoritative-dns-availability", { interval: "FIVE_MINUTES", metrics: ["avail_pct"] }],
    ["endpoint-usage-by-time", { interval: "DAY", filters: { response_class: ["0xx", "6xx"], endpoint_id: ["7"] } }],
    ["a-report-of-tomorrow", { interval: "WEEK", metrics: ["anything"], filters: { x: ["y"] } }],
  ])("%s takes %j", (reportName, more) => {
    expect(fieldsOf(() => checkFully("report_data_get", get, { reportName, ...day, ...more }))).toEqual([]);
  });
});

describe("a version that is left out", () => {
  const call = (reportName: string) => ({ reportName, start: "2026-05-01", end: "2026-05-02", interval: "DAY" });

  it.each([
    ["endpoint-usage-by-time", 1],
    ["authoritative-dns-traffic-by-time", 3],
  ])("of %s is the known one, %i, and its limits apply", (reportName, version) => {
    const { path, notes } = validateArguments("report_data_get", get, call(reportName));
    expect(path).toEqual({ reportName, version });
    expect(notes).toEqual([`version was left out; ${version} was used, the known one for ${reportName}.`]);
    expect(fieldsOf(() => checkFully("report_data_get", get, { ...call(reportName), interval: undefined }))).toEqual([
      expect.objectContaining({ field: "interval" }),
    ]);
    expect(validateArguments("report_type_get", type, { reportName }).path).toEqual({ reportName, version });
  });

  it("an unknown report needs a version, and the nearest is named", () => {
    const problems = fieldsOf(() =>
      validateArguments("report_type_get", type, { reportName: "endpoint-usage-by-tme" }),
    );
    expect(problems).toEqual([{ field: "version", takes: expect.stringContaining('"endpoint-usage-by-time"') }]);
    expect(validateArguments("report_type_get", type, { reportName: "tomorrow", version: 7 }).path).toMatchObject({
      version: 7,
    });
  });
});

describe("an unknown report", () => {
  const hints = [get, find, type].map(({ spec }) => spec);

  it("is answered with the nearest known one and with all of them", () => {
    for (const spec of hints) {
      const hint = hintFor(spec, 404, { reportName: "endpoint-usage-by-tme", version: "1" });
      expect(hint).toContain('did you mean "endpoint-usage-by-time"?');
      for (const { name, version } of reportTypes) expect(hint).toContain(`${name} (version ${version})`);
    }
  });

  it("is answered with its known version where only that was wrong", () => {
    const hint = hintFor(type.spec, 404, { reportName: "authoritative-dns-traffic-by-time", version: "1" });
    expect(hint).toMatch(/^The known version of authoritative-dns-traffic-by-time is 3, not 1\./);
  });
});

it("refuses a member with the name of an inherited one", () => {
  const filters = JSON.parse('{"__proto__":["x"]}') as Record<string, unknown>;
  const args = { reportName: "endpoint-usage-by-time", ...day, interval: "DAY", filters };
  expect(fieldsOf(() => checkFully("report_data_get", get, args))).toEqual([
    expect.objectContaining({ field: "filters.__proto__" }),
  ]);
});
