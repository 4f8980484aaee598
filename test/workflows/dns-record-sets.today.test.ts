/** Several record sets of a zone as one change list under one approval: nothing is written before it, and all or nothing goes live. */
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { createPlans } from "../../src/guard/index.js";
import type { Send } from "../../src/language/wire.js";
import { callsIn } from "../lab/calls.js";
import { onEmulator } from "../lab/emulated.js";
import { createEmulator } from "../lab/emulator.js";
import { catalogueOfProject } from "../lab/project.js";

const tool = "dns_records_set";
const zone = "example.com";
const world = createWorld();
const plans = createPlans({ ttlMs: 600_000 });
const { call, previewed, approved, answer, refused } = callsIn(world, { plans });
beforeEach(() => world.reset());

/** The record sets of the zone without its SOA record, and the serial. */
async function zoneNow() {
  const { body } = await answer("dns_recordsets_list", { zone, showAll: true });
  const { recordsets } = body as {
    readonly recordsets: readonly { name: string; type: string; ttl: number; rdata: string[] }[];
  };
  const lines = recordsets
    .filter(({ type }) => type !== "SOA")
    .map(({ name, type, ttl, rdata }) => `${name} ${type} ${ttl} ${rdata.join()}`);
  return { lines, soa: recordsets.find(({ type }) => type === "SOA")?.rdata.join() ?? "" };
}
const listsNow = async () => (await answer("dns_changelists_list", {})).body as { changeLists: { zone: string }[] };
const hasList = async () => (await listsNow()).changeLists.some((one) => one.zone === zone);

const cutover = {
  zone,
  sets: [
    { name: "eu", type: "A", values: ["203.0.113.41"] },
    { name: "www", type: "A", ttl: 60 },
    { name: "blog", type: "CNAME", remove: true },
    { name: "blog", type: "A", values: ["203.0.113.42"], ttl: 120 },
  ],
};

describe(tool, () => {
  it("removes no name server of the apex unless the caller insists", async () => {
    const servers = { zone, sets: [{ name: "@", type: "NS", remove: true }] };
    expect((await refused(tool, servers)).fields).toEqual([expect.stringMatching(/^override: "apex_ns"/)]);
    expect((await previewed(tool, { ...servers, override: ["apex_ns"] })).summary).toContain("REMOVE");
    const { body } = await answer("dns_recordsets_list", { zone, showAll: true });
    const all = (body as { recordsets: { name: string; type: string }[] }).recordsets.filter(
      (one) => one.type !== "SOA",
    );
    const sets = all.map(({ name, type }) => ({ name, type, remove: true }));
    const { fields } = await refused(tool, { zone, sets });
    expect(fields.map((one) => one.split('"')[1])).toEqual(["empty_zone", "apex_ns"]);
  });

  it("writes nothing before the approval, and all at once after it", async () => {
    const before = await zoneNow();
    const { plan, summary, lines } = await previewed(tool, cutover);
    expect(summary).toMatch(
      /^CHANGE 4 record sets of the zone example\.com together, on PRODUCTION immediately: REMOVE blog CNAME .*change www A TTL \d+ → 60.*add .*eu A 203\.0\.113\.41/,
    );
    for (const line of [
      /- blog CNAME /,
      /www A: TTL/,
      /\+ eu A 203\.0\.113\.41 TTL 900/,
      /\+ blog A 203\.0\.113\.42 TTL 120/,
    ])
      expect(lines.filter((one) => line.test(one))).toHaveLength(1);
    expect(plan.tier).toBe("critical");
    expect([await zoneNow(), await hasList()]).toEqual([before, false]);
    expect(await call(tool, { ...cutover, confirm: plan.id })).toMatchObject({
      kind: "answer",
      reply: { status: 204 },
    });
    const after = await zoneNow();
    expect(after.lines).toEqual(
      expect.arrayContaining([`eu.${zone} A 900 203.0.113.41`, `blog.${zone} A 120 203.0.113.42`]),
    );
    expect(after.lines.some((line) => line.startsWith(`blog.${zone} CNAME`))).toBe(false);
    expect(after.lines.filter((line) => line.startsWith(`www.${zone} A 60 `))).toHaveLength(1);
    // One change of the zone, and no change list is left.
    expect(Number(after.soa.split(" ")[2])).toBe(Number(before.soa.split(" ")[2]) + 1);
    expect(await hasList()).toBe(false);
    // A second use of the approval sends nothing.
    for (const again of [{ ...cutover, confirm: plan.id }, cutover])
      expect(await call(tool, again)).toMatchObject({ result: { done: "Nothing was changed." } });
    expect(await zoneNow()).toEqual(after);
  });

  it("is undone with the version that was served before", async () => {
    const before = await zoneNow();
    const { plan } = await previewed(tool, cutover);
    await call(tool, { ...cutover, confirm: plan.id });
    const undo = JSON.stringify(await call("change_restore", { plan: plan.id }));
    const [, uuid] = /dns_zone_version_activate.*?uuid\W+([\w-]+)/.exec(undo) ?? [undo];
    await approved("dns_zone_version_activate", { zone, uuid });
    expect((await zoneNow()).lines).toEqual(before.lines);
  });

  it.each([
    ["what it keeps", { name: `www.${zone}`, type: "A", ttl: 30, rdata: ["203.0.113.50"] }],
    // The request to remove it is the same.
    ["what it removes", { name: `blog.${zone}`, type: "CNAME", ttl: 300, rdata: ["other.example.com."] }],
  ])("refuses an approval once %s has changed, and writes nothing", async (_, body) => {
    const { plan } = await previewed(tool, cutover);
    await approved("dns_recordset_replace", { zone, name: body.name, type: body.type, body });
    expect(await call(tool, { ...cutover, confirm: plan.id })).toMatchObject({
      kind: "failure",
      failure: { code: "approval_refused", message: expect.stringContaining("changed") },
    });
    expect(await hasList()).toBe(false);
  });

  it("does not touch a change list that is there", async () => {
    await answer("dns_changelist_create", { zone });
    const { fields } = await refused(tool, cutover);
    expect(fields.join()).toMatch(/^zone: a zone without a change list of yours: dns_changelist_compare/);
  });

  it.each([
    [1, "dns_changelist_create", false],
    [3, "the second record set", true],
    [6, "dns_changelist_submit", true],
  ])("serves nothing where request %i, %s, fails, and says what is left", async (fails, _, isLeft) => {
    const before = await zoneNow();
    const emulator = createEmulator({ world });
    let writes = 0;
    const send: Send = (request) => {
      const isWrite = request.method === "POST";
      if (isWrite) writes += 1;
      const url = isWrite && writes === fails ? new URL("/config-dns/v2/nowhere", request.url) : request.url;
      return emulator.send({ ...request, url });
    };
    const failing = callsIn(world, { ...onEmulator(await catalogueOfProject(), send), plans, apis: "today" });
    const { plan } = await failing.previewed(tool, cutover);
    const outcome = await failing.call(tool, { ...cutover, confirm: plan.id });
    expect([outcome.kind, writes]).toEqual(["failure", fails]);
    expect((await zoneNow()).lines).toEqual(before.lines);
    expect(await hasList()).toBe(isLeft);
    if (isLeft) expect(JSON.stringify(outcome)).toContain("dns_changelist_delete discards it");
    expect((await plans.findOwn(plan.id, plan))?.status).toBe("failed");
  });
});
