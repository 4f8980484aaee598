/** The documents' rules for purge, events, credentials, zones and registrations, asked of the emulator in raw HTTP. */
import { expect, it } from "vitest";
import { now, startRaw } from "../lab/raw.js";
import { rule } from "../lab/rules.js";

type Json = Record<string, unknown>;
const purge = (objects: readonly unknown[], more: object = {}) => ({ objects, ...more });
const url = "https://www.example.com/a";

rule("purge-status-moves", "a purge is done when its estimated seconds are over", async () => {
  const { send, get, world } = startRaw();
  for (const queue of ["default", "emergency"]) {
    const { progressUri, estimatedSeconds } = (await send("POST", `/ccu/v2/queues/${queue}`, purge([url]))).json() as {
      progressUri: string;
      estimatedSeconds: number;
    };
    const statusAfter = async (ms: number) => {
      world.advance(ms);
      return ((await get(progressUri)).json() as Json)["purgeStatus"];
    };
    expect(await statusAfter(0)).toBe("Unknown");
    expect(await statusAfter(estimatedSeconds * 1_000 - 1)).toBe("In-Progress");
    expect(await statusAfter(1)).toBe("Done");
  }
});

rule("purge-completion-null", "has no completion time until it is done", async () => {
  const { send, get, world } = startRaw();
  const { purgeId } = (await send("POST", "/ccu/v2/queues/default", purge([url]))).json() as { purgeId: string };
  const completed = async (id: string) => ((await get(`/ccu/v2/purges/${id}`)).json() as Json)["completionTime"];
  world.advance(2_000);
  expect([await completed(purgeId), await completed("never-submitted")]).toEqual([null, null]);
  world.advance(10_000);
  expect(await completed(purgeId)).toBe("2026-05-20T12:10:05Z");
});

rule("purge-two-queues", "has a default and an emergency queue, each with a length of its own", async () => {
  const { send, get, world } = startRaw();
  await send("POST", "/ccu/v2/queues/default", purge([url, `${url}b`]));
  expect((await get("/ccu/v2/queues/default")).json()).toMatchObject({ queueLength: 2 });
  expect((await get("/ccu/v2/queues/emergency")).json()).toMatchObject({ queueLength: 0 });
  expect((await send("POST", "/ccu/v2/queues/emergency", purge(Array(11).fill(url)))).status).toBe(507);
  expect((await send("POST", "/ccu/v2/queues/emergency", purge(Array(10).fill(url)))).status).toBe(201);
  world.advance(60_000);
  expect((await get("/ccu/v2/queues/default")).json()).toMatchObject({ queueLength: 0 });
});

rule("purge-201-only", "foreign objects are refused by name in the service's error shape", async () => {
  const { send } = startRaw();
  const foreign = await send("POST", "/ccu/v2/queues/default", purge([url, "https://elsewhere.test/"]));
  expect(foreign.headers["content-type"]).toBe("application/api-problem+json");
  expect(foreign.json()).toMatchObject({
    httpStatus: 403,
    title: "unauthorized arl",
    detail: "https://elsewhere.test/",
  });
  expect((await send("POST", "/ccu/v2/queues/default", purge(["99"], { type: "cpcode" }))).json()).toMatchObject({
    title: "unauthorized cpcode",
    detail: "99",
  });
  expect((await send("POST", "/ccu/v2/queues/default", purge([12345], { type: "cpcode" }))).status).toBe(201);
});

it("an ARL, with or without a host, is purged for the account's CP code", async () => {
  const { send, get } = startRaw();
  const logs = (await get("/diagnostic-tools/v2/ip-addresses/192.0.2.10/log-lines?maxLogLines=1")).json() as {
    logLines: { headers: string; logs: string[] };
  };
  const { headers, logs: lines } = logs.logLines;
  const arl = lines[0]?.split("\t")[headers.split("\t").indexOf("ARL")] ?? "";
  expect(arl).toMatch(/^\//);
  const status = async (object: string) => (await send("POST", "/ccu/v2/queues/default", purge([object]))).status;
  expect(await status(arl)).toBe(201);
  expect(await status(`http://edge.example${arl}`)).toBe(201);
  expect(await status("/L/1682/99/1h/origin.shop.example/sale")).toBe(403);
});

const events = "/events/ws/api/v2/current-account/events";
const event = { name: "Final", start: 1_790_000_000_000, end: 1_790_000_600_000 };

rule("event-put-creates", "creates by PUT and updates by POST on the event", async () => {
  const { send, get } = startRaw();
  const created = (await send("PUT", events, event)).json() as { id: string; version: number };
  expect(created).toMatchObject({ ...event, version: 0 });
  expect(
    (await send("POST", `${events}/${created.id}`, { ...event, name: "Grand final", version: 0 })).json(),
  ).toMatchObject({ name: "Grand final", version: 1 });
  expect((await get(`${events}/${created.id}`)).json()).toMatchObject({ name: "Grand final", version: 1 });
  const update = { ...event, version: 12, id: "1", createdBy: "mallory", modifiedBy: "mallory", createdDate: 1 };
  expect((await send("POST", `${events}/20051`, update)).json()).toMatchObject({
    id: "20051",
    version: 13,
    createdBy: "mheld",
    createdDate: Date.UTC(2026, 3, 10),
    modifiedBy: "mheld",
    modifiedDate: now,
  });
  expect((await send("POST", events, event)).status).toBe(405);
});

rule("event-create-needs", "creates an event of a name, a start and an end, and none without them", async () => {
  const { send } = startRaw();
  for (const missing of ["name", "start", "end"]) {
    const rest = Object.fromEntries(Object.entries(event).filter(([name]) => name !== missing));
    expect((await send("PUT", events, rest)).json()).toMatchObject({ errors: [{ path: missing }] });
  }
  expect((await send("PUT", events, event)).status).toBe(201);
});

rule("event-version-stamp", "refuses an update whose version is not the stored one", async () => {
  const { send, get } = startRaw();
  const stale = await send("POST", `${events}/20051`, { ...event, version: 11 });
  expect(stale.status).toBe(409);
  expect(stale.json()).toMatchObject({ detail: expect.stringMatching(/expected version: 12.*got: 11/) });
  expect((await get(`${events}/20051`)).json()).toMatchObject({ name: "Spring sale", version: 12 });
});

rule("event-milliseconds", "refuses a time in seconds", async () => {
  const { send } = startRaw();
  expect((await send("PUT", events, { ...event, start: 1_790_000_000, end: 1_790_000_600 })).status).toBe(400);
});

rule("event-ignored-input", "ignores who and when, the customer and the type on input", async () => {
  const { send } = startRaw();
  const ignored = { createdBy: "mallory", createdDate: 1, eventType: "OTHER", customer: { accountID: "x" } };
  const created = (await send("PUT", events, { ...event, ...ignored })).json();
  expect(created).toMatchObject({ createdBy: "mheld", eventType: "STREAMING", customer: { accountID: "1-7KLGH" } });
  expect(created).not.toMatchObject({ createdDate: 1 });
});

rule("event-customer-id-length", "customerEventId takes 100 characters, not 101, and may repeat", async () => {
  const { send } = startRaw();
  const id = "x".repeat(100);
  expect((await send("PUT", events, { ...event, customerEventId: id })).status).toBe(201);
  expect((await send("PUT", events, { ...event, customerEventId: id })).status).toBe(201);
  expect((await send("PUT", events, { ...event, customerEventId: `${id}x` })).status).toBe(400);
});

rule("event-ids-result", "looks up ids as status ok and integers", async () => {
  const { get } = startRaw();
  const found = await get(`${events}/id?customerEventId=spring-2026&customerEventId=film-7`);
  expect(found.json()).toEqual({ status: "ok", contents: [20051, 20052] });
  expect((await get("/events/ws/api/v2/1-OTHER/events/id?customerEventId=film-7")).status).toBe(403);
});

rule("event-list-order", "limits to a range, sorts by a field both ways, and pages from zero", async () => {
  const { get } = startRaw();
  const names = async (query: string) =>
    ((await get(`${events}?${query}`)).json() as { name: string }[]).map(({ name }) => name);
  expect(await names("sortField=name&sortOrder=asc")).toEqual(["Annual meeting", "Product film", "Spring sale"]);
  expect(await names("sortField=start&sortOrder=desc")).toEqual(["Product film", "Spring sale", "Annual meeting"]);
  expect(await names("sortField=start&startIndex=1&limit=1")).toEqual(["Spring sale"]);
  expect(await names(`startRange=${Date.UTC(2026, 4, 21)}&endRange=${Date.UTC(2026, 4, 25)}`)).toEqual(["Spring sale"]);
  expect(await names("customerEventId=film-7")).toEqual(["Product film"]);
});

const identity = "/identity-management/v1/open-identities/oi-7421/credentials";

rule("credential-secret-once", "shows the secret in the answer to the creation and nowhere else", async () => {
  const { ask, get } = startRaw();
  const create = async () => (await ask({ method: "POST", target: identity })).json() as Json;
  const [created, other] = [await create(), await create()];
  for (const member of ["credentialId", "clientToken", "clientSecret"]) expect(created[member]).not.toBe(other[member]);
  expect(created["clientSecret"]).toMatch(/^[A-Za-z0-9+/]{40,}=*$/);
  expect((await get(`${identity}/${created["credentialId"]}`)).text).not.toContain("clientSecret");
  expect((await get(identity)).text).not.toContain(String(created["clientSecret"]));
});

rule("credential-two-years", "creates an ACTIVE credential that expires two years later", async () => {
  const { ask } = startRaw();
  expect((await ask({ method: "POST", target: identity })).json()).toMatchObject({
    status: "ACTIVE",
    createdOn: "2026-05-20T12:10:00.000Z",
    expiresOn: "2028-05-20T12:10:00.000Z",
  });
});

rule("credential-status-moves", "moves a credential to INACTIVE and back, and answers without its id", async () => {
  const { send, get } = startRaw();
  for (const status of ["INACTIVE", "ACTIVE"]) {
    const answer = await send("PUT", `${identity}/4101`, { status, expiresOn: "2027-01-01T00:00:00Z" });
    expect(Object.keys(answer.json() as Json).sort()).toEqual(["description", "expiresOn", "status"]);
    expect((await get(`${identity}/4101`)).json()).toMatchObject({ status, expiresOn: "2027-01-01T00:00:00.000Z" });
  }
});

rule("credential-delete-inactive", "deletes an inactive credential and refuses an active one", async () => {
  const { ask, get } = startRaw();
  expect((await ask({ method: "DELETE", target: `${identity}/4101` })).status).toBe(409);
  const deleted = await ask({ method: "DELETE", target: `${identity}/4102` });
  expect([deleted.status, deleted.text]).toEqual([200, ""]);
  expect((await get(`${identity}/4102`)).json()).toMatchObject({
    status: 404,
    type: "/identity-management/error-types/25",
  });
});

rule("credential-deactivate-all", "makes every credential INACTIVE and deletes none", async () => {
  const { ask, get } = startRaw();
  expect((await ask({ method: "POST", target: `${identity}/deactivate` })).text).toBe("");
  const statuses = ((await get(identity)).json() as Json[]).map(({ status }) => status);
  expect(statuses).toEqual(["INACTIVE", "INACTIVE", "INACTIVE"]);
});

const zones = "/config-dns/v1/zones";
rule("dns-xml", "gives a zone as XML when that is what is accepted, and JSON otherwise", async () => {
  const { ask, get } = startRaw();
  const answer = await ask({ target: `${zones}/shop.example`, headers: { accept: "application/xml" } });
  expect(answer.headers["content-type"]).toBe("application/xml");
  expect(answer.text).toMatch(
    /<zone-document><token>[0-9a-f]{32}<\/token><zone><id>8102<\/id><name>shop\.example<\/name>/,
  );
  expect((await get(`${zones}/shop.example`)).headers["content-type"]).toBe("application/json");
});

const saas = "/config-saas-registration/v1";
const own = "contractId=C-1FRYVV3";
const plain = "application/x-www-form-urlencoded";
const odd = "customer/x-www-form-urlencoded";

rule("saas-odd-media-type", "takes customers and pairs under the odd media type alone", async () => {
  const { form } = startRaw();
  expect((await form("POST", `${saas}/customers/?${own}`, { providerCustomerId: "a" }, plain)).status).toBe(415);
  expect((await form("POST", `${saas}/customers/?${own}`, { providerCustomerId: "a" }, odd)).status).toBe(201);
  expect((await form("POST", `${saas}/applications/?${own}`, { providerApplicationId: "a" }, odd)).status).toBe(415);
});
