/** Includes: what the preview of an activation says it reaches, what keeps an include, and one world with the properties that use it. */
import { expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { includes } from "../../../src/tools/includes/index.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const shared = { includeId: "inc_310001" };
const to = (network: string, more: Args = {}): Args => ({
  ...shared,
  body: { includeVersion: 2, network, notifyEmails: ["operations@shop.example"], ...more },
});
const start = () => {
  const world = createWorld({ frozenAt: Date.now() });
  return { world, ...callsIn(world) };
};
type Items = { activations: { items: { status: string; includeVersion: number; includeActivationId: string }[] } };

rule("include-reach", "an include reaches each property using it, critical with several", async () => {
  const raw = startRaw();
  const at = "/papi/v0/properties/prp_175783";
  const version = `${at}/versions/1`;
  const behaviors = [
    { name: "origin", options: { hostname: "origin.shop.example" } },
    { name: "cpCode", options: { value: { id: 12_345 } } },
    { name: "include", options: { id: shared.includeId } },
  ];
  await raw.send("PUT", `${version}/hostnames/`, [
    { cnameFrom: "draft.shop.example", cnameTo: "www.shop.example.edgesuite.example" },
  ]);
  const written = await raw.send("PUT", `${version}/rules/`, { rules: { name: "default", behaviors } });
  expect(written.status).toBe(200);
  const body = { propertyVersion: 1, network: "STAGING", notifyEmails: ["a@shop.example"] };
  const activated = await raw.send("POST", `${at}/activations/`, { ...body, acknowledgeAllWarnings: true });
  expect(activated.status).toBe(201);
  const parents = async () => {
    const headers = { "papi-use-prefixes": "true" };
    const answer = await raw.ask({ target: "/papi/v1/includes/inc_310001/parents", headers });
    const { properties } = answer.json() as { properties: { items: { propertyName: string }[] } };
    return properties.items.map(({ propertyName }) => propertyName);
  };
  expect(await parents()).toEqual(["api.shop.example"]);
  raw.world.advance(60_000);
  expect(await parents()).toEqual(["api.shop.example", "draft.shop.example"]);
  const { previewed } = callsIn(raw.world);
  const { plan, text } = await previewed("include_version_activate", to("STAGING"));
  expect(plan.tier).toBe("critical");
  expect(text).toContain('property "draft.shop.example" (prp_175783): version 1 is active on STAGING');
});

rule("include-cancelled", "is not listed once it is cancelled, and can still be read", async () => {
  const { approved, answer, refused } = start();
  const pending = { includeId: "inc_310002", activationId: "atv_5103" };
  expect((await approved("include_activation_cancel", pending)).kind).toBe("answer");
  const listed = (await answer("include_activations_list", { includeId: "inc_310002" })).body as Items;
  expect(listed.activations.items.map(({ includeActivationId }) => includeActivationId)).toEqual(["atv_5104"]);
  expect((await answer("include_activation_get", pending)).body).toMatchObject({
    activations: { items: [{ status: "ABORTED" }] },
  });
  expect((await refused("include_activation_cancel", { ...shared, activationId: "atv_5101" })).fields[0]).toMatch(
    /^activationId: an activation that is PENDING/,
  );
});

rule("include-delete-inactive", "keeps an include with an active version", async () => {
  const { refused } = start();
  expect((await refused("include_delete", shared)).fields[0]).toMatch(
    /^includeId: an include without an active version, and this one has version 1 on staging and version 1 on production/,
  );
});

rule("include-stamp", "is refused once the rules have changed, and a trial saves nothing", async () => {
  const { answer, call } = start();
  const at = { ...shared, includeVersion: 2 };
  const { etag } = (await answer("include_rule_tree_get", at)).body as { etag: string };
  const patch = (ttl: string) => ({
    ...at,
    body: [{ op: "replace", path: "/rules/behaviors/0/options/ttl", value: ttl }],
  });
  await answer("include_rule_tree_update", { ...patch("1m"), dryRun: true });
  expect(((await answer("include_rule_tree_get", at)).body as { etag: string }).etag).toBe(etag);
  await answer("include_rule_tree_update", { ...patch("2h"), ifMatch: `"${etag}"` });
  const again = await call("include_rule_tree_update", { ...patch("3h"), ifMatch: `"${etag}"` });
  expect(again).toMatchObject({ kind: "failure", failure: { detail: { status: 412 } } });
  const part = await answer("include_rule_tree_get", { ...at, at: "/rules/behaviors/0" });
  expect(part.body).toMatchObject({ part: { options: { ttl: "2h" } } });
});

it("the preview of a patch says that a dry run saves nothing", () => {
  const says = includes.operations.include_rule_tree_update.spec.guard?.says;
  if (typeof says !== "function") throw new Error("nothing is said");
  expect(says({ ...shared, includeVersion: 2, dryRun: true, body: [] }, undefined, {})).toMatchObject({
    verb: "TRY, without saving, to CHANGE",
    target: expect.stringContaining("the rules of version 2 of include inc_310001"),
  });
});

it("a replacement of the rules sends their comments", async () => {
  const { answer, previewed } = start();
  const at = { ...shared, includeVersion: 2 };
  const { rules } = (await answer("include_rule_tree_get", { ...at, outline: false })).body as { rules: object };
  const { text } = await previewed("include_rule_tree_replace", {
    ...at,
    body: { rules, comments: "Cached at night." },
  });
  expect(text).toContain('comments: "Cached at night."');
  expect(text).not.toContain("Not sent");
});

it("a patch that leaves no rules is refused before it is sent", async () => {
  const { refused } = start();
  const at = { ...shared, includeVersion: 2 };
  const leaving = {
    message: expect.any(String),
    code: "invalid_input",
    fields: [expect.stringMatching(/^body: operations that result in a rule tree/)],
  };
  for (const operation of [
    { op: "replace", path: "", value: null },
    { op: "remove", path: "/rules" },
  ])
    expect(await refused("include_rule_tree_update", { ...at, body: [operation] })).toEqual(leaving);
});
