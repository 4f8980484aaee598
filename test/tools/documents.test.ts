/** What single tools of the documents add to their calls: forms that exclude each other, answers that lead on, times, ids. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { callsIn } from "../lab/calls.js";
import { startRaw } from "../lab/raw.js";

const hourMs = 3_600_000;
const now = Math.floor(Date.now() / hourMs) * hourMs + 60_000;
const { answer, previewed, approved, refused, call } = callsIn(createWorld({ frozenAt: now }));

it("usage by months: what is missing of a form, and what excludes it", async () => {
  const product = { contractId: "C-1FRYVV3", productId: "M-SITE-7" };
  const range = { fromMonth: 3, fromYear: 2026 };
  for (const [months, wrong] of [
    [{ month: 4 }, ["year"]],
    [range, ["toMonth", "toYear"]],
    [{ month: 4, year: 2026, ...range, toMonth: 4, toYear: 2026 }, ["fromMonth", "fromYear", "toMonth", "toYear"]],
  ] as const) {
    const { code, fields } = await refused("usage_contract_measures_list", { ...product, ...months });
    expect([code, fields.map((field) => field.split(":")[0])]).toEqual(["invalid_input", wrong]);
  }
});

it("a group of several contracts leads to the tool for each", async () => {
  expect(await answer("contract_group_product_summary_get", { reportingGroupId: 22222 })).toMatchObject({
    status: 300,
    body: { contracts: [{ contractId: "C-1FRYVV3" }, { contractId: "3-MADEUP" }] },
    notes: [expect.stringContaining("contract_product_summary_get for each contractId")],
  });
});

it("a date outside the window is explained", async () => {
  expect(await call("contract_product_summary_get", { contractId: "C-1FRYVV3", from: "2020-01-01" })).toMatchObject({
    failure: {
      code: "rejected",
      detail: { next: expect.stringContaining("15 months"), upstream: { errors: [{ title: "from" }] } },
    },
  });
});

it("a note says until when a report is complete, and when to ask again", async () => {
  const [start, end] = [now - hourMs, now + hourMs].map((ms) => new Date(ms - 60_000).toISOString());
  const report = { reportName: "endpoint-usage-by-time", start, end, interval: "FIVE_MINUTES", allObjectIds: true };
  for (const format of ["json", "csv"])
    expect((await answer("report_data_get", { ...report, version: 1, format })).notes).toContainEqual(
      expect.stringMatching(/^Data is complete until \S+Z; retry at \S+Z\.$/),
    );
});

it("a report in CSV has the rows that it has in JSON", async () => {
  const { ask } = startRaw();
  const period = "start=2026-05-11T00:00:00Z&end=2026-05-18T00:00:00Z&interval=DAY&allObjectIds=true";
  const target = `/reporting-api/v1/reports/authoritative-dns-availability/versions/1/report-data?${period}`;
  const { metadata, data } = (await ask({ target })).json() as {
    metadata: { columns: readonly { readonly name: string; readonly label: string }[] };
    data: readonly Readonly<Record<string, string>>[];
  };
  const columns = metadata.columns.map(({ name, label }) => (name === "groupBy" ? label : name));
  const lines = data.map((row) => columns.map((name) => row[name]).join(","));
  expect(lines.length).toBeGreaterThan(6);
  const { text } = await ask({ target, headers: { accept: "text/csv" } });
  expect(text).toContain(`#COLUMNS_START\n${columns.join(",")}\n#COLUMNS_END\n`);
  expect(text).toContain(`#DATA_START\n${lines.join("\n")}\n#DATA_END\n`);
});

it("an event takes ISO and local times, and is sent milliseconds", async () => {
  const body = { name: "Winter sale", start: "2026-11-27T00:00:00", end: "2026-11-27T15:00:00Z" };
  expect(await answer("event_create", { body, timeZone: "Asia/Tokyo" })).toMatchObject({
    body: { start: Date.UTC(2026, 10, 26, 15), end: Date.UTC(2026, 10, 27, 15) },
    notes: expect.arrayContaining(["body.start 2026-11-27T00:00:00 (Asia/Tokyo) is 2026-11-26T15:00:00Z."]),
  });
});

it("an id as text shows the same state before a change as a number", async () => {
  const args = { contractId: "C-1FRYVV3", surrogateId: 9002 };
  const { text } = await previewed("saas_application_delete", args);
  expect(text).toContain("Now: providerApplicationId: board\n");
  expect((await previewed("saas_application_delete", { ...args, surrogateId: "9002" })).text).toBe(text);
});

it("a CP code as text is purged, and a list of one word means all objects", async () => {
  const body = { objects: ["12345"], type: "cpcode", action: "invalidate" };
  expect(await approved("purge_submit", { queueName: "default", body })).toMatchObject({ reply: { status: 201 } });
  const report = { reportName: "endpoint-usage-by-time", version: 1, period: "last_7d", interval: "DAY" };
  for (const [objectIds, meant] of [
    [["12345"], ["12345"]],
    [["all"], ["12345", "12346", "67890", "67891", "67892"]],
  ])
    expect(await answer("report_data_find", { ...report, body: { objectIds } })).toMatchObject({
      body: { metadata: { objectIds: meant } },
    });
});
