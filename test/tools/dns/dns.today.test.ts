/** DNS zones of today: previews in the notation of zone files, drafts and versions, and one world with the former API. */
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { readMasterFile } from "../../../src/tools/dns/master-file.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { runs } from "../../lab/depth.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const world = createWorld();
const { call, previewed, approved, answer, refused } = callsIn(world);
beforeEach(() => world.reset());

const zone = "example.com";
const at = (name: string, type: string) => ({ zone, name: `${name}example.com`, type });
const set = (name: string, type: string, ttl: number, ...rdata: string[]) => ({
  ...at(name, type),
  body: { name: `${name}example.com`, type, ttl, rdata },
});
const written = async (tool: string, args: Args) => expect((await approved(tool, args)).kind).toBe("answer");
const valuesAt = async (name: string, type: string) =>
  (await answer("dns_recordset_get", at(name, type))).body as { ttl: number; rdata: readonly string[] };
const serial = async () => Number((await valuesAt("", "SOA")).rdata[0]?.split(" ")[2]);

describe("a set that has changed since its preview", () => {
  it("is not overwritten", async () => {
    const args = { zone, name: "www", type: "A", values: ["203.0.113.99"] };
    const { plan } = await previewed("dns_record_set", args);
    await written("dns_recordset_replace", set("www.", "A", 300, "203.0.113.50"));
    expect((await call("dns_record_set", { ...args, confirm: plan.id })).kind).not.toBe("answer");
    expect((await valuesAt("www.", "A")).rdata).toEqual(["203.0.113.50"]);
  });
});

rule("dns-v2-full-replacement", "removes what a write of all record sets leaves out, and says so first", async () => {
  const body = { recordsets: [{ name: zone, type: "NS", ttl: 300, rdata: ["ns1.example.com.", "ns2.example.com."] }] };
  const { fields } = await refused("dns_zone_recordset_replace", { zone, body });
  expect(fields.join()).toMatch(/"many_removed" in addition/);
  const args = { zone, body, override: ["many_removed"] };
  const { summary, plan, lines } = await previewed("dns_zone_recordset_replace", args);
  // The SOA record stays, so that it is not among what goes.
  expect(lines.filter((line) => /^ *- .*\b(SOA|MX)\b/.test(line))).toEqual([expect.stringMatching(/- @ MX/)]);
  expect(summary).toMatch(/^REPLACE every record set of the zone example\.com: REMOVE .*api A 203\.0\.113\.22/);
  expect(plan.tier).toBe("critical");
  await written("dns_zone_recordset_replace", args);
  const { recordsets } = (await answer("dns_recordsets_list", { zone })).body as { recordsets: { type: string }[] };
  expect(recordsets.map(({ type }) => type)).toEqual(["NS", "SOA"]);
});

rule("dns-v2-all-or-none", "creates none of several record sets if one exists", async () => {
  const { send, get } = startRaw();
  const recordsets = ["eu", "www"].map((name) => ({ ...set(`${name}.`, "A", 300, "203.0.113.1").body }));
  const refusal = await send("POST", `/config-dns/v2/zones/${zone}/recordsets`, { recordsets });
  expect(refusal.status).toBe(409);
  expect((await get(`/config-dns/v2/zones/${zone}/names/eu.example.com/types/A`)).status).toBe(404);
});

rule("dns-v2-serial", "raises the serial with each change", async () => {
  const before = await serial();
  await written("dns_recordset_delete", at("", "MX"));
  expect(await serial()).toBe(before + 1);
});

rule("dns-v2-type", "keeps the type of a zone", async () => {
  const { send } = startRaw();
  const path = `/config-dns/v2/zones/${zone}?skipSignAndServeSafetyCheck=false`;
  expect((await send("PUT", path, { zone, type: "SECONDARY" })).status).toBe(400);
});

rule("dns-v2-stale", "is not submitted once the zone has changed", async () => {
  await answer("dns_changelist_create", { zone });
  await written("dns_recordset_delete", at("", "MX"));
  expect((await answer("dns_changelist_get", { zone })).body).toMatchObject({ stale: true });
  const { fields } = await refused("dns_changelist_submit", { zone, skipSignAndServeSafetyCheck: false });
  expect(fields[0]).toMatch(/^zone: a zone that has not changed since/);
});

rule("dns-v2-new", "serves a new primary zone once its first change list is submitted", async () => {
  const fresh = { zone: "new-shop.example" };
  await answer("dns_zone_create", { contractId: "C-1FRYVV3", gid: 11_111, body: { ...fresh, type: "PRIMARY" } });
  expect((await answer("dns_zone_config_get", fresh)).body).toMatchObject({ activationState: "NEW" });
  expect((await answer("dns_zone_names_list", fresh)).body).toEqual({ names: [] });
  await answer("dns_changelist_create", fresh);
  await written("dns_changelist_submit", { ...fresh, skipSignAndServeSafetyCheck: false });
  expect((await answer("dns_zone_config_get", fresh)).body).toMatchObject({ activationState: "ACTIVE" });
  expect((await answer("dns_name_types_list", { ...fresh, name: fresh.zone })).body).toEqual({ types: ["NS", "SOA"] });
});

rule("dns-v2-reactivation", "an earlier version's records are served again with a newer serial", async () => {
  const listed = async () =>
    ((await answer("dns_zone_versions_list", { zone })).body as { versions: { versionId: string }[] }).versions;
  const [present] = await listed();
  const before = await serial();
  await written("dns_recordset_delete", at("", "MX"));
  const args = { zone, uuid: present?.versionId };
  expect((await previewed("dns_zone_version_activate", args)).summary).toMatch(
    /version \S+: add @ MX 10 mail\.example\.com\. TTL 3600; on PRODUCTION immediately\.$/,
  );
  await written("dns_zone_version_activate", args);
  expect((await valuesAt("", "MX")).rdata).toEqual(["10 mail.example.com."]);
  expect(await serial()).toBe(before + 2);
  expect((await listed()).length).toBe(4);
});

rule("dns-v2-delete-checks", "deletes a zone in use only where the checks are bypassed", async () => {
  const { send, get, world: own } = startRaw();
  const deleted = async (query: string) => {
    const { requestId } = (
      await send("POST", `/config-dns/v2/zones/delete-requests${query}`, { zones: [zone] })
    ).json() as { requestId: string };
    const path = `/config-dns/v2/zones/delete-requests/${requestId}`;
    expect((await get(path)).json()).toMatchObject({ isComplete: false });
    expect((await get(`${path}/result`)).status).toBe(404);
    own.advance(60_000);
    return (await get(`${path}/result`)).json();
  };
  expect(await deleted("")).toMatchObject({ failedZones: [{ zone }], successfullyDeletedZones: [] });
  expect(await deleted("?bypassSafetyChecks=true")).toMatchObject({ successfullyDeletedZones: [zone] });
  expect((await get(`/config-dns/v2/zones/${zone}`)).status).toBe(404);
  const { summary } = await previewed("dns_zone_deletion_submit", {
    body: { zones: [zone] },
    bypassSafetyChecks: true,
  });
  expect(summary).toMatch(/^DELETE the DNS zone example\.com with all records, .*without the check/);
});

describe("both generations", () => {
  const former = `/config-dns/v1/zones/${zone}`;
  const today = `/config-dns/v2/zones/${zone}`;
  type Document = { token: string; zone: { soa: { serial: number }; a: { name: string; target: string }[] } };

  it("the DNS generations share writes, and keep what v1 cannot express", async () => {
    const { send, get } = startRaw();
    await send("POST", `${today}/names/eu.example.com/types/A`, set("eu.", "A", 60, "203.0.113.41").body);
    const { token, zone: whole } = (await get(former)).json() as Document;
    expect(whole.a).toContainEqual({ name: "eu", ttl: 60, active: true, target: "203.0.113.41" });
    const a = whole.a.map((one) => (one.name === "eu" ? { ...one, target: "203.0.113.42" } : one));
    const next = { ...whole, a, soa: { ...whole.soa, serial: whole.soa.serial + 1 } };
    expect((await send("POST", former, { token, zone: next })).status).toBe(204);
    expect((await get(`${today}/names/eu.example.com/types/A`)).json()).toMatchObject({ rdata: ["203.0.113.42"] });
    expect((await get(`${today}/names/example.com/types/CAA`)).json()).toMatchObject({ ttl: 3_600 });
  });

  it("DNS v1 refuses a write that loses an alias zone or unseen record", async () => {
    const { send, get } = startRaw();
    const alias = { zone: "example.net", type: "ALIAS", target: zone };
    expect((await send("POST", "/config-dns/v2/zones?contractId=C-1FRYVV3&gid=11111", alias)).status).toBe(201);
    expect((await get(`${today}/aliases`)).json()).toEqual({ aliases: ["example.net"] });
    const { token, zone: whole } = (await get(former)).json() as Document;
    const copy = { ...whole, name: "example.net" };
    expect((await send("POST", "/config-dns/v1/zones/example.net", { token: "new", zone: copy })).status).toBe(409);
    await send("POST", `${today}/names/safe.example.com/types/HTTPS`, set("safe.", "HTTPS", 60, "1 .").body);
    const now = ((await get(former)).json() as Document).token;
    expect(now).not.toBe(token);
    const cname = [{ name: "safe", ttl: 60, active: true, target: "www.example.com." }];
    const next = { ...whole, cname, soa: { ...whole.soa, serial: whole.soa.serial + 2 } };
    expect((await send("POST", former, { token: now, zone: next })).status).toBe(400);
  });
});

it("any text is the same in preview, on the wire, in zone and file", () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'aZ ;()"\\@.\u00fc\0'), maxLength: 9 }), async (octets) => {
      world.reset();
      const code = [...octets].map((one) => `\\${String(one.charCodeAt(0)).padStart(3, "0")}`).join("");
      for (const [type, value] of [
        ["TXT", `"${code}" "b"`],
        ["NAPTR", `1 2 "u" "${code}" "!;(!" .`],
        ["CAA", `0 issue "${code}"`],
      ] as const) {
        const args = { zone, name: "odd", type, values: [value], ttl: 60 };
        const { text } = await previewed("dns_record_set", args);
        // What is created is answered as it was sent.
        const { reply } = (await approved("dns_record_set", args)) as { reply?: { body?: { rdata: string[] } } };
        const rdata = reply?.body?.rdata ?? [];
        expect(text).toContain(`+ odd.example.com. 60 ${type} ${rdata[0]}`);
        expect((await valuesAt("odd.", type)).rdata).toEqual(rdata);
        expect(await call("dns_record_set", args)).toMatchObject({ result: { done: "Nothing was changed." } });
        const { body } = await answer("dns_zone_file_get", { zone });
        expect(
          readMasterFile(String(body), zone).sets.find((one) => one.name.startsWith("odd") && one.type === type)?.rdata,
        ).toEqual(rdata);
      }
    }),
    { numRuns: runs(5), examples: [['\\";(\u00fc']] },
  ));

it.each(["dns_zone_file_replace", "dns_changelist_file_replace"])(
  "%s refuses a file whose lines it cannot read, as the API does",
  async (tool) => {
    const body = "a A 192.0.2.1\n$GENERATE 1-3 host$ A 192.0.2.$\n";
    const { fields } = await refused(tool, {
      zone: "shop.example",
      body,
      ...(tool.includes("zone") ? { override: ["many_removed"] } : {}),
    });
    expect(fields.join()).toMatch(/^body: at line 2 the records themselves/);
    const target = "/config-dns/v2/zones/shop.example/zone-file";
    const reply = await startRaw().ask({ method: "POST", target, headers: { "content-type": "text/dns" }, body });
    expect([reply.status, JSON.stringify(reply.json())]).toEqual([400, expect.stringContaining("at line 2 ")]);
  },
);

it.each<[string, string, RegExp]>([
  ["a comment in a value", "v=DKIM1; p=a", /^body\.rdata\[0\]: a value with ; and \( only in double quotes/],
  ["a quote that is not closed", '"v=1', /^body\.rdata\[0\]: /],
])("refuses %s, which the API would cut off", async (_, value, says) => {
  expect((await refused("dns_recordset_create", set("t.", "TXT", 60, value))).fields[0]).toMatch(says);
});

it("one value in two spellings is one, and no change", async () => {
  const args = set("dup.", "TXT", 60, "abc", '"abc"');
  expect((await previewed("dns_recordset_create", args)).summary).toBe(
    "ADD dup TXT abc to the zone example.com, on PRODUCTION immediately.",
  );
  await written("dns_recordset_create", args);
  expect((await valuesAt("dup.", "TXT")).rdata).toEqual(['"abc"']);
  const same = set("dup.", "TXT", 60, "\\097bc");
  expect((await previewed("dns_recordset_replace", same)).summary).toContain("it stays as it is");
});

it("an edge hostname with a final dot is refused, as the API does", async () => {
  expect(
    (await approved("dns_recordset_create", set("cdn.", "AKAMAICDN", 20, "www.example.com.edgekey.example."))).kind,
  ).toBe("failure");
  await written("dns_record_set", {
    zone,
    name: "cdn",
    type: "AKAMAICDN",
    values: ["www.example.com.edgekey.example"],
  });
  const { fields } = await refused("dns_record_set", { zone, name: "@", type: "SOA", ttl: 60 });
  expect(fields[0]).toMatch(/; dns_recordset_replace writes SOA$/);
});

it("an unknown group is not found, for a new zone or a zone's contract", async () => {
  const body = { zone: "new-shop.example", type: "PRIMARY" };
  expect((await refused("dns_zone_create", { contractId: "C-1FRYVV3", gid: 99, body })).code).toBe("not_found");
  expect((await refused("dns_zone_contract_get", { zone, gid: 99 })).code).toBe("not_found");
});
