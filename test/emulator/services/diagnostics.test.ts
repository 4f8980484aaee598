/** The documents' rules for the diagnostic tools and the world behind them, asked of the emulator in raw HTTP. */
import { expect, it, vi } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { incident } from "../../../src/emulator/services/reporting/series.js";
import { createWorld } from "../../../src/emulator/world.js";
import { now, signature, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const { get, ask, send, world } = startRaw();
const base = "/diagnostic-tools/v2";
const read = async (target: string) => (await get(`${base}${target}`)).json() as Record<string, never>;

interface Located {
  readonly locations: readonly { readonly id: string; readonly value: string }[];
}

rule("diag-location-id", "runs from every location that it lists, in several countries", async () => {
  const { locations } = (await read("/ghost-locations/available")) as unknown as Located;
  expect(new Set(locations.map(({ value }) => value.split(", ").at(-1))).size).toBeGreaterThanOrEqual(5);
  for (const { id } of locations)
    expect((await get(`${base}/ghost-locations/${id}/dig-info?hostName=www.shop.example`)).status).toBe(200);
  expect((await get(`${base}/ghost-locations/nowhere/dig-info?hostName=www.shop.example`)).status).toBe(404);
});

rule("diag-dig-types", "looks up A records by default, and seven types alone", async () => {
  const dig = async (query: string) => (await read(`/ghost-locations/tokyo-japan/dig-info?${query}`))["digInfo"];
  expect(await dig("hostName=www.shop.example")).toMatchObject({
    queryType: "A",
    answerSection: [{ recordType: "CNAME" }, { recordType: "A", value: "192.0.2.20" }],
  });
  expect(await dig("hostName=origin.shop.example&queryType=A")).toMatchObject({
    answerSection: [{ value: "203.0.113.10" }],
  });
  expect(await dig("hostName=absent.example")).toMatchObject({
    answerSection: [],
    authoritySection: [{ recordType: "SOA" }],
  });
  expect((await get(`${base}/ghost-locations/tokyo-japan/dig-info?hostName=x&queryType=TXT`)).status).toBe(400);
  expect((await get(`${base}/ghost-locations/tokyo-japan/dig-info`)).status).toBe(400);
});

interface Hop {
  readonly host: string;
  readonly loss: number;
  readonly avg: number;
}

rule("diag-mtr-resolve", "names the hops, or shows addresses alone, and has one slow way", async () => {
  const hops = async (query: string) => ((await read(query))["mtr"] as unknown as { hops: Hop[] }).hops;
  const slow = await hops("/ghost-locations/saopaulo-brazil/mtr-data?destinationDomain=origin.shop.example");
  expect(slow.map(({ loss }) => loss > 0)).toEqual([false, false, false, false, true, true, true, true]);
  expect((slow[4]?.avg ?? 0) - (slow[3]?.avg ?? 0)).toBeGreaterThan(150);
  expect(slow.some(({ host }) => /[a-z]/.test(host))).toBe(true);
  const frankfurt = "/ghost-locations/frankfurt-germany/mtr-data?destinationDomain=origin.shop.example";
  const plain = await hops(`${frankfurt}&resolveDns=false`);
  expect(plain.every(({ host, loss }) => /^[\d.]+$/.test(host) && loss === 0)).toBe(true);
});

interface Logs {
  readonly headers: string;
  readonly logs: readonly string[];
}
const logs = async (query: string, place = "/ghost-locations/frankfurt-germany") =>
  (await read(`${place}/log-lines?${query}`))["logLines"] as unknown as Logs;
const column = ({ headers, logs: lines }: Logs, label: string): (string | undefined)[] => {
  const index = headers.split("\t").indexOf(label);
  return lines.map((line) => line.split("\t")[index]);
};

rule("diag-log-window", "log lines: 30 minutes by default, 360 at most, 1,000 lines at most", async () => {
  const usual = await logs("cpCode=12345");
  const times = column(usual, "Epoch Time").map((text) => Number(text) * 1000);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(now - 1_800_000);
  expect(Math.max(...times)).toBeLessThanOrEqual(now);
  expect([...times].sort((a, b) => a - b)).toEqual(times);
  expect((await logs("duration=360&maxLogLines=1000&logType=both")).logs).toHaveLength(1_000);
  expect((await logs("duration=360")).logs).toHaveLength(200);
  expect(new Set(column(await logs("duration=360"), "Log Type"))).toEqual(new Set(["r"]));
  const rare = column(await logs("hostHeader=images.shop.example"), "Epoch Time");
  expect(rare.length).toBeLessThan(200);
  expect(Number(rare[0]) * 1000).toBeGreaterThanOrEqual(now - 1_800_000);
  for (const query of ["duration=361", "maxLogLines=1001", "endTime=2026-05-18T12:00:00Z", "logType=x"])
    expect([query, (await get(`${base}/ghost-locations/tokyo-japan/log-lines?${query}`)).status]).toEqual([query, 400]);
});

it("reads an end without a zone as UTC, wherever the emulator runs", async () => {
  vi.stubEnv("TZ", "America/New_York");
  const [plain, zoned] = [await logs("endTime=2026-05-20T12:00:00"), await logs("endTime=2026-05-20T12:00:00Z")];
  vi.unstubAllEnvs();
  expect(plain).toEqual(zoned);
});

it("log lines show the reports' incident and filter by the query", async () => {
  const { start, end } = incident(world);
  const inside = `endTime=${new Date(start + 3_600_000).toISOString()}&cpCode=12345&maxLogLines=1000`;
  const failuresIn = async (query: string) => {
    const statuses = column(await logs(`${query}&duration=55`), "HTTP status code");
    return statuses.filter((status) => status?.startsWith("5")).length / statuses.length;
  };
  // The share of server errors that the reports have: 0.6 percent, and forty times that of fewer requests.
  expect(Math.abs((await failuresIn(inside)) - 0.282)).toBeLessThan(0.06);
  const after = `endTime=${new Date(end + 3_600_000).toISOString()}&cpCode=12345&maxLogLines=1000`;
  expect(await failuresIn(after)).toBeLessThan(0.03);
  for (const [query, label, value] of [
    [`${inside}&httpStatusCode=503`, "error", "ERR_CONNECT_FAIL|113"],
    ["logType=f", "Log Type", "f"],
    ["hostHeader=images.shop.example", "CP code", "67890"],
  ] as const)
    expect(new Set(column(await logs(query), label))).toEqual(new Set([value]));
  expect(await logs("cpCode=12345", "/ip-addresses/192.0.2.10")).toEqual(await logs("cpCode=12345"));
});

it("only edge addresses are locations", async () => {
  expect((await get(`${base}/ip-addresses/203.0.113.10/dig-info?hostName=www.shop.example`)).status).toBe(400);
});

const kinds = [
  ["/ip-addresses/203.0.113.10/is-cdn-ip", undefined, "is-cdn-ip-requests", "is-cdn-ip", { isCdnIp: false }],
  ["/estats", { url: "http://api.shop.example/" }, "estats-requests", "estats", { eStats: {} }],
  ["/cpcodes/12345/estats", undefined, "estats-requests", "estats", { eStats: { cpCode: 12345 } }],
  [
    "/errors/9.c0000214.1779000000.693/translate-error",
    undefined,
    "translate-error-requests",
    "translated-error",
    { translatedError: { originHostname: "origin-api.shop.example", serverIp: "192.0.2.20", cpcode: "12346" } },
  ],
  [
    "/url-debug",
    { url: "http://www.shop.example/sale", headers: ["Accept: */*"] },
    "url-debug-requests",
    "debugged-url",
    { urlDebug: { httpResponse: [{ value: "200" }, {}] } },
  ],
] as const;

rule("diag-launch-check-result", "a diagnostic launch answers 202, then not ready, then 303", async () => {
  for (const [target, body, requests, sub, expected] of kinds) {
    const launched = body
      ? await send("POST", `${base}${target}`, body)
      : await ask({ method: "POST", target: `${base}${target}` });
    expect([target, launched.status]).toEqual([target, 202]);
    const { requestId, link } = launched.json() as { requestId: string; link: string };
    expect(link).toBe(`${base}/${requests}/${requestId}`);
    const early = await get(link);
    expect([early.status, early.json()]).toEqual([200, { requestId, link, retryAfter: expect.any(Number) }]);
    const ready = await get(link);
    expect([ready.status, ready.headers["location"]]).toEqual([303, `${link}/${sub}`]);
    expect((await get(`${link}/${sub}`)).json()).toMatchObject(expected);
  }
});

rule("diag-result-not-ready", "a result is refused before it is ready or if it was never launched", async () => {
  const { link } = (await ask({ method: "POST", target: `${base}/cpcodes/12345/estats` })).json() as { link: string };
  expect((await get(`${link}/estats`)).status).toBe(404);
  world.advance(3_000);
  expect((await get(`${link}/estats`)).status).toBe(200);
  expect((await get(`${base}/estats-requests/Y2RuLTE`)).status).toBe(404);
});

interface Statistics {
  readonly edgeFailurePercentage: number;
  readonly topEdgeIpsWithError: readonly { readonly edgeLogsLink: string }[];
}

it("statistics add up, have a failing API and link to the log lines", async () => {
  const shop = (await read("/cpcodes/12345/estats"))["eStats"] as unknown as Statistics;
  const api = (await read("/cpcodes/12346/estats"))["eStats"] as unknown as Statistics;
  expect(shop.edgeFailurePercentage).toBeLessThan(10);
  expect(api.edgeFailurePercentage).toBe(100);
  expect((await get(api.topEdgeIpsWithError[0]?.edgeLogsLink ?? "")).status).toBe(200);
  expect((await get(`${base}/cpcodes/1/estats`)).status).toBe(404);
});

it("requests are counted per minute, and refused when none are left", async () => {
  const limited = startRaw();
  const ask = async (target = `${base}/gtm/gtm-properties`) => {
    const { status, headers } = await limited.get(target);
    return [status, headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]];
  };
  expect(await ask()).toEqual([200, "300", "299"]);
  expect(await ask(`${base}/cpcodes/1/estats`)).toEqual([404, "300", "298"]);
  for (let left = 297; left >= 0; left -= 1) expect(await ask()).toEqual([200, "300", String(left)]);
  expect(await ask()).toEqual([429, "300", "0"]);
  expect(await ask("/ccu/v2/queues/default")).toEqual([200, undefined, undefined]);
  limited.world.advance(60_000);
  expect(await ask()).toEqual([200, "300", "299"]);
});

it("begins another minute by the real clock when the world's is frozen", async () => {
  let real = now;
  const emulator = createEmulator({ world: createWorld({ frozenAt: now }), wallNow: () => real });
  const left = async () => {
    const target = `${base}/gtm/gtm-properties`;
    const url = new URL(target, "https://emulator.invalid");
    const headers = { authorization: signature({ target }, real) };
    const answer = await emulator.send({ method: "GET", url, headers, timeLeftMs: 1_000 });
    return answer.headers["x-ratelimit-remaining"];
  };
  expect([await left(), await left()]).toEqual(["299", "298"]);
  real += 60_000;
  expect(await left()).toBe("299");
});

it("a failing URL's reference code translates to the refusing origin", async () => {
  type Results = { httpStatusCode: number; responseHeaders: Record<string, string>; responseBody: string };
  const target = `${base}/ghost-locations/tokyo-japan/curl-results`;
  const answer = await send("POST", target, { url: "http://api.shop.example/cart" });
  const { curlResults } = answer.json() as { curlResults: Results };
  expect(curlResults.httpStatusCode).toBe(503);
  expect(curlResults.responseHeaders).toMatchObject({
    Connection: "close",
    "Mime-Version": "1.0",
    Expires: curlResults.responseHeaders["Date"],
    "Content-Length": String(curlResults.responseBody.length),
  });
  const page = curlResults.responseBody.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  const [, code] = /Reference #([\w.]+)/.exec(page) ?? [];
  expect(await read(`/errors/${code}/translated-error`)).toMatchObject({
    translatedError: {
      originIp: "203.0.113.66",
      serverIp: "192.0.2.20",
      logs: [
        { fields: { "client request (r)": "r", "HTTP status code": "503", "client IP": expect.any(String) } },
        { fields: { "forward request (f)": "f", "content-type": "text/html" } },
      ],
    },
  });
});
