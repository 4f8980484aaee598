/** Properties of today: what carries over under the documents' names, what previews say, and one world for both generations. */
import { describe, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { callsIn } from "../../lab/calls.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const begin = () => {
  const world = createWorld();
  return { world, ...callsIn(world) };
};

describe("one world", () => {
  it("each generation shows what the other writes, with its own links", async () => {
    const { send, get, ask } = startRaw();
    const asked = (target: string, prefixes = "true", more = {}) =>
      ask({ target, headers: { "papi-use-prefixes": prefixes, "content-type": "application/json" }, ...more });
    const query = "contractId=ctr_C-1FRYVV3&groupId=grp_11111";
    const made = await send("POST", `/papi/v0/properties/?${query}`, {
      productId: "prd_Site_Delivery",
      propertyName: "old.shop.example",
    });
    const { propertyLink } = made.json() as { propertyLink: string };
    expect(propertyLink).toMatch(/^\/papi\/v0\/properties\/prp_/);
    const today = propertyLink.replace("v0", "v1");
    const found = { properties: { items: [{ propertyName: "old.shop.example", contractId: "ctr_C-1FRYVV3" }] } };
    expect((await asked(today)).json()).toMatchObject(found);
    const plain = { properties: { items: [{ propertyName: "old.shop.example", contractId: "C-1FRYVV3" }] } };
    expect((await asked(propertyLink, "false")).json()).toMatchObject(plain);
    const body = JSON.stringify({ createFromVersion: 1 });
    const version = await asked(today.replace("?", "/versions?"), "true", { method: "POST", body });
    expect((version.json() as { versionLink: string }).versionLink).toMatch(/^\/papi\/v1\/.*versions\/2/);
    expect((await get(propertyLink)).json()).toMatchObject({ properties: { items: [{ latestVersion: 2 }] } });
    const missing = await asked(`/papi/v1/properties/prp_1?${query}`);
    expect(missing.json()).toMatchObject({ status: 404, type: expect.stringContaining("/papi/v1/") });
  });
});

rule("property-bucket-one-change", "changes a bucket over time, and not while a change is under way", async () => {
  const { world, approved, answer } = begin();
  const entry = { cnameType: "EDGE_HOSTNAME", edgeHostnameId: "ehn_1682", certProvisioningType: "CPS_MANAGED" };
  const args = (cnameFrom: string) => ({
    propertyId: "prp_175783",
    body: { network: "STAGING", add: [{ ...entry, cnameFrom }] },
  });
  const named = async () => {
    const { body } = await answer("property_active_hostnames_list", { propertyId: "prp_175783", network: "STAGING" });
    const { items } = (body as { hostnames: { items: { cnameFrom: string }[] } }).hostnames;
    return items.map(({ cnameFrom }) => cnameFrom);
  };
  expect((await approved("property_active_hostnames_update", args("a.shop.example"))).kind).toBe("answer");
  expect(await named()).toEqual(["draft.shop.example"]);
  const busy = await approved("property_active_hostnames_update", args("b.shop.example"));
  expect(busy).toMatchObject({ kind: "failure", failure: { code: "conflict" } });
  world.advance(60_000);
  expect(await named()).toEqual(["a.shop.example", "draft.shop.example"]);
  const { body } = await answer("property_hostname_differences_list", { propertyId: "prp_175783" });
  expect(JSON.stringify(body)).toContain("a.shop.example");
  const foreign = await approved("property_active_hostnames_update", {
    ...args("c.shop.example"),
    propertyId: "prp_175780",
  });
  expect(foreign).toMatchObject({ kind: "failure" });
});

it("a patch that leaves no rules is refused before it is sent", async () => {
  const { refused } = begin();
  const at = { propertyId: "prp_175780", propertyVersion: 3 };
  for (const operation of [
    { op: "replace", path: "", value: null },
    { op: "replace", path: "/rules", value: null },
  ])
    expect(await refused("property_rule_update", { ...at, body: [operation] })).toMatchObject({
      code: "invalid_input",
      fields: [expect.stringMatching(/^body: operations that result in a rule tree/)],
    });
});

it("a replacement of a tree by itself with a comment changes the comment", async () => {
  const { answer, previewed } = begin();
  const draft = { propertyId: "prp_175780", propertyVersion: 3 };
  const { body } = await answer("property_rule_tree_get", { ...draft, outline: false });
  const { rules } = body as { rules: object };
  const [same, commented] = [{ rules }, { rules, comments: "For the spring" }];
  const summaryOf = async (written: object) =>
    (await previewed("property_rule_tree_replace", { ...draft, body: written })).summary;
  expect(await summaryOf(same)).toMatch(/: it is already up to date, so nothing changes\.$/);
  expect(await summaryOf(commented)).toMatch(
    /^REPLACE the rule tree of version 3 of property prp_175780, which is live on no network .*: 1 added\.$/,
  );
});

it("a tree that lacks most of the present rules is warned of", async () => {
  const { answer, approved, previewed } = begin();
  const draft = { propertyId: "prp_175780", propertyVersion: 3 };
  const { body } = await answer("property_rule_tree_get", { ...draft, outline: false });
  const { rules } = body as { rules: { children: readonly { name: string; children?: readonly object[] }[] } };
  const nested = { name: "Inner", behaviors: [{ name: "caching", options: { behavior: "NO_STORE" } }] };
  const [first] = rules.children;
  const three = [1, 2, 3].map((at) => ({ ...nested, name: `Inner ${at}` }));
  const whole = { ...rules, children: [{ ...first, children: three }] };
  await approved("property_rule_tree_replace", { ...draft, body: { rules: whole } });
  const warningsFor = async (children: readonly object[]) =>
    (await previewed("property_rule_tree_replace", { ...draft, body: { rules: { ...rules, children } } })).warnings;
  expect(await warningsFor([{ ...first, children: three.slice(2) }])).toEqual([]);
  expect(await warningsFor([{ ...first, children: [] }])).toEqual([
    "3 of the 4 present rules below the default one go: the new tree has none of their names.",
  ]);
});
