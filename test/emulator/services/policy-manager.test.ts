/** The rules for the visitor queue and SaaS access, asked of the emulator in raw HTTP; both are views of one set of policies. */
import { describe, expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

type Json = Record<string, unknown>;
const queue = "/config-visitor-prioritization-data/api/v1";
const access = "/config-saas-rules/v2";
const owners = "contractId=C-1FRYVV3&groupId=11111";
const formType = "application/x-www-form-urlencoded";
const queueRule = (matchURL: string) => ({ type: "vpMatchRule", matchURL, passThroughPercent: 10 });
const addresses = (matchValue: string) => ({ type: "saMatchRule", matches: [{ matchType: "clientip", matchValue }] });
const urlsOf = (policy: unknown) => ((policy as Json)["matchRules"] as Json[]).map(({ matchURL }) => matchURL);

interface Enveloped {
  readonly status: number;
  readonly body: { readonly responseCode: number; readonly englishMessage: string | null; readonly response: Json };
}

function start() {
  const raw = startRaw();
  const json = async (target: string) => (await raw.get(target)).json();
  const answered = ({ status, json: body }: Awaited<ReturnType<typeof raw.ask>>) =>
    ({ status, body: body() }) as Enveloped;
  const command = async (name: string, payload: object, query = `?command=${name}`) => {
    const request = { policyManagerRequest: { command: name, [name]: payload } };
    return answered(
      await raw.form("POST", `${queue}/policymanager${query}`, { query: JSON.stringify(request) }, formType),
    );
  };
  const activate = (network: string, more: object = {}) =>
    command("activate", { tapiocaIDs: [102], arlId: "175780", assetId: "10333526", network, ...more }, "");
  const send = async (method: string, target: string, name: string, payload: object) =>
    answered(
      await raw.send(method, `${access}${target}`, { policyManagerRequest: { command: name, [name]: payload } }),
    );
  return { ...raw, json, command, activate, send };
}

describe("the visitor queue", () => {
  rule("visitor-form", "takes the JSON in the only field of a form, and nothing else", async () => {
    const { form, ask, command } = start();
    const target = `${queue}/policymanager?command=getAllPolicyInfoMaps`;
    const inner = "getPolicyInfoMapUsingACGIDs";
    const text = JSON.stringify({ policyManagerRequest: { command: inner, [inner]: {} } });
    const listed = await form("POST", target, { query: text }, formType);
    expect(listed.json()).toMatchObject({ response: [{ id: 102, policyName: "sale_queue", matchRules: null }] });
    expect((await form("POST", target, { query: text, more: "1" }, formType)).status).toBe(400);
    expect((await form("POST", target, { query: "{" }, formType)).status).toBe(400);
    const asJson = { method: "POST", target, headers: { "content-type": "application/json" }, body: text };
    expect((await ask(asJson)).status).toBe(415);
    expect((await command("read", { id: 102 }, "?command=create")).status).toBe(400);
  });

  rule("visitor-update-id", "answers an update with a new id, and keeps the version that was read", async () => {
    const { command } = start();
    const update = async (more: object) =>
      (await command("update", { id: 102, overwriteRules: true, ...more })).body.response;
    const replaced = await update({ matchRules: [queueRule("/a")] });
    expect([replaced["id"], replaced["version"], urlsOf(replaced)]).toEqual([12_000, 2, ["/a"]]);
    expect(urlsOf(await update({ overwriteRules: false, matchRules: [queueRule("/b")] }))).toEqual(["/checkout", "/b"]);
    expect(urlsOf((await command("read", { id: 102 })).body.response)).toEqual(["/checkout"]);
    const versions = (await command("getPolicyInfoList", { policyId: 1003 })).body.response as unknown as Json[];
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect((await command("update", { id: 7, overwriteRules: true })).status).toBe(404);
    expect((await command("getPolicyInfoList", { policyId: 1001 })).status).toBe(404);
  });

  rule("visitor-name-taken", "refuses a name that is taken with the policy that has it", async () => {
    const { command } = start();
    const taken = { cloudletId: 1, policyName: "sale_queue" };
    for (const refused of [
      await command("create", taken),
      await command("clone", { id: 102, policyName: "sale_queue" }),
    ])
      expect(refused).toMatchObject({ status: 409, body: { responseCode: 409, response: { id: 102 } } });
    const clone = await command("clone", { id: 102 });
    expect(clone.body.response).toMatchObject({ policyName: "sale_queue_copy", version: 1 });
    expect(urlsOf(clone.body.response)).toEqual(["/checkout"]);
    expect((await command("create", { cloudletId: 0, policyName: "other" })).status).toBe(400);
  });

  rule("visitor-activation", "the visitor queue activates by file and asset, on one network", async () => {
    const { activate, command, world } = start();
    const policy = async () => (await command("read", { id: 102 })).body.response;
    expect(await policy()).toMatchObject({ activatedProduction: 0, activatedStaging: 1, immutable: true });
    for (const wrong of [{ arlId: "1" }, { assetId: "1" }])
      expect((await activate("production", wrong)).status).toBe(400);
    expect((await activate("production", { tapiocaIDs: [103] })).status).toBe(404);
    const pending = { responseCode: 0, response: [{ activatedProduction: 0 }] };
    expect((await activate("production")).body).toMatchObject(pending);
    expect((await activate("production")).status).toBe(409);
    world.advance(30_000);
    expect(await policy()).toMatchObject({ activatedProduction: 1 });
  });

  rule("visitor-history", "lists the present activations, or with historyOnly all that there were", async () => {
    const { activate, command, json, world } = start();
    const list = async (query = "") =>
      ((await json(`${queue}/common/activation${query}`)) as { policies: { versions: { version: string }[] }[] }[])
        .flatMap(({ policies }) => policies)
        .flatMap(({ versions }) => versions.map(({ version }) => version));
    expect(await list()).toEqual(["1"]);
    const { response } = (await command("update", { id: 102, overwriteRules: true })).body;
    await activate("staging", { tapiocaIDs: [response["id"]] });
    world.advance(10_000);
    expect(await list()).toEqual(["2"]);
    expect(await list("?historyOnly=true")).toEqual(["1", "2"]);
  });
});

describe("SaaS access", () => {
  rule("saasaccess-owners", "SaaS access asks for a contract and a group of the account", async () => {
    const { get, send, json } = start();
    const response = [{ id: 103, policyName: "crm_access" }];
    expect(await json(`${access}/policyInfoMaps?${owners}`)).toMatchObject({ response });
    expect(await json(`${access}/policyInfoMaps?contractId=C-1FRYVV3&groupId=22222`)).toMatchObject({ response: [] });
    for (const [query, status] of [
      ["contractId=C-1FRYVV3", 400],
      ["groupId=11111", 400],
      ["contractId=C-OTHER&groupId=11111", 403],
      ["contractId=C-1FRYVV3&groupId=7", 403],
    ] as const) {
      expect([query, (await get(`${access}/policyInfoMaps?${query}`)).status]).toEqual([query, status]);
      const created = await send("POST", `/policies?${query}`, "create", { cloudletId: "2", policyName: "a" });
      expect([query, created.status]).toEqual([query, status]);
    }
  });

  rule("saasaccess-name-taken", "refuses a name that is taken with 409 and the policy that has it", async () => {
    const { send } = start();
    const taken = await send("POST", `/policies?${owners}`, "create", { cloudletId: "2", policyName: "crm_access" });
    expect(taken).toMatchObject({ status: 409, body: { responseCode: 409, response: { id: 103, policyId: 1004 } } });
    const other = await send("POST", `/policies?${owners}`, "create", { cloudletId: "1", policyName: "a" });
    expect(other.status).toBe(400);
  });

  rule("saasaccess-clone", "SaaS access clones the rules of a version unless others are given", async () => {
    const { send } = start();
    const clone = async (policyName: string, more: object = {}) =>
      (await send("POST", `/policies?cloneId=103&${owners}`, "create", { cloudletId: "2", policyName, ...more })).body
        .response;
    expect(await clone("a")).toMatchObject({ matchRules: [{ matches: [{ matchValue: "198.51.100.0/24" }] }] });
    const own = [addresses("192.0.2.1")];
    expect(await clone("b", { matchRules: own })).toMatchObject({ matchRules: own });
  });

  rule("saasaccess-update-id", "answers an update with a new id", async () => {
    const { send, json } = start();
    const update = (more: object) => send("PUT", "/policies/103", "update", { overwriteRules: true, ...more });
    const { response } = (await update({ matchRules: [addresses("192.0.2.1")] })).body;
    expect(response).toMatchObject({ id: 12_000, version: 2, policyId: 1004 });
    expect(await json(`${access}/policies/12000`)).toMatchObject({ response });
    expect(await json(`${access}/policyInfoList/1004`)).toMatchObject({ response: [{ id: 103 }, { id: 12_000 }] });
    expect((await update({ id: 104 })).status).toBe(400);
  });

  rule("saasaccess-activation", "SaaS access activates versions, listed by network, id and history", async () => {
    const { ask, json, get, world } = start();
    const activate = (query: string) => ask({ method: "PUT", target: `${access}/activations/?${query}` });
    const idsOf = async (query: string) =>
      JSON.stringify(await json(`${access}/activations/?${query}`)).match(/"policyVersionId":\d+/g) ?? [];
    expect(await idsOf("")).toEqual([]);
    const activated = { responseCode: 0, response: [{ id: 103 }] };
    expect((await activate("network=staging&ids=103")).json()).toMatchObject(activated);
    world.advance(10_000);
    expect(await idsOf("network=staging&ids=103,104")).toEqual(['"policyVersionId":103']);
    expect(await idsOf("network=production")).toEqual([]);
    expect(await idsOf("ids=104&historyOnly=true")).toEqual([]);
    const response = { activatedStaging: 1, immutable: true };
    expect(await json(`${access}/policies/103`)).toMatchObject({ response });
    for (const [query, status] of [
      ["network=staging&ids=7", 404],
      ["network=test&ids=103", 400],
      ["ids=103", 400],
    ] as const)
      expect([query, (await activate(query)).status]).toEqual([query, status]);
    expect((await get(`${access}/policies/7`)).status).toBe(404);
    expect((await get(`${access}/policyInfoList/1001`)).status).toBe(404);
  });
});

describe("one set of policies", () => {
  it("edge logic and the older policy services show each other's writes", async () => {
    const { command, send, json, ask, activate, world } = start();
    const edge = "/cloudlets/api/v2/policies";
    const names = async (cloudletId: number) =>
      ((await json(`${edge}?cloudletId=${cloudletId}`)) as Json[]).map(({ name }) => name);
    await command("create", { cloudletId: 1, policyName: "flash_queue" });
    await send("POST", `/policies?${owners}`, "create", { cloudletId: "2", policyName: "wiki_access" });
    expect(await names(1)).toEqual(["sale_queue", "flash_queue"]);
    expect(await names(2)).toEqual(["crm_access", "wiki_access"]);
    await activate("production");
    world.advance(30_000);
    expect(await json(`${edge}/1003/activations?network=prod`)).toMatchObject([{ policyInfo: { status: "active" } }]);
    expect((await ask({ method: "DELETE", target: `${edge}/1003` })).status).toBe(204);
    expect((await command("read", { id: 102 })).status).toBe(404);
    expect(await json(`${queue}/common/activation`)).toEqual([]);
  });
});
