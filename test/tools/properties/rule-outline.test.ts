/** The outline of a rule tree: every name with its pointer, bounded, and never to be taken for the whole. */
import { expect, it } from "vitest";
import { valueAt } from "../../../src/schema/json-pointer.js";
import { properties } from "../../../src/tools/properties/index.js";
import { ruleTreeView } from "../../../src/tools/properties/outline.js";
import type { TreeRule } from "../../../src/tools/properties/shapes.js";

const rules: TreeRule = {
  name: "default",
  behaviors: [{ name: "origin" }, { name: "cpCode", options: { value: { id: 1 } } }],
  children: [
    {
      name: "Images",
      criteriaMustSatisfy: "any",
      criteria: [{ name: "fileExtension" }],
      behaviors: [{ name: "caching" }],
      children: [{ name: "Large", criteria: [{ name: "path" }], behaviors: [] }],
    },
  ],
};
const body = { propertyId: "prp_1", propertyVersion: 3, etag: "e", rules };
const show = (given: object, of: unknown = body) => ruleTreeView.show(of, given as Record<string, unknown>);
interface Line {
  readonly at: string;
  readonly name: string;
  readonly criteria?: readonly Line[];
  readonly behaviors?: readonly Line[];
  readonly more?: number;
}
const outlineOf = (given: object, of: unknown = body): readonly Line[] => {
  const shown = show(given, of);
  if (!shown || !("value" in shown)) throw new Error("no outline");
  return (shown.value as { outline: readonly Line[] }).outline;
};

it("an outline has each rule with its pointer", () => {
  const lines = outlineOf({});
  expect(lines.map(({ at, name }) => [at, name])).toEqual([
    ["/rules", "default"],
    ["/rules/children/0", "Images"],
    ["/rules/children/0/children/0", "Large"],
  ]);
  const all = lines.flatMap((line) => [line, ...(line.criteria ?? []), ...(line.behaviors ?? [])]);
  expect(all).toHaveLength(8);
  for (const { at, name } of all) expect(valueAt(body, at)).toMatchObject({ name });
  expect(lines[1]).toMatchObject({ match: "any" });
});

it("an outline has the etag, and no write takes it", () => {
  for (const given of [{}, { at: "/rules" }, { at: "/rules/children/0" }, { at: "" }]) {
    const shown = show(given);
    expect(shown).toMatchObject({ value: { etag: "e" } });
    const value = shown && "value" in shown ? (shown.value as object) : {};
    expect(Object.keys(value)).not.toContain("rules");
    const [write] = [properties.operations.property_rule_tree_replace.spec.body].flat();
    expect(write && "schema" in write && write.schema.safeParse(value).success).toBe(false);
    expect(ruleTreeView.schema.safeParse(value).success).toBe(true);
  }
});

it("an outline: a part at a pointer, or the whole", () => {
  expect(show({ at: "/rules/behaviors/1" })).toMatchObject({ value: { part: { name: "cpCode" } } });
  expect(outlineOf({ at: "/rules/children/0", outline: true })).toHaveLength(2);
  expect(show({ outline: false })).toBeUndefined();
});

it("an outline is bounded from the top, and counts the rest", () => {
  const child = (name: string, children: readonly TreeRule[] = []): TreeRule => ({
    name,
    criteria: [{ name: "path", options: { values: ["x".repeat(200)] } }],
    behaviors: [{ name: "caching", options: { ttl: "y".repeat(200) } }],
    children,
  });
  const wide = Array.from({ length: 50 }, (_, at) =>
    child(
      `r${at}`,
      Array.from({ length: 40 }, (__, n) => child(`r${at}.${n}`)),
    ),
  );
  const large = { ...body, rules: { ...rules, children: wide } };
  expect(JSON.stringify(large).length).toBeGreaterThan(900_000);
  const lines = outlineOf({}, large);
  expect(JSON.stringify(lines).length).toBeLessThan(60_000);
  expect(lines.filter(({ at }) => /^\/rules\/children\/\d+$/.test(at))).toHaveLength(50);
  const leftOut = lines.reduce((sum, { more = 0 }) => sum + more, 0);
  expect(lines.length + leftOut).toBe(1 + 50 + 50 * 40);
  expect(leftOut).toBeGreaterThan(1_000);
});
