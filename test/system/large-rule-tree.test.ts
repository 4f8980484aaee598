/** A rule tree of a megabyte, read in parts and patched. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { callsIn } from "../lab/calls.js";

const draft = { propertyId: "175780", propertyVersion: 3 };
const tool = "property_rule_tree_update";
const { calls, answer, approved, previewed } = callsIn(createWorld({ frozenAt: Date.now() }), {
  callTimeoutMs: 100_000,
});
const tree = async () =>
  (await calls.invoke("property_rule_tree_get", draft)).body as { readonly rules: Record<string, unknown> };

it("a rule tree of a megabyte is outlined, patched and written", async () => {
  const rule = (name: string, children: unknown[] = []) => ({
    name,
    criteria: [{ name: "path", options: { values: [`/${name}/${"x".repeat(150)}`] } }],
    behaviors: [{ name: "caching", options: { behavior: "MAX_AGE", ttl: "1d", note: "y".repeat(130) } }],
    children,
  });
  const children = Array.from({ length: 50 }, (_, at) =>
    rule(
      `r${at}`,
      Array.from({ length: 40 }, (__, n) => rule(`r${at}-${n}`)),
    ),
  );
  const { rules } = await tree();
  await answer("property_rule_tree_replace", { ...draft, body: { rules: { ...rules, children } } });
  expect(JSON.stringify(await tree()).length).toBeGreaterThan(900_000);
  const patch = [{ op: "replace", path: "/rules/children/49/children/39/behaviors/0/options/ttl", value: "3d" }];
  const { body } = await answer("property_rule_tree_get", draft);
  const { changes } = await previewed(tool, { ...draft, patch });
  await approved(tool, { ...draft, patch });
  expect(JSON.stringify(body).length).toBeLessThan(80_000);
  expect(changes).toBe(1);
  expect(JSON.stringify(await tree())).toContain('"3d"');
});
