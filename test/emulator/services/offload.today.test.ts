/** What purges, activations, DNS and lists do to the traffic of the edge and the origin, as the reports show it. */
import { expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const minuteMs = 60_000;
const dayStart = Date.parse("2026-05-20T00:00:00Z");
type Raw = ReturnType<typeof startRaw>;
type Row = Readonly<Record<string, number>>;

const instant = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
const target = (start: number, end: number) =>
  `/reporting-api/v2/reports/delivery/traffic/current/data?start=${instant(start)}&end=${instant(end)}`;
const everyMetric = ["edgeHitsSum", "originHitsSum", "midgressHitsSum", "offloadedHitsPercentage", "edgeBytesSum"];
const post = (raw: Raw, url: string, body: unknown) => raw.send("POST", url, body);
async function report(raw: Raw, start: number, end: number, body: object = {}): Promise<readonly Row[]> {
  const answer = await post(raw, target(start, end), { metrics: everyMetric, dimensions: ["cpcode"], ...body });
  return (answer.json() as { data: Row[] }).data;
}
const only = (cpCode: string) => ({
  filters: [{ dimensionName: "cpcode", operator: "IN_LIST", expressions: [cpCode] }],
});
/** The figures of a CP code for so many minutes. */
const figures = async (raw: Raw, cpCode: string, start: number, minutes: number): Promise<Row> =>
  (await report(raw, start, start + minutes * minuteMs, only(cpCode)))[0] ?? {};
const sum = (rows: readonly Row[], name: string) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);

/** A world at the start of a slot, and the time in it. */
function world(seed?: number) {
  const raw = startRaw();
  raw.world.reset(seed);
  raw.world.advance(5 * minuteMs - (raw.world.now() % (5 * minuteMs)));
  return { raw, now: () => raw.world.now(), pass: (minutes: number) => raw.world.advance(minutes * minuteMs) };
}

it("offload falls after a purge and recovers as the cache fills", async () => {
  const { raw, now, pass } = world();
  const before = await figures(raw, "12345", now() - 120 * minuteMs, 60);
  expect((await post(raw, "/ccu/v3/delete/cpcode/production", { objects: [12345] })).status).toBe(201);
  const at = now();
  pass(240);
  const [during, soon, later] = [
    await figures(raw, "12345", at, 5),
    await figures(raw, "12345", at + 30 * minuteMs, 5),
    await figures(raw, "12345", at + 180 * minuteMs, 20),
  ];
  const offloads = [before, during, soon, later].map((row) => row["offloadedHitsPercentage"] ?? 0);
  expect(offloads[0]).toBeGreaterThan(60);
  expect(offloads[1]).toBeLessThan((offloads[0] ?? 0) - 15);
  expect(offloads[2]).toBeGreaterThan((offloads[1] ?? 0) + 5);
  expect(Math.abs((offloads[3] ?? 0) - (offloads[0] ?? 0))).toBeLessThan(2);
  // The origin never sees more than the edge, and parents spare it some.
  expect(during["originHitsSum"]).toBeLessThan(during["edgeHitsSum"] ?? 0);
  const midgress = (row: Row) => (row["midgressHitsSum"] ?? 0) / (row["edgeHitsSum"] ?? 1);
  expect(midgress(before)).toBeCloseTo(0.12, 2);
  expect(midgress(soon)).toBeGreaterThan(0.2);
});

it("a purge of a URL, of staging or of other content hardly shows", async () => {
  const { raw, now, pass } = world();
  const quiet = world();
  const at = now();
  const purges = [
    ["/ccu/v3/delete/cpcode/staging", [12345]],
    ["/ccu/v3/delete/cpcode/production", [67890]],
    ["/ccu/v3/invalidate/url/production", ["https://www.shop.example/img/spring.jpg"]],
  ] as const;
  for (const [url, objects] of purges) expect((await post(raw, url, { objects })).status).toBe(201);
  pass(60);
  quiet.pass(60);
  const [purged, other] = [await figures(raw, "12345", at, 5), await figures(quiet.raw, "12345", at, 5)];
  expect(purged["edgeHitsSum"]).toBe(other["edgeHitsSum"]);
  const more = (purged["originHitsSum"] ?? 0) / (other["originHitsSum"] ?? 1);
  expect(more).toBeGreaterThanOrEqual(1);
  expect(more).toBeLessThan(1.1);
});

rule("traffic-offload", "both versions have the same hits, and offload is what they spare", async () => {
  const { raw } = world();
  const [start, end] = [dayStart - 24 * 60 * minuteMs, dayStart];
  const rows = await report(raw, start, end, { dimensions: ["cpcode", "responseCode"] });
  const v1 = "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data";
  for (const cpCode of ["12345", "12346", "67890"]) {
    const query = `start=${instant(start)}&end=${instant(end)}&interval=DAY&objectIds=${cpCode}`;
    const { data } = (await raw.get(`${v1}?${query}`)).json() as { data: Record<string, string>[] };
    const own = rows.filter((row) => row["cpcode"] === Number(cpCode));
    // Each row is rounded.
    expect(Math.abs(sum(own, "edgeHitsSum") - Number(data[0]?.["edgeHits"]))).toBeLessThanOrEqual(own.length);
    expect(Math.abs(sum(own, "edgeBytesSum") - Number(data[0]?.["edgeBytes"]))).toBeLessThanOrEqual(own.length);
  }
  for (const row of rows) {
    const spared = 100 * (1 - (row["originHitsSum"] ?? 0) / (row["edgeHitsSum"] ?? 1));
    expect(Math.abs((row["offloadedHitsPercentage"] ?? 0) - spared)).toBeLessThan(0.5);
  }
});

it("rows by time, hostname or class add up to the same", async () => {
  const { raw } = world();
  const [start, end] = [dayStart - 24 * 60 * minuteMs, dayStart];
  const total = sum(await report(raw, start, end), "edgeHitsSum");
  for (const dimensions of [
    ["time1hour"],
    ["time5minutes"],
    ["hostname", "responseClass"],
    ["deliveryType", "ipVersion"],
  ]) {
    const rows = await report(raw, start, end, { dimensions });
    expect([dimensions, Math.abs(sum(rows, "edgeHitsSum") - total) <= rows.length]).toEqual([dimensions, true]);
  }
});

rule("traffic-late", "the last half hour is incomplete, which only the former version says", async () => {
  const { raw, now, pass } = world();
  const at = now();
  pass(20);
  const [early, due] = [await figures(raw, "12345", at, 5), await figures(raw, "12345", at - 60 * minuteMs, 5)];
  expect(early["edgeHitsSum"]).toBeLessThan(0.7 * (due["edgeHitsSum"] ?? 0));
  const answer = await post(raw, target(at, now()), { metrics: ["edgeHitsSum"] });
  expect(Object.keys((answer.json() as { metadata: object }).metadata)).not.toContain("availableDataEnds");
  const v1 = "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data";
  const former = await raw.get(
    `${v1}?start=${instant(at)}&end=${instant(now())}&interval=FIVE_MINUTES&allObjectIds=true`,
  );
  expect(former.json()).toMatchObject({ metadata: { availableDataEnds: instant(at - 10 * minuteMs) } });
  pass(60);
  const late = await figures(raw, "12345", at, 5);
  expect(late["edgeHitsSum"]).toBeGreaterThan(early["edgeHitsSum"] ?? 0);
  pass(60);
  expect(await figures(raw, "12345", at, 5)).toEqual(late);
});

it("the same seed and clock give the same figures, and another seed others", async () => {
  const run = async (seed: number) => {
    const { raw, now, pass } = world(seed);
    const at = now();
    await post(raw, "/ccu/v3/invalidate/cpcode/production", { objects: [67890] });
    pass(120);
    return report(raw, at, at + 60 * minuteMs, { dimensions: ["cpcode", "time5minutes"] });
  };
  const [one, again, other] = [await run(3), await run(3), await run(4)];
  expect(one.length).toBeGreaterThan(40);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

rule("traffic-authorized", "refuses what the report lacks, and CP codes of others", async () => {
  const { raw, now } = world();
  const url = target(now() - 60 * minuteMs, now());
  const cases = [
    [{ metrics: ["incorrectMetric"] }, 400, "Invalid request"],
    [{ metrics: ["edgeHitsSum"], dimensions: ["colour"] }, 400, "Invalid request"],
    [{ metrics: ["edgeHitsSum"], sortBys: [{ name: "cpcode", sortOrder: "ASCENDING" }] }, 400, "Invalid request"],
    [{ metrics: ["edgeHitsSum"], ...only("163902") }, 403, "Unauthorized objects"],
  ] as const;
  for (const [body, status, title] of cases)
    expect((await post(raw, url, body)).json()).toMatchObject({ status, title });
});

const place = "contractId=ctr_C-1FRYVV3&groupId=grp_11111";
const shop = "/papi/v0/properties/prp_175780";
/** Activates a new version of the shop's property with an origin in production; it is there after eight minutes. */
async function activate(raw: Raw, origin: string, version: number) {
  const behaviors = [
    { name: "origin", options: { hostname: origin } },
    { name: "cpCode", options: { value: { id: 12345 } } },
  ];
  const activation = { propertyVersion: version, network: "PRODUCTION", notifyEmails: ["a@shop.example"] };
  const rules = { rules: { name: "default", children: [], behaviors } };
  const answers = [
    await raw.send("POST", `${shop}/versions/?${place}`, { createFromVersion: version - 1 }),
    await raw.send("PUT", `${shop}/versions/${version}/rules/?${place}`, rules),
    await raw.send("POST", `${shop}/activations/?${place}`, { ...activation, acknowledgeAllWarnings: true }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201]);
}
/** The share of a CP code's requests with server errors, in so many minutes. */
async function failing(raw: Raw, cpCode: string, start: number, minutes: number) {
  const rows = await report(raw, start, start + minutes * minuteMs, { ...only(cpCode), dimensions: ["responseCode"] });
  return (
    sum(
      rows.filter((row) => (row["responseCode"] ?? 0) >= 500),
      "edgeHitsSum",
    ) / sum(rows, "edgeHitsSum")
  );
}

it("a version with a bad origin fails more as its cache goes stale", async () => {
  const { raw, now, pass } = world();
  const at = now();
  await activate(raw, "gone.example.net", 4);
  pass(10);
  const live = at + 10 * minuteMs;
  pass(110);
  await activate(raw, "origin.shop.example", 5);
  pass(10);
  const healed = now();
  pass(240);
  expect(await failing(raw, "12345", at, 5)).toBeLessThan(0.02);
  const [first, last] = [await failing(raw, "12345", live, 5), await failing(raw, "12345", live + 100 * minuteMs, 5)];
  // The shop's uncacheable requests fail at once.
  expect(first).toBeGreaterThan(0.25);
  expect(first).toBeLessThan(0.5);
  expect(last).toBeGreaterThan(first + 0.2);
  expect(await failing(raw, "12345", healed, 5)).toBeLessThan(0.02);
  // What went stale is asked for again.
  const [filling, filled] = [
    await figures(raw, "12345", healed, 5),
    await figures(raw, "12345", healed + 180 * minuteMs, 5),
  ];
  expect(filling["offloadedHitsPercentage"]).toBeLessThan((filled["offloadedHitsPercentage"] ?? 0) - 10);
  // The former version has the same errors.
  const v1 = "/reporting-api/v1/reports/endpoint-errors-by-time/versions/1/report-data";
  const query = `start=${instant(live)}&end=${instant(live + 5 * minuteMs)}&interval=FIVE_MINUTES&objectIds=12345`;
  const answer = await raw.get(`${v1}?${query}&metrics=edgeHits&filters=response_class_errors=5xx`);
  const { data } = answer.json() as { data: { edgeHits: string }[] };
  const all = (await figures(raw, "12345", live, 5))["edgeHitsSum"] ?? 0;
  expect(Number(data[0]?.edgeHits) / all).toBeCloseTo(first, 2);
});

it("a name that leads elsewhere takes its traffic along over its TTL", async () => {
  const { raw, now, pass } = world();
  const quiet = world();
  const at = now();
  const record = { name: "www.shop.example", type: "A", ttl: 300, rdata: ["203.0.113.9"] };
  const set = "/config-dns/v2/zones/shop.example/names/www.shop.example/types";
  await raw.ask({ method: "DELETE", target: `${set}/CNAME` });
  expect((await raw.send("POST", `${set}/A`, record)).status).toBe(201);
  pass(120);
  quiet.pass(120);
  const left = async (minutes: number) => {
    const start = at + minutes * minuteMs;
    const [own, usual] = [await figures(raw, "12345", start, 5), await figures(quiet.raw, "12345", start, 5)];
    return (own["edgeHitsSum"] ?? 0) / (usual["edgeHitsSum"] ?? 1);
  };
  // The old answer is kept for five minutes.
  expect(await left(0)).toBeGreaterThan(0.9);
  expect(await left(10)).toBe(0);
  const images = [
    await figures(raw, "67890", at + 10 * minuteMs, 5),
    await figures(quiet.raw, "67890", at + 10 * minuteMs, 5),
  ];
  expect(images[0]).toEqual(images[1]);
});

it("what an activated list denies gets 403, and spares the origin", async () => {
  const { raw, now, pass } = world();
  const at = now();
  const list = "/network-list/v2/network-lists/25614_BLOCKED";
  await raw.send("POST", `${list}/append`, { list: ["198.51.100.0/26"] });
  pass(30);
  expect((await raw.send("POST", `${list}/environments/PRODUCTION/activate`, {})).status).toBe(200);
  pass(90);
  const shareOf403 = async (start: number) => {
    const rows = await report(raw, start, start + 5 * minuteMs, { ...only("12345"), dimensions: ["responseCode"] });
    const denied = rows.filter((row) => row["responseCode"] === 403);
    const origin = sum(denied, "originHitsSum") / sum(denied, "edgeHitsSum");
    return { share: sum(denied, "edgeHitsSum") / sum(rows, "edgeHitsSum"), origin };
  };
  // A list that is not activated denies nothing.
  expect(await shareOf403(at + 10 * minuteMs)).toMatchObject({ share: expect.closeTo(0.012, 2), origin: 1 });
  const { share, origin } = await shareOf403(at + 40 * minuteMs);
  // 63 of 190 addresses of visitors.
  expect(share).toBeCloseTo(63 / 190 + 0.012 * (127 / 190), 2);
  expect(origin).toBeLessThan(0.05);
});

rule("traffic-dimensions", "a report has at most four dimensions", async () => {
  const { raw, now } = world();
  const url = target(now() - 120 * minuteMs, now() - 60 * minuteMs);
  const four = ["cpcode", "hostname", "responseCode", "time1hour"];
  expect((await post(raw, url, { metrics: ["edgeHitsSum"], dimensions: four })).status).toBe(200);
  const five = [...four, "deliveryType"];
  expect((await post(raw, url, { metrics: ["edgeHitsSum"], dimensions: five })).status).toBe(400);
});

rule("traffic-limit", "hasMoreRows says whether limit has cut off rows", async () => {
  const { raw, now } = world();
  const url = target(now() - 120 * minuteMs, now() - 60 * minuteMs);
  const read = async (limit: number) =>
    (await post(raw, url, { metrics: ["edgeHitsSum"], dimensions: ["cpcode"], limit })).json();
  const whole = (await read(1_000)) as { data: Row[]; metadata: { hasMoreRows: boolean } };
  expect(whole.metadata.hasMoreRows).toBe(false);
  expect(await read(whole.data.length)).toMatchObject({ metadata: { hasMoreRows: false } });
  expect(await read(2)).toMatchObject({ data: whole.data.slice(0, 2), metadata: { hasMoreRows: true } });
});

rule("traffic-retention", "has no data older than 92 days", async () => {
  const { raw, now } = world();
  const statusOf = async (days: number) => {
    const start = now() - days * 24 * 60 * minuteMs;
    return (await post(raw, target(start, start + 60 * minuteMs), { metrics: ["edgeHitsSum"] })).status;
  };
  expect([await statusOf(92), await statusOf(93)]).toEqual([200, 400]);
});
