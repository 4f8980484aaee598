/** One record of an emulated zone, set and removed in a guarded call, and seen by everything else in the same world. */
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { Zone } from "../../src/tools/dns/zone.js";
import { type Args, callsIn } from "../lab/calls.js";
import { failureOf } from "../lab/outcome.js";

const world = createWorld();
const { calls, call, answer, previewed: shown } = callsIn(world);
beforeEach(() => world.reset());

async function previewed(tool: string, args: Args) {
  const { plan, ...preview } = await shown(tool, args);
  return {
    plan,
    preview: { ...preview, notes: preview.lines.flatMap((line) => /^Note: (.*)$/.exec(line)?.[1] ?? []) },
  };
}
/** Previews a change, confirms it, and returns both outcomes. */
async function confirmed(tool: string, args: Args) {
  const { preview, plan } = await previewed(tool, args);
  return { preview, reply: await answer(tool, { ...args, confirm: plan.id }) };
}
async function stored(zone = "example.com") {
  const { body } = await calls.invoke("dns_zone_get", { zone });
  return body as { token: string; zone: Zone & Readonly<Record<string, Args[]>> };
}
async function dig(hostName: string, queryType = "A") {
  const { body: listed } = await calls.invoke("diag_locations_list", {});
  const [place] = (listed as { locations: { id: string }[] }).locations;
  const { body } = await calls.invoke("diag_location_dig_run", { locationId: place?.id, hostName, queryType });
  return (body as { digInfo: { answerSection: { value: string }[] } }).digInfo.answerSection.map(({ value }) => value);
}

const zone = "example.com";
const www = { zone, name: "www", type: "a", values: ["203.0.113.99"] };

describe("setting a record", () => {
  it("changes it alone, raises the serial, and dig sees it", async () => {
    const before = await stored();
    expect(await dig("www.example.com")).toEqual(["203.0.113.21"]);
    const { preview, reply } = await confirmed("dns_record_set", { ...www, ttl: 60 });
    const after = await stored();
    const serial = after.zone.soa.serial;
    expect(preview.summary).toBe(
      "SET the A records of www.example.com. in the zone example.com to 203.0.113.99, TTL 60 instead of 300, on PRODUCTION immediately: 203.0.113.21 is removed; no other record changes.",
    );
    expect(preview.notes).toEqual([
      "- www.example.com. 300 A 203.0.113.21",
      "+ www.example.com. 60 A 203.0.113.99",
      `soa.serial: ${before.zone.soa.serial} -> ${serial}`,
    ]);
    expect(preview.warnings).toEqual([]);
    expect(reply).toMatchObject({ status: 204, notes: expect.arrayContaining(preview.notes) });
    expect(serial).toBeGreaterThan(before.zone.soa.serial);
    const changed = before.zone["a"]?.map((one) =>
      one["name"] === "www" ? { ...one, target: "203.0.113.99", ttl: 60 } : one,
    );
    expect(after.zone).toEqual({ ...before.zone, a: changed, soa: { ...before.zone.soa, serial } });
    expect(after.token).not.toBe(before.token);
    expect(await dig("www.example.com")).toEqual(["203.0.113.99"]);
  });

  it("setting a TTL changes all records of the set and nothing else", async () => {
    await confirmed("dns_record_set", { ...www, values: ["203.0.113.21", "203.0.113.99"] });
    const { token, zone: before } = await stored();
    const hosts = before["a"]?.map((one): Args => (one["name"] === "www" ? { ...one, comment: "kept" } : one));
    const [first, ...others] = hosts?.filter(({ name }) => name === "www") ?? [];
    const a = [...(hosts ?? []).filter(({ name }) => name !== "www"), { ...first, active: false }, ...others];
    const odd = { ...before, a, soa: { ...before.soa, serial: before.soa.serial + 1 } };
    await confirmed("dns_zone_write", { zone, body: { token, zone: odd } });
    const asked = { zone, name: "www", type: "A", ttl: 60 };
    const { preview } = await confirmed("dns_record_set", asked);
    expect(preview.summary).toContain("to 60 instead of 300, on PRODUCTION immediately: the values 203.0.113.21, 203.");
    const { zone: after } = await stored();
    expect(after).toEqual({
      ...odd,
      a: a.map((one) => (one["name"] === "www" ? { ...one, ttl: 60 } : one)),
      soa: { ...odd.soa, serial: after.soa.serial },
    });
    expect(await call("dns_record_set", asked)).toMatchObject({
      result: { why: "The TTL of the A records of www.example.com. is already 60." },
    });
  });

  it.each<[string, Args, string]>([
    ["a TTL alone where there is no such record set", { name: "www", type: "TXT", ttl: 60 }, "it has A, AAAA records"],
    ["a TTL alone where the name has no record", { name: "nowhere", type: "A", ttl: 60 }, "it has no record"],
    ["neither values nor a TTL", { name: "www", type: "A" }, "or a ttl"],
  ])("refuses %s, and names the field", async (_, args, takes) => {
    const before = await stored();
    expect(failureOf(await call("dns_record_set", { zone, ...args })).detail.fields).toEqual([
      { field: "values", takes: expect.stringContaining(takes) },
    ]);
    expect(await stored()).toEqual(before);
  });

  it.each(["WWW", "www.example.com", "www.example.com."])("takes the name as %s", async (name) => {
    const { preview } = await previewed("dns_record_set", { ...www, name, type: "A" });
    expect(preview.notes[1]).toBe("+ www.example.com. 300 A 203.0.113.99");
  });

  it.each<[string, Args, readonly string[]]>([
    [
      "MX",
      { name: "@", type: "MX", values: ["10 mail", "20 mx.example.net."] },
      ["+ example.com. 3600 MX 20 mx.example.net."],
    ],
    [
      "SRV",
      { name: "_sip._tcp", type: "SRV", values: ["1 2 5060 api"], ttl: 60 },
      ["+ _sip._tcp.example.com. 60 SRV 1 2 5060 api.example.com."],
    ],
    [
      "TXT",
      { name: "_dmarc", type: "TXT", values: ["v=DMARC1; p=none"] },
      ['+ _dmarc.example.com. 900 TXT "v=DMARC1; p=none"'],
    ],
    ["CNAME", { name: "new", type: "CNAME", values: ["www"] }, ["+ new.example.com. 900 CNAME www.example.com."]],
    [
      "AAAA",
      { name: "api", type: "AAAA", values: ["2001:DB8::12", "2001:db8::13"] },
      ["+ api.example.com. 300 AAAA 2001:db8::13"],
    ],
  ])("takes %s in the form of zone files", async (_, args, lines) => {
    const { preview } = await confirmed("dns_record_set", { zone, ...args });
    expect(preview.notes.filter((note) => /^[+-] /.test(note))).toEqual(lines);
  });

  it("makes no plan where it is set already", async () => {
    for (const values of [["203.0.113.21"], [" 203.0.113.21 "]])
      expect(await call("dns_record_set", { ...www, values })).toMatchObject({
        kind: "workflow",
        result: { why: "www.example.com. already has exactly these A records, with a TTL of 300." },
      });
  });

  it.each<[string, Args, string, string]>([
    ["a name of another zone", { name: "www.example.org." }, "name", "a name in example.com"],
    ["a type that there is not", { type: "AAAAA" }, "type", 'did you mean "AAAA"'],
    ["a type that signing makes", { type: "RRSIG" }, "type", "dns_zone_write writes others"],
    ["a value given twice", { type: "AAAA", values: ["2001:db8::1", "2001:DB8:0::1"] }, "values[1]", "each value once"],
    ["an address beside an alias", { name: "blog" }, "type", "while it is an alias"],
    ["no values", { values: [] }, "values", "at least 1"],
    ["a name server of the apex that would go", { name: "@", type: "NS", values: ["ns1"] }, "override", '"apex_ns"'],
  ])("refuses %s, and names the field", async (_, args, field, takes) => {
    const failure = failureOf(await call("dns_record_set", { ...www, ...args }));
    expect(failure.detail.fields).toEqual([expect.objectContaining({ field, takes: expect.stringContaining(takes) })]);
  });

  it("goes on where the caller insists on a loss, and warns of it", async () => {
    const { preview } = await confirmed("dns_record_set", {
      zone,
      name: "@",
      type: "NS",
      values: ["ns1", "ns3.example.net."],
      override: ["apex_ns"],
    });
    expect(preview.warnings).toEqual([
      'The apex of "example.com" would lose 1 of its 2 name servers: "ns2.example.com.".',
    ]);
    expect(await dig("example.com", "NS")).toEqual(["ns1.example.com.", "ns3.example.net."]);
  });

  it("says which tool adds a zone where there is none", async () => {
    const failure = failureOf(await call("dns_record_set", { ...www, zone: "nowhere.example" }));
    expect(failure.code).toBe("not_found");
    expect(failure.detail.next).toContain("dns_zone_write adds one");
  });
});

describe("removing a record", () => {
  const blog = { zone, name: "blog", type: "CNAME" };

  it("removes the set and nothing else, once", async () => {
    const { zone: before } = await stored();
    const { preview } = await confirmed("dns_record_remove", blog);
    expect(preview.notes[0]).toBe("- blog.example.com. 300 CNAME hosting.example.com.");
    const { zone: after } = await stored();
    const cname = before["cname"]?.filter(({ name }) => name !== "blog");
    expect(after).toEqual({ ...before, cname, soa: { ...before.soa, serial: after.soa.serial } });
    expect(await dig("blog.example.com", "CNAME")).toEqual([]);
    expect(await call("dns_record_remove", blog)).toMatchObject({
      kind: "workflow",
      result: { why: expect.stringContaining("has no CNAME record") },
    });
  });

  it("removes one value of several", async () => {
    const values = ["203.0.113.21", "203.0.113.99"];
    await confirmed("dns_record_set", { ...www, values });
    await confirmed("dns_record_remove", { zone, name: "www", type: "A", value: "203.0.113.21" });
    expect(await dig("www.example.com")).toEqual(["203.0.113.99"]);
    expect(await call("dns_record_remove", { zone, name: "www", type: "A", value: "203.0.113.21" })).toMatchObject({
      result: { why: expect.stringContaining("203.0.113.99") },
    });
    expect(
      failureOf(await call("dns_record_remove", { zone, name: "www", type: "A", value: "x" })).detail.fields,
    ).toEqual([expect.objectContaining({ field: "value", takes: "an IPv4 address" })]);
  });

  it("removing apex name servers needs exactly the overrides it asks for", async () => {
    const servers = { zone, name: "@", type: "NS" };
    expect(failureOf(await call("dns_record_remove", servers)).detail.fields?.map(({ field }) => field)).toEqual([
      "override",
    ]);
    expect((await call("dns_record_remove", { ...servers, override: ["many_removed"] })).kind).toBe("failure");
    expect((await call("dns_record_remove", { ...servers, override: ["apex_ns"] })).kind).toBe("preview");
  });
});
