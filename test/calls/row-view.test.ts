/** What people ask of rows is worked out in the call: figures that the API's own answers, added up here, have as well. */
import { beforeAll, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { callsIn } from "../lab/calls.js";
import { caller } from "../lab/made-up.js";

type Args = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, string | number>>;
const { calls } = callsIn(createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) }), { callTimeoutMs: 60_000 });
const report = {
  reportName: "endpoint-usage-by-time",
  start: "2026-05-10T00:00:00Z",
  end: "2026-05-17T00:00:00Z",
  interval: "HOUR",
  allObjectIds: true,
};

async function replyOf(tool: string, args: Args) {
  const outcome = await calls.call(tool, args, caller);
  if (outcome.kind !== "answer") throw new Error(JSON.stringify(outcome).slice(0, 1_000));
  return outcome.reply;
}
const rowsOf = async (tool: string, args: Args) => (await replyOf(tool, args)).body as readonly Row[];
const refusalOf = async (tool: string, args: Args) => {
  const outcome = await calls.call(tool, args, caller);
  if (outcome.kind !== "failure") throw new Error(`It was a ${outcome.kind}.`);
  return outcome.failure;
};

let raw: readonly Row[];
beforeAll(async () => {
  raw = ((await replyOf("report_data_get", report)).body as { data: readonly Row[] }).data;
});
const sum = (rows: readonly Row[], member: string) => rows.reduce((total, row) => total + Number(row[member]), 0);
const metric = () => Object.keys(raw[0] ?? {}).find((name) => /hits/i.test(name)) ?? "";

it("adds up a report, with its maximum and the hour of it", async () => {
  const [row] = await rowsOf("report_data_get", {
    ...report,
    view: { aggregate: [`sum(${metric()})`, `max(${metric()})`] },
  });
  const largest = raw.reduce((most, one) => (Number(one[metric()]) > Number(most[metric()]) ? one : most));
  const values = Object.values(row ?? {});
  expect(values).toContain(sum(raw, metric()));
  expect(values).toContain(Number(largest[metric()]));
  expect(JSON.stringify(row)).toContain(String(largest["startdatetime"]).slice(0, 13));
});

it("groups by day, and its groups add up to the whole", async () => {
  const rows = await rowsOf("report_data_get", {
    ...report,
    view: { group_by: "day(startdatetime)", aggregate: `sum(${metric()})` },
  });
  expect(rows).toHaveLength(7);
  const column = Object.keys(rows[0] ?? {}).find((name) => name.includes(metric())) ?? "";
  expect(sum(rows, column)).toBe(sum(raw, metric()));
});

it("compares with the period before, which it reads itself", async () => {
  const before = { ...report, start: "2026-05-03T00:00:00Z", end: "2026-05-10T00:00:00Z" };
  const earlier = ((await replyOf("report_data_get", before)).body as { data: readonly Row[] }).data;
  const [row] = await rowsOf("report_data_get", {
    ...report,
    view: { aggregate: `sum(${metric()})`, compare: "previous_period" },
  });
  expect(Object.values(row ?? {})).toEqual(expect.arrayContaining([sum(raw, metric()), sum(earlier, metric())]));
});

it("keeps the whole beside the view", async () => {
  const { body, whole } = await replyOf("report_data_get", { ...report, view: { top: 3, sort: `-${metric()}` } });
  expect((body as readonly Row[]).length).toBeGreaterThanOrEqual(3);
  expect((whole as { data: unknown }).data).toEqual(raw);
});

it("reads a list to its end before it counts", async () => {
  const all = (await replyOf("edgelogic_policies_list", { allPages: true })).body as readonly Row[];
  const [row] = await rowsOf("edgelogic_policies_list", { view: { aggregate: "count" } });
  expect(Object.values(row ?? {})).toContain(all.length);
});

it.each<[string, Args, string, RegExp]>([
  ["an unknown member", { where: "hots > 3" }, "view.where", /start(date)?time|Hits/i],
  ["a member of the view that there is not", { order: "x" }, "view.order", /sort|nothing/],
  ["a list that there is not", { rows: "dota" }, "view.rows", /data/],
])("refuses %s by field", async (_, view, field, takes) => {
  const { code, detail } = await refusalOf("report_data_get", { ...report, view });
  expect(code).toBe("invalid_input");
  const [problem] = detail.fields ?? [];
  expect(problem?.field).toContain(field);
  expect(problem?.takes).toMatch(takes);
});

it("knows the time of a report's rows, and which of its days are partial", async () => {
  const half = { ...report, start: "2026-05-10T12:00:00Z", end: "2026-05-16T12:00:00Z" };
  const { body, notes } = await replyOf("report_data_get", { ...half, view: { group_by: "day(time)" } });
  expect(body).toHaveLength(7);
  expect(notes).toContain("Partial in day(startdatetime): 2026-05-10 (12 of 24 hours), 2026-05-16 (12 of 24 hours).");
  const spans = await replyOf("report_data_get", { ...half, view: { group_by: "4 days(time)" } });
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
  const days = await replyOf("usage_contract_measures_list", { ...usage, view: { group_by: "month(time)" } });
  expect(days.body).toMatchObject([{ "month(date)": "2026-04" }]);
});

it("a view of an object picks members, and names them if none match", async () => {
  const event = (await replyOf("event_get", { eventId: "20051" })).body as Row;
  const shown = (view: Args) => replyOf("event_get", { eventId: "20051", view });
  expect((await shown({ fields: "id, name, customer.accountID" })).body).toEqual({
    id: event["id"],
    name: event["name"],
    "customer.accountID": (event["customer"] as unknown as Row)["accountID"],
  });
  const { body, notes } = await shown({ fields: ["id", "nome"] });
  expect(body).toEqual({ id: event["id"] });
  expect(notes).toContainEqual(expect.stringMatching(/^fields: "nome" is left out.*name/));
});

it("refuses a comparison where a call has no period", async () => {
  const { detail } = await refusalOf("edgelogic_policies_list", { view: { compare: "previous_period" } });
  expect(detail.fields?.[0]).toMatchObject({ field: "view.compare" });
});
