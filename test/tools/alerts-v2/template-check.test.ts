/** Definitions against templates of undeclared shapes: a bound that cannot be read is ignored. */
import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/language/failure.js";
import { argumentsSchema, invalidInput } from "../../../src/schema/arguments.js";
import { keysAt } from "../../../src/schema/problems.js";
import { alertsV2 } from "../../../src/tools/alerts-v2/index.js";
import { matchesTemplate } from "../../../src/tools/alerts-v2/template-check.js";

const declared = argumentsSchema(alertsV2.operations.alert_definition_create);

/** What the check finds for a template, or the failure of reading it. */
async function check(template: unknown, given: object): Promise<Failure | undefined> {
  const call = {
    args: { body: { fields: { templateId: "s@7", name: "n", ...given } } },
    namesAt: (path: readonly string[]) => keysAt(declared, path),
    present: async () => undefined,
    read: async () => template,
  };
  try {
    const fields = await matchesTemplate(call);
    return fields.length === 0 ? undefined : invalidInput("alert_definition_create", fields);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

it.each([undefined, null, "page", [], {}, { fields: null }, { fields: { key: "a" } }])(
  "sends nothing by the template %j, and says why",
  async (template) => {
    const failure = await check(template, {});
    expect(failure).toMatchObject({ code: "bad_reply", detail: { why: expect.stringContaining("nothing was sent") } });
  },
);

describe("a field", () => {
  it.each([
    [{ type: "float", sizeFloat: null }, 0.5],
    [{ type: "float", sizeFloat: -1 }, 0.5],
    [{ type: "float", sizeFloat: "2" }, 0.125],
    [{ type: "int", minimum: null, maximum: "lots" }, 7],
    [{ type: "email", minItems: null, maxItems: null }, ["a@b.example"]],
    [{ type: null }, {}],
    [{}, "x"],
  ])("described by %j takes %j", async (described, value) => {
    expect(await check({ fields: [null, "x", {}, { key: "f", ...described }] }, { f: value })).toBeUndefined();
  });

  it.each([
    [{ type: "int", minimum: 1, maximum: 9 }, [1, 9, null], [0, 10]],
    [{ type: "float", minimum: 0.5, maximum: 1.5 }, [0.5, 1.5], [0.49, 1.51]],
    [{ type: "float", sizeFloat: 2 }, [1.25, 3], [1.255]],
    [{ type: "multi-select", minItems: 1, maxItems: 2 }, [["a"], ["a", "b"]], [[], ["a", "b", "c"]]],
    [{ type: "schedule" }, [{}], [[], "x"]],
  ])("described by %j takes its bounds themselves and nothing beyond", async (described, good, bad) => {
    const template = { fields: [{ key: "f", ...described }] };
    for (const f of good) expect(await check(template, { f })).toBeUndefined();
    for (const f of bad)
      expect((await check(template, { f }))?.detail.fields).toMatchObject([{ field: "body.fields.f" }]);
  });

  it.each([
    [{ type: "multi-select", itemType: "cpcode", minItems: 1, default: [] }, /^a list of texts, at least 1; .*cpcode/],
    [{ type: "multi-select", minItems: 1 }, /^a list of texts, at least 1; it is required$/],
    [{ type: "email", minItems: 2, default: ["a@b.example"] }, /^a list of addresses, at least 2/],
    [{ type: "single-select", itemType: "adaptivemetric", default: "" }, /^one choice, as text; .*adaptivemetric/],
  ])("described by %j is required", async (described, takes) => {
    const template = { fields: [{ key: "f", ...described }] };
    for (const given of [{}, { f: null }])
      expect((await check(template, given))?.detail.fields).toEqual([
        { field: "body.fields.f", takes: expect.stringMatching(takes) },
      ]);
  });

  it.each([
    { type: "multi-select", minItems: 1, default: ["a"] },
    { type: "multi-select", default: [] },
    { type: "single-select", default: "both" },
    { type: "single-select" },
    { type: "string", default: "" },
    { type: "hidden", default: "" },
    { type: "int", minimum: 1 },
    { type: "adaptive-threshold" },
  ])("described by %j may be left out", async (described) => {
    expect(await check({ fields: [{ key: "f", ...described }] }, {})).toBeUndefined();
  });

  it("names only the bounds that exist", async () => {
    const failure = await check({ fields: [{ key: "f", type: "int", minimum: 1, maximum: null }] }, { f: 0 });
    expect(failure?.detail.fields).toEqual([
      { field: "body.fields.f", given: "0", takes: "a whole number from 1 to any" },
    ]);
    const free = await check({ fields: [{ key: "f", type: "int", minimum: null, maximum: null }] }, { f: "x" });
    expect(free?.detail.fields?.[0]?.takes).toBe("a whole number");
  });

  it.each(["__proto__", "constructor", "toString"])("named %s is unknown where the template has none", async (key) => {
    const failure = await check({ fields: [{ key: "f", type: "int" }] }, JSON.parse(`{"${key}":1}`) as object);
    expect(failure?.detail.fields).toMatchObject([{ field: `body.fields.${key}` }]);
  });
});
