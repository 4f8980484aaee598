/** Cards of hostnames in cases that the emulated account does not have: wildcards, several owners, security and its lists. */
import { describe, expect, it } from "vitest";
import { Failure } from "../../src/language/failure.js";
import { cardOf } from "../../src/site/card.js";
import { documentsGeneration } from "../../src/site/generation.js";
import { todaysGeneration } from "../../src/site/generation-today.js";
import { openKnowledge } from "../../src/site/known.js";
import { hostnameIn, isNamed, wildcardOf, zonesAbove } from "../../src/site/names.js";
import { certificateEnds, policyUses, securityCoverage } from "../../src/site/readings.js";
import type { SiteRead } from "../../src/site/reads.js";

const owner = { propertyId: "prp_1", propertyName: "shop", contractId: "ctr_C-1", groupId: "grp_1" };
const missing = () => new Failure("not_found", "There is none.", { next: "Go on." });

/** The card of a hostname by what a test answers; whatever else is read is not there. */
async function cardBy(answers: Readonly<Record<string, unknown>>, hostname = "www.shop.example", offered = true) {
  const read: SiteRead = async (tool) => {
    const answer = answers[tool];
    if (answer === undefined) throw missing();
    return answer;
  };
  const knowledge = openKnowledge({ read, kept: {}, isRefreshed: false, changesSince: () => [] });
  const nowMs = Date.now();
  const context = { hostname, owner, ownerAtMs: nowMs, generation: documentsGeneration, knowledge };
  return (await cardOf({ ...context, isOffered: () => offered }, nowMs)).card;
}

const row = {
  hostname: "www.shop.example",
  status: "covered",
  hasMatchTarget: true,
  policyNames: ["Shops"],
  configuration: { id: 7, name: "Shop security", version: 3 },
};
const firewall = {
  block: "blockSpecificIPGeo",
  ipControls: {
    allowedIPNetworkLists: { networkList: ["1_OFFICE"] },
    blockedIPNetworkLists: { networkList: ["2_BOTS"] },
  },
  geoControls: { blockedIPNetworkLists: { networkList: ["3_GEO", "2_BOTS"] } },
};

it("the security policies of a hostname come with their network lists", async () => {
  const card = await cardBy({
    waf_hostname_coverage_get: { hostnameCoverage: [{ ...row, hostname: "other.example", policyNames: ["No"] }, row] },
    waf_version_security_policies_list: {
      policies: [
        { policyId: "p1", policyName: "Shops" },
        { policyId: "p2", policyName: "No" },
      ],
    },
    waf_security_policy_ip_geo_firewall_get: firewall,
  });
  expect(card["security"]).toEqual({
    status: "covered",
    configuration: "Shop security",
    version: 3,
    policies: ["Shops"],
    allows: ["1_OFFICE"],
    blocks: ["2_BOTS", "3_GEO"],
  });
});

it("a hostname that is not in the list is not said to be unprotected", async () => {
  const card = await cardBy({ waf_hostname_coverage_get: { hostnameCoverage: [] } });
  expect(card["security"]).toBeUndefined();
  expect(card["unknown"]).toMatchObject({ security: "The list of covered hostnames lacks it." });
});

it("a version without the hostname is told from one that could not be read", async () => {
  const at = { propertyId: "prp_1", contractId: "ctr_C-1", groupId: "grp_1" };
  const listed = { ...at, propertyName: "shop", latestVersion: 3, productionVersion: 2, stagingVersion: 3 };
  const state = { properties: { items: [listed] } };
  const hostnames = { ...at, propertyVersion: 2, etag: "e", hostnames: { items: [] } };
  const lacking = await cardBy({ property_get: state, property_hostnames_list: hostnames });
  expect(lacking["production"]).toEqual({ version: 2, edgeHostname: null });
  const unread = await cardBy({ property_get: state });
  expect(unread["production"]).toEqual({ version: 2 });
  expect(Object.keys(unread["unknown"] as object)).toContain("edge hostname on production");
});

it("every part that cannot be read is unknown, and nothing is made up", async () => {
  const { hostname, property, unknown, oldestReadingSeconds, ...others } = await cardBy({}, undefined, false);
  expect(property).toEqual(owner);
  expect(Object.keys(unknown as object).sort()).toEqual([
    "activations",
    "certificate",
    "editors",
    "errors",
    "policies",
    "security",
    "versions",
  ]);
  // That no zone above it was found is an answer.
  expect(others).toEqual({ dns: { zone: null } });
  expect([hostname, oldestReadingSeconds]).toEqual(["www.shop.example", 0]);
});

it.each([
  ["www.Shop.Example.", "www.shop.example"],
  ["*.shop.example", "*.shop.example"],
  ["shop", undefined],
  ["www..shop", undefined],
  ["www.*.example", undefined],
  [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`],
  [`${"a".repeat(64)}.example`, undefined],
  [" www.B\u00fccher.example", "www.xn--bcher-kva.example"],
  ["*.b\u00fccher.example", "*.xn--bcher-kva.example"],
  ["https://www.b\u00fccher.example/", undefined],
])("%s is taken as %s", (text, hostname) => {
  expect(hostnameIn(text)).toBe(hostname);
});

it("a wildcard stands for one label, and never for a whole top level", () => {
  expect(isNamed("www.shop.example", ["*.shop.example"])).toBe(true);
  expect(isNamed("a.www.shop.example", ["*.shop.example"])).toBe(false);
  expect(isNamed("shop.example", ["*.shop.example"])).toBe(false);
  expect([wildcardOf("shop.example"), wildcardOf("*.shop.example")]).toEqual([undefined, undefined]);
  expect(zonesAbove("*.a.shop.example")).toEqual(["a.shop.example", "shop.example"]);
});

const until = (expiry?: string) => ({ certificate: "PEM", ...(expiry && { expiry }) });
const [march, june] = ["2027-03-01T00:00:00Z", "2027-06-01T00:00:00Z"];

it.each([
  ["no deployment", { production: null, staging: null }, { production: null, staging: null }],
  [
    "two certificates",
    { production: { primaryCertificate: until(june), multiStackedCertificates: [until(march)] } },
    { production: march, staging: null },
  ],
  ["a certificate without an end", { production: { primaryCertificate: until() } }, undefined],
  [
    "one of two without an end",
    { production: { primaryCertificate: until(june), multiStackedCertificates: [until()] } },
    undefined,
  ],
  ["a deployment without a certificate", { production: {} }, undefined],
  ["a text", "<html>", undefined],
])("the end of a certificate by %s", async (_, body, ends) => {
  const reading = certificateEnds(5).load(async () => body);
  if (ends) expect(await reading).toEqual(ends);
  else await expect(reading).rejects.toMatchObject({ code: "bad_reply" });
});

it("the coverage of a hostname without a status is unknown", async () => {
  const rows = (status?: string) => async () => ({ hostnameCoverage: [{ hostname: "www.shop.example", status }] });
  expect(await securityCoverage("www.shop.example").load(rows("not_covered"))).toMatchObject({ status: "not_covered" });
  await expect(securityCoverage("www.shop.example").load(rows())).rejects.toMatchObject({ code: "bad_reply" });
});

const target = "www.shop.example.edgekey.net";
const cnames = (...names: readonly string[]) =>
  names.map((name) => ({ name, type: "CNAME", ttl: 60, rdata: [target] }));
/** The answers of both generations for a zone with aliases at some names. */
const zoneWith = (...names: readonly string[]) => {
  const records = names.map((name) => ({ name: `${name}.`, ttl: 60, active: true, target }));
  const read: SiteRead = async (tool, { zone, search }) => {
    if (tool === "dns_recordsets_list")
      return { recordsets: cnames(...names).filter(({ name }) => name.includes(String(search))) };
    if (zone !== "shop.example") throw missing();
    return { zone: { name: "shop.example", cname: records } };
  };
  return read;
};

describe.each([
  ["the documents", documentsGeneration],
  ["today", todaysGeneration],
])("by the APIs of %s", (_, generation) => {
  it.each([
    ["its own record", "a.b.shop.example", ["a.b.shop.example", "*.b.shop.example"], "a.b.shop.example"],
    ["the wildcard of a farther parent", "a.b.shop.example", ["*.shop.example"], "*.shop.example"],
    ["that of the closest parent", "a.b.shop.example", ["*.shop.example", "*.b.shop.example"], "*.b.shop.example"],
    ["none across a parent that exists", "a.b.shop.example", ["*.shop.example", "b.shop.example"], undefined],
    ["none if only a name below it exists", "b.shop.example", ["*.shop.example", "a.b.shop.example"], undefined],
  ])("the DNS answer for a hostname is %s", async (__, hostname, names, from) => {
    const { sets } = await generation.zone(hostname).load(zoneWith(...names));
    expect(sets.map(({ name }) => name)).toEqual(from === undefined ? [] : [from]);
  });
});

it.each([
  ["no list", {}],
  ["a set without values", { recordsets: [{ ...cnames("www.shop.example")[0], rdata: null }] }],
])("records are unknown by an answer with %s", async (_, body) => {
  const read: SiteRead = async (tool) => (tool === "dns_recordsets_list" ? body : { zone: "www.shop.example" });
  await expect(todaysGeneration.zone("www.shop.example").load(read)).rejects.toMatchObject({ code: "bad_reply" });
});

it.each([
  ["a name that is a number", { name: 5, active: true }],
  ["no word on whether it is active", { name: "www" }],
])("stored records are unknown by one with %s", async (_, odd) => {
  const zone = { name: "shop.example", soa: {}, a: [{ ttl: 1, target: "192.0.2.1", ...odd }] };
  await expect(documentsGeneration.zone("www.shop.example").load(async () => ({ zone }))).rejects.toMatchObject({
    code: "bad_reply",
  });
});

it("the policies of properties are unknown by an answer of another form", async () => {
  const uses = { production: { referencedPolicies: ["redirects", 7] }, staging: null };
  expect(await policyUses.load(async () => ({ shop: uses, blog: {} }))).toEqual({
    shop: { production: ["redirects", "7"], staging: [] },
  });
  for (const odd of [null, { production: "redirects" }, { production: { referencedPolicies: [{}] } }])
    await expect(policyUses.load(async () => ({ shop: odd }))).rejects.toMatchObject({ code: "bad_reply" });
});
