/** A kept result keeps how it was told: a view of it, a query and a page tell its rows as the first answer did. */
import { afterAll, describe, expect, it } from "vitest";
import { createResults } from "../../src/calls/results.js";
import { createWorld } from "../../src/emulator/world.js";
import { createQueries } from "../../src/query/index.js";
import { createResultStore, resultsFor } from "../../src/results/store.js";
import { callsIn } from "../lab/calls.js";
import { needsSql } from "../lab/engines.js";
import { handleOf, resultStoredIn } from "../lab/options.js";
import { workerFile } from "../query/worker-file.js";

type Args = Record<string, unknown>;
type Row = Readonly<Record<string, string | number>>;

const queries = createQueries({ worker: await workerFile(), timeMs: 15_000 });
afterAll(() => queries.close());

const store = resultsFor(createResultStore({ maxBytesPerOwner: 64e6, maxBytes: 128e6, ttlMs: 60_000 }), "an account");
const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
const { call, answer } = callsIn(world, {
  callTimeoutMs: 60_000,
  results: createResults({
    store,
    queries: async () => queries,
    secrets: ["a-secret-of-the-server"],
    maxTokens: 8_000,
  }),
});

/** A call as an assistant makes it, with what does not fit kept. */
async function called(tool: string, args: Args, maxTokens = 8_000) {
  const outcome = await call(tool, args);
  if (outcome.kind === "question") throw new Error("It asked.");
  const presentation = { upstream: "u", secrets: [], maxTokens };
  const { structuredContent, content } = await resultStoredIn(store, outcome, presentation);
  return { ...structuredContent, text: content[0].text } as Args & { text: string };
}

/** The handle of the whole of an answer that has no room. */
async function keptOf(tool: string, args: Args): Promise<string> {
  const { notes } = await called(tool, args, 400);
  const [, handle] = /result:\/\/([\w-]+)/.exec(String(notes)) ?? [];
  if (handle === undefined) throw new Error("The answer was not kept.");
  return handle;
}

const report = {
  reportName: "endpoint-usage-by-time",
  start: "2026-05-10T00:00:00Z",
  end: "2026-05-17T00:00:00Z",
  interval: "HOUR",
  allObjectIds: true,
};
const rowsOf = async (args: Args) => (await called("result_view", args))["rows"] as readonly Row[];

describe("a view of a kept result", () => {
  it.each<[string, Args]>([
    ["groups and sums", { group_by: "weekday(startdatetime)", aggregate: "sum(edgeHits), max(edgeHits)" }],
    [
      "selects, sorts and cuts",
      { where: "edgeHits > 100", sort: "-edgeHits", top: 3, fields: "startdatetime, edgeHits" },
    ],
    ["places times in a zone", { group_by: "hours", aggregate: "count", time_zone: "Asia/Tokyo", top: 2 }],
    ["compares with the period before", { aggregate: "sum(edgeHits)", compare: "previous_period" }],
  ])("%s as the report's own view does", async (_, view) => {
    const handle = await keptOf("report_data_get", report);
    const own = await answer("report_data_get", { ...report, view });
    const { rows, notes = [] } = await called("result_view", { handle, ...view });
    expect((rows as readonly Row[]).length).toBeGreaterThan(0);
    expect(rows).toEqual(own.body);
    for (const note of notes as readonly string[])
      expect(own.notes).toContain(note.replace("; rows can", "; view.rows can"));
  });

  it("is kept itself where it has no room, and can be viewed again", async () => {
    const handle = await keptOf("report_data_get", report);
    const hours = await keptOf("result_view", { handle, group_by: "hours", aggregate: "sum(edgeHits)" });
    const [days] = await rowsOf({ handle: hours, rows: "rows", aggregate: "count" });
    expect(Object.values(days ?? {})).toContain(168);
  });

  it("a kept result's view names the argument that asks for missing data", async () => {
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
    // A call with one mistake less would only fail over the next one.
    const two = await called("result_view", { handle, rows: "Data", where: "colour = red" });
    expect(two).not.toHaveProperty("corrected");
    const { corrected } = await called("result_view", { handle, where: "edgeHots > 3", top: 2 });
    expect(corrected).toEqual({ tool: "result_view", arguments: { handle, where: "edgeHits > 3", top: 2 } });
  });

  it("rows of a call whose view failed can be viewed with no other call", async () => {
    const { next } = await called("report_data_get", { ...report, view: { where: "edgeHots > 3" } });
    const [, handle] = /with handle ([\w-]+)/.exec(String(next)) ?? [];
    const view = { group_by: "day(time)", aggregate: "sum(edgeHits)", compare: "previous_period" };
    const { body } = await answer("report_data_get", { ...report, view });
    expect(await rowsOf({ handle, ...view })).toEqual(body);
  });

  it("has the members of an object where it asks for fields alone", async () => {
    const handle = (await handleOf(store, { id: 7, owner: { name: "a" }, items: [{ id: 1, size: 2 }] })) ?? "";
    expect(await called("result_view", { handle, fields: "id, owner.name" })).toMatchObject({
      members: { id: 7, "owner.name": "a" },
    });
    expect(await rowsOf({ handle, fields: "id, size" })).toEqual([{ id: 1, size: 2 }]);
  });

  it("shows no secret of the process and lets none be searched for", async () => {
    const handle = (await handleOf(store, [{ a: "x a-secret-of-the-server", n: 1 }])) ?? "";
    expect(await rowsOf({ handle })).toEqual([{ a: "x [secret]", n: 1 }]);
    expect(await rowsOf({ handle, where: "a contains a-secret" })).toEqual([]);
  });

  it("a kept result takes view, or its fields, and not both", async () => {
    const handle = (await handleOf(store, [{ a: 1 }, { a: 3 }])) ?? "";
    const view = { aggregate: "sum(a)" };
    const expected = [{ "sum(a)": 4 }];
    expect(await rowsOf({ handle, ...view })).toEqual(expected);
    for (const given of [view, JSON.stringify(view)]) expect(await rowsOf({ handle, view: given })).toEqual(expected);
    expect(await called("result_view", { handle, view, where: "a > 1" })).toMatchObject({
      fields: [{ field: "where" }],
    });
    expect(await called("result_view", { handle, view: { sort: "b" } })).toMatchObject({
      fields: [{ field: "view.sort" }],
    });
  });

  it("fields of a view beside arguments are refused with the call meant", async () => {
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
    const media = {
      family: "audience-analytics",
      reportPackId: 6831,
      ...period,
      dimensions: ["1"],
      metrics: ["40", "42"],
    };
    expect(await called("media_data_get", media)).toMatchObject({ units: { "Play Duration": "MINUTES" } });
  });

  it("has no period before where the answer is for none", async () => {
    const handle = (await handleOf(store, [{ a: 1 }, { a: 2 }])) ?? "";
    expect(await called("result_view", { handle, aggregate: "sum(a)", compare: "previous_period" })).toMatchObject({
      fields: [{ field: "compare", takes: expect.stringContaining("period") }],
    });
  });
});

it("milliseconds are shown as times in views and from kept results", needsSql, async () => {
  const raw = (await answer("events_list", {})).body as readonly { readonly name: string; readonly start: number }[];
  expect(raw.length).toBeGreaterThan(1);
  const view = { fields: "name, start", sort: "start" };
  const expected = [...raw]
    .sort((a, b) => a.start - b.start)
    .map(({ name, start }) => ({ name, start: new Date(start).toISOString().replace(".000Z", "Z") }));
  expect((await answer("events_list", { view })).body).toEqual(expected);
  const { notes } = await called("events_list", {}, 200);
  const [, handle] = /result:\/\/([\w-]+)/.exec(String(notes)) ?? [];
  expect(await rowsOf({ handle, ...view })).toEqual(expected);
  const { text } = await called("result_query", { sql: "select min(start) as t from result", results: handle });
  expect(text).toBe(`t\n${expected[0]?.start}\n`);
});

it("times that are seconds are told alike by a view, a page and a query", needsSql, async () => {
  const media = {
    family: "audience-analytics",
    reportPackId: 6831,
    startDate: "2026-05-16T00:00:00Z",
    endDate: "2026-05-18T00:00:00Z",
    aggregation: 3_600,
    dimensions: ["Time"],
    metrics: ["Plays"],
  };
  const handle = await keptOf("media_data_get", media);
  const view = { group_by: "day(Time)", aggregate: "sum(Plays), max(Plays)" };
  expect(await rowsOf({ handle, ...view })).toEqual((await answer("media_data_get", { ...media, view })).body);
  const page = await called("result_get", { handle, limit: 1 });
  expect(page["rows"]).toMatchObject([{ Time: expect.stringMatching(/^2026-05-1[67]T\d\d:00:00Z$/) }]);
  const { text } = await called("result_query", { sql: "select min(Time) as t from result", results: handle });
  expect(text).toBe("t\n2026-05-16T00:00:00Z\n");
});
