/** Which objects a report covers: those that are named, all where none is, and never neither. */
import { expect, it } from "vitest";
import { callsAt } from "../lab/calls.js";

const here = callsAt(Date.UTC(2026, 4, 20, 12, 30));
const report = { reportName: "endpoint-usage-by-time", interval: "DAY", start: "2026-05-10", end: "2026-05-12" };
const leftOut = "objectIds was left out: the report covers all objects.";
const named = (body: unknown) => (body as { metadata: { objectIds: string[] } }).metadata.objectIds;

it("covers all objects where none is named, and says so", async () => {
  const { body, notes } = await here.calls.answer("report_data_get", report);
  const all = await here.calls.answer("report_data_get", { ...report, allObjectIds: true });
  expect(body).toEqual(all.body);
  expect(named(body).length).toBeGreaterThan(1);
  expect([notes.includes(leftOut), all.notes.includes(leftOut)]).toEqual([true, false]);
});

it("covers the objects that are named alone", async () => {
  const { body, notes } = await here.calls.answer("report_data_get", { ...report, objectIds: ["12345"] });
  expect(named(body)).toEqual(["12345"]);
  expect(notes).not.toContain(leftOut);
});
