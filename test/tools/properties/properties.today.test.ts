/** Properties of today: what carries over under the documents' names, what previews say, and one world for both generations. */
import { describe, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const draft = { propertyId: "prp_175780", propertyVersion: 3 };
const place = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
const begin = () => {
  const world = createWorld();
  return { world, ...callsIn(world) };
};

describe("a preview", () => {
  const move = { remove: ["www.example.com"], add: [{ cnameFrom: "m.shop.example", edgeHostnameId: "ehn_1682" }] };
  const removal = [{ op: "remove", path: "/rules/children/1" }];
  it.each<[string, Args, RegExp]>([
    [
      "property_hostnames_update",
      { body: move },
      /^REMOVE hostname www\.example\.com, ADD hostname m\.shop\.example in/,
    ],
    ["property_rule_update", { body: removal }, /^CHANGE the rules of version 3 .*: remove \/rules\/children\/1\.$/],
    ["property_rule_update", { dryRun: true, body: removal }, /^TRY, without saving: CHANGE the rules/],
  ])("of %s leads with what is lost", async (tool, more, said) => {
    expect((await begin().previewed(tool, { ...draft, ...more })).summary).toMatch(said);
  });

  it("of a patch of rules shows the difference, removals first", async () => {
    const { text } = await begin().previewed("property_rule_update", {
      ...draft,
      body: [
        { op: "remove", path: "/rules/children/1" },
        { op: "replace", path: "/rules/behaviors/2/options/ttl", value: "2h" },
      ],
    });
    expect(text).toMatch(/- rule default > Checkout.*ttl: 1h → 2h/s);
  });

  it("hostnames: those given by id are compared with those read by name", async () => {
    const { text } = await begin().previewed("property_hostnames_update", {
      ...draft,
      body: { add: [{ cnameFrom: "www.shop.example", edgeHostnameId: "ehn_1682" }] },
    });
    expect(text).toContain("The hostnames stay the same.");
  });

  it("of an activation leads with what it skips, and is critical for it", async () => {
    const body = {
      network: "STAGING",
      notifyEmails: ["a@shop.example"],
      delayValidations: true,
      ignoreHttpErrors: true,
    };
    const args = { propertyId: draft.propertyId, body: { ...body, propertyVersion: 3 } };
    const { summary, plan } = await begin().previewed("property_version_activate", args);
    expect(summary).toMatch(
      /^WITH LESS CHECKING \(validates the rules later, goes on in spite of HTTP errors\): ACTIV/,
    );
    expect(plan.tier).toBe("critical");
  });

  it("a fast fallback's preview says so, and when it is not possible", async () => {
    const { world, approved, previewed, call } = begin();
    const to = (propertyVersion: number, more = {}) => ({
      propertyId: "prp_175780",
      body: { propertyVersion, network: "STAGING", notifyEmails: ["a@shop.example"], ...more },
    });
    expect((await approved("property_version_activate", to(3))).kind).toBe("answer");
    world.advance(60_000);
    const back = to(2, { useFastFallback: true });
    const { summary, warnings } = await previewed("property_version_activate", back);
    expect(summary).toMatch(/^FALL BACK AT ONCE TO version 2 .* on STAGING: it replaces version 3/);
    expect(warnings.join(" ")).not.toContain("a fast fallback is not possible");
    world.advance(3_600_000);
    const late = await previewed("property_version_activate", back);
    expect(late.warnings.join(" ")).toContain("a fast fallback is not possible");
    expect(await call("property_version_activate", { ...back, confirm: late.plan.id })).toMatchObject({
      kind: "failure",
      failure: { detail: { status: 422 } },
    });
  });

  it("of a bucket says that it is live at once, and where", async () => {
    const body = { network: "STAGING", remove: ["draft.shop.example"] };
    const { previewed } = begin();
    const { summary, text } = await previewed("property_active_hostnames_update", { propertyId: "prp_175783", body });
    expect(summary).toMatch(/^REMOVE hostname draft\.shop\.example on STAGING at once, without a new version/);
    expect(text).toMatch(/property_active_hostnames_update with .*"add":\[\{"cnameFrom":"draft\.shop\.example"/);
  });
});

describe("a write of a version's content", () => {
  it("a patch that does not fit is refused unsent with the nearest place", async () => {
    const { refused } = begin();
    const args = { ...draft, body: [{ op: "remove", path: "/rules/children/7" }] };
    const { fields } = await refused("property_rule_update", args);
    expect(fields).toEqual([expect.stringMatching(/^body\[0\]\.path: an existing location.*\/rules\/children/)]);
    const unknown = await refused("property_hostnames_update", { ...draft, body: { remove: ["no.shop.example"] } });
    expect(unknown.fields).toEqual(["body.remove[0]: a hostname that the version has"]);
  });

  it("saves nothing in a dry run", async () => {
    const { approved, answer } = begin();
    const body = [{ op: "remove", path: "/rules/children/1" }];
    expect((await approved("property_rule_update", { ...draft, dryRun: true, body })).kind).toBe("answer");
    const { body: tree } = await answer("property_rule_tree_get", draft);
    expect(JSON.stringify(tree)).toContain("Checkout");
  });
});

describe("a call of the documents that is none of today's is refused with the one that means the same:", () => {
  const named = { productId: "prd_Site_Delivery", domainPrefix: "a.shop.example", domainSuffix: "edgekey.net" };
  const fast = { ...named, ipVersionBehavior: "IPV6_PERFORMANCE", certEnrollmentId: "10004" };
  const compliant = { ...named, ipVersionBehavior: "IPV6_COMPLIANCE", certEnrollmentId: 10_004 };
  it.each<[string, Args, Args]>([
    ["property_version_find", { hostname: "www.shop.example" }, { body: { hostname: "www.shop.example" } }],
    ["property_products_list", { ...place }, { contractId: place.contractId }],
    ["property_edge_hostname_create", { ...place, body: fast }, { ...place, body: compliant }],
  ])("%s", async (tool, former, today) => {
    expect(await begin().call(tool, former)).toMatchObject({
      failure: { detail: { corrected: { tool, arguments: today } } },
    });
  });
});

describe("one world", () => {
  it("shows what one generation writes in the other, with links of its own", async () => {
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

  it("property ids have prefixes whatever the client's settings are", async () => {
    const { approved, answer } = begin();
    await approved("property_client_settings_update", { body: { ruleFormat: "latest", usePrefixes: false } });
    expect((await answer("property_get", { propertyId: "175780" })).body).toMatchObject({
      properties: { items: [{ propertyId: "prp_175780", contractId: "ctr_C-1FRYVV3", propertyType: "TRADITIONAL" }] },
    });
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
