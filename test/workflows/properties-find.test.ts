/** Properties found in an account of 63 in 25 groups: by each of their sides, from one sweep that is stored. */
import { beforeEach, describe, expect, it } from "vitest";
import { createResults } from "../../src/calls/results.js";
import { addGroup, groupsOf, topGroupId } from "../../src/emulator/services/groups.js";
import { stateOf } from "../../src/emulator/services/properties/world.js";
import { createWorld } from "../../src/emulator/world.js";
import { createResultStore, resultsFor } from "../../src/rows/result-store.js";
import { createQueries } from "../../src/rows/sql/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { caller } from "../lab/made-up.js";

const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
let store = createResultStore({ maxBytesPerOwner: 64e6, maxBytes: 128e6, ttlMs: 3_600_000 });
const { calls, answer, worked } = callsIn(world, {
  callTimeoutMs: 60_000,
  results: (reader) =>
    createResults({
      store: resultsFor(store, "an account"),
      queries: async () => createQueries({ worker: "none" }),
      secrets: [],
      maxTokens: 8_000,
    })(reader),
});

interface Row {
  readonly propertyId: string;
  readonly propertyName: string;
  readonly groupId: string;
  readonly matches: Readonly<Record<string, readonly string[]>>;
}
interface Result {
  readonly findings: readonly string[];
  readonly properties: readonly Row[];
  readonly steps: { readonly done: Readonly<Record<string, number>> };
}
const found = (args: Args) => worked<Result>("properties_find", args);
const namesIn = ({ properties }: Result) => properties.map(({ propertyName }) => propertyName);

/** An account of some: copies of the shop's property, each with a hostname, a CP code and an origin of its own. */
function grow(): void {
  const top = groupsOf(world).find(({ id }) => id === topGroupId);
  if (!top) throw new Error("There is no top group.");
  while (groupsOf(world).length < 25) addGroup(world, `Group ${groupsOf(world).length}`, top);
  const groups = groupsOf(world).filter(({ contractIds }) => contractIds.length > 0);
  const { properties } = stateOf(world);
  const model = properties.get("prp_175781");
  if (!model) throw new Error("There is no property to copy.");
  for (let at = properties.size; at < 63; at += 1) {
    const { id: groupId, contractIds } = groups[at % groups.length] as (typeof groups)[number];
    const id = `prp_${200_000 + at}`;
    const versions = model.versions.map((version) => ({
      ...version,
      hostnames: version.hostnames.map((one) => ({ ...one, cnameFrom: `brand-${at}.example.net` })),
      rules: {
        ...version.rules,
        behaviors: [
          { name: "origin", options: { hostname: `origin-${at}.example.org` } },
          { name: "cpCode", options: { value: { id: 700_000 + at } } },
        ],
      },
    }));
    const place = { groupId: `grp_${groupId}`, contractId: `ctr_${contractIds[0]}` };
    properties.set(id, { ...model, ...place, id, name: `brand-${at}`, versions });
  }
}

beforeEach(() => {
  world.reset();
  grow();
  store = createResultStore({ maxBytesPerOwner: 64e6, maxBytes: 128e6, ttlMs: 3_600_000 });
});

describe("a search of the whole account", () => {
  it.each<[string, Args, string[], string]>([
    ["part of a name", { name: "brand-2" }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `brand-2${n}`), "name"],
    ["a hostname with a slip", { hostname: "brnad-47.example.net" }, ["brand-47"], "hostname"],
    ["a CP code", { cpcode: "cpc_700050" }, ["brand-50"], "cpcode"],
    ["an origin, in capitals", { origin: "ORIGIN-42.example" }, ["brand-42"], "origin"],
  ])("finds %s", async (_, args, names, side) => {
    const result = await found(args);
    expect(namesIn(result)).toEqual(names);
    expect(Object.keys(result.properties[0]?.matches ?? {})).toEqual([side]);
    expect(result.findings[0]).toMatch(/^\d+ of 63 properties match/);
  });

  it("finds what matches all of the criteria", async () => {
    expect(namesIn(await found({ name: "brand", cpcode: 700_059 }))).toEqual(["brand-59"]);
    expect(namesIn(await found({ name: "images", cpcode: 700_059 }))).toEqual([]);
    const near = await found({ name: "brand-58", cpcode: 700_059 });
    expect([namesIn(near), near.findings[0]]).toEqual([["brand-59"], "1 of 63 properties match, none exactly."]);
  });
});

describe("the sweep", () => {
  it("is stored: a second search reads only what the first did not need", async () => {
    const first = await found({ hostname: "brand-47.example" });
    expect(first.steps.done).toEqual({
      property_groups_list: 1,
      properties_list: groupsOf(world).reduce((sum, { contractIds }) => sum + contractIds.length, 0),
      property_hostnames_list: 63,
    });
    expect((await found({ hostname: "brand-48" })).steps.done).toEqual({});
    expect((await found({ origin: "origin-9.example.org" })).steps.done).toEqual({ property_rule_tree_get: 63 });
    expect((await found({ cpcode: 700_009 })).steps.done).toEqual({});
  });

  it("is read again on request, of active versions only what changed", async () => {
    await found({ hostname: "brand-47.example" });
    const { properties: all } = stateOf(world);
    const [model] = all.values();
    if (!model) throw new Error("There is no property to copy.");
    all.set("prp_299999", { ...model, id: "prp_299999", name: "quite-new", activations: [] });
    expect(namesIn(await found({ name: "quite-new" }))).toEqual([]);
    const { steps, properties } = await found({ name: "quite-new", refresh: true });
    expect(properties).toHaveLength(1);
    expect(steps.done["property_hostnames_list"]).toBeUndefined();
    const again = await found({ hostname: "brand-47.example" });
    // Those without an active version were dropped, because they may have been edited.
    expect(again.steps.done["property_hostnames_list"]).toBeLessThan(5);
  });

  it("has what was created and activated from here, without being read again", async () => {
    await found({ name: "brand-1" });
    await answer("property_create", {
      contractId: "ctr_C-1FRYVV3",
      groupId: "grp_11111",
      body: { productId: "prd_Site_Delivery", propertyName: "quite-new" },
    });
    expect(namesIn(await found({ name: "quite-new" }))).toEqual(["quite-new"]);
    const { propertyId = "" } = (await found({ name: "brand-47" })).properties[0] ?? {};
    await answer("property_version_create", { propertyId, body: { createFromVersion: 1 } });
    const { properties, steps } = await found({ name: "brand-47" });
    expect(properties[0]).toMatchObject({ propertyId, latestVersion: 2 });
    expect(steps.done).toEqual({ property_get: 1 });
  });

  it("is another one for another client", async () => {
    await found({ name: "brand-1" });
    const outcome = await calls.call("properties_find", { name: "brand-1" }, { ...caller, owner: "somebody else" });
    if (outcome.kind !== "workflow") throw new Error(outcome.kind);
    expect(outcome.result).toMatchObject({ steps: { done: { property_groups_list: 1 } } });
  });
});
