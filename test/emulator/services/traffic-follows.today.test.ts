/** Traffic follows what is changed in the world: the part that a purge covers, new hosts, rules, and zones that end. */
import { expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";

const minuteMs = 60_000;
const instant = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
type Row = Readonly<Record<string, number | string>>;
const place = "contractId=ctr_C-1FRYVV3&groupId=grp_11111";
const shop = "prp_175780";
const images = "prp_175782";

/** A world at the start of a slot of five minutes. */
function startWorld() {
  const raw = startRaw();
  raw.world.advance(5 * minuteMs - (raw.world.now() % (5 * minuteMs)));
  const now = () => raw.world.now();
  /** The figures of a hostname in so many minutes, after the data have arrived. */
  const figures = async (name: string, start: number, minutes: number, dimension = "hostname") => {
    const [from, to] = [instant(start), instant(start + minutes * minuteMs)];
    const answer = await raw.send(
      "POST",
      `/reporting-api/v2/reports/delivery/traffic/current/data?start=${from}&end=${to}`,
      {
        metrics: ["edgeHitsSum", "originHitsSum"],
        dimensions: [dimension, "responseClass"],
        filters: [{ dimensionName: dimension, operator: "IN_LIST", expressions: [name] }],
      },
    );
    const { data } = answer.json() as { data: Row[] };
    const sum = (rows: readonly Row[], metric: string) => rows.reduce((total, row) => total + Number(row[metric]), 0);
    return {
      edge: sum(data, "edgeHitsSum"),
      origin: sum(data, "originHitsSum"),
      failed: sum(
        data.filter(({ responseClass }) => responseClass === "5xx"),
        "edgeHitsSum",
      ),
    };
  };
  const write = async (method: string, url: string, body?: unknown) => {
    const answer = await raw.send(method, url, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  const purge = (kind: string, objects: readonly (string | number)[]) =>
    write("POST", `/ccu/v3/delete/${kind}/production`, { objects });
  const pass = (minutes: number) => raw.world.advance(minutes * minuteMs);
  return { now, pass, figures, write, purge };
}
type TestWorld = ReturnType<typeof startWorld>;

/** Activates a version of a property in production; it is live nine minutes later. */
const activate = ({ write }: TestWorld, property: string, version: number) =>
  write("POST", `/papi/v0/properties/${property}/activations/?${place}`, {
    propertyVersion: version,
    network: "PRODUCTION",
    notifyEmails: ["a@shop.example"],
    acknowledgeAllWarnings: true,
  });
/** Activates the next version of a property with these rules. */
async function activateRules(world: TestWorld, property: string, version: number, behaviors: readonly unknown[]) {
  const versions = `/papi/v0/properties/${property}/versions`;
  await world.write("POST", `${versions}/?${place}`, { createFromVersion: version - 1 });
  const rules = { name: "default", children: [], behaviors };
  await world.write("PUT", `${versions}/${version}/rules/?${place}`, { rules });
  await activate(world, property, version);
}
const origin = (hostname: string) => ({ name: "origin", options: { hostname } });
const cpCode = (id: number) => ({ name: "cpCode", options: { value: { id } } });
const caching = (ttl: string) => ({ name: "caching", options: { behavior: "MAX_AGE", ttl } });

/** Creates a property of the name with rules, and activates it; answers with the number of its CP code. */
async function createHost(world: TestWorld, name: string, originName = "origin.shop.example"): Promise<number> {
  const body = { cpcodeName: name, productId: "prd_Site_Delivery" };
  const { cpcodeLink } = (await world.write("POST", `/papi/v0/cpcodes/?${place}`, body)).json() as {
    cpcodeLink: string;
  };
  const id = Number(/cpc_(\d+)/.exec(cpcodeLink)?.[1]);
  const property = { productId: "prd_Site_Delivery", propertyName: name, ruleFormat: "v2015-08-08" };
  const { propertyLink } = (await world.write("POST", `/papi/v0/properties/?${place}`, property)).json() as {
    propertyLink: string;
  };
  const propertyId = /prp_\d+/.exec(propertyLink)?.[0] ?? "";
  const version = `/papi/v0/properties/${propertyId}/versions/1`;
  const edge = { cnameType: "EDGE_HOSTNAME", edgeHostnameId: "ehn_1682", cnameFrom: name };
  await world.write("PUT", `${version}/hostnames/?${place}`, [edge]);
  const behaviors = [origin(originName), cpCode(id), caching("1h")];
  await world.write("PUT", `${version}/rules/?${place}`, { rules: { name: "default", children: [], behaviors } });
  await activate(world, propertyId, 1);
  return id;
}
const addAlias = ({ write }: TestWorld, name: string, target = "www.shop.example.edgesuite.example.") =>
  write("POST", `/config-dns/v2/zones/shop.example/names/${name}/types/CNAME`, {
    name,
    type: "CNAME",
    ttl: 300,
    rdata: [target],
  });

it("a purge of URLs asks the origin by how much they cover", async () => {
  const urls = (host: string, count: number) =>
    Array.from({ length: count }, (_, at) => `https://${host}/items/${at}.html`);
  const origins: number[] = [];
  for (const objects of [
    [],
    urls("images.shop.example", 300),
    urls("www.shop.example", 30),
    urls("www.shop.example", 300),
  ]) {
    const world = startWorld();
    const at = world.now();
    for (let from = 0; from < objects.length; from += 100) await world.purge("url", objects.slice(from, from + 100));
    world.pass(60);
    origins.push((await world.figures("www.shop.example", at, 5)).origin);
  }
  const [none = 0, elsewhere, few = 0, many = 0] = origins;
  expect(elsewhere).toBe(none);
  expect(few).toBeGreaterThan(none);
  expect(many - none).toBeGreaterThan(3 * (few - none));
  // Three hundred of the host's thousands of objects.
  expect(many - none).toBeLessThan(300);
});

it("a purge of a tag moves the hosts whose site has it, and no others", async () => {
  const moved = new Set<string>();
  for (const tag of ["sale", "spring", "product-17", "shoes", "header", "footer", "news", "prices"]) {
    const [quiet, world] = [startWorld(), startWorld()];
    const at = world.now();
    await world.purge("tag", [tag]);
    world.pass(60);
    quiet.pass(60);
    const more = [];
    for (const name of ["www.shop.example", "images.shop.example", "live.shop.example"]) {
      const [purged, usual] = [await world.figures(name, at, 5), await quiet.figures(name, at, 5)];
      expect(purged.origin).toBeLessThan(0.6 * purged.edge);
      if (purged.origin > usual.origin) more.push(name);
    }
    moved.add(more.join(" "));
  }
  expect(moved).toContain("");
  expect(moved).toContain("www.shop.example");
  expect(moved).toContain("images.shop.example");
  expect([...moved].join()).not.toContain("live");
});

it("a new host has visitors once it is active and its name leads there", async () => {
  const world = startWorld();
  const id = await createHost(world, "new.shop.example");
  const at = world.now();
  world.pass(120);
  await addAlias(world, "new.shop.example");
  const led = world.now();
  world.pass(1_400);
  const hits = async (start: number, minutes: number) =>
    (await world.figures(String(id), start, minutes, "cpcode")).edge;
  expect(await hits(at, 120)).toBe(0);
  const [arriving, all] = [await hits(led, 60), await hits(led + 60 * minuteMs, 60)];
  expect(arriving).toBeGreaterThan(0);
  // A small site beside the shop's 90,000 an hour.
  expect(all).toBeGreaterThan(50);
  expect(all).toBeLessThan(5_000);
  const first = await world.figures("new.shop.example", led + 5 * minuteMs, 15);
  const late = await world.figures("new.shop.example", led + 1_210 * minuteMs, 60);
  // Its cache was empty.
  expect(first.origin / first.edge).toBeGreaterThan(late.origin / late.edge + 0.05);
});

it("a new host fails with an origin that is no server", async () => {
  const world = startWorld();
  await addAlias(world, "bad.shop.example");
  await createHost(world, "bad.shop.example", "gone.example.net");
  world.pass(120);
  const { edge, failed } = await world.figures("bad.shop.example", world.now() - 60 * minuteMs, 20);
  expect(edge).toBeGreaterThan(0);
  expect(failed).toBeGreaterThan(0.95 * edge);
});

it("a host takes its visitors and its cache to another CP code", async () => {
  const [quiet, world] = [startWorld(), startWorld()];
  const rules = [origin("origin.shop.example"), cpCode(67_890), caching("1h")];
  await activateRules(world, shop, 4, rules);
  const at = world.now();
  world.pass(120);
  quiet.pass(120);
  const [moved, usual] = [
    await world.figures("www.shop.example", at + 20 * minuteMs, 30),
    await quiet.figures("www.shop.example", at + 20 * minuteMs, 30),
  ];
  expect(Math.abs(moved.edge / usual.edge - 1)).toBeLessThan(0.15);
  expect(Math.abs(moved.origin / moved.edge - usual.origin / usual.edge)).toBeLessThan(0.02);
  // Within the hour of the activation.
  expect((await world.figures("12345", at + 10 * minuteMs, 20, "cpcode")).edge).toBe(0);
});

it("a shorter time to live sends more to the origin, a longer one less", async () => {
  const shares: number[] = [];
  for (const ttl of ["0s", "2m", "1h", "6d24h"]) {
    const world = startWorld();
    await activateRules(world, shop, 4, [origin("origin.shop.example"), cpCode(12_345), caching(ttl)]);
    world.pass(120);
    const { edge, origin: asked } = await world.figures("www.shop.example", world.now() - 90 * minuteMs, 30);
    shares.push(asked / edge);
  }
  const [none = 0, short = 0, usual = 0, long = 0] = shares;
  expect(none).toBeGreaterThan(0.99);
  expect(short).toBeGreaterThan(usual + 0.1);
  expect(short).toBeLessThan(0.99);
  expect(long).toBeLessThan(usual - 0.02);
  expect(long).toBeGreaterThan(0.02);
});

it("the former report and log lines show a purge, too", async () => {
  const world = startWorld();
  const [usage, lines] = [
    "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data?interval=FIVE_MINUTES&objectIds=12345",
    "/diagnostic-tools/v2/ghost-locations/frankfurt-germany/log-lines?cpCode=12345&maxLogLines=1000&duration=55",
  ];
  const at = world.now();
  await world.purge("cpcode", [12_345]);
  world.pass(55);
  const fetched = async () => {
    const { logLines } = (await world.write("GET", lines)).json() as { logLines: { headers: string; logs: string[] } };
    const status = logLines.headers.split("\t").indexOf("Object status");
    return logLines.logs.filter((line) => line.split("\t")[status] === "o").length / logLines.logs.length;
  };
  const cold = await fetched();
  world.pass(300);
  expect(cold).toBeGreaterThan((await fetched()) + 0.1);
  const midgress = async (start: number) => {
    const query = `&start=${instant(start)}&end=${instant(start + 5 * minuteMs)}`;
    const { data } = (await world.write("GET", `${usage}${query}`)).json() as { data: Row[] };
    return Number(data[0]?.["midgressBytes"]) / Number(data[0]?.["edgeBytes"]);
  };
  expect(await midgress(at - 5 * minuteMs)).toBeCloseTo(0.12, 5);
  expect(await midgress(at)).toBeGreaterThan(0.5);
});

it("a second purge begins the refill again, and adds nothing to it", async () => {
  const rates: number[] = [];
  for (const purges of [[20], [0, 20]]) {
    const world = startWorld();
    const at = world.now();
    for (let minutes = 0; minutes < 60; minutes += 20) {
      if (purges.includes(minutes)) await world.purge("cpcode", [12_345]);
      world.pass(20);
    }
    world.pass(60);
    rates.push((await world.figures("www.shop.example", at + 40 * minuteMs, 20)).origin);
  }
  expect(rates[1]).toBe(rates[0]);
});

it("a purge is over when what it has purged would have expired", async () => {
  const more: number[] = [];
  for (const ttl of ["10m", "7d"]) {
    const origins: number[] = [];
    for (const isPurged of [false, true]) {
      const world = startWorld();
      await activateRules(world, shop, 4, [origin("origin.shop.example"), cpCode(12_345), caching(ttl)]);
      world.pass(60);
      if (isPurged) await world.purge("cpcode", [12_345]);
      const at = world.now();
      world.pass(90);
      origins.push((await world.figures("www.shop.example", at, 5)).origin);
      origins.push((await world.figures("www.shop.example", at + 15 * minuteMs, 5)).origin);
    }
    const [before = 0, usual = 0, first = 0, late = 0] = origins;
    expect(first - before).toBeGreaterThan(100);
    more.push(late - usual);
  }
  expect(more[0]).toBe(0);
  expect(more[1]).toBeGreaterThan(100);
});

it("what is deleted while the origin is down fails until it is back", async () => {
  const failures: number[] = [];
  const offloads: number[] = [];
  for (const action of ["invalidate", "delete"]) {
    const world = startWorld();
    const rules = (name: string) => [origin(name), cpCode(12_345), caching("1h")];
    await activateRules(world, shop, 4, rules("gone.example.net"));
    world.pass(10);
    await world.write("POST", `/ccu/v3/${action}/cpcode/production`, { objects: [12_345] });
    const at = world.now();
    world.pass(10);
    await activateRules(world, shop, 5, rules("origin.shop.example"));
    world.pass(90);
    const [down, back] = [
      await world.figures("www.shop.example", at + 5 * minuteMs, 5),
      await world.figures("www.shop.example", at + 20 * minuteMs, 5),
    ];
    failures.push(down.failed / down.edge);
    offloads.push(1 - back.origin / back.edge);
  }
  // An object that is only invalid is still served when the origin does not answer.
  expect(failures[0]).toBeLessThan(0.6);
  expect(failures[1]).toBeGreaterThan(0.99);
  // Both ask for everything again.
  for (const offload of offloads) expect(offload).toBeLessThan(0.5);
});

it("a deleted zone takes its names' traffic along over their TTL", async () => {
  const [quiet, world] = [startWorld(), startWorld()];
  await world.write("POST", "/config-dns/v2/zones/delete-requests?bypassSafetyChecks=true", {
    zones: ["shop.example"],
  });
  const at = world.now();
  world.pass(90);
  quiet.pass(90);
  const left = async (minutes: number) => {
    const start = at + minutes * minuteMs;
    const [own, usual] = [
      await world.figures("images.shop.example", start, 5),
      await quiet.figures("images.shop.example", start, 5),
    ];
    return own.edge / usual.edge;
  };
  expect(await left(0)).toBeGreaterThan(0.9);
  expect(await left(10)).toBe(0);
});

it("a host is reached by aliases of aliases, as lookups follow them", async () => {
  const world = startWorld();
  await addAlias(world, "aliased.shop.example", "www.shop.example.");
  await createHost(world, "aliased.shop.example");
  world.pass(90);
  expect((await world.figures("aliased.shop.example", world.now() - 60 * minuteMs, 20)).edge).toBeGreaterThan(0);
  const gone = world.now();
  await world.write("DELETE", "/config-dns/v2/zones/shop.example/names/www.shop.example/types/CNAME");
  world.pass(90);
  expect((await world.figures("aliased.shop.example", gone + 10 * minuteMs, 20)).edge).toBe(0);
});

it("a change of other records leaves the traffic as it was", async () => {
  const [quiet, world] = [startWorld(), startWorld()];
  for (const one of [quiet, world]) one.pass(10);
  await addAlias(world, "unrelated.shop.example");
  await activate(world, images, 1);
  const at = world.now();
  world.pass(90);
  quiet.pass(90);
  for (const name of ["www.shop.example", "api.shop.example", "live.shop.example"])
    expect(await world.figures(name, at, 60)).toEqual(await quiet.figures(name, at, 60));
});
