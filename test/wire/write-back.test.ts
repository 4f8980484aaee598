/** What was read and is written back: what is not sent is said, in the result and, where it differs, before an approval. */
import { expect, it } from "vitest";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createEmulator } from "../../src/emulator/index.js";
import { authorizer } from "../../src/wire/authorize.js";
import { createClient } from "../../src/wire/index.js";
import { type Args, callsAt, callsIn } from "../lab/calls.js";
import { responseOf } from "./exchange.js";

const at = callsAt(Date.UTC(2026, 4, 20, 12));
const one = { openIdentityId: "oi-7421", credentialId: 4102 };
const read = async (tool: string, args: Args) => (await at.calls.answer(tool, args)).body as Args;

it("a member that the API sets is named by the result of a change", async () => {
  const body = await read("edgelogic_origin_get", { originId: "shopBalancer" });
  const args = { originId: "shopBalancer", body: { ...body, description: "Both regions", type: "CUSTOMER" } };
  const { notes } = await at.calls.answer("edgelogic_origin_update", args);
  expect(notes).toContain("Not sent, because the API sets them itself: body.type, body.checksum.");
  expect(await read("edgelogic_origin_get", { originId: "shopBalancer" })).toMatchObject({
    description: "Both regions",
    type: "APPLICATION_LOAD_BALANCER",
  });
});

it("a member the API sets gets a warning only where it differs", async () => {
  const body = await read("credential_get", one);
  const same = await at.calls.previewed("credential_update", { ...one, body });
  expect(same.text).not.toMatch(/createdOn|clientToken/);
  expect(same).toMatchObject({ warnings: [], changes: 0 });
  const other = await at.calls.previewed("credential_update", {
    ...one,
    body: { ...body, createdOn: "2020-01-01T00:00:00.000Z" },
  });
  expect(other.warnings).toEqual([
    `body.createdOn is 2020-01-01T00:00:00.000Z here and ${String(body["createdOn"])} in the present state: the API sets it itself, so it is not sent and does not change.`,
  ]);
  // Nothing that is sent differs, so neither does what is approved.
  expect(other.digest).toBe(same.digest);
});

const draft = { propertyId: "prp_175780", propertyVersion: 3 };

it("a rule without a name is shown in an outline and written back", async () => {
  const whole = await read("property_rule_tree_get", { ...draft, outline: false });
  const rules = whole["rules"] as Args;
  const nameless = { criteria: [], behaviors: [{ name: "caching", behavior: "MAX_AGE", ttl: "1m" }] };
  const changed = { ...rules, children: [nameless, ...(rules["children"] as object[])] };
  await at.calls.answer("property_rule_tree_replace", { ...draft, body: { ...whole, rules: changed } });
  const again = await read("property_rule_tree_get", { ...draft, outline: false });
  expect(again["rules"]).toEqual(changed);
  const { outline } = (await read("property_rule_tree_get", draft)) as { outline: Args[] };
  expect(outline[1]).toEqual({
    at: "/rules/children/0",
    behaviors: [{ at: "/rules/children/0/behaviors/0", name: "caching" }],
  });
});

it.each([202, 204])("takes %i for an input of a change as success", async (status) => {
  const emulator = createEmulator({ world: at.world });
  const client = createClient({
    send: async (request) => {
      if (request.method !== "POST") return emulator.send(request);
      const body = status === 204 ? "" : JSON.stringify({ change: "/cps/v2/enrollments/10004/changes/20004" });
      const type = "application/vnd.akamai.cps.change-id.v1+json";
      return responseOf({ status, headers: { "content-type": status === 204 ? "" : type }, body });
    },
    target: { origin: `https://${demoCredentials.host}`, vendor: "akamai" },
    authorize: authorizer(undefined, demoCredentials),
    maxResponseBytes: 1_000_000,
  });
  const outcome = await callsIn(at.world, { client }).approved("cert_change_input_submit", {
    enrollmentId: 10004,
    changeId: 20004,
    allowedInputTypeParam: "free-ca-challenges-completed",
    body: { acknowledgement: "acknowledge" },
  });
  expect(outcome).toMatchObject({ kind: "answer", reply: { status } });
});
