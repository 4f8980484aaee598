/** Purges by name with today's API: what a property or the name of a CP code stands for is read and shown first. */
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { callsIn } from "../lab/calls.js";

const world = createWorld();
const calls = callsIn(world);
const tool = "purge_content_submit";
beforeEach(() => world.reset());

describe("a purge by name", () => {
  it("names the CP codes of the version that is active on the network", async () => {
    const { summary, text, warnings, plan } = await calls.previewed(tool, {
      property: "www.shop.example",
      network: "production",
    });
    expect(summary).toMatch(/^INVALIDATE CP code 12345 on PRODUCTION: .*everything under it/);
    expect(text).toContain("The property www.shop.example (version 2, active on production) has CP code 12345.");
    expect(warnings.join(" ")).toContain("Other properties can use the same CP code");
    const args = { property: "www.shop.example", network: "production", confirm: plan.id };
    expect(await calls.call(tool, args)).toMatchObject({ kind: "answer", reply: { status: 201 } });
  });

  it("finds a CP code by its whole name, whatever its case", async () => {
    const { body } = await calls.answer("property_cpcodes_list", { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" });
    const [one] = (body as { cpcodes: { items: { cpcodeId: string; cpcodeName: string }[] } }).cpcodes.items;
    const { summary } = await calls.previewed(tool, {
      cpcodeName: one?.cpcodeName.toUpperCase(),
      action: "delete",
      network: "staging",
    });
    expect(summary).toMatch(new RegExp(`^DELETE CP code ${one?.cpcodeId.slice(4)} on STAGING`));
  });
});
