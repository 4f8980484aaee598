/** One world with the property service: what is activated is served, what is created is counted. */
import { expect, it } from "vitest";
import { everyHost } from "../../../src/emulator/services/account.js";
import { servedHosts } from "../../../src/emulator/services/properties/served.js";
import { createWorld } from "../../../src/emulator/world.js";
import { startRaw } from "../../lab/raw.js";

const place = "contractId=ctr_C-1FRYVV3&groupId=grp_11111";
const tokyo = "/diagnostic-tools/v2/ghost-locations/tokyo-japan";
const linkOf = (answer: { json(): unknown }) => Object.values(answer.json() as Record<string, string>)[0] ?? "";

it("serves at first exactly the account's hosts", () => {
  expect(servedHosts(createWorld({ frozenAt: 0 }))).toEqual(everyHost);
});

it("a hostname is served once its version is on the production network", async () => {
  const { get, send, world } = startRaw();
  const made = await send("POST", `/papi/v0/cpcodes/?${place}`, { productId: "prd_Site_Delivery", cpcodeName: "New" });
  const cpCode = Number(/cpc_(\d+)/.exec(linkOf(made))?.[1]);
  const edge = { productId: "prd_Site_Delivery", domainPrefix: "new.shop.example", ipVersionBehavior: "IPV4" };
  const named = await send("POST", `/papi/v0/edgehostnames/?${place}`, { ...edge, domainSuffix: "edgesuite.example" });
  expect(named.status, named.text).toBe(201);
  const version = "/papi/v0/properties/prp_175783/versions/1";
  const entry = { cnameFrom: "new.shop.example", cnameTo: "new.shop.example.edgesuite.example" };
  expect((await send("PUT", `${version}/hostnames/`, [entry])).status).toBe(200);
  const behaviors = [
    { name: "origin", options: { hostname: "origin-api.shop.example" } },
    { name: "cpCode", options: { value: { id: cpCode } } },
  ];
  await send("PUT", `${version}/rules/`, { rules: { name: "default", behaviors, children: [] } });
  const purge = async () =>
    (await send("POST", "/ccu/v2/queues/default", { objects: ["https://new.shop.example/a"] })).status;
  const translation = () => get("/diagnostic-tools/v2/translated-url?url=http://new.shop.example/");
  const activate = (network: string) =>
    send("POST", "/papi/v0/properties/prp_175783/activations/", {
      propertyVersion: 1,
      network,
      notifyEmails: ["a@shop.example"],
    });
  expect((await activate("STAGING")).status).toBe(201);
  world.advance(600_000);
  expect([(await translation()).status, await purge()]).toEqual([400, 403]);
  await activate("PRODUCTION");
  world.advance(600_000);
  expect((await translation()).json()).toMatchObject({
    translatedUrl: { cpCode, originServer: "origin-api.shop.example" },
  });
  expect(await purge()).toBe(201);
  const dig = await get(`${tokyo}/dig-info?hostName=new.shop.example.edgesuite.example&queryType=A`);
  expect(dig.json()).toMatchObject({ digInfo: { answerSection: [{ value: "192.0.2.20" }] } });
  const report = "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data";
  const period = "start=2026-05-19T00:00:00Z&end=2026-05-20T00:00:00Z&interval=DAY&metrics=edgeHits&allObjectIds=true";
  expect((await get(`${report}?${period}`)).json()).toMatchObject({
    metadata: { objectIds: expect.arrayContaining([String(cpCode)]) },
  });
});

it("stops serving what is taken off the production network", async () => {
  const { get, send, world } = startRaw();
  const api = () => get("/diagnostic-tools/v2/translated-url?url=http://api.shop.example/");
  expect((await api()).status).toBe(200);
  await send("POST", "/papi/v0/properties/prp_175781/activations/", {
    propertyVersion: 1,
    network: "PRODUCTION",
    activationType: "DEACTIVATE",
    notifyEmails: ["a@shop.example"],
  });
  world.advance(600_000);
  expect((await api()).status).toBe(400);
});
