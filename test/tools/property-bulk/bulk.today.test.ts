/** Bulk work on properties: the previews hide nothing, and what a job does shows in the properties themselves. */
import { describe, expect, it } from "vitest";
import { matchesOf } from "../../../src/emulator/services/property-bulk/json-path.js";
import { createWorld } from "../../../src/emulator/world.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { type RawAnswer, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const patch = (propertyId: string, propertyVersion: number, ...patches: object[]) => ({
  propertyId,
  propertyVersion,
  patches,
});
const start = () => {
  const world = createWorld({ frozenAt: Date.now() });
  return { world, ...callsIn(world) };
};

rule("bulk-drafts", "patches no version that was ever activated", async () => {
  const { approved, answer, world } = start();
  const test = { op: "test", path: "/rules/name", value: "default" };
  const body = { patchPropertyVersions: [patch("prp_175780", 2, test), patch("prp_175783", 1, test)] };
  await approved("bulk_patch_submit", { body });
  world.advance(10_000);
  const { body: status, notes } = await answer("bulk_patch_status", { bulkPatchId: 2 });
  expect(status).toMatchObject({
    bulkPatchStatus: "COMPLETE",
    patchPropertyVersions: [{ fatalError: "Version 2 was activated" }, { patchPropertyVersionStatus: "COMPLETE" }],
  });
  expect(notes.join()).toMatch(/prp_175780.* was not patched: .*Version 2 was activated/);
});

/** The members of an answer. */
const read = (answer: RawAnswer): Record<string, unknown> => answer.json() as Record<string, unknown>;

rule("bulk-each-alone", "bulk: goes from a search to activations, which the old API lists", async () => {
  const { ask, get, world } = startRaw();
  const headers = { "content-type": "application/json", "papi-use-prefixes": "true" };
  const send = (path: string, value: object) =>
    ask({ method: "POST", target: `/papi/v1/bulk/${path}`, headers, body: JSON.stringify(value) });
  const status = async (link: string) => read(await ask({ target: link, headers }));
  const bulkSearchQuery = { syntax: "JSONPATH", match: '$..behaviors[?(@.name == "caching")].options.ttl' };

  const found = read(await send("rules-search-requests-synch", { bulkSearchQuery }))["results"] as {
    propertyId: string;
    propertyVersion: number;
    isLatest: boolean;
    matchLocations: string[];
  }[];
  const two = found.filter(({ isLatest }) => isLatest).slice(0, 2);
  expect(two.map(({ propertyId }) => propertyId)).toEqual(["prp_175780", "prp_175781"]);

  const createPropertyVersions = two.map(({ propertyId, propertyVersion: createFromVersion }) => ({
    propertyId,
    createFromVersion,
  }));
  const creation = read(await send("property-version-creations", { createPropertyVersions }));
  world.advance(10_000);
  const made = (await status(creation["bulkCreateVersionLink"] as string))["createPropertyVersions"] as {
    propertyId: string;
    propertyVersion: number;
  }[];
  expect(made.map(({ propertyVersion }) => propertyVersion)).toEqual([4, 2]);

  const patchPropertyVersions = made.map(({ propertyId, propertyVersion }, at) => ({
    ...{ propertyId, propertyVersion },
    patches: [{ op: "replace", path: two[at]?.matchLocations[0], value: "3h" }],
  }));
  expect((await send("rules-patch-requests", { patchPropertyVersions })).status).toBe(202);
  const tree = await get("/papi/v0/properties/prp_175781/versions/2/rules/");
  expect(tree.text).toContain('"ttl":"3h"');

  const activatePropertyVersions = [
    ...made.map(({ propertyId, propertyVersion }) => ({ propertyId, propertyVersion, network: "STAGING" })),
    { propertyId: "prp_175783", propertyVersion: 9, network: "STAGING" },
  ];
  const defaultActivationSettings = { notifyEmails: ["a@shop.example"], acknowledgeAllWarnings: true };
  const rollout = read(await send("activations", { activatePropertyVersions, defaultActivationSettings }));
  const link = rollout["bulkActivationLink"] as string;
  expect(await status(link)).toMatchObject({ bulkActivationStatus: "PENDING" });
  world.advance(60_000);
  expect(await status(link)).toMatchObject({
    bulkActivationStatus: "COMPLETE",
    activatePropertyVersions: [
      { activationStatus: "ACTIVE" },
      { activationStatus: "ACTIVE" },
      { activationStatus: "FAILED", taskStatus: "SUBMISSION_ERROR", fatalError: "prp_175783 has no version 9" },
    ],
  });
  const listed = await get("/papi/v0/properties/prp_175780/activations/");
  expect(listed.json()).toMatchObject({
    activations: { items: [{ propertyVersion: 4, network: "STAGING", status: "ACTIVE" }, {}, {}, {}] },
  });
});

rule("bulk-fallback-hour", "returns to the version that was active before, for an hour", async () => {
  const { approved, answer, world } = start();
  const of = (useFastFallback: boolean): Args => ({
    body: {
      activatePropertyVersions: [{ propertyId: "prp_175780", propertyVersion: 3, network: "STAGING" }],
      defaultActivationSettings: { notifyEmails: ["operations@shop.example"], useFastFallback },
    },
  });
  const outcomeOf = async (bulkActivationId: number) =>
    ((await answer("bulk_activation_status", { bulkActivationId })).body as { activatePropertyVersions: object[] })
      .activatePropertyVersions[0];
  await approved("bulk_activation_launch", of(false));
  world.advance(60_000);
  await approved("bulk_activation_launch", of(true));
  world.advance(60_000);
  expect(await outcomeOf(3)).toMatchObject({ propertyVersion: 2, activationStatus: "ACTIVE" });
  world.advance(2 * 3_600_000);
  await approved("bulk_activation_launch", of(true));
  expect(await outcomeOf(4)).toMatchObject({ fatalError: "There is nothing on STAGING to fall back to" });
});

describe("the search", () => {
  const root = {
    rules: {
      behaviors: [
        { name: "a", list: ["x", "y"] },
        { name: "b", list: ["x"] },
      ],
      children: [],
    },
  };
  it.each([
    ["$.rules.behaviors[1].name", ["/rules/behaviors/1/name"]],
    ["$['rules'].behaviors[*].name", ["/rules/behaviors/0/name", "/rules/behaviors/1/name"]],
    ['$..behaviors[?(@.name == "b")]', ["/rules/behaviors/1"]],
    ['$..behaviors[?("x" in @.list && "y" nin @.list)].list[?(@ == "x")]', ["/rules/behaviors/1/list/0"]],
    ["$..nothing", []],
  ])("finds %s", (path, places) => expect(matchesOf(root, path)).toEqual(places));

  it.each(["rules", "$..a[", "$[?(@.name == b)]"])("refuses %s", (path) => {
    expect(() => matchesOf({ rules: [{ name: "a" }] }, path)).toThrow();
  });
});
