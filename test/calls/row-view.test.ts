/** What people ask of rows is worked out in the call: figures that the API's own answers, added up here, have as well. */
import { beforeAll, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { callsIn } from "../lab/calls.js";

type Args = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, string | number>>;
const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
const { answer } = callsIn(world, { callTimeoutMs: 60_000 });
const report = {
  reportName: "endpoint-usage-by-time",
  start: "2026-05-10T00:00:00Z",
  end: "2026-05-17T00:00:00Z",
  interval: "HOUR",
  allObjectIds: true,
};

const rowsOf = async (tool: string, args: Args) => (await answer(tool, args)).body as readonly Row[];

let raw: readonly Row[];
beforeAll(async () => {
  raw = ((await answer("report_data_get", report)).body as { data: readonly Row[] }).data;
});
const sum = (rows: readonly Row[], member: string) => rows.reduce((total, row) => total + Number(row[member]), 0);
const metric = () => Object.keys(raw[0] ?? {}).find((name) => /hits/i.test(name)) ?? "";

it("groups by day, and its groups add up to the whole", async () => {
  const rows = await rowsOf("report_data_get", {
    ...report,
    view: { group_by: "day(startdatetime)", aggregate: `sum(${metric()})` },
  });
  expect(rows).toHaveLength(7);
  const column = Object.keys(rows[0] ?? {}).find((name) => name.includes(metric())) ?? "";
  expect(sum(rows, column)).toBe(sum(raw, metric()));
});

it("keeps the whole beside the view", async () => {
  const { body, whole } = await answer("report_data_get", { ...report, view: { top: 3, sort: `-${metric()}` } });
  expect((body as readonly Row[]).length).toBeGreaterThanOrEqual(3);
  expect((whole as { data: unknown }).data).toEqual(raw);
});

it("reads a list to its end before it counts", async () => {
  const all = (await answer("edgelogic_policies_list", { allPages: true })).body as readonly Row[];
  const [row] = await rowsOf("edgelogic_policies_list", { view: { aggregate: "count" } });
  expect(Object.values(row ?? {})).toContain(all.length);
});

it("knows the time of a report's rows, and which of its days are partial", async () => {
  const half = { ...report, start: "2026-05-10T12:00:00Z", end: "2026-05-16T12:00:00Z" };
  const { body, notes } = await answer("report_data_get", { ...half, view: { group_by: "day(time)" } });
  expect(body).toHaveLength(7);
  expect(notes).toContain("Partial in day(startdatetime): 2026-05-10 (12 of 24 hours), 2026-05-16 (12 of 24 hours).");
  const spans = await answer("report_data_get", { ...half, view: { group_by: "4 days(time)" } });
  expect(spans.body).toMatchObject([
    { "4 days(startdatetime)": "2026-05-10T12:00Z" },
    { "4 days(startdatetime)": "2026-05-14T12:00Z" },
  ]);
  expect(spans.notes).toContain("Partial in 4 days(startdatetime): 2026-05-14T12:00Z (2 of 4 days).");
});

it("knows the time of rows of cells and of daily values", async () => {
  const media = {
    family: "audience-analytics",
    reportPackId: 6831,
    startDate: "2026-05-16T00:00:00Z",
    endDate: "2026-05-18T00:00:00Z",
    aggregation: 3_600,
    dimensions: ["Time"],
    metrics: ["Plays"],
  };
  expect(await rowsOf("media_data_get", { ...media, view: { group_by: "day(time)" } })).toHaveLength(2);
  const usage = { contractId: "C-1FRYVV3", productId: "M-SITE-7", month: 4, year: 2026 };
  const days = await answer("usage_contract_measures_list", { ...usage, view: { group_by: "month(time)" } });
  expect(days.body).toMatchObject([{ "month(date)": "2026-04" }]);
});

it("names the members of an object where one is asked for that is none", async () => {
  const { body, notes } = await answer("event_get", { eventId: "20051", view: { fields: ["id", "nome"] } });
  expect(body).toEqual({ id: expect.anything() });
  expect(notes).toContainEqual(expect.stringMatching(/^fields: "nome" is left out.*name/));
});
