/** Two versions of an emulated property compared: what goes, changes and comes, by path, and what is refused. */
import { expect, it } from "vitest";
import type { Rule } from "../../src/tools/properties/shapes.js";
import { callsAt } from "../lab/calls.js";

const held = callsAt(Date.UTC(2026, 4, 20, 12, 30));
const propertyId = "prp_175780";

const compared = (args: object) =>
  held.calls.worked<Record<"rules" | "hostnames" | "settings" | "findings", string[]> & Record<string, unknown>>(
    "property_versions_compare",
    { propertyId, ...args },
  );
/** The rules of version 3 as the account has them, changed. */
async function written(change: (rules: Rule) => Rule, comments?: string) {
  const { body } = await held.calls.calls.invoke("property_rule_tree_get", { propertyId, propertyVersion: 3 });
  const rules = change((body as { rules: Rule }).rules);
  await held.calls.calls.invoke("property_rule_tree_replace", {
    propertyId,
    propertyVersion: 3,
    body: { rules, ...(comments === undefined ? {} : { comments }) },
  });
}

it("names rules, behaviors and options by their path, what goes first", async () => {
  await written(
    (rules) => ({
      ...rules,
      comments: "Reviewed",
      options: { is_secure: true },
      behaviors: (rules.behaviors ?? []).map((one) =>
        one.name === "caching" ? { ...one, options: { ...one.options, ttl: "2h" } } : one,
      ),
      children: (rules.children ?? []).filter(({ name }) => name !== "Images"),
    }),
    "For the spring",
  );
  await held.calls.calls.invoke("property_hostnames_replace", {
    propertyId,
    propertyVersion: 3,
    body: [
      { cnameFrom: "www.shop.example", cnameTo: "www.shop.example.edgesuite.example" },
      { cnameFrom: "new.shop.example", cnameTo: "www.shop.example.edgesuite.example" },
    ],
  });
  const result = await compared({});
  expect(result["from"]).toMatchObject({ version: 2, is: "active on STAGING and PRODUCTION" });
  expect(result["to"]).toMatchObject({ version: 3, is: "not active on any network" });
  expect(result.rules).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^- rule default > Images/),
      "behavior caching of default.ttl: 1h → 2h",
      "rule default.options.is_secure: false → true",
      "+ rule default.comments: Reviewed",
      expect.stringMatching(/^\+ rule default > Checkout/),
    ]),
  );
  expect(result.rules.findIndex((line) => line.startsWith("+"))).toBeGreaterThan(
    result.rules.findLastIndex((line) => line.startsWith("- ")),
  );
  expect(result.hostnames).toEqual([
    expect.stringMatching(/^- hostname www\.example\.com/),
    expect.stringMatching(/^\+ hostname new\.shop\.example/),
  ]);
  expect(result.settings).toEqual(
    expect.arrayContaining(['comments: none → "For the spring"', expect.stringMatching(/^note: /)]),
  );
  expect(result.findings[0]).toContain(`${result.rules.length} in the rules, 2 in the hostnames`);
});

it("property versions: says if nothing differs, compares any two", async () => {
  await held.calls.calls.invoke("property_version_create", { propertyId, body: { createFromVersion: 3 } });
  expect(await compared({ from: 3, to: 4 })).toMatchObject({
    rules: ["The rules are the same."],
    hostnames: ["The hostnames are the same."],
  });
  const [forth, back] = [await compared({ from: 2, to: 3 }), await compared({ from: 3, to: 2 })];
  const signs = (lines: readonly string[]) => [...new Set(lines.map((line) => line[0]))];
  expect([signs(forth.rules), signs(back.rules)]).toEqual([["+"], ["-"]]);
});

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
