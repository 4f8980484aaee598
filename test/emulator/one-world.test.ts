/** One world behind all services: what one of them writes the others show, and no address or name is two things. */
import { describe, expect, it } from "vitest";
import { everyHost, hosts, locations } from "../../src/emulator/services/account.js";
import { servedHosts } from "../../src/emulator/services/properties/served.js";
import { createWorld } from "../../src/emulator/world.js";
import { memberAt } from "../../src/language/member.js";
import { now, startRaw } from "../lab/raw.js";

interface Lookup {
  readonly answerSection: readonly { readonly domain: string; readonly recordType: string; readonly value: string }[];
  readonly authoritySection: readonly { readonly domain: string; readonly recordType: string; readonly ttl: number }[];
  readonly result: string;
}
interface Zone {
  readonly name: string;
  readonly soa: { readonly serial: number };
  readonly [type: string]: unknown;
}
const tools = "/diagnostic-tools/v2";
const tokyo = `${tools}/ghost-locations/tokyo-japan`;
const at = (name: string, target: string, active = true) => ({ name, target, active, ttl: 300 });

function start() {
  const raw = startRaw();
  const json = async (target: string) => (await raw.get(target)).json();
  return {
    ...raw,
    json,
    async dig(hostName: string, queryType = "A") {
      const query = new URLSearchParams({ hostName, queryType });
      return ((await json(`${tokyo}/dig-info?${query}`)) as { digInfo: Lookup }).digInfo;
    },
    curl: (url: string) => raw.send("POST", `${tokyo}/curl-results`, { url }),
    /** Writes a zone as it is with some other lists. */
    async write(name: string, lists: object) {
      const { token, zone } = (await json(`/config-dns/v1/zones/${name}`)) as { token: string; zone: Zone };
      const changed = { ...zone, ...lists, soa: { ...zone.soa, serial: zone.soa.serial + 1 } };
      const { status, text } = await raw.send("POST", `/config-dns/v1/zones/${name}`, { token, zone: changed });
      expect(status, text).toBe(204);
    },
    async add(name: string, lists: object) {
      const { zone } = (await json("/config-dns/v1/zones/shop.example")) as { zone: Zone };
      const fresh = { name, soa: zone.soa, ns: zone["ns"], ...lists };
      const { status, text } = await raw.send("POST", `/config-dns/v1/zones/${name}`, { token: "new", zone: fresh });
      expect(status, text).toBe(204);
    },
  };
}
const short = ({ answerSection }: Lookup) => answerSection.map(({ recordType, value }) => [recordType, value]);
const statusOf = ({ result }: Lookup) => /status: (\w+)/.exec(result)?.[1];

describe("dig", () => {
  it("answers each type from the zones", async () => {
    const { dig } = start();
    expect(short(await dig("www.example.com"))).toEqual([["A", "203.0.113.21"]]);
    expect(short(await dig("www.example.com", "AAAA"))).toEqual([["AAAA", "2001:db8::11"]]);
    expect((await dig("example.com", "NS")).answerSection).toHaveLength(2);
    const mx = await dig("EXAMPLE.com.", "MX");
    expect(mx.answerSection).toMatchObject([
      { domain: "example.com.", value: "mail.example.com.", preferenceValues: ["10"] },
    ]);
    const soa = await dig("example.com", "SOA");
    expect(soa.answerSection).toMatchObject([{ recordType: "SOA", value: expect.stringContaining(" 2026110101 ") }]);
    expect(soa.authoritySection).toEqual([]);
  });

  it("dig follows aliases through the zones to the asked edge server", async () => {
    const { dig } = start();
    expect(short(await dig("www.shop.example"))).toEqual([
      ["CNAME", "www.shop.example.edgesuite.example."],
      ["A", "192.0.2.20"],
    ]);
    expect(short(await dig("static.example.com"))).toEqual([
      ["CNAME", "www.example.com."],
      ["A", "203.0.113.21"],
    ]);
    expect(short(await dig("static.example.com", "CNAME"))).toEqual([["CNAME", "www.example.com."]]);
    const none = await dig("www.shop.example", "AAAA");
    expect([statusOf(none), short(none)]).toEqual(["NOERROR", [["CNAME", "www.shop.example.edgesuite.example."]]]);
    expect(none.authoritySection).toMatchObject([{ domain: "edgesuite.example.", recordType: "SOA" }]);
  });

  it("dig tells a missing name, a missing type and a foreign name apart", async () => {
    const { dig } = start();
    const authority = async (name: string, type: string) => {
      const found = await dig(name, type);
      expect(found.answerSection).toEqual([]);
      return [statusOf(found), ...found.authoritySection.map(({ domain, ttl }) => `${domain} ${ttl}`)];
    };
    expect(await authority("absent.example.com", "A")).toEqual(["NXDOMAIN", "example.com. 180"]);
    expect(await authority("example.com", "AAAA")).toEqual(["NOERROR", "example.com. 180"]);
    expect(await authority("www.example.com", "SOA")).toEqual(["NOERROR", "example.com. 180"]);
    expect(await authority("www.elsewhere.test", "A")).toEqual(["NXDOMAIN", ". 86400"]);
  });

  it("dig sees a zone as last written, without gone or inactive records", async () => {
    const { dig, write, add } = start();
    await write("example.com", {
      a: [at("www", "203.0.113.99"), at("off", "203.0.113.98", false), at("*.wild", "203.0.113.97")],
      ptr: [at("ptr", "www.example.com")],
    });
    expect(short(await dig("www.example.com"))).toEqual([["A", "203.0.113.99"]]);
    expect(statusOf(await dig("mail.example.com"))).toBe("NXDOMAIN");
    expect(statusOf(await dig("off.example.com"))).toBe("NXDOMAIN");
    expect((await dig("a.b.wild.example.com")).answerSection).toMatchObject([
      { domain: "a.b.wild.example.com.", value: "203.0.113.97" },
    ]);
    expect(statusOf(await dig("wild.example.com"))).toBe("NOERROR");
    expect(short(await dig("ptr.example.com", "PTR"))).toEqual([["PTR", "www.example.com."]]);
    await add("deep.example.com", { cname: [at("www", "www.shop.example.")] });
    expect(short(await dig("www.deep.example.com")).at(-1)).toEqual(["A", "192.0.2.20"]);
    await write("example.com", { a: [], mx: [], cname: [at("a", "b.example.com."), at("b", "a.example.com.")] });
    expect(statusOf(await dig("a.example.com"))).toBe("SERVFAIL");
  });
});

describe("a host", () => {
  it("is served at first if it is one of the account's, and no other", () => {
    expect(servedHosts(createWorld({ frozenAt: 0 }))).toEqual(everyHost);
  });

  it("a host past the CDN is served there until its zone names the edge", async () => {
    const { curl, json, write } = start();
    const seen = async () => {
      const answer = (await curl("http://www.example.com/")).json();
      const route = await json(`${tokyo}/mtr-data?destinationDomain=www.example.com&resolveDns=false`);
      const { hops } = memberAt(route, "mtr") as { hops: { host: string }[] };
      return [memberAt(answer, "curlResults.responseHeaders.X-Cache"), hops.at(-1)?.host];
    };
    expect(await seen()).toEqual([undefined, "203.0.113.21"]);
    await write("example.com", { a: [], aaaa: [], cname: [at("www", "www.example.com.edgesuite.example.")] });
    expect(await seen()).toEqual(["TCP_HIT from tokyo-japan", "192.0.2.20"]);
  });

  it("a host in no zone is unreachable, one unknown to the edge refused", async () => {
    const { curl, get, write } = start();
    await write("shop.example", { cname: [at("other", "www.shop.example.edgesuite.example.")] });
    expect((await curl("http://www.shop.example/")).status).toBe(400);
    expect((await get(`${tokyo}/mtr-data?destinationDomain=www.shop.example`)).status).toBe(400);
    expect((await curl("http://other.shop.example/")).json()).toMatchObject({ curlResults: { httpStatusCode: 400 } });
  });

  it("of an origin that refuses connections is refused there, too", async () => {
    const { curl } = start();
    expect((await curl("http://origin.shop.example/")).json()).toMatchObject({ curlResults: { httpStatusCode: 200 } });
    const refused = await curl("http://origin-api.shop.example/");
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("203.0.113.66")]);
  });

  it("on the CDN may be purged, and no other", async () => {
    const { send } = start();
    const purge = async (url: string) => (await send("POST", "/ccu/v2/queues/default", { objects: [url] })).status;
    for (const { name } of hosts) expect([name, await purge(`https://${name}/a`)]).toEqual([name, 201]);
    for (const name of ["mail.example.com", "origin.shop.example", "www.shop.example.evil.test"])
      expect([name, await purge(`https://${name}/a`)]).toEqual([name, 403]);
  });

  it("with an address of its own has none of the edge's", async () => {
    const { json } = start();
    const zones = await Promise.all(
      ["example.com", "shop.example"].map((name) => json(`/config-dns/v1/zones/${name}`)),
    );
    const targets = zones.flatMap((document) => (document as { zone: { a: { target: string }[] } }).zone.a);
    const edge = locations.map(({ edgeIp }) => edgeIp);
    expect(targets.filter(({ target }) => edge.includes(target))).toEqual([]);
    for (const address of [...edge, ...targets.map(({ target }) => target), "192.0.2.80"])
      expect([address, await json(`${tools}/ip-addresses/${address}/is-cdn-ip`)]).toEqual([
        address,
        { isCdnIp: edge.includes(address) },
      ]);
  });
});

describe("an error page's reference", () => {
  const read = (raw: ReturnType<typeof start>, code: string) => raw.json(`${tools}/errors/${code}/translated-error`);

  it("stands for one request, of one client, that failed", async () => {
    const { translatedError } = (await read(start(), "9.c000020a.1779000000.692")) as {
      translatedError: { clientIp: string; logs: { fields: Record<string, string> }[] };
    };
    const [toClient, toOrigin] = translatedError.logs.map(({ fields }) => fields);
    expect(toClient?.["client IP"]).toBe(translatedError.clientIp);
    expect([toClient?.["HTTP status code"], toOrigin?.["Forward IP"]]).toEqual(["503", "203.0.113.10"]);
  });

  it.each([
    ["no edge server gave", "9.cb007109.1779000000.692"],
    ["of no host", "9.c000020a.1779000000.1"],
    ["of the future", `9.c000020a.${now / 1000 + 60}.692`],
  ])("that %s is refused", async (_, code) => {
    const { ask } = start();
    expect((await ask({ target: `${tools}/errors/${code}/translated-error` })).status).toBe(404);
    expect((await ask({ method: "POST", target: `${tools}/errors/${code}/translate-error` })).status).toBe(404);
  });
});

describe("figures", () => {
  it("errors are the same in reports, statistics and log lines", async () => {
    const { json, world } = start();
    // Reports settle half an hour later, and statistics are of the last five minutes.
    const { eStats } = (await json(`${tools}/cpcodes/12346/estats`)) as {
      eStats: { edgeHits: number; edgeErrors: number };
    };
    world.advance(3_600_000);
    const report = "/reporting-api/v1/reports/endpoint-errors-by-time/versions/1/report-data";
    const period = "start=2026-05-20T12:05:00Z&end=2026-05-20T12:10:00Z&interval=FIVE_MINUTES&metrics=edgeHits";
    const { data } = (await json(`${report}?${period}&objectIds=12346`)) as { data: { edgeHits: string }[] };
    expect([eStats.edgeErrors, eStats.edgeHits]).toEqual([Number(data[0]?.edgeHits), Number(data[0]?.edgeHits)]);
    const query = "endTime=2026-05-20T12:10:00Z&duration=30&cpCode=12346&maxLogLines=1000";
    const { logLines } = (await json(`${tokyo}/log-lines?${query}`)) as {
      logLines: { headers: string; logs: string[] };
    };
    const column = logLines.headers.split("\t").indexOf("HTTP status code");
    expect(new Set(logLines.logs.map((line) => line.split("\t")[column]))).toEqual(new Set(["503"]));
  });
});

it("clients and routers are distinct, and every address has a location", async () => {
  const { json } = start();
  const { logLines } = (await json(`${tokyo}/log-lines?duration=360&maxLogLines=1000`)) as {
    logLines: { headers: string; logs: string[] };
  };
  const column = logLines.headers.split("\t").indexOf("client IP");
  const clients = new Set(logLines.logs.map((line) => line.split("\t")[column]));
  const { mtr } = (await json(`${tokyo}/mtr-data?destinationDomain=203.0.113.10&resolveDns=false`)) as {
    mtr: { hops: { host: string }[] };
  };
  expect(mtr.hops.filter(({ host }) => clients.has(host))).toEqual([]);
  const cities = {
    "192.0.2.20": "TOKYO",
    "203.0.113.10": "FRANKFURT",
    "198.51.100.7": "BERLIN",
    "8.8.8.8": "RESERVED",
  };
  for (const [address, city] of Object.entries(cities))
    expect(await json(`${tools}/ip-addresses/${address}/geo-location`)).toMatchObject({ geoLocation: { city } });
});

it("shows what a visitor sent in once the link that was made was opened", async () => {
  const { json, send, world } = start();
  const visits = async () =>
    ((await json(`${tools}/end-users/ip-requests`)) as { endUserIpRequests: { name: string; requestId: number }[] })
      .endUserIpRequests;
  const visit = { endUserName: "John Roe", url: "http://www.shop.example/cart" };
  expect((await send("POST", `${tools}/end-users/diagnostic-url`, visit)).status).toBe(201);
  expect((await visits()).map(({ name }) => name)).toEqual(["Jane Doe"]);
  world.advance(5_000);
  const opened = (await visits()).at(-1);
  expect(opened).toMatchObject({ name: "John Roe", url: visit.url, timestamp: new Date(now + 5_000).toISOString() });
  const details = `${tools}/end-users/ip-requests/${opened?.requestId}/ip-details`;
  expect(await json(details)).toMatchObject({ endUserIpDetails: { name: "John Roe", ips: [{}, {}] } });
});
