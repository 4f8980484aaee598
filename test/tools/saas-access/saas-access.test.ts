/** The match rules of SaaS access: which addresses, blocks and countries they take. */
import { expect } from "vitest";
import { validateArguments } from "../../../src/schema/arguments.js";
import { saasAccess } from "../../../src/tools/saas-access/index.js";
import { rule } from "../../lab/rules.js";

const operation = saasAccess.operations.saasaccess_policy_create;
function isTaken(...matches: readonly (readonly [matchType: string, matchValue: string])[]): boolean {
  const matchRules = [
    { type: "saMatchRule", matches: matches.map(([matchType, matchValue]) => ({ matchType, matchValue })) },
  ];
  const create = { cloudletId: "2", policyName: "a", matchRules };
  const args = { contractId: "C-1", groupId: "1", body: { policyManagerRequest: { create } } };
  try {
    return validateArguments("saasaccess_policy_create", operation, args) !== undefined;
  } catch {
    return false;
  }
}

rule("saasaccess-matches", "match rules: addresses, blocks and country codes", () => {
  for (const good of ["192.0.2.1", "192.168.0.1/24", "2001:db8::/32", "192.0.2.1 198.51.100.0/24 2001:db8::1"])
    expect([good, isTaken(["clientip", good])]).toEqual([good, true]);
  for (const bad of ["", "192.0.2", "192.0.2.1/33", "192.0.2.1,192.0.2.2", "192.0.2.1  192.0.2.2", "DE", "a.example"])
    expect([bad, isTaken(["clientip", bad])]).toEqual([bad, false]);
  expect(isTaken(["country", "DE"])).toBe(true);
  for (const bad of ["UK", "Germany", "de", "DE FR", "192.0.2.1"])
    expect([bad, isTaken(["country", bad])]).toEqual([bad, false]);
  expect(isTaken(["hostname", "www.example.com"])).toBe(false);
  expect(isTaken()).toBe(false);
  expect(isTaken(["country", "DE"], ["country", "FR"])).toBe(true);
  expect(isTaken(["country", "DE"], ["clientip", "192.0.2.1"])).toBe(false);
});
