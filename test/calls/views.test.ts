/** Views of rows, wherever they are requested: in a call, in a batch of calls, and of a stored result. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { Args } from "../lab/calls.js";
import { needsSql } from "../lab/engines.js";
import { handleOf, resultStoredIn } from "../lab/options.js";
import { failureOf } from "../lab/outcome.js";
import { callsThatKeep, store } from "./kept.js";

type Row = Readonly<Record<string, string | number>>;

const { call, answer, refused } = await callsThatKeep(createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) }));

/** A call as an assistant makes it; what does not fit is stored. */
async function called(tool: string, args: Args, maxTokens = 8_000) {
  const outcome = await call(tool, args);
  if (outcome.kind === "question") throw new Error("It asked.");
  const presentation = { upstream: "u", secrets: [], maxTokens };
  const { structuredContent, content } = await resultStoredIn(store, outcome, presentation);
  return { ...structuredContent, text: content[0].text } as Args & { text: string };
}

const handleIn = (notes: unknown): string =>
  /(?:result:\/\/|with handle )([\w-]+)/.exec(String(notes))?.[1] ?? expect.fail("It was not kept.");
/** The handle of the whole response, which does not fit into the budget. */
const keptOf = async (tool: string, args: Args) => handleIn((await called(tool, args, 400))["notes"]);

const report = {
  reportName: "endpoint-usage-by-time",
  start: "2026-05-10T00:00:00Z",
  end: "2026-05-17T00:00:00Z",
  interval: "HOUR",
  allObjectIds: true,
};
const rowsOf = async (args: Args) => (await called("result_view", args))["rows"] as readonly Row[];
const rowsIn = async (tool: string, args: Args) => (await answer(tool, args)).body as readonly Row[];
const reported = async (args: Args) => ((await answer("report_data_get", args)).body as { data: readonly Row[] }).data;
const sum = (rows: readonly Row[], member = "edgeHits") => rows.reduce((total, row) => total + Number(row[member]), 0);
const media = {
  ...{ family: "audience-analytics", reportPackId: 6831, dimensions: ["Time"], metrics: ["Plays"] },
  ...{ startDate: "2026-05-16T00:00:00Z", endDate: "2026-05-18T00:00:00Z", aggregation: 3_600 },
};

it("a view groups by day, and its groups add up to the whole", async () => {
  const view = { group_by: "day(startdatetime)", aggregate: "sum(edgeHits)" };
  const { body, whole } = await answer("report_data_get", { ...report, view });
  const raw = await reported(report);
  expect(body).toHaveLength(7);
  expect(sum(body as readonly Row[], "sum(edgeHits)")).toBe(sum(raw));
  expect(whole).toMatchObject({ data: raw });
});

it("a view reads a list to its end before it counts", async () => {
  const all = await rowsIn("edgelogic_policies_list", { allPages: true });
  expect(await rowsIn("edgelogic_policies_list", { view: { aggregate: "count" } })).toEqual([{ count: all.length }]);
});

it("a view knows the time of a report's rows, and its partial days", async () => {
  const half = { ...report, start: "2026-05-10T12:00:00Z", end: "2026-05-16T12:00:00Z" };
  const { body, notes } = await answer("report_data_get", { ...half, view: { group_by: "day(time)" } });
  expect(body).toHaveLength(7);
  expect(notes).toContain("Partial in day(startdatetime): 2026-05-10 (12 of 24 hours), 2026-05-16 (12 of 24 hours).");
});

it("a view knows the time of cells and days, and an object's members", async () => {
  expect(await rowsIn("media_data_get", { ...media, view: { group_by: "day(time)" } })).toHaveLength(2);
  const usage = { contractId: "C-1FRYVV3", productId: "M-SITE-7", month: 4, year: 2026 };
  const months = await rowsIn("usage_contract_measures_list", { ...usage, view: { group_by: "month(time)" } });
  expect(months).toMatchObject([{ "month(date)": "2026-04" }]);
  const { body, notes } = await answer("event_get", { eventId: "20051", view: { fields: ["id", "nome"] } });
  expect(body).toEqual({ id: expect.anything() });
  expect(notes).toContainEqual(expect.stringMatching(/^fields: "nome" is left out.*name/));
});

const days = { ...report, start: "2026-05-17T00:00:00Z", end: "2026-05-19T00:00:00Z", metrics: ["edgeHits"] };
const { allObjectIds: _, ...short } = days;
const codes = ["12345", "12346", "67890"];
const eachOf = (all: readonly string[]) => all.map((code) => ({ ...short, objectIds: [code] }));
async function worked(tool: string, args: Args) {
  const outcome = await call(tool, args);
  if (outcome.kind !== "workflow") throw new Error(JSON.stringify(outcome).slice(0, 1_000));
  return { ...outcome, rows: outcome.result["rows"] as readonly Row[] };
}
const batchOf = (view: Args, all = codes) =>
  worked("call_batch", { tool: "report_data_get", arguments: eachOf(all), view });
const sums = (more: object = {}) =>
  Promise.all(eachOf(codes).map(async (args) => sum(await reported({ ...args, ...more }))));

it("a batch view compares several objects in one table", async () => {
  const { result, notes } = await batchOf({ group_by: "objectIds", aggregate: "sum(edgeHits)" });
  const expected = await sums();
  expect(new Set(expected).size).toBe(3);
  const rows = codes.map((code, at) => ({ objectIds: code, "sum(edgeHits)": expected[at] }));
  expect(result).toEqual({ tool: "report_data_get", calls: 3, rows });
  // A note that all calls have in common is shown once.
  expect(new Set(notes).size).toBe(notes?.length);
  expect(String(notes)).toContain("version was left out");
  const view = { group_by: "day(time)", aggregate: "sum(edgeHits)" };
  const again = await worked("result_view", { handle: handleIn(notes), ...view });
  expect(again.rows.map((row) => row["day(startdatetime)"])).toEqual(["2026-05-17", "2026-05-18"]);
});

it("a batch view compares each call with its previous period", async () => {
  const view = { group_by: "objectIds", aggregate: "sum(edgeHits)", compare: "previous_period" };
  const { rows } = await batchOf(view);
  const before = { start: "2026-05-15T00:00:00Z", end: "2026-05-17T00:00:00Z" };
  expect(rows.map((row) => row["sum(edgeHits) previous"])).toEqual(await sums(before));
});

it("a batch view: an object is a row, a differing argument a column", async () => {
  const { id, name } = (await answer("event_get", { eventId: "20051" })).body as Row;
  const events = { tool: "event_get", arguments: [{ eventId: "20051" }, { eventId: "20052" }] };
  const { rows } = await worked("call_batch", { ...events, view: { fields: "eventId, id, name" } });
  expect(rows[0]).toEqual({ eventId: "20051", id, name });
});

it("a batch view shows the rows of successes, and the failures", async () => {
  const view = { group_by: "objectIds", aggregate: "count" };
  const { result, rows, hasFailed } = await batchOf(view, [...codes, "999999999"]);
  expect([hasFailed, rows.length]).toEqual([true, 3]);
  expect(result).toMatchObject({ calls: 4, done: 3, failed: 1, failures: [{ call: 4, error: expect.any(String) }] });
});

it("a batch view that fails stores the rows, and names their columns", async () => {
  const args = { tool: "report_data_get", arguments: eachOf(codes), view: { where: "edgeHots > 3" } };
  const { fields, next } = failureOf(await call("call_batch", args)).detail;
  expect(fields?.[0]).toMatchObject({ field: "view.where", takes: expect.stringContaining("objectIds") });
  const { rows } = await worked("result_view", { handle: handleIn(next), aggregate: "count" });
  expect(rows).toEqual([{ count: 144 }]);
});

it("a batch view that cannot be shown is refused before anything is sent", async () => {
  const event = { tool: "event_get", arguments: [{ eventId: "20051" }] };
  const own = { ...event, arguments: [{ eventId: "20051", view: { top: 1 } }] };
  const change = { tool: "user_lock", arguments: [{ uiIdentityId: "A-B-100003" }], view: { top: 1 } };
  for (const [args, field] of [
    [own, /^arguments\[0\]\.view: nothing: a single view/],
    [change, /^view: nothing here/],
    [{ ...event, view: { order: "x" } }, /^view\.order: /],
  ] as const) {
    const { code, fields } = await refused("call_batch", args);
    expect([code, fields[0]]).toEqual(["invalid_input", expect.stringMatching(field)]);
  }
});

it.each<[string, Args]>([
  ["groups and sums", { group_by: "weekday(startdatetime)", aggregate: "sum(edgeHits), max(edgeHits)" }],
  [
    "selects, sorts and cuts",
    { where: "edgeHits > 100", sort: "-edgeHits", top: 3, fields: "startdatetime, edgeHits" },
  ],
  ["places times in a zone", { group_by: "hours", aggregate: "count", time_zone: "Asia/Tokyo", top: 2 }],
  ["compares with the period before", { aggregate: "sum(edgeHits)", compare: "previous_period" }],
])("a view of a stored result %s as the report's own view does", async (_, view) => {
  const handle = await keptOf("report_data_get", report);
  const own = await answer("report_data_get", { ...report, view });
  const { rows, notes = [] } = await called("result_view", { handle, ...view });
  expect((rows as readonly Row[]).length).toBeGreaterThan(0);
  expect(rows).toEqual(own.body);
  for (const note of notes as readonly string[])
    expect(own.notes).toContain(note.replace("; rows can", "; view.rows can"));
});

it("a stored result's view that has no room is stored, and viewed again", async () => {
  const handle = await keptOf("report_data_get", report);
  const hours = await keptOf("result_view", { handle, group_by: "hours", aggregate: "sum(edgeHits)" });
  const [days] = await rowsOf({ handle: hours, rows: "rows", aggregate: "count" });
  expect(Object.values(days ?? {})).toContain(168);
});

it("a stored result's view names the argument for missing data", async () => {
  const handle = await keptOf("report_data_get", report);
  for (const [view, field] of [
    [{ where: "edgeHots > 3" }, "where"],
    [{ rows: "dota" }, "rows"],
    [{ compare: "previous_period", time_zone: "Mars/One" }, "time_zone"],
  ] as const)
    expect(await called("result_view", { handle, ...view })).toMatchObject({
      error: "invalid_input",
      fields: [{ field }],
      next: expect.stringContaining("result_view"),
    });
  // With only one of two mistakes corrected, the call would fail over the other.
  const two = await called("result_view", { handle, rows: "Data", where: "colour = red" });
  expect(two).not.toHaveProperty("corrected");
  const { corrected } = await called("result_view", { handle, where: "edgeHots > 3", top: 2 });
  expect(corrected).toEqual({ tool: "result_view", arguments: { handle, where: "edgeHits > 3", top: 2 } });
});

it("rows of a call whose view failed can be viewed without a new call", async () => {
  const handle = handleIn((await called("report_data_get", { ...report, view: { where: "edgeHots > 3" } }))["next"]);
  const view = { group_by: "day(time)", aggregate: "sum(edgeHits)", compare: "previous_period" };
  const { body } = await answer("report_data_get", { ...report, view });
  expect(await rowsOf({ handle, ...view })).toEqual(body);
});

it("a stored result's view of fields has the members of an object", async () => {
  const handle = (await handleOf(store, { id: 7, owner: { name: "a" }, items: [{ id: 1, size: 2 }] })) ?? "";
  expect(await called("result_view", { handle, fields: "id, owner.name" })).toMatchObject({
    members: { id: 7, "owner.name": "a" },
  });
  expect(await rowsOf({ handle, fields: "id, size" })).toEqual([{ id: 1, size: 2 }]);
});

it("a stored result's view shows no secret, and finds none", async () => {
  const handle = (await handleOf(store, [{ a: "x a-secret-of-the-server", n: 1 }])) ?? "";
  expect(await rowsOf({ handle })).toEqual([{ a: "x [secret]", n: 1 }]);
  expect(await rowsOf({ handle, where: "a contains a-secret" })).toEqual([]);
});

it("a view or its fields are taken, not both, nor beside the arguments", async () => {
  const handle = (await handleOf(store, [{ a: 1 }, { a: 3 }])) ?? "";
  const view = { aggregate: "sum(a)" };
  const expected = [{ "sum(a)": 4 }];
  expect(await rowsOf({ handle, ...view })).toEqual(expected);
  for (const given of [view, JSON.stringify(view)]) expect(await rowsOf({ handle, view: given })).toEqual(expected);
  const fieldsOf = async (args: Args) => (await called("result_view", { handle, ...args }))["fields"];
  expect(await fieldsOf({ view, where: "a > 1" })).toMatchObject([{ field: "where" }]);
  expect(await fieldsOf({ view: { sort: "b" } })).toMatchObject([{ field: "view.sort" }]);
  const args = { ...report, group_by: "day(time)", top: 2 };
  expect(await called("report_data_get", args)).toMatchObject({
    fields: [{ field: "group_by" }, { field: "top", takes: expect.stringContaining("view") }],
    corrected: { arguments: { ...report, view: { group_by: "day(time)", top: 2 } } },
  });
});

it("columns and their units are named once", async () => {
  const units = { edgeBytes: "bytes", midgressBytes: "bytes" };
  const { text, notes, ...cut } = await called("report_data_get", report, 600);
  expect(cut).toMatchObject({ cut: true, units });
  expect(text.match(/bytes/g)).toHaveLength(2);
  expect(String(notes)).toContain("its columns startdatetime, edgeBytes, edgeHits, midgressBytes.");
  const dns = { ...report, reportName: "authoritative-dns-traffic-by-time", metrics: ["sum_hits"] };
  const view = { group_by: "day(time)", aggregate: "max(sum_hits)" };
  expect(await called("report_data_get", { ...dns, view })).toMatchObject({ units: { sum_hits: "per second" } });
  expect(await called("report_data_get", { ...dns, format: "csv" })).toMatchObject({
    units: { sum_hits: "per second" },
  });
  expect(await called("report_data_get", { ...report, view: { aggregate: "count" } })).not.toHaveProperty("units");
  const period = { startDate: "05/10/2026", endDate: "05/11/2026", aggregation: "day" };
  const plays = { ...media, ...period, dimensions: ["1"], metrics: ["40", "42"] };
  expect(await called("media_data_get", plays)).toMatchObject({ units: { "Play Duration": "MINUTES" } });
});

it("a stored result without a period has no previous one to compare with", async () => {
  const handle = (await handleOf(store, [{ a: 1 }, { a: 2 }])) ?? "";
  expect(await called("result_view", { handle, aggregate: "sum(a)", compare: "previous_period" })).toMatchObject({
    fields: [{ field: "compare", takes: expect.stringContaining("period") }],
  });
});

it("milliseconds are shown as times in views and from stored results", needsSql, async () => {
  const raw = (await answer("events_list", {})).body as readonly { readonly name: string; readonly start: number }[];
  expect(raw.length).toBeGreaterThan(1);
  const view = { fields: "name, start", sort: "start" };
  const expected = [...raw]
    .sort((a, b) => a.start - b.start)
    .map(({ name, start }) => ({ name, start: new Date(start).toISOString().replace(".000Z", "Z") }));
  expect((await answer("events_list", { view })).body).toEqual(expected);
  const handle = handleIn((await called("events_list", {}, 200))["notes"]);
  expect(await rowsOf({ handle, ...view })).toEqual(expected);
  const { text } = await called("result_query", { sql: "select min(start) as t from result", results: handle });
  expect(text).toBe(`t\n${expected[0]?.start}\n`);
});

it("times in seconds are shown alike by a view, a page and a query", needsSql, async () => {
  const handle = await keptOf("media_data_get", media);
  const view = { group_by: "day(Time)", aggregate: "sum(Plays), max(Plays)" };
  expect(await rowsOf({ handle, ...view })).toEqual((await answer("media_data_get", { ...media, view })).body);
  const page = await called("result_get", { handle, limit: 1 });
  expect(page["rows"]).toMatchObject([{ Time: expect.stringMatching(/^2026-05-1[67]T\d\d:00:00Z$/) }]);
  const { text } = await called("result_query", { sql: "select min(Time) as t from result", results: handle });
  expect(text).toBe("t\n2026-05-16T00:00:00Z\n");
});
