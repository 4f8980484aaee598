/** What edge logic checks before it sends: a version whose content is fixed is not written to, and the way on is named. */
import { expect, it } from "vitest";
import type { ReadByTool } from "../../../src/language/check.js";
import { validateArguments } from "../../../src/schema/arguments.js";
import { originVersionMutable, rulesUnlocked } from "../../../src/tools/edge-logic/guards.js";
import { edgeLogic } from "../../../src/tools/edge-logic/index.js";
import { rule } from "../../lab/rules.js";

const checked = (args: object, state: unknown) => {
  const asked: unknown[] = [];
  const read: ReadByTool = async (...call) => {
    asked.push(call);
    return state;
  };
  return { call: { args: { ...args }, namesAt: () => [], present: async () => state, read }, asked };
};
const version = { policyId: 1001, version: 1 };
const locked = { rulesLocked: true };

it("an unactivated version takes rules, and any version a description", async () => {
  const draft = checked({ ...version, body: { matchRules: [] } }, { rulesLocked: false });
  expect(await rulesUnlocked(draft.call)).toEqual([]);
  const described = checked({ ...version, body: { description: "a" } }, locked);
  expect(await rulesUnlocked(described.call)).toEqual([]);
  expect(described.asked).toEqual([]);
});

it("sends nothing when the version cannot be read", async () => {
  const { call } = checked({ ...version, body: { matchRules: [] } }, undefined);
  const failing = { ...call, read: () => Promise.reject(new Error("unreadable")) };
  await expect(rulesUnlocked(failing)).rejects.toThrow("unreadable");
});

it("a load-balancing version takes changes only if never activated", async () => {
  const args = { originId: "a", version: 1, body: {} };
  expect(await originVersionMutable(checked(args, { immutable: true }).call)).toEqual([
    { field: "version", given: "1", takes: expect.stringContaining("edgelogic_origin_version_create") },
  ]);
  for (const state of [{ immutable: false }, undefined])
    expect(await originVersionMutable(checked(args, state).call)).toEqual([]);
});

it("a rule's id is taken as akaRuleId or vendorRuleId, never as both", () => {
  const tool = "edgelogic_rule_get";
  const of = (args: object) => validateArguments(tool, edgeLogic.operations[tool], { ...version, ...args });
  expect(of({ akaRuleId: "5db8" })).toMatchObject({
    path: of({ vendorRuleId: "5db8" }).path,
    notes: ["akaRuleId was read as vendorRuleId."],
  });
  expect(() => of({ akaRuleId: "5db8", vendorRuleId: "6ec9" })).toThrow("akaRuleId: takes nothing");
});

rule("edgelogic-data-center-country", "takes the two letters of a country, and nothing else for them", () => {
  const { edgelogic_origin_version_create: create, edgelogic_origin_version_update: update } = edgeLogic.operations;
  const { body } = create.spec.example as { body: { dataCenters: readonly object[] } };
  for (const [operation, at] of [
    [create, { originId: "shopBalancer" }],
    [update, { originId: "shopBalancer", version: 2 }],
  ] as const) {
    const given = (country: string) => ({ ...at, body: { dataCenters: [{ ...body.dataCenters[0], country }] } });
    expect(() => validateArguments("x", operation, given("JP"))).not.toThrow();
    for (const bad of ["D", "DEU", "Germany", "  ", "D1", "**"])
      expect(() => validateArguments("x", operation, given(bad))).toThrow(
        `body.dataCenters[0].country: ${JSON.stringify(bad)} was given; takes the two letters of a country code`,
      );
  }
});
