/** Two versions of an emulated property compared: what goes, changes and comes, by path, and what is refused. */
import { expect, it } from "vitest";
import type { TreeRule } from "../../src/tools/properties/shapes.js";
import { callsAt } from "../lab/calls.js";

const held = callsAt(Date.UTC(2026, 4, 20, 12, 30));
const propertyId = "prp_175780";

const compared = (args: object) =>
  held.calls.worked<Record<"rules" | "hostnames" | "settings" | "findings", string[]> & Record<string, unknown>>(
    "property_versions_compare",
    { propertyId, ...args },
  );
/** The rules of version 3 as the account has them, changed. */
async function written(change: (rules: TreeRule) => TreeRule, comments?: string) {
  const { body } = await held.calls.calls.invoke("property_rule_tree_get", { propertyId, propertyVersion: 3 });
  const rules = change((body as { rules: TreeRule }).rules);
  await held.calls.calls.invoke("property_rule_tree_replace", {
    propertyId,
    propertyVersion: 3,
    body: { rules, ...(comments === undefined ? {} : { comments }) },
  });
}

it("shows no value of a hidden variable, and at most 500 lines of a kind", async () => {
  const variable = (value: string) => ({ name: "PMUSER_KEY", value, hidden: true, sensitive: true });
  await written((rules) => ({ ...rules, variables: [variable("first-hidden-value")] }));
  await held.calls.calls.invoke("property_version_create", { propertyId, body: { createFromVersion: 3 } });
  await written((rules) => ({
    ...rules,
    variables: [variable("second-hidden-value")],
    children: Array.from({ length: 600 }, (_, at) => ({ name: `Rule ${at}`, behaviors: [], children: [] })),
  }));
  const result = await compared({ from: 4, to: 3 });
  expect(JSON.stringify(result)).not.toContain("hidden-value");
  expect(result.rules).toHaveLength(501);
  expect(result.rules.at(-1)).toMatch(/^And \d+ more\.$/);
});
