/** One record of an emulated zone, set and removed in a guarded call, and seen by everything else in the same world. */
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { StoredZone } from "../../src/tools/dns/zone.js";
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
  return body as { token: string; zone: StoredZone & Readonly<Record<string, Args[]>> };
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
});
