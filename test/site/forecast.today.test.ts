/** What previews forecast on the emulator: purges against what the origin gets then, and the reads that this takes. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it, vi } from "vitest";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createWorld } from "../../src/emulator/world.js";
import type { CacheScope, Forecast } from "../../src/language/forecast.js";
import { listAt, numberAt } from "../../src/language/member.js";
import type { Send } from "../../src/language/wire.js";
import { hourMs, minuteMs } from "../../src/time/durations.js";
import { authorizer } from "../../src/wire/authorize.js";
import { createClient } from "../../src/wire/index.js";
import { createLimiters } from "../../src/wire/limiter.js";
import { callsAt, callsIn } from "../lab/calls.js";
import { createEmulator } from "../lab/emulator.js";
import { caller } from "../lab/made-up.js";

const startMs = Date.parse("2026-06-10T14:00:00Z");
const held = callsAt(startMs);

type Kind = CacheScope["objects"]["kind"];
const purgeOf = (kind: Kind, objects: readonly unknown[], network = "production") => ({
  action: "delete",
  kind,
  network,
  body: { objects },
});
const forecastIn = async (args: ReturnType<typeof purgeOf>): Promise<Forecast> => {
  const { forecast } = await held.calls.previewed("purge_submit", args);
  return forecast ?? {};
};
const readsIn = (audited: readonly string[]): number =>
  audited.filter((line) => line.includes('"purpose":"forecast"') && line.includes('"event":"intent"')).length;

/** The origin's requests of a CP code in each five minutes of the hour after a time. */
async function originAfter(atMs: number, cpCode: number): Promise<readonly number[]> {
  held.world.advance(2 * hourMs);
  vi.setSystemTime(held.world.now());
  const { body } = await held.calls.answer("report_traffic_find", {
    start: new Date(atMs).toISOString(),
    end: new Date(atMs + hourMs).toISOString(),
    body: {
      metrics: ["originHitsSum"],
      dimensions: ["time5minutes"],
      filters: [{ dimensionName: "cpcode", operator: "EXACT", expressions: [String(cpCode)] }],
    },
  });
  return listAt(body, "data").map((row) => numberAt(row, "originHitsSum") ?? 0);
}

it.each([
  [12345, 0],
  [12345, 13],
  [67890, 5],
  [67890, 11],
  [67891, 2],
  [67892, 8],
])("the load of a purge of CP code %i after %i hours is as forecast", async (cpCode, hours) => {
  const atMs = startMs + hours * hourMs;
  held.startAt(atMs);
  const usual = await originAfter(atMs, cpCode);
  held.startAt(atMs);
  const { originLoad } = await forecastIn(purgeOf("cpcode", [cpCode]));
  if (originLoad === undefined || "unknown" in originLoad) throw new Error("It is unknown.");
  await held.calls.approved("purge_submit", purgeOf("cpcode", [cpCode]));
  const more = (await originAfter(atMs, cpCode)).map((count, at) => (count - (usual[at] ?? 0)) / 300);
  const greatest = Math.max(...more);
  expect(greatest).toBeGreaterThanOrEqual(originLoad.from);
  expect(greatest).toBeLessThanOrEqual(originLoad.upTo);
  expect(originLoad.upTo).toBeLessThanOrEqual(originLoad.atMost);
});

it("a purge of URLs or tags has a maximum, and none on staging", async () => {
  const url = await forecastIn(purgeOf("url", ["https://www.shop.example/a", "https://www.shop.example/b"]));
  expect(url).toMatchObject({
    hostnames: { total: 1, names: ["www.shop.example"] },
    traffic: { report: "delivery/traffic/current", untilMs: startMs - 30 * minuteMs },
    originLoad: { unknown: expect.stringContaining("single URLs"), atMost: expect.any(Number) },
  });
  const tag = await forecastIn(purgeOf("tag", ["spring"]));
  expect(tag).toMatchObject({ hostnames: { unknown: expect.stringContaining("any of the account's sites") } });
  // The account has more traffic than one of its hostnames.
  const atMost = ({ originLoad }: Forecast) => (originLoad && "atMost" in originLoad ? (originLoad.atMost ?? 0) : 0);
  expect(atMost(tag)).toBeGreaterThan(atMost(url));
  const staging = await forecastIn(purgeOf("cpcode", [12345], "staging"));
  expect(staging.originLoad).toEqual({ unknown: "reports count the production network alone" });
  const arl = await forecastIn(purgeOf("url", ["/7/1234/5678/www.shop.example/a"]));
  expect(arl.hostnames).toEqual({ unknown: expect.stringContaining("ARLs") });
});

it("a forecast stands above the request, and a redemption reads none", async () => {
  const args = purgeOf("cpcode", [12345]);
  const { lines, plan } = await held.calls.previewed("purge_submit", args);
  const at = lines.findIndex((line) => line.startsWith("For context, 1 hostname with traffic: www.shop.example"));
  const request = lines.findIndex((line) => line.startsWith("Request: "));
  expect(lines.slice(at, request).map((line) => line.split(" ", 2).join(" "))).toEqual([
    "For context,",
    "Traffic: 25.9",
    "Origin load:",
  ]);
  expect(encode(lines.slice(at, request).join("\n")).length).toBeLessThanOrEqual(120);
  const reads = readsIn(held.calls.audited);
  expect(reads).toBeGreaterThan(0);
  // What the report says is another matter an hour later, and the same is approved.
  held.world.advance(4 * minuteMs);
  expect(await held.calls.call("purge_submit", { ...args, confirm: plan.id })).toMatchObject({ kind: "answer" });
  expect(readsIn(held.calls.audited)).toBe(reads);
});

it("reports are kept for the previews of five minutes", async () => {
  const [first, second] = [purgeOf("cpcode", [12345]), purgeOf("cpcode", [12345])];
  await held.calls.previewed("purge_submit", first);
  const reads = readsIn(held.calls.audited);
  await held.calls.previewed("purge_submit", second);
  expect(readsIn(held.calls.audited)).toBe(reads);
  held.world.advance(5 * minuteMs);
  vi.setSystemTime(held.world.now());
  await held.calls.previewed("purge_submit", second);
  expect(readsIn(held.calls.audited)).toBeGreaterThan(reads);
});

it("what is kept of an API is read again after a change there alone", async () => {
  const previewed = () => held.calls.previewed("purge_submit", purgeOf("cpcode", [12345]));
  const reads = async () => {
    const before = held.calls.audited.length;
    await previewed();
    return readsIn(held.calls.audited.slice(before));
  };
  const all = await reads();
  await held.calls.approved("purge_submit", purgeOf("cpcode", [67890]));
  expect(await reads()).toBe(0);
  await held.calls.call("property_version_create", {
    ...{ propertyId: "prp_1", contractId: "ctr_1", groupId: "grp_1" },
    body: { createFromVersion: 1 },
  });
  const again = await reads();
  expect(again).toBeGreaterThan(0);
  expect(again).toBeLessThan(all);
});

/** Calls whose requests of reports are answered as a test wants. */
function callsWith(
  answerReport: (send: () => ReturnType<Send>) => ReturnType<Send>,
  limits?: Parameters<typeof createLimiters>[0],
) {
  const world = createWorld({ frozenAt: startMs });
  const emulator = createEmulator({ world });
  const client = createClient({
    send: (request) => {
      const send = () => emulator.send(request);
      return request.url.pathname.startsWith("/reporting-api/") ? answerReport(send) : send();
    },
    target: { origin: `https://${demoCredentials.host}`, vendor: "akamai" },
    authorize: authorizer(undefined, demoCredentials),
    maxResponseBytes: 1_000_000,
    ...(limits && { limiters: createLimiters(limits) }),
  });
  return callsIn(world, { client, callTimeoutMs: 60_000 });
}
const unknownIn = async (calls: ReturnType<typeof callsIn>, more = {}) => {
  const outcome = await calls.calls.call("purge_submit", purgeOf("cpcode", [12345]), { ...caller, ...more });
  if (outcome.kind !== "preview") throw new Error(outcome.kind);
  return outcome.preview.forecast?.originLoad;
};

it("a report that is late, or whose limit is used up, is unknown", async () => {
  vi.useRealTimers();
  const never = callsWith(() => new Promise<never>(() => {}));
  expect(await unknownIn(never)).toEqual({ unknown: "the traffic report was not there within two seconds" });
  const shared = { processes: () => 1, closedMs: () => 1_000, close: () => undefined };
  const closed = callsWith(() => Promise.reject(new Error("It was sent.")), {
    concurrency: 16,
    queue: 256,
    isPublishedObeyed: false,
    shared,
  });
  await expect(closed.answer("report_traffic_find", {})).rejects.toThrow();
  expect(await unknownIn(closed)).toEqual({
    unknown: "the API's limit of requests for the traffic report is used up",
  });
});

it("a caller that goes away does not end what others wait for", async () => {
  vi.useRealTimers();
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const waited = callsWith((send) => asked.then(send));
  const away = new AbortController();
  const first = unknownIn(waited, { signal: away.signal });
  const second = unknownIn(waited);
  await vi.waitFor(() => expect(readsIn(waited.audited)).toBeGreaterThan(0));
  away.abort();
  expect(await first.catch(() => undefined)).not.toHaveProperty("upTo");
  answer();
  expect(await second).toHaveProperty("upTo");
});

it("a report that may not be read is unknown", async () => {
  expect(await forecastIn(purgeOf("cpcode", [99999]))).toMatchObject({
    originLoad: { unknown: "the contract or the credential's permissions do not include the traffic report" },
  });
  const offer = {
    ...caller.offer,
    leftOut: (tool: string) =>
      tool === "report_traffic_find" ? { by: "--tools", why: "It is not among them" } : undefined,
  };
  const { calls } = held;
  expect(await unknownIn(calls, { offer })).toEqual({
    unknown: "this server's settings or policy do not let it read the traffic report",
  });
});

const recordOf = (name: string, zone: string, type: string, rdata: readonly string[]) => ({
  ...{ zone, name, type },
  body: { name, type, ttl: 60, rdata },
});

it("changes of records are forecast, those of a draft once submitted", async () => {
  const { calls } = held;
  const previewed = async (tool: string, args: object) => (await calls.previewed(tool, { ...args })).forecast;
  const replaced = recordOf("www.shop.example", "shop.example", "CNAME", ["other.shop.example."]);
  expect(await previewed("dns_recordset_replace", replaced)).toMatchObject({
    hostnames: { total: 1, names: ["www.shop.example"] },
    traffic: { edgeRate: expect.any(Number) },
    oldAnswers: { seconds: 300 },
  });
  const created = recordOf("new.example.com", "example.com", "A", ["192.0.2.1"]);
  expect(await previewed("dns_recordset_create", created)).toMatchObject({ oldAnswers: { absentSeconds: 180 } });
  const { body: _, ...removed } = recordOf("blog.example.com", "example.com", "CNAME", []);
  expect(await previewed("dns_recordset_delete", removed)).toMatchObject({ oldAnswers: { seconds: 300 } });
  expect(
    await previewed("dns_changelist_submit", { zone: "shop.example", skipSignAndServeSafetyCheck: false }),
  ).toMatchObject({
    oldAnswers: { absentSeconds: expect.any(Number) },
  });
  expect(await previewed("dns_changelist_delete", { zone: "shop.example" })).toBeUndefined();
});
