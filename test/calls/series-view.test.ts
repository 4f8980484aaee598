/** The answers of several calls in one table: each row with the arguments in which its call differs, as a view asks for them. */
import { expect, it } from "vitest";
import { createResults } from "../../src/calls/results.js";
import { createWorld } from "../../src/emulator/world.js";
import { createQueries } from "../../src/query/index.js";
import { createResultStore, resultsFor } from "../../src/results/store.js";
import { type Args, callsIn } from "../lab/calls.js";

type Row = Readonly<Record<string, string | number>>;

const store = createResultStore({ maxBytesPerOwner: 64e6, maxBytes: 128e6, ttlMs: 60_000 });
const { call, answer, refused } = callsIn(createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) }), {
  callTimeoutMs: 60_000,
  results: createResults({
    store: resultsFor(store, "a"),
    queries: async () => createQueries({ worker: "none" }),
    secrets: [],
    maxTokens: 8_000,
  }),
});

const report = {
  reportName: "endpoint-usage-by-time",
  start: "2026-05-17T00:00:00Z",
  end: "2026-05-19T00:00:00Z",
  interval: "HOUR",
  metrics: ["edgeHits"],
};
const codes = ["12345", "12346", "67890"];

async function worked(tool: string, args: Args) {
  const outcome = await call(tool, args);
  if (outcome.kind !== "workflow") throw new Error(JSON.stringify(outcome).slice(0, 1_000));
  return outcome;
}
const batchOf = (
  view: Args | undefined,
  each: readonly Args[] = codes.map((code) => ({ ...report, objectIds: [code] })),
) => worked("call_batch", { tool: "report_data_get", arguments: each, ...(view ? { view } : {}) });
const rowsIn = async (args: Args): Promise<readonly Row[]> =>
  ((await answer("report_data_get", { ...report, ...args })).body as { data: readonly Row[] }).data;
const sum = (rows: readonly Row[]) => rows.reduce((total, row) => total + Number(row["edgeHits"]), 0);

it("a batch view compares several objects in one table", async () => {
  const { result, notes } = await batchOf({ group_by: "objectIds", aggregate: "sum(edgeHits)" });
  const sums = await Promise.all(codes.map(async (code) => sum(await rowsIn({ objectIds: [code] }))));
  expect(new Set(sums).size).toBe(3);
  expect(result).toEqual({
    tool: "report_data_get",
    calls: 3,
    rows: codes.map((code, at) => ({ objectIds: code, "sum(edgeHits)": sums[at] })),
  });
  // What each call notes alike is noted once.
  expect(new Set(notes).size).toBe(notes?.length);
  expect(String(notes)).toContain("version was left out");
  const [, handle] = /result:\/\/([\w-]+)/.exec(String(notes)) ?? [];
  const again = await worked("result_view", { handle, group_by: "day(time)", aggregate: "sum(edgeHits)" });
  expect((again.result["rows"] as readonly Row[]).map((row) => row["day(startdatetime)"])).toEqual([
    "2026-05-17",
    "2026-05-18",
  ]);
});

it("reads the period before of each call for a comparison", async () => {
  const before = { start: "2026-05-15T00:00:00Z", end: "2026-05-17T00:00:00Z" };
  const { result } = await batchOf({ group_by: "objectIds", aggregate: "sum(edgeHits)", compare: "previous_period" });
  const earlier = await Promise.all(codes.map(async (code) => sum(await rowsIn({ ...before, objectIds: [code] }))));
  expect((result["rows"] as readonly Row[]).map((row) => row["sum(edgeHits) previous"])).toEqual(earlier);
});

it("has an object as one row, and a column for each argument that differs", async () => {
  const { body } = await answer("event_get", { eventId: "20051" });
  const { id, name } = body as Row;
  const { result } = await worked("call_batch", {
    tool: "event_get",
    arguments: [{ eventId: "20051" }, { eventId: "20052" }],
    view: { fields: "eventId, id, name" },
  });
  expect((result["rows"] as readonly Row[])[0]).toEqual({ eventId: "20051", id, name });
});

it("shows the rows of those that succeeded, and what became of the others", async () => {
  const each = [...codes, "999999999"].map((code) => ({ ...report, objectIds: [code] }));
  const { result, hasFailed } = await batchOf({ group_by: "objectIds", aggregate: "count" }, each);
  expect(hasFailed).toBe(true);
  expect(result).toMatchObject({ calls: 4, done: 3, failed: 1, failures: [{ call: 4, error: expect.any(String) }] });
  expect(result["rows"]).toHaveLength(3);
});

it("keeps the rows where the view fails, and names what they have", async () => {
  const outcome = await call("call_batch", {
    tool: "report_data_get",
    arguments: codes.map((code) => ({ ...report, objectIds: [code] })),
    view: { where: "edgeHots > 3" },
  });
  if (outcome.kind !== "failure") throw new Error(outcome.kind);
  const { fields, next } = outcome.failure.detail;
  expect(fields?.[0]).toMatchObject({ field: "view.where", takes: expect.stringContaining("objectIds") });
  const [, handle] = /with handle ([\w-]+)/.exec(next) ?? [];
  const { result } = await worked("result_view", { handle, aggregate: "count" });
  expect(result["rows"]).toEqual([{ count: 144 }]);
});

const event = { tool: "event_get", arguments: [{ eventId: "20051" }] };
it.each<[Args, RegExp]>([
  [{ ...event, arguments: [{ eventId: "20051", view: { top: 1 } }] }, /^arguments\[0\]\.view: nothing: a single view/],
  [{ tool: "user_lock", arguments: [{ uiIdentityId: "A-B-100003" }], view: { top: 1 } }, /^view: nothing here/],
  [{ ...event, view: { order: "x" } }, /^view\.order: /],
])("refuses before anything is sent %j", async (args, field) => {
  const { code, fields } = await refused("call_batch", args);
  expect([code, fields[0]]).toEqual(["invalid_input", expect.stringMatching(field)]);
});
