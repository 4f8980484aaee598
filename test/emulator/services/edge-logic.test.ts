/** The documents' rules for edge logic, asked of the emulator in raw HTTP: policies, versions, rules and activations. */
import { describe, expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

type Json = Record<string, unknown>;
const root = "/cloudlets/api/v2";
const policies = `${root}/policies`;
const redirect = (name: string, more: object = {}) => ({
  type: "erMatchRule",
  name,
  matchURL: `/${name}`,
  redirectURL: "/sale",
  statusCode: 302,
  ...more,
});

function start() {
  const raw = startRaw();
  const json = async (target: string) => (await raw.get(target)).json() as Json;
  const list = async (target: string) => (await raw.get(target)).json() as Json[];
  const post = async (target: string, body: object) => {
    const answer = await raw.send("POST", target, body);
    return { status: answer.status, text: answer.text, body: (answer.text === "" ? {} : answer.json()) as Json };
  };
  return {
    ...raw,
    json,
    list,
    post,
    names: async (target: string) => (await list(target)).map(({ name }) => name),
    activate: (policyId: number, version: number, network: string, ...additionalPropertyNames: string[]) =>
      post(`${policies}/${policyId}/versions/${version}/activations`, { network, additionalPropertyNames }),
    states: async (policyId: number) =>
      (await list(`${policies}/${policyId}/activations`)).map((one) => {
        const { version, status } = one["policyInfo"] as Json;
        return `${one["network"]} ${version} ${status}`;
      }),
  };
}

rule("edgelogic-offset", "begins a page after as many records as offset says", async () => {
  const { json, list, post } = start();
  for (let at = 0; at < 30; at += 1) await post(`${policies}/1005/versions`, { description: `v${at}` });
  const all = await list(`${policies}/1005/versions`);
  const page = await list(`${policies}/1005/versions?offset=25&pageSize=3`);
  expect(page).toEqual(all.slice(25, 28));
  expect(await json(`${policies}?offset=1&pageSize=2`)).toMatchObject([{ policyId: 1002 }, { policyId: 1003 }]);
  expect(await json(`${policies}?offset=99`)).toEqual([]);
});

rule("edgelogic-group-zero", "shows all groups for the group 0, and one for another", async () => {
  const { json, get } = start();
  expect(await json(`${root}/group-info/0`)).toEqual(await json(`${root}/group-info`));
  expect(await json(`${root}/group-info/11111`)).toMatchObject({ groupId: 11111, parentId: 22222 });
  expect((await get(`${root}/group-info/7`)).status).toBe(404);
  expect(await json(`${root}/cloudlet-info?gid=11111`)).toContainEqual(await json(`${root}/cloudlet-info/9`));
  for (const none of ["cloudlet-info/8", "cloudlet-info?gid=7"])
    expect((await get(`${root}/${none}`)).status).toBe(404);
  expect((await get(`${root}/cloudlet-info`)).status).toBe(400);
});

rule("edgelogic-first-version", "gives a new policy a version 1 without rules", async () => {
  const { post, json } = start();
  const { status, body } = await post(policies, { cloudletId: 0, name: "autumn" });
  expect([status, body["activations"]]).toEqual([201, []]);
  expect(await json(`${policies}/${body["policyId"]}/versions/1`)).toMatchObject({ version: 1, matchRules: [] });
});

rule("edgelogic-name-taken", "a taken policy name is refused with the policy that has it", async () => {
  const { post, json, send } = start();
  const taken = await post(policies, { cloudletId: 3, name: "spring_redirects" });
  expect(taken).toMatchObject({ status: 409, body: await json(`${policies}/1001`) });
  expect((await send("PUT", `${policies}/1005`, { name: "spring_redirects" })).status).toBe(409);
  expect((await send("PUT", `${policies}/1001`, { name: "spring_redirects" })).status).toBe(200);
});

rule("edgelogic-clone-latest", "clones the latest version, or the one that is named", async () => {
  const { post, json } = start();
  const rulesOf = async (query: string, name: string) => {
    const { body } = await post(`${policies}?clonePolicyId=1001${query}`, { cloudletId: 0, name });
    const { matchRules } = await json(`${policies}/${body["policyId"]}/versions/1`);
    return (matchRules as Json[]).map(({ name: one }) => one);
  };
  expect(await rulesOf("", "copy_a")).toEqual(["Spring", "Old"]);
  expect(await rulesOf("&version=1", "copy_b")).toEqual(["Spring"]);
  expect((await post(`${policies}?clonePolicyId=1001&version=9`, { cloudletId: 0, name: "copy_c" })).status).toBe(404);
  expect((await post(`${policies}?clonePolicyId=1001`, { cloudletId: 3, name: "copy_d" })).status).toBe(400);
});

rule("edgelogic-clone-attributes", "copies what the body of a clone leaves out, and nothing that it has", async () => {
  const { post, send } = start();
  await send("PUT", `${policies}/1001`, { description: "Spring" });
  const clone = (more: object) => post(`${policies}?clonePolicyId=1001`, { cloudletId: 0, ...more });
  expect((await clone({ name: "a" })).body).toMatchObject({ description: "Spring", groupId: 11111 });
  expect((await clone({ name: "b", description: "Autumn" })).body).toMatchObject({ description: "Autumn" });
});

rule("edgelogic-policy-restore", "lists a deleted policy with includeDeleted alone, until it is restored", async () => {
  const { ask, names, json, send, post } = start();
  expect((await ask({ method: "DELETE", target: `${policies}/1005` })).status).toBe(204);
  expect((await ask({ method: "DELETE", target: `${policies}/1005` })).status).toBe(404);
  expect(await names(policies)).not.toContain("old_rewrites");
  expect(await names(`${policies}?includeDeleted=true`)).toContain("old_rewrites");
  expect(await json(`${policies}/1005`)).toMatchObject({ deleted: true });
  const { body } = await post(policies, { cloudletId: 3, name: "old_rewrites" });
  expect((await send("PUT", `${policies}/1005`, { deleted: false })).status).toBe(409);
  await ask({ method: "DELETE", target: `${policies}/${body["policyId"]}` });
  expect((await send("PUT", `${policies}/1005`, { deleted: false })).status).toBe(200);
  expect(await names(policies)).toContain("old_rewrites");
});

it("has a deleted policy active nowhere, until it is restored", async () => {
  const { ask, json, send } = start();
  const seen = async () => {
    const { activations } = (await json(`${policies}/1001`)) as { activations?: { policyInfo: { status: string } }[] };
    const target = "/diagnostic-tools/v2/ghost-locations/tokyo-japan/curl-results";
    const answer = (await send("POST", target, { url: "http://www.shop.example/spring" })).json();
    const { httpStatusCode } = (answer as { curlResults: { httpStatusCode: number } }).curlResults;
    return [activations?.map(({ policyInfo }) => policyInfo.status), httpStatusCode];
  };
  const before = await seen();
  expect(before).toEqual([["active", "active"], 301]);
  await ask({ method: "DELETE", target: `${policies}/1001` });
  expect(await seen()).toEqual([[], 200]);
  await send("PUT", `${policies}/1001`, { deleted: false });
  expect(await seen()).toEqual(before);
});

rule("edgelogic-version-number", "a new version's number is above all before it, even deleted ones", async () => {
  const { post, ask, json } = start();
  const added = await post(`${policies}/1001/versions?cloneVersion=1`, {});
  expect(added).toMatchObject({ status: 201, body: { version: 3, description: "Spring" } });
  expect(added.body["matchRules"]).toMatchObject([{ name: "Spring" }]);
  await ask({ method: "DELETE", target: `${policies}/1001/versions/3` });
  const next = await post(`${policies}/1001/versions`, { matchRules: [redirect("a")] });
  expect(next.body).toMatchObject({ version: 4 });
  const versions = `${policies}/1001/versions`;
  expect(await json(versions)).toMatchObject([{ version: 4, matchRules: null }, { version: 2 }, { version: 1 }]);
  expect(await json(`${versions}?includeRules=true`)).toMatchObject([{ matchRules: [{ name: "a" }] }, {}, {}]);
});

rule("edgelogic-rules-locked", "activation locks a version's rules, but not its description", async () => {
  const { send, post, json, activate } = start();
  const old = `${policies}/1001/versions/1`;
  for (const [method, path, body] of [
    ["PUT", old, { matchRules: [] }],
    ["POST", `${old}/rules`, redirect("a")],
    ["PUT", `${old}/rules/5db847a66e0566ad`, redirect("a")],
  ] as const)
    expect((await send(method, path, body)).text, path).toContain("/cloudlets/v2/error-types/rules-locked");
  expect((await send("PUT", old, { description: "Spring sale" })).text).toContain("Spring sale");
  const draft = `${policies}/1001/versions/2`;
  expect((await send("PUT", draft, { matchRules: [redirect("b")] })).status).toBe(200);
  await activate(1001, 2, "staging");
  expect(await json(draft)).toMatchObject({ rulesLocked: true, matchRules: [{ name: "b" }] });
  expect((await post(`${draft}/rules`, redirect("c"))).status).toBe(400);
});

rule("edgelogic-version-delete", "deletes a version that is active, which stays active", async () => {
  const { ask, states } = start();
  expect((await ask({ method: "DELETE", target: `${policies}/1001/versions/1` })).status).toBe(204);
  expect((await ask({ target: `${policies}/1001/versions/1` })).status).toBe(404);
  expect(await states(1001)).toEqual(["prod 1 active", "staging 1 active"]);
});

rule("edgelogic-rule-index", "inserts a rule at its index, or at the end, and nowhere behind it", async () => {
  const { post, json, ask, send } = start();
  const rules = `${policies}/1001/versions/2/rules`;
  const first = await post(`${rules}?index=0`, redirect("first"));
  await post(`${rules}?index=2`, redirect("third"));
  await post(rules, redirect("last"));
  const { matchRules } = await json(`${policies}/1001/versions/2`);
  expect((matchRules as Json[]).map(({ name }) => name)).toEqual(["first", "Spring", "third", "Old", "last"]);
  expect((await post(`${rules}?index=6`, redirect("beyond"))).status).toBe(400);
  const id = first.body["akaRuleId"];
  expect(first).toMatchObject({ status: 200, body: { location: `${rules}/${id}`, start: 0, end: 0, id: null } });
  expect((await ask({ target: `${rules}/${id}` })).json()).toEqual(first.body);
  const put = await send("PUT", `${rules}/${id}`, redirect("first", { disabled: true }));
  expect(put.json()).toMatchObject({ akaRuleId: id, disabled: true });
  expect((await ask({ target: `${rules}/0000` })).status).toBe(404);
});

rule("edgelogic-activation-moves", "a policy activation goes from pending to active by the clock", async () => {
  const { activate, states, world, json } = start();
  expect(await states(1001)).toEqual(["prod 1 active", "staging 1 active"]);
  const launched = await activate(1001, 2, "prod");
  expect(launched).toMatchObject({
    status: 200,
    body: [{ network: "prod", policyInfo: { version: 2, status: "pending", statusDetail: "initial" } }],
  });
  expect(await states(1001)).toEqual(["prod 2 pending", "prod 1 active", "staging 1 active"]);
  expect((await activate(1001, 2, "prod")).status).toBe(409);
  world.advance(29_999);
  expect((await states(1001))[0]).toBe("prod 2 pending");
  world.advance(1);
  expect(await states(1001)).toEqual(["prod 2 active", "prod 1 deactivated", "staging 1 active"]);
  expect(await json(`${policies}/1001`)).toMatchObject({
    activations: [{ network: "staging" }, { network: "prod", policyInfo: { version: 2, detailCode: 4000 } }],
  });
  expect((await activate(1001, 1, "prod")).status).toBe(200);
  world.advance(30_000);
  expect(await states(1001)).toEqual(["prod 1 active", "prod 2 deactivated", "prod 1 deactivated", "staging 1 active"]);
});

describe("an activation", () => {
  it("a policy is activated for each property that uses it or is named", async () => {
    const { activate, list, json, world } = start();
    expect((await activate(1005, 1, "staging")).status).toBe(400);
    const both = await activate(1005, 1, "staging", "api.shop.example", "images.shop.example", "api.shop.example");
    const names = ["api.shop.example", "images.shop.example"];
    expect(both.body).toMatchObject(names.map((name) => ({ propertyInfo: { name } })));
    world.advance(10_000);
    expect(await list(`${policies}/1005/activations?network=staging&propertyName=api.shop.example`)).toHaveLength(1);
    expect(await list(`${policies}/1005/activations?network=prod`)).toEqual([]);
    const used = await json(`${policies}/1005/properties`);
    expect(Object.keys(used)).toEqual(names);
    expect(used["api.shop.example"]).toMatchObject({
      staging: { referencedPolicies: ["old_rewrites"], cloudletsOrigins: { apiFrankfurt: { type: "CUSTOMER" } } },
      production: { referencedPolicies: [] },
    });
    expect(Object.keys(await json(`${root}/properties`))).toContain("www.shop.example");
  });

  it("of an unknown property is refused in the older format", async () => {
    const { activate } = start();
    expect(await activate(1001, 2, "staging", "XYZ")).toMatchObject({
      status: 400,
      body: { errorCode: -1, errorMessage: 'Requested propertyName "XYZ" does not exist' },
    });
  });
});

it("refuses what the group may not do, and ids that there are not", async () => {
  const { post, get, send, activate } = start();
  expect((await post(policies, { cloudletId: 4, name: "control" })).status).toBe(403);
  expect((await post(policies, { cloudletId: 0, name: "top", groupId: 22222 })).status).toBe(403);
  expect((await send("PUT", `${policies}/1001`, { groupId: 22222 })).status).toBe(403);
  for (const wrong of [{ cloudletId: 8 }, { cloudletId: 0, groupId: 7 }])
    expect((await post(policies, { name: "none", ...wrong })).status).toBe(400);
  for (const path of ["7", "7/versions", "1001/versions/9", "7/activations", "7/properties", "1001/versions/1/rules/a"])
    expect([path, (await get(`${policies}/${path}`)).status]).toEqual([path, 404]);
  expect((await activate(1001, 9, "staging")).status).toBe(404);
});

it("publishes schemas of the requests, all of whose names can be read", async () => {
  const { json, get } = start();
  const { schemas } = (await json(`${root}/schemas`)) as { schemas: { location: string; title: string }[] };
  for (const { location, title } of schemas) expect(await json(location)).toMatchObject({ title, location });
  const { schemas: ofEr } = (await json(`${root}/schemas?cloudletType=ER`)) as { schemas: { location: string }[] };
  expect(ofEr.map(({ location }) => location)).toContain(`${root}/schemas/match_rule-ER-1.0.json`);
  expect(await json(`${root}/schemas/match_rule-ER-1.0.json`)).toMatchObject({
    $schema: "http://json-schema.org/draft-04/schema#",
    required: expect.arrayContaining(["redirectURL", "statusCode"]),
  });
  expect((await get(`${root}/schemas/other.json`)).status).toBe(404);
});
