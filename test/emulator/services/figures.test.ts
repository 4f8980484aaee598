/** Figures and addresses that have to agree: in reports, in what they count, in sessions, logs and zones. */
import { expect, it } from "vitest";
import { cpCodes, everyHost, locations } from "../../../src/emulator/services/account.js";
import { servedHosts } from "../../../src/emulator/services/properties/served.js";
import { hitsByCode, incident, responseMix } from "../../../src/emulator/services/reporting/series.js";
import { streamsOf } from "../../../src/emulator/services/streams.js";
import { createWorld } from "../../../src/emulator/world.js";
import { memberAt } from "../../../src/language/member.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

type Rows = readonly Readonly<Record<string, string>>[];
const { get } = startRaw();
const weekMs = 7 * 86_400_000;
const total = (values: Iterable<unknown>): number => [...values].reduce<number>((sum, one) => sum + Number(one), 0);
const ratio = (one: number, other: number): number => Math.abs(one / other - 1);

/** The rows of a report in its first version, of all objects on 11 May unless the query says otherwise. */
async function rowsOf(name: string, query: Readonly<Record<string, string>>, more = "&allObjectIds=true") {
  const day = { start: "2026-05-11", end: "2026-05-12", ...query };
  const answer = await get(
    `/reporting-api/v1/reports/${name}/versions/1/report-data?${new URLSearchParams(day)}${more}`,
  );
  expect(answer.status, answer.text).toBe(200);
  return (answer.json() as { data: Rows }).data;
}
const hitsOf = async (...report: Parameters<typeof rowsOf>) =>
  total((await rowsOf(...report)).map(({ edgeHits }) => edgeHits));
const ofDay = { interval: "DAY" };

it("reports agree: hours make up days, and objects make up all", async () => {
  const day = await hitsOf("endpoint-usage-by-time", ofDay);
  for (const [interval, count] of [
    ["HOUR", 24],
    ["FIVE_MINUTES", 288],
  ] as const) {
    const rows = await rowsOf("endpoint-usage-by-time", { interval });
    expect(rows).toHaveLength(count);
    expect(ratio(total(rows.map(({ edgeHits }) => edgeHits)), day)).toBeLessThan(0.001);
  }
  const each = await Promise.all(
    cpCodes.map(({ id }) => hitsOf("endpoint-usage-by-time", ofDay, `&objectIds=${String(id)}`)),
  );
  expect(Math.abs(total(each) - day)).toBeLessThan(5);
  for (const one of each) expect(one).toBeLessThan(day);
  const half = { interval: "HOUR", start: "2026-05-11T03:00", end: "2026-05-11T03:30" };
  const hour = await hitsOf("endpoint-usage-by-time", { ...half, end: "2026-05-11T04:00" });
  expect(await hitsOf("endpoint-usage-by-time", half)).toBeLessThan(hour * 0.6);
});

rule("report-filter-values", "each of the seven report filters leaves some of the traffic, not all", async () => {
  for (const [name, filter] of [
    ["endpoint-api-key-usage-by-time", "api_key=7001"],
    ["endpoint-api-key-usage-by-time", "endpoint_id=101"],
    ["endpoint-errors-by-time", "response_class_errors=5xx"],
    ["endpoint-errors-by-time", "response_code_errors=404"],
    ["endpoint-usage-by-time", "http_method=post"],
    ["endpoint-usage-by-time", "response_class=3xx"],
    ["endpoint-usage-by-time", "response_code=200"],
  ] as const) {
    const filtered = await hitsOf(name, { ...ofDay, filters: filter });
    expect(filtered, filter).toBeGreaterThan(0);
    expect(filtered, filter).toBeLessThan(await hitsOf(name, ofDay));
  }
});

it("reports by group add up to the traffic over time without loss", async () => {
  const time = await hitsOf("endpoint-usage-by-time", ofDay);
  for (const name of ["endpoint-usage-by-response-code", "endpoint-hits-by-method-and-response"])
    expect(ratio(await hitsOf(name, {}), time), name).toBeLessThan(0.001);
  const errors = await hitsOf("endpoint-errors-by-time", ofDay);
  expect(ratio(await hitsOf("endpoint-errors-by-response-code", {}), errors)).toBeLessThan(0.001);
  // Errors are what the two classes hold together, nothing else.
  const [four = "", five = ""] = ["response_class=4xx", "response_class=5xx"];
  const [both, fours, fives] = await Promise.all(
    [`${four},${five}`, four, five].map((filters) => hitsOf("endpoint-usage-by-time", { ...ofDay, filters })),
  );
  expect(ratio(errors, both ?? 0)).toBeLessThan(0.001);
  expect(Math.abs((both ?? 0) - (fours ?? 0) - (fives ?? 0))).toBeLessThan(5);
});

it("the incident has 40 times the server errors, in 15 % fewer requests", async () => {
  const world = createWorld({ frozenAt: now });
  const { start, end } = incident(world);
  expect(new Date(start).toISOString()).toBe("2026-05-19T13:00:00.000Z");
  const errors = (at: number) =>
    total(Object.entries(responseMix(world, "12345", at)).map(([code, part]) => (code.startsWith("5") ? part : 0)));
  for (const at of [start, end - 1]) {
    expect((errors(at) * 0.85) / errors(start - 1)).toBeCloseTo(40, 6);
    expect(total(Object.values(responseMix(world, "12345", at)))).toBeCloseTo(1, 9);
  }
  expect(errors(end)).toBe(errors(start - 1));
  const hours = { start: "2026-05-19", end: "2026-05-20", interval: "HOUR" };
  const available = await rowsOf("authoritative-dns-availability", hours);
  expect(available.filter(({ avail_pct }) => Number(avail_pct) < 98)).toHaveLength(2);
  // A week earlier is the same hour of the same weekday; what is left is a few percent of noise.
  const counted = (from: number) => hitsByCode(world, "12345", from, from + end - start);
  const before = counted(start - weekMs);
  const left = total(Object.values(counted(start))) / total(Object.values(before));
  expect(Math.abs(left - 0.85)).toBeLessThan(0.1);
  expect(Math.abs((counted(start)["503"] ?? 0) / (before["503"] ?? 1) - 40)).toBeLessThan(5);
});

it("grows a little from year to year", () => {
  const world = createWorld({ frozenAt: now });
  const weekly = (from: number) => total(Object.values(hitsByCode(world, "12345", from, from + weekMs)));
  const growth = weekly(Date.UTC(2026, 4, 11) + 52 * weekMs) / weekly(Date.UTC(2026, 4, 11));
  expect(growth).toBeGreaterThan(1.05);
  expect(growth).toBeLessThan(1.11);
});

const media = "/media-analytics/v1";
const audience = `${media}/audience-analytics/report-packs/6831`;
const may = (day: number) => ({ startDate: `05/${day}/2026`, endDate: `05/${day + 1}/2026` });
const [time, stream, cpCode, plays] = ["1", "2", "3", "40"] as const;
type Query = Readonly<Record<string, unknown>>;
type Table = readonly (readonly string[])[];

/** The rows of a media pack's table, of 18 May unless the query says otherwise. */
async function table(query: Query, { pack = audience, raw = startRaw() } = {}): Promise<Table> {
  const values = Object.entries({ ...may(18), metrics: plays, ...query }).map(([name, value]): [string, string] => [
    name,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  const answer = await raw.get(`${pack}/data?${new URLSearchParams(values)}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.json() as { rows: Table }).rows;
}
const lasts = (rows: Table): number => total(rows.map((row) => row.at(-1)));

it("media sessions add up over intervals, streams and values", async () => {
  const whole = lasts(await table({ dimensions: stream }));
  for (const dimensions of [`${time},${stream}`, cpCode, "6", "1001"])
    expect(ratio(lasts(await table({ dimensions, limit: 10_000 })), whole)).toBeLessThan(0.02);
  const noon = "05/18/2026:11:20";
  const halves = [
    await table({ dimensions: stream, endDate: noon }),
    await table({ dimensions: stream, startDate: noon }),
  ];
  expect(Math.abs(lasts(halves.flat()) - whole)).toBeLessThan(6);
});

it("media sessions follow the requests that reports count of a CP code", async () => {
  const filterParams = [{ type: "dimension", id: 3, condition: "in", values: ["67891"] }];
  const share = async (day: number) => {
    const period = { ...ofDay, start: `2026-05-${day}`, end: `2026-05-${day + 1}` };
    const counted = await hitsOf("endpoint-usage-by-time", period, "&objectIds=67891");
    return lasts(await table({ ...may(day), dimensions: cpCode, filterParams })) / counted;
  };
  const [saturday, monday] = [await share(16), await share(18)];
  expect(saturday / monday).toBeCloseTo(1, 2);
  expect(monday).toBeLessThan(1 / 50);
  const pack = `${media}/download-analytics/report-packs/6837`;
  const shop = await table({ dimensions: cpCode, metrics: "60,61" }, { pack });
  expect(shop.map(([id]) => id)).toContain("12345");
});

it("media: new streams have no past sessions, deleted ones keep theirs", async () => {
  const raw = startRaw();
  const today = () => table({ ...may(20), dimensions: stream }, { raw });
  const rowOf = (rows: Table, name: string) => rows.find(([one]) => one === name);
  const before = await today();
  const streams = streamsOf(raw.world);
  const workshop = streams.get("201045") ?? expect.fail();
  streams.set("201099", { ...workshop, id: "201099", name: "new-show", createdAtMs: now });
  streams.set("201045", { ...workshop, deletedAtMs: now });
  expect(rowOf(await today(), "new-show")).toBeUndefined();
  const sources = await raw.get(`${media}/qos-monitor/report-packs/6833/data-sources`);
  expect(sources.json()).toContainEqual({ id: 201099, name: "new-show" });
  raw.world.advance(3 * 3_600_000);
  const after = await today();
  expect(rowOf(after, "new-show")).toBeDefined();
  expect(rowOf(await table({ dimensions: stream }, { raw }), "new-show")).toBeUndefined();
  expect(rowOf(after, "workshop")).toEqual(rowOf(before, "workshop"));
  expect(Number(rowOf(after, "shop-show")?.[1])).toBeGreaterThan(Number(rowOf(before, "shop-show")?.[1]));
});

it("media sessions fail as often as the servers do", async () => {
  const pack = `${media}/qos-monitor/report-packs/6833`;
  const rows = await table({ dimensions: stream, metrics: `${plays},53,54` }, { pack });
  for (const [, all, failed, available] of rows) {
    expect(Number(failed) / Number(all)).toBeCloseTo(0.006, 2);
    // Of whole sessions.
    expect(Number(available)).toBe(Number((100 * (1 - Number(failed) / Number(all))).toFixed(2)));
  }
  expect(rows).toHaveLength(3);
});

it("media filters go by values and by figures, and rows sort by any column", async () => {
  const query = { dimensions: `${time},${stream}`, aggregation: 3_600 };
  const filtered = (type: string, id: number, condition: string, value: unknown) =>
    table({ ...query, filterParams: [{ type, id, condition, values: [value] }] });
  const sorted = (type: string, id: number, order: string) => table({ ...query, sortParams: [{ type, id, order }] });
  const all = await table(query);
  const figures = all.map((row) => Number(row[2])).sort((a, b) => b - a);
  const middle = figures[35] ?? 0;
  expect(await filtered("metric", 40, "gt", middle)).toEqual(all.filter((row) => Number(row[2]) > middle));
  expect((await sorted("metric", 40, "desc")).map((row) => Number(row[2]))).toEqual(figures);
  expect((await sorted("dimension", 2, "asc"))[0]?.[1]).toBe("product-launch");
  const hour = String(Date.UTC(2026, 4, 18, 5) / 1_000);
  expect(await filtered("dimension", 1, "in", hour)).toEqual(all.filter(([label]) => label === hour));
});

const tools = "/diagnostic-tools/v2";
const tokyo = `${tools}/ghost-locations/tokyo-japan`;
/** What the log lines of a query have in one column. */
async function logged(query: string, name: string) {
  const answer = (await get(`${tokyo}/log-lines?maxLogLines=1000&${query}`)).json();
  const { headers, logs } = memberAt(answer, "logLines") as { headers: string; logs: string[] };
  return new Set(logs.map((line) => line.split("\t")[headers.split("\t").indexOf(name)]));
}

it("errors are the same in reports, statistics and log lines", async () => {
  const raw = startRaw();
  // Reports settle half an hour later, and statistics are of the last five minutes.
  const statistics = (await raw.get(`${tools}/cpcodes/12346/estats`)).json();
  raw.world.advance(3_600_000);
  const report = "/reporting-api/v1/reports/endpoint-errors-by-time/versions/1/report-data?interval=FIVE_MINUTES";
  const period = "start=2026-05-20T12:05:00Z&end=2026-05-20T12:10:00Z&metrics=edgeHits&objectIds=12346";
  const counted = Number(memberAt((await raw.get(`${report}&${period}`)).json(), "data.0.edgeHits"));
  expect(statistics).toMatchObject({ eStats: { edgeErrors: counted, edgeHits: counted } });
  const codes = await logged("endTime=2026-05-20T12:10:00Z&duration=30&cpCode=12346", "HTTP status code");
  expect(codes).toEqual(new Set(["503"]));
});

it("clients in logs are not routers on the way to an origin", async () => {
  const clients = await logged("duration=360", "client IP");
  const route = await get(`${tokyo}/mtr-data?destinationDomain=203.0.113.10&resolveDns=false`);
  const hops = memberAt(route.json(), "mtr.hops") as { host: string }[];
  expect(clients.size).toBeGreaterThan(1);
  expect(hops.filter(({ host }) => clients.has(host))).toEqual([]);
});

it("a host with its own address has none of the edge's", async () => {
  const zones = await Promise.all(["example.com", "shop.example"].map((name) => get(`/config-dns/v1/zones/${name}`)));
  const own = zones.flatMap((zone) => memberAt(zone.json(), "zone.a") as { target: string }[]);
  const edge = locations.map(({ edgeIp }) => edgeIp);
  for (const address of [...edge, ...own.map(({ target }) => target), "192.0.2.80"]) {
    const answer = await get(`${tools}/ip-addresses/${address}/is-cdn-ip`);
    expect([address, answer.json()]).toEqual([address, { isCdnIp: edge.includes(address) }]);
  }
  expect(own.filter(({ target }) => edge.includes(target))).toEqual([]);
});

it("exactly the hosts of the account are served at first", () => {
  expect(servedHosts(createWorld({ frozenAt: 0 }))).toEqual(everyHost);
});
