/** Emulated media analytics: sessions that follow from the world's requests, its streams and its clock. */
import { describe, expect, it } from "vitest";
import { streamsOf } from "../../../src/emulator/services/streams.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

interface Table {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly string[])[];
  readonly metaData: { readonly aggregation: number; readonly hasMoreData: boolean; readonly limit: number };
}
interface Store {
  readonly id: number;
  readonly dimensions: readonly { readonly id: number; readonly name: string; readonly type: string }[];
  readonly metrics: readonly { readonly id: number; readonly name: string }[];
}
const base = "/media-analytics/v1";
const audience = `${base}/audience-analytics/report-packs/6831`;
const qos = `${base}/qos-monitor/report-packs/6833`;
const day = { startDate: "05/18/2026", endDate: "05/19/2026" };
const [time, stream, cpCode, plays, minutes, errors] = ["1", "2", "3", "40", "42", "53"] as const;

function start() {
  const raw = startRaw();
  const ask = (pack: string, query: Readonly<Record<string, unknown>>) =>
    raw.get(
      `${pack}/data?${new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [
          name,
          typeof value === "object" && !/^(dimensions|metrics)$/.test(name) ? JSON.stringify(value) : String(value),
        ]),
      )}`,
    );
  return {
    ...raw,
    ask,
    table: async (pack: string, query: Readonly<Record<string, unknown>>) => (await ask(pack, query)).json() as Table,
  };
}
const total = ({ rows }: Table, at = -1): number => rows.reduce((sum, row) => sum + Number(row.at(at)), 0);
const families = ["audience-analytics", "qos-monitor", "viewer-diagnostics", "download-analytics"];

rule("media-families", "all families answer the same questions about their packs", async () => {
  const { get } = start();
  for (const family of families) {
    const packs = (await get(`${base}/${family}/report-packs`)).json() as { id: number }[];
    expect(packs.length).toBeGreaterThan(0);
    for (const { id } of packs) {
      const pack = `${base}/${family}/report-packs/${id}`;
      const stores = (await get(`${pack}/data-stores`)).json() as Store[];
      for (const store of stores) expect((await get(`${pack}/data-stores/${store.id}`)).json()).toEqual(store);
      expect(((await get(`${pack}/data-sources`)).json() as unknown[]).length).toBeGreaterThan(0);
      expect((await get(`${pack}/data-stores/999`)).status).toBe(404);
    }
    expect((await get(`${base}/${family}/report-packs/1`)).status).toBe(404);
  }
  expect((await get(`${base}/other/report-packs`)).status).toBe(400);
});

rule("media-pack-detail", "a report pack has the fields of the list and of its data stores", async () => {
  const { get } = start();
  const [listed] = (await get(`${base}/audience-analytics/report-packs`)).json() as object[];
  const detail = (await get(audience)).json() as Record<string, { id: number }[]>;
  const stores = (await get(`${audience}/data-stores`)).json() as Store[];
  expect(detail).toMatchObject({ ...listed, filters: null });
  expect(detail["dataSources"]).toEqual((await get(`${audience}/data-sources`)).json());
  expect(detail["dataStores"]?.map(({ id }) => id)).toEqual(stores.map(({ id }) => id));
  for (const kind of ["dimensions", "metrics"] as const) {
    const ids = new Set(stores.flatMap((store) => store[kind].map(({ id }) => id)));
    expect(detail[kind]?.map(({ id }) => id)).toEqual([...ids]);
  }
});

rule("media-dimension-types", "dimensions are standard or custom", async () => {
  const detail = (await start().get(audience)).json() as Store;
  expect(new Set(detail.dimensions.map(({ type }) => type))).toEqual(new Set(["standard", "custom"]));
});

rule("media-viewer-path", "viewer diagnostics has the data of one viewer, and none of all", async () => {
  const { get, table } = start();
  const pack = `${base}/viewer-diagnostics/report-packs/6835`;
  const week = { startDate: "05/14/2026:00:00", endDate: "05/20/2026:00:00", dimensions: "7,2", metrics: plays };
  const one = await table(`${pack}/viewers/198.51.100.23`, week);
  expect(new Set(one.rows.map(([viewer]) => viewer))).toEqual(new Set(["198.51.100.23"]));
  expect(total(one)).toBeGreaterThan(0);
  expect((await table(`${pack}/viewers/198.51.100.230`, week)).rows).toEqual([]);
  expect((await get(`${pack}/data?${new URLSearchParams(week)}`)).status).toBe(400);
});

rule("media-one-store", "what no data store has together is refused, in filter and order too", async () => {
  const { ask } = start();
  const status = async (query: object) => (await ask(audience, { ...day, ...query })).status;
  expect(await status({ dimensions: `${time},5`, metrics: plays })).toBe(200);
  expect(await status({ dimensions: `${time},5`, metrics: "41" })).toBe(400);
  const filter = { type: "dimension", id: 6, condition: "in", values: ["TV"] };
  expect(await status({ dimensions: time, metrics: plays, filterParams: [filter] })).toBe(200);
  expect(await status({ dimensions: time, metrics: minutes, filterParams: [filter] })).toBe(400);
  const sort = [{ type: "metric", id: 41, order: "asc" }];
  expect(await status({ dimensions: "5", metrics: plays, sortParams: sort })).toBe(400);
  expect(await status({})).toBe(400);
});

rule("media-store-limits", "periods, intervals and ages beyond those of the store bring nothing", async () => {
  const { ask, table } = start();
  const query = { dimensions: `${time},${cpCode}`, metrics: plays };
  expect((await ask(audience, { ...query, startDate: "04/01/2026", endDate: "05/19/2026" })).status).toBe(400);
  expect((await ask(audience, { ...query, ...day, aggregation: 450 })).status).toBe(400);
  expect((await table(audience, { ...query, ...day, aggregation: 900 })).metaData.aggregation).toBe(900);
  const old = await table(audience, { ...query, startDate: "04/01/2026", endDate: "04/10/2026" });
  expect(old.rows).toEqual([]);
  const edge = await table(audience, { ...query, startDate: "04/20/2026", endDate: "04/22/2026", aggregation: "day" });
  expect(edge.rows.map(([label]) => label)).toContain(String(Date.UTC(2026, 3, 21) / 1_000));
});

rule("media-dates", "only dates in the American form are taken", async () => {
  const { ask } = start();
  const status = async (query: object) => (await ask(audience, { metrics: plays, ...query })).status;
  expect(await status({ startDate: "05/18/2026:00:30", endDate: "05/19/2026" })).toBe(200);
  expect(await status({ startDate: "18/05/2026", endDate: "05/19/2026" })).toBe(400);
  expect(await status({ startDate: "05/19/2026", endDate: "05/18/2026" })).toBe(400);
  expect(await status({ startDate: "05/19/2026" })).toBe(400);
});

rule("media-page", "a media page has 300 rows by default and 10,000 at most", async () => {
  const { ask, table } = start();
  const query = { startDate: "05/10/2026", endDate: "05/20/2026", dimensions: `${time},${stream}`, metrics: plays };
  const first = await table(audience, query);
  expect([first.rows.length, first.metaData.limit, first.metaData.hasMoreData]).toEqual([300, 300, true]);
  const second = await table(audience, { ...query, offset: 300 });
  const whole = await table(audience, { ...query, limit: 10_000 });
  expect([...first.rows, ...second.rows]).toEqual(whole.rows.slice(0, 600));
  expect([whole.rows.length, whole.metaData.hasMoreData]).toEqual([8_640, false]);
  expect((await ask(audience, { ...query, limit: 10_001 })).status).toBe(400);
});

describe("the sessions", () => {
  it("media sessions add up over intervals, streams and values", async () => {
    const { table } = start();
    const of = (dimensions: string, more: object = {}) =>
      table(audience, { ...day, dimensions, metrics: plays, ...more });
    const whole = total(await of(stream));
    for (const dimensions of [`${time},${stream}`, cpCode, "6", "1001"])
      expect(Math.abs(total(await of(dimensions, { limit: 10_000 })) / whole - 1)).toBeLessThan(0.02);
    const noon = "05/18/2026:11:20";
    const [half, rest] = [await of(stream, { endDate: noon }), await of(stream, { startDate: noon })];
    expect(Math.abs(total(half) + total(rest) - whole)).toBeLessThan(6);
  });

  it("follow the requests that the reports count, of the same CP code", async () => {
    const { get, table } = start();
    const report = async (from: string, to: string) => {
      const path = "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data";
      const query = `start=${from}&end=${to}&interval=DAY&metrics=edgeHits&objectIds=67891`;
      const { data } = (await get(`${path}?${query}`)).json() as { data: { edgeHits: string }[] };
      return Number(data[0]?.edgeHits);
    };
    const played = async (startDate: string, endDate: string) =>
      total(await table(audience, { startDate, endDate, dimensions: "3", metrics: plays, filterParams: [filter] }));
    const filter = { type: "dimension", id: 3, condition: "in", values: ["67891"] };
    const share = async (from: number) => {
      const counted = await report(`2026-05-${from}T00:00:00Z`, `2026-05-${from + 1}T00:00:00Z`);
      return (await played(`05/${from}/2026`, `05/${from + 1}/2026`)) / counted;
    };
    const [saturday, monday] = [await share(16), await share(18)];
    expect(saturday / monday).toBeCloseTo(1, 2);
    expect(monday).toBeLessThan(1 / 50);
    const downloads = `${base}/download-analytics/report-packs/6837`;
    const shop = await table(downloads, { ...day, dimensions: "3", metrics: "60,61" });
    expect(shop.rows.map(([id]) => id)).toContain("12345");
  });

  it("media: new streams have no past sessions, deleted ones keep theirs", async () => {
    const { table, world, get } = start();
    const query = { startDate: "05/20/2026", endDate: "05/21/2026", dimensions: stream, metrics: plays };
    const before = await table(audience, query);
    const old = before.rows.find(([name]) => name === "workshop");
    const streams = streamsOf(world);
    const workshop = streams.get("201045") ?? expect.fail();
    streams.set("201099", { ...workshop, id: "201099", name: "new-show", createdAtMs: now });
    streams.set("201045", { ...workshop, deletedAtMs: now });
    const names = async () => (await table(audience, query)).rows.map(([name]) => name);
    expect(await names()).not.toContain("new-show");
    expect((await get(`${qos}/data-sources`)).json()).toContainEqual({ id: 201099, name: "new-show" });
    world.advance(3 * 3_600_000);
    expect(await names()).toContain("new-show");
    const yesterday = await table(audience, { ...query, ...day });
    expect(yesterday.rows.map(([name]) => name)).not.toContain("new-show");
    expect((await table(audience, query)).rows.find(([name]) => name === "workshop")).toEqual(old);
    const grown = (await table(audience, query)).rows.find(([name]) => name === "shop-show");
    expect(Number(grown?.[1])).toBeGreaterThan(Number(before.rows.find(([name]) => name === "shop-show")?.[1]));
  });

  it("have not happened yet after now", async () => {
    const { table } = start();
    const query = { startDate: "05/20/2026:11:00", endDate: "05/20/2026:14:00", dimensions: time, metrics: plays };
    const { rows } = await table(audience, query);
    expect(rows.map(([label]) => Number(label))).toEqual(
      Array.from({ length: 14 }, (_, at) => Date.UTC(2026, 4, 20, 11) / 1_000 + 300 * at),
    );
  });

  it("fail as often as the servers do", async () => {
    const { table } = start();
    const { rows } = await table(qos, { ...day, dimensions: stream, metrics: `${plays},${errors},54` });
    for (const [, all, failed, available] of rows) {
      expect(Number(failed) / Number(all)).toBeCloseTo(0.006, 2);
      // Of whole sessions, as the last test has it.
      expect(Number(available)).toBe(Number((100 * (1 - Number(failed) / Number(all))).toFixed(2)));
    }
    expect(rows).toHaveLength(3);
  });
});

describe("filters and orders", () => {
  it("leave rows out by values and by figures, and sort by any column", async () => {
    const { table, ask } = start();
    const query = { ...day, dimensions: `${time},${stream}`, metrics: plays, aggregation: 3_600 };
    const filtered = (type: string, id: number, condition: string, value: unknown) => ({
      ...query,
      filterParams: [{ type, id, condition, values: [value] }],
    });
    const all = await table(audience, query);
    const figures = all.rows.map((row) => Number(row[2]));
    const middle = [...figures].sort((a, b) => a - b)[36] ?? 0;
    const high = await table(audience, filtered("metric", 40, "gt", middle));
    expect(high.rows).toEqual(all.rows.filter((row) => Number(row[2]) > middle));
    const sorted = await table(audience, { ...query, sortParams: [{ type: "metric", id: 40, order: "desc" }] });
    expect(sorted.rows.map((row) => Number(row[2]))).toEqual(figures.sort((a, b) => b - a));
    const byName = await table(audience, { ...query, sortParams: [{ type: "dimension", id: 2, order: "asc" }] });
    expect(byName.rows[0]?.[1]).toBe("product-launch");
    const hour = String(Date.UTC(2026, 4, 18, 5) / 1_000);
    const timed = await table(audience, filtered("dimension", 1, "in", hour));
    expect(timed.rows).toEqual(all.rows.filter(([label]) => label === hour));
    expect((await ask(audience, filtered("dimension", 2, "near", "a"))).status).toBe(400);
  });
});

it("takes 60 requests a minute, and says with each how many are left", async () => {
  const { get, world } = start();
  const left = async () => {
    const { status, headers } = await get(`${base}/qos-monitor/report-packs`);
    return [status, headers["x-ratelimit-remaining"]];
  };
  for (let count = 59; count >= 0; count -= 1) expect(await left()).toEqual([200, String(count)]);
  expect(await left()).toEqual([429, "0"]);
  world.advance(60_000);
  expect(await left()).toEqual([200, "59"]);
});
