/** Reports, times and a zone, as one client calls them in the built server. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Session } from "../lab/session.js";

const hour = (ms: number) => new Date(Math.floor(ms / 3_600_000) * 3_600_000).toISOString();
const lastWeek = () => ({ start: hour(Date.now() - 7 * 86_400_000), end: hour(Date.now()) });
let session: Session;
beforeAll(async () => {
  session = await connect("v2 2026 stdio");
});
afterAll(() => session.close());

it("a relative period is named in the answer by its dates", async () => {
  const { structuredContent } = await session.call("report_data_get", {
    reportName: "endpoint-usage-by-time",
    version: 1,
    period: "yesterday",
    timeZone: "Asia/Tokyo",
    interval: "HOUR",
    allObjectIds: true,
  });
  expect(structuredContent).toMatchObject({
    status: 200,
    // In the first half hour of a day in Tokyo the data of its yesterday is not complete yet, which is a note, too.
    notes: expect.arrayContaining([
      expect.stringMatching(/^yesterday \(Asia\/Tokyo\) is .*T15:00:00Z to .*T15:00:00Z\.$/),
    ]),
  });
  expect((structuredContent["data"] as { data: unknown[] }).data).toHaveLength(24);
});

it("a note says until when a report is complete, and when to ask again", async () => {
  const soon = { start: hour(Date.now() - 3_600_000), end: hour(Date.now() + 3_600_000) };
  const args = {
    reportName: "endpoint-usage-by-time",
    version: 1,
    ...soon,
    interval: "FIVE_MINUTES",
    allObjectIds: true,
  };
  for (const format of ["json", "csv"]) {
    const { structuredContent } = await session.call("report_data_get", { ...args, format });
    expect(structuredContent["notes"]).toEqual([
      expect.stringMatching(/^Data is complete until \S+Z; retry at \S+Z\.$/),
    ]);
  }
});

it("a report in CSV has the rows that it has in JSON", async () => {
  const args = {
    reportName: "authoritative-dns-availability",
    version: 1,
    ...lastWeek(),
    interval: "DAY",
    allObjectIds: true,
  };
  const json = await session.call("report_data_get", args);
  const csv = await session.call("report_data_get", { ...args, format: "csv" });
  const { metadata, data } = json.structuredContent["data"] as {
    metadata: { columns: readonly { readonly name: string; readonly label: string }[] };
    data: readonly Readonly<Record<string, string>>[];
  };
  const columns = metadata.columns.map(({ name, label }) => (name === "groupBy" ? label : name));
  const lines = data.map((row) => columns.map((name) => row[name]).join(","));
  expect(csv.structuredContent["data"]).toContain(`#COLUMNS_START\n${columns.join(",")}\n#COLUMNS_END\n`);
  expect(csv.structuredContent["data"]).toContain(`#DATA_START\n${lines.join("\n")}\n#DATA_END\n`);
});

it("an event takes ISO and local times, and shows milliseconds as both", async () => {
  const body = { name: "Winter sale", start: "2026-11-27T00:00:00", end: "2026-11-27T15:00:00Z" };
  const { structuredContent } = await session.call("event_create", { body, timeZone: "Asia/Tokyo" });
  const [start, end] = [Date.UTC(2026, 10, 26, 15), Date.UTC(2026, 10, 27, 15)];
  expect(structuredContent).toMatchObject({
    data: { start, end },
    times: { [start]: "2026-11-26T15:00:00Z", [end]: "2026-11-27T15:00:00Z" },
    notes: expect.arrayContaining(["body.start 2026-11-27T00:00:00 (Asia/Tokyo) is 2026-11-26T15:00:00Z."]),
  });
});

it("a report by days needs no version; a mistyped name is corrected", async () => {
  const report = { reportName: "endpoint-usage-by-time", period: "last_7d", interval: "DAY", allObjectIds: true };
  const { structuredContent } = await session.call("report_data_get", report);
  const { data } = structuredContent as { data: { data: object[] } };
  expect(data.data).toHaveLength(7);
  const wrong = await session.call("report_data_get", { ...report, reportName: "endpoint-usage-by-tim", version: 1 });
  expect(wrong.structuredContent).toMatchObject({
    error: "not_found",
    next: expect.stringContaining('did you mean "endpoint-usage-by-time"?'),
  });
});

it("a zone is edited by its token, and a stale token is refused", async () => {
  const read = await session.call("dns_zone_get", { zone: "example.com" });
  const { token, zone } = read.structuredContent["data"] as {
    token: string;
    zone: { soa: { serial: number }; a: unknown[] };
  };
  const record = { name: "new", ttl: 300, active: true, target: "192.0.2.44" };
  const body = {
    token,
    zone: { ...zone, soa: { ...zone.soa, serial: zone.soa.serial + 1 }, a: [...zone.a, record] },
  };
  const preview = await session.call("dns_zone_write", { zone: "example.com", body });
  expect(preview.structuredContent).toMatchObject({
    preview: {
      kind: "overwrite",
      changes: 2,
      lines: expect.arrayContaining(["  + new A 192.0.2.44 TTL 300"]),
    },
  });
  const written = await session.call("dns_zone_write", {
    zone: "example.com",
    body,
    confirm: preview.structuredContent["confirm"],
  });
  expect(written.structuredContent).toMatchObject({ status: 204 });
  const second = await session.call("dns_zone_write", { zone: "example.com", body });
  const stale = await session.call("dns_zone_write", {
    zone: "example.com",
    body,
    confirm: second.structuredContent["confirm"],
  });
  expect(stale).toMatchObject({
    isError: true,
    structuredContent: { next: expect.stringContaining("dns_zone_get") },
  });
});
