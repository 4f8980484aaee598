/** The rules for threat protection, asked of the emulator in raw HTTP: stamps, lists, limits, deployments over time. */
import { expect, it } from "vitest";
import { ownConfiguration } from "../../../src/emulator/services/threat-protection/store.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

type Json = Record<string, unknown>;
const root = "/etp-config/v1";
const own = `${root}/configs/1100`;
const headers = { "content-type": "application/json" };
const domain = (value: string, confidenceLevelId = 2) => ({ type: "LIST_TYPE_DOMAIN", value, confidenceLevelId });
const site = (name: string, ipAddr = "198.51.100.96/28", policyId = 1031) => ({
  name,
  description: "Some office",
  policyId,
  exitPoints: [{ addrType: "ADDR_TYPE_IPV4", ipAddr }],
});
const phishingItem = { type: "LIST_TYPE_DOMAIN", confidenceLevelId: 2 } as const;
const none = { created: {}, modified: {}, deleted: {} };

function start() {
  const raw = startRaw();
  const json = async (path: string) => (await raw.get(`${own}${path}`)).json() as Json;
  const list = async (path: string) => (await raw.get(`${own}${path}`)).json() as Json[];
  const call = (method: string, path: string, value?: unknown, ifMatch?: string) =>
    raw.ask({
      method,
      target: `${own}${path}`,
      headers: { ...headers, ...(ifMatch === undefined ? {} : { "if-match": ifMatch }) },
      ...(value === undefined ? {} : { body: JSON.stringify(value) }),
    });
  const pending = async (path = "") => {
    const { changes } = (await json(`${path}/recentChanges`)) as { changes: { deltaType: string; changes: Json[] }[] };
    return changes.flatMap((group) =>
      group.changes.map((one) => `${group.deltaType} ${(one["detail"] as Json)["name"]} ${one["changeType"]}`),
    );
  };
  const etag = async (path: string) => (await raw.get(`${own}${path}`)).headers["etag"] ?? "";
  return {
    ...raw,
    json,
    list,
    call,
    pending,
    etag,
    deploy: (body: object) => call("POST", "/deployments", { comment: "", ...none, ...body }),
    patch: (listId: number, add: readonly object[], remove: readonly string[] = []) =>
      call("PATCH", `/lists/${listId}`, { add, delete: remove }),
  };
}

rule("threat-config-ids", "lists configurations as their ids, and refuses others", async () => {
  const { get } = start();
  expect((await get(`${root}/configs`)).json()).toEqual([1100]);
  const answer = await get(`${root}/configs/7/sites`);
  expect([answer.status, answer.headers["content-type"]]).toEqual([404, "application/problem+json"]);
  expect(answer.json()).toMatchObject({
    status: 404,
    type: expect.stringMatching(/not-found$/),
    instance: expect.stringMatching(/-4/),
  });
});

const settings = { basicSettings: { dnssec: false, edns0ecs: false }, aupSettings: [], securitySettings: [] };
const stamped = [
  ["sites", 101, site("Berlin office"), {}],
  ["policies", 1031, { name: "Guests", description: "", sites: [102, 103, 2160], ...settings }, { sites: [] }],
  ["lists", 3785, { name: "Phishing", description: "d", securityCategoryId: 2 }, {}],
] as const;
rule("threat-stamp", "a stamp is in read and creation answers, and an older one gets 412", async () => {
  for (const [kind, id, body, alone] of stamped) {
    const { call, etag } = start();
    const path = `/${kind}/${id}`;
    const first = await etag(path);
    expect(first).toMatch(/^"\d+"$/);
    for (const [stamp, status] of [[undefined, 400] as const, ['"1"', 412] as const, [first, 200] as const])
      expect([kind, (await call("PUT", path, body, stamp)).status]).toEqual([kind, status]);
    expect(await etag(path)).not.toBe(first);
    for (const sent of [body, undefined])
      expect((await call(sent ? "PUT" : "DELETE", path, sent, first)).status).toBe(412);
    const made = await call("POST", `/${kind}`, { ...body, name: "Another", ...alone });
    const created = (made.headers["location"] ?? "").replace(own, "");
    expect(await etag(created)).toBe(made.headers["etag"]);
    expect((await call("DELETE", created, undefined, made.headers["etag"])).status).toBeLessThan(300);
    expect((await call("GET", created)).status).toBe(404);
  }
});

rule("threat-name-unique", "refuses a name that another one of the kind has with 409", async () => {
  const { call, etag } = start();
  const answer = await call("POST", "/sites", site("Berlin office"));
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("The name :Berlin office is not unique")]);
  expect((await call("PUT", "/sites/102", site("Berlin office"), await etag("/sites/102"))).status).toBe(409);
  expect((await call("PUT", "/sites/101", site("Berlin office"), await etag("/sites/101"))).status).toBe(200);
});

rule("threat-response-honeypot", "takes a honeypot as a policy's action, and nothing that is neither", async () => {
  const { json, call } = start();
  const notifying = { shouldNotifyConfirmed: true, shouldNotifySuspected: true };
  const policy = (confirmedResponseId: number, responseId = 4) => ({
    ...{ ...settings, name: `P${confirmedResponseId}`, description: "", sites: [] },
    aupSettings: [{ categoryId: 1, responseId }],
    securitySettings: [{ ...notifying, listId: 3785, confirmedResponseId, suspectedResponseId: 1 }],
  });
  const made = await call("POST", "/policies", policy(761));
  expect(made.status).toBe(201);
  expect(await json((made.headers["location"] ?? "").replace(own, ""))).toMatchObject({
    securitySettings: [{ confirmedResponseInfo: { id: 761, name: "Sinkhole old" }, listInfo: { name: "Phishing" } }],
  });
  expect((await json("/honeypots/761"))["policies"]).toMatchObject([{ name: "P761" }]);
  expect((await call("DELETE", "/honeypots/761")).status).toBe(409);
  for (const wrong of [policy(700), policy(2, 1), { ...policy(2), sites: [7] }])
    expect((await call("POST", "/policies", wrong)).status).toBe(400);
});

it("refuses a new site without a policy where the usual one was deleted", async () => {
  const { call, etag } = start();
  const { policyId: _, ...unassigned } = site("Bremen office");
  expect((await call("POST", "/sites", unassigned)).status).toBe(200);
  for (const id of [101, 104])
    await call("PUT", `/sites/${id}`, { ...site(`Office ${id}`), policyId: 1031 }, await etag(`/sites/${id}`));
  expect((await call("DELETE", "/policies/1030", undefined, await etag("/policies/1030"))).status).toBe(204);
  expect((await call("POST", "/sites", { ...unassigned, name: "Kiel office" })).status).toBe(400);
});

it("puts a site under one policy, whichever of the two is written", async () => {
  const { json, call, etag } = start();
  await call("PUT", "/sites/101", site("Berlin office", "198.51.100.16/28", 1032), await etag("/sites/101"));
  expect([(await json("/policies/1030"))["sites"], (await json("/policies/1032"))["sites"]]).toEqual([[], [101]]);
  expect((await call("DELETE", "/policies/1032", undefined, await etag("/policies/1032"))).status).toBe(409);
  const { id: _, ...guests } = await json("/policies/1031");
  const written = Object.fromEntries(["name", "description", "basicSettings"].map((name) => [name, guests[name]]));
  const body = { ...written, aupSettings: [], securitySettings: [], sites: [101, 102, 103, 2160] };
  expect((await call("PUT", "/policies/1031", body, await etag("/policies/1031"))).status).toBe(200);
  expect(await json("/sites/101")).toMatchObject({ policyId: 1031, policyInfo: { name: "Guests" } });
});

it("lets nobody change the site of unidentified addresses", async () => {
  const { call, etag } = start();
  const stamp = await etag("/sites/2160");
  expect((await call("PUT", "/sites/2160", site("Mine"), stamp)).status).toBe(412);
  expect((await call("DELETE", "/sites/2160", undefined, stamp)).text).toContain("Cannot modify");
});

rule("threat-item-difference", "adds items and deletes values, and leaves the others", async () => {
  const { json, patch } = start();
  const before = await json("/lists/3785");
  const added = [domain("Bad.example.com", 1), domain("shop-login-2.example.net", 1)];
  const change = await patch(3785, added, ["OLD.example.com", "absent.example"]);
  expect([change.status, change.text]).toEqual([200, ""]);
  expect(await json("/lists/3785")).toMatchObject({ itemCount: before["itemCount"] });
  expect(await json("/lists/items?listId=3785&search=bad")).toEqual({ totalCount: 1, items: added.slice(0, 1) });
  expect(await json("/lists/items?listId=3785&search=login-2.")).toMatchObject({ items: [{ confidenceLevelId: 1 }] });
  expect(await json("/lists/items?listId=3785&search=old.")).toEqual({ totalCount: 0, items: [] });
});

rule("threat-item-overwrite", "writes items over all items of the list", async () => {
  const { json, call, etag } = start();
  const stamp = await etag("/lists/4541");
  expect((await call("PUT", "/lists/items?listId=4541", [domain("a.example")], '"1"')).status).toBe(412);
  expect((await call("PUT", "/lists/items?listId=4541", [domain("a.example")], stamp)).status).toBe(200);
  expect(await json("/lists/items?listId=4541")).toEqual({ totalCount: 1, items: [domain("a.example")] });
});

rule("threat-item-pages", "list items come in pages from 0, limited by type, confidence, search", async () => {
  const { json } = start();
  type Page = { totalCount: number; items: { value: string }[] };
  const items = async (query: string) => (await json(`/lists/items${query}`)) as unknown as Page;
  const all = await items("?listId=3785&numItemsPerPage=10000");
  expect(all.items).toHaveLength(121);
  expect((await items("?listId=3785")).items).toEqual(all.items.slice(0, 50));
  expect((await items("?listId=3785&page=2")).items).toEqual(all.items.slice(100));
  expect((await items("?listId=3785&page=9")).items).toEqual([]);
  const suspected = await items("?listId=3785&confidence=1");
  expect(suspected.totalCount).toBe(30);
  expect((await items("?listId=4541&type=LIST_TYPE_IP")).items).toMatchObject([{ value: "192.0.2.124" }]);
  expect((await items("")).totalCount).toBe(124);
});

rule("threat-list-quota", "holds at most 200,000 items in all custom lists together", async () => {
  const { json, patch, world } = start();
  expect(await json("/lists/quota")).toEqual({ count: 200_000, remainingCount: 200_000 - 124 });
  const { lists } = ownConfiguration(world);
  const phishing = lists.get(3785);
  if (!phishing) throw new Error("the list is not there");
  const many = Array.from({ length: 199_995 }, (_, at) => `d${at}.example.net`);
  lists.set(3785, { ...phishing, items: new Map(many.map((value) => [value, { ...phishingItem, value }])) });
  expect(await json("/lists/quota")).toMatchObject({ remainingCount: 2 });
  const three = ["a", "b", "c"].map((name) => domain(`${name}.example.org`));
  expect((await patch(4541, three)).status).toBe(409);
  expect((await patch(4541, three, ["beacon.example.net"])).status).toBe(200);
  expect((await patch(4541, [domain("one.too.many")])).status).toBe(409);
  expect(await json("/lists/quota")).toMatchObject({ remainingCount: 0 });
});

rule("threat-emergency-limit", "the two emergency lists hold at most 1,000 entries each", async () => {
  const { json, list, call } = start();
  expect((await list("/emergency-lists")).map(({ listType }) => listType)).toEqual(["whitelist", "blacklist"]);
  const items = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ type: "LIST_TYPE_DOMAIN", value: `d${at}.example` }));
  expect((await call("PUT", "/emergency-lists/blacklist", { items: items(1_001) })).status).toBe(400);
  expect((await call("PUT", "/emergency-lists/blacklist", { items: items(1_000) })).status).toBe(200);
  expect((await json("/emergency-lists/blacklist"))["items"]).toHaveLength(1_000);
  expect((await call("PUT", "/emergency-lists/greylist", { items: [] })).status).toBe(404);
});

rule(
  "threat-configuration-deployment",
  "takes sites, policies, honeypots and emergency lists live, as named",
  async () => {
    const { call, deploy, pending, etag, world, json } = start();
    expect(await pending()).toEqual(["sites Munich office Added"]);
    await call("PUT", "/sites/101", site("Berlin office", "198.51.100.16/28", 1031), await etag("/sites/101"));
    await call("DELETE", "/policies/1032", undefined, await etag("/policies/1032"));
    await call("PUT", "/emergency-lists/blacklist", { items: [] });
    const all = ["sites Berlin office Modified", "sites Munich office Added", "policies Laboratory Removed"];
    expect(await pending()).toEqual([...all, "emergency_lists blacklist Modified"]);
    for (const wrong of [{ created: { sites: [{ id: 101 }] } }, { modified: { customlists: [{ id: 3785 }] } }])
      expect((await deploy(wrong)).status).toBe(400);
    const launched = await deploy({ modified: { sites: [{ id: 101 }] }, deleted: { policies: [{ id: 1032 }] } });
    expect(launched.status).toBe(200);
    expect(await pending()).toEqual(["sites Munich office Added"]);
    expect((await deploy({ created: { sites: [{ id: 103 }] } })).status).toBe(409);
    world.advance(26_000);
    expect((await deploy({ created: { sites: [{ id: 103 }] } })).status).toBe(200);
    expect(await json("/recentChanges")).toEqual({ changes: [] });
    world.advance(26_000);
    expect((await deploy({})).text).toContain("nothing to deploy");
  },
);

rule("threat-list-deployment", "takes one list live, or its deletion, and no other", async () => {
  const { call, patch, pending, etag } = start();
  expect(await pending("/lists")).toEqual(["customlists Tracking Modified"]);
  await patch(3785, [domain("bad.example.com")]);
  await call("DELETE", "/lists/4541", undefined, await etag("/lists/4541"));
  expect(await pending("/lists")).toEqual(["customlists Phishing Modified", "customlists Tracking Removed"]);
  expect((await call("POST", "/lists/deployments", { id: 4541, status: "PENDING" })).status).toBe(200);
  expect(await pending("/lists")).toEqual(["customlists Phishing Modified"]);
  expect((await call("POST", "/lists/deployments", { id: 4541, status: "PENDING" })).status).toBe(409);
  expect((await call("POST", "/lists/deployments", { id: 9, status: "PENDING" })).status).toBe(404);
});

rule("threat-deployment-times", "deployment takes 25 seconds for a configuration, 30 minutes for lists", async () => {
  const { call, deploy, json, list, world } = start();
  const progress = async (path: string) => {
    const { status, progressPct } = await json(path);
    return `${status} ${progressPct}`;
  };
  const first = ((await deploy({ created: { sites: [{ id: 103 }] } })).headers["location"] ?? "").replace(own, "");
  const answer = await call("POST", "/lists/deployments", { id: 4541, status: "PENDING" });
  const second = (answer.headers["location"] ?? "").replace(own, "");
  expect([await progress(first), await progress(second)]).toEqual(["PENDING 0", "PENDING 0"]);
  expect(await list("/deployments?deploymentStatuses=PENDING,RUNNING")).toHaveLength(1);
  world.advance(15_000);
  expect([await progress(first), await progress(second)]).toEqual(["RUNNING 60", "RUNNING 0"]);
  expect(await json(first)).not.toHaveProperty("endTime");
  world.advance(15_000);
  expect([await progress(first), await progress(second)]).toEqual(["COMPLETED 100", "RUNNING 1"]);
  world.advance(30 * 60_000);
  expect(await progress(second)).toBe("COMPLETED 100");
  expect((await list("/deployments")).map(({ id }) => id)).toEqual([5002, 5001]);
});

it("tells of changes what became of each member and each exit point", async () => {
  const { call, etag, json } = start();
  const stamp = await etag("/sites/101");
  await call("PUT", "/sites/101", { ...site("Berlin", "198.51.100.80/28", 1030), description: "x" }, stamp);
  const { changes } = (await json("/recentChanges")) as { changes: { changes: Json[] }[] };
  const description = "Visitors behind 198.51.100.16/28";
  const changed = (changeType: string, detail: object, inner?: object[]) => ({
    ...{ changeType, detail },
    ...(inner ? { changes: inner } : {}),
  });
  const detail = { name: "Berlin", id: 101, modifiedBy: "mheld", modifiedDate: "2026-05-20T12:10:00.000+0000" };
  const points = [changed("Added", { name: "198.51.100.80/28" }), changed("Removed", { name: "198.51.100.16/28" })];
  expect(changes[0]?.changes[0]).toEqual(
    changed("Modified", detail, [
      changed("Modified", { name: "Name", oldValue: "Berlin office", newValue: "Berlin" }),
      changed("Modified", { name: "Description", oldValue: description, newValue: "x" }),
      changed("Modified", { name: "Exit Point" }, points),
    ]),
  );
  const original = { ...site("Berlin office", "198.51.100.16/28", 1030), description };
  await call("PUT", "/sites/101", original, await etag("/sites/101"));
  expect(JSON.stringify(await json("/recentChanges"))).not.toContain("Berlin");
});
