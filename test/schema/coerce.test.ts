/** A value written in the one type that is listed becomes what the whole schema takes, and no other value is changed. */
import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { validateValues } from "../../src/schema/arguments.js";
import { coerce } from "../../src/schema/coerce.js";

const Ids = z.array(z.string().min(1)).min(1);
const idsOrAll = z.union([Ids, z.literal("all")]);
const textOrObject = z.union([z.int(), z.string(), z.looseObject({})]);
const Match = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("a"), size: z.int() }),
  z.strictObject({ type: z.literal("b"), size: z.string() }),
]);
type Rule = { readonly all?: readonly Rule[] | undefined; readonly ttl?: number | undefined };
const Rule: z.ZodType<Rule> = z.strictObject({
  get all() {
    return z.array(Rule).optional();
  },
  ttl: z.int().optional(),
});

describe("a value is read", () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ["a whole number from its numeral", z.int(), "12345", 12_345],
    ["a negative number", z.number(), "-0.5", -0.5],
    ["a flag", z.boolean().optional(), "false", false],
    ["a number with a default", z.int().default(1), "2", 2],
    ["a number that can be left out or null", z.int().nullish(), "2", 2],
    ["a value that is a number", z.literal([1, "all"]), "1", 1],
    ["a number among other types, text not being one", z.union([z.int(), z.boolean()]), "7", 7],
    ["null from empty text", z.int().nullable(), "", null],
    ["null from the empty text of a name", z.string().min(1).nullable(), "", null],
    ["null from an empty object", z.strictObject({ a: z.int() }).nullable(), {}, null],
    ["null from an empty list", Ids.nullable(), [], null],
    ["null from empty text in a union", z.union([z.int(), z.null()]), "", null],
    ["a word that stands for a list", idsOrAll, ["all"], "all"],
    ["the only item, where there must be two for a list", z.union([z.int(), z.array(z.int()).min(2)]), ["5"], 5],
    ["an object from its JSON", z.strictObject({ a: z.int() }), ' {"a": "1"}', { a: 1 }],
    ["a list from its only item", z.array(z.int()), "7", [7]],
    ["a list from an object", z.array(z.strictObject({ a: z.int() })), { a: "1" }, [{ a: 1 }]],
    ["a list from the only text, with its commas", Ids, "a,b", ["a,b"]],
    ["a list of numbers from its text", z.array(z.int()), "12345, 12346", [12_345, 12_346]],
    ["a list of values from its text", z.array(z.enum(["a", "b"])), "a,b", ["a", "b"]],
    [
      "an object rather than a list of it",
      z.union([z.array(z.looseObject({})), z.looseObject({})]),
      { a: 1 },
      { a: 1 },
    ],
    ["a list of one rather than a word that is not its own", idsOrAll, "some", ["some"]],
    ["a list from its JSON", z.array(z.int()), "[1, 2]", [1, 2]],
    ["an object from its JSON, where text is listed for all", textOrObject, '{"id":7}', { id: 7 }],
    ["an object from its JSON, where it can be anything", z.unknown(), '{"id":7}', { id: 7 }],
    ["the members of a list and of a record", z.record(z.string(), z.array(z.int())), { a: ["1"] }, { a: [1] }],
    ["the items of a tuple", z.tuple([z.string(), z.int()], z.boolean()), ["1", "1", "true"], ["1", 1, true]],
    [
      "both parts of an intersection",
      z.intersection(z.object({ a: z.int() }), z.object({ b: z.int() })),
      { a: "1", b: "2" },
      { a: 1, b: 2 },
    ],
    ["the variant that the discriminator names", Match, { type: "b", size: "7" }, { type: "b", size: "7" }],
    ["a number in the variant that is named", Match, { type: "a", size: "7" }, { type: "a", size: 7 }],
    ["a recursive shape", Rule, { all: [{ all: [{ ttl: "5" }] }] }, { all: [{ all: [{ ttl: 5 }] }] }],
    ["through a pipe", z.int().transform(String), "7", 7],
  ])("%s", (_, schema, written, read) => {
    expect(coerce(schema, written)).toEqual(read);
  });
});

describe("a value stays as it is", () => {
  it.each<[string, z.ZodType, unknown]>([
    ["digits, where text is taken", z.string(), "12345"],
    ["digits, where text or a number is taken", z.union([z.string(), z.int()]), "12345"],
    ["a number beyond what a number can hold", z.int(), "9007199254740993"],
    ["a numeral that is an id, with zeros before it", z.int(), "007"],
    ["a numeral of another notation", z.number(), "1e3"],
    ["empty text, where a number is taken", z.number(), ""],
    ["a space", z.int(), " "],
    ["another word for a flag", z.boolean(), "yes"],
    ["empty text that is text", z.string().nullable(), ""],
    ["an empty list that is a list", z.array(z.int()).nullable(), []],
    ["empty text, where null can be left out", z.int().nullish(), ""],
    ["an empty object, where null can be left out", z.strictObject({ a: z.int() }).nullable().optional(), {}],
    ["null", z.int(), null],
    ["a list of ids", idsOrAll, ["12345"]],
    ["a word of a closed list", z.array(z.enum(["a", "b"])), "a,c"],
    ["a number of a list that one is too few for", z.array(z.int()).min(2), "1"],
    ["a value of a list of lists", z.array(z.array(z.int())), "1"],
    ["empty text, where a list is taken", z.array(z.string()), ""],
    ["JSON, where text alone is taken", z.string(), '{"a":1}'],
    ["JSON with a fault", z.strictObject({ a: z.int() }), '{"a":'],
    ["further members that can be anything", z.looseObject({ a: z.int() }), { b: "7", c: '{"d":1}' }],
    ["members of a record of anything", z.record(z.string(), z.unknown()), { a: "7", b: "[1]" }],
    ["a name that every object has", z.strictObject({ a: z.int() }), { toString: "7" }],
    ["text in brackets", textOrObject, "[draft] a note"],
  ])("%s", (_, schema, value) => {
    expect(coerce(schema, value)).toEqual(value);
  });
});

describe("what JSON in text holds", () => {
  const input = z.strictObject({ rule: Rule, free: z.unknown() });
  const refusal = (args: object): Failure | undefined => {
    try {
      validateValues("x", input, args);
    } catch (error) {
      return error as Failure;
    }
    return undefined;
  };
  const nested = (levels: number): string => `${'{"all":['.repeat(levels)}${"]}".repeat(levels)}`;

  it("is refused when it is too deep, before anything recursive looks at it", () => {
    expect(refusal({ rule: nested(10), free: 1 })).toBeUndefined();
    for (const levels of [40, 20_000])
      expect(refusal({ rule: nested(levels), free: 1 })?.detail.fields?.[0]).toMatchObject({ field: "rule" });
  });

  it("is bounded as the arguments are", () => {
    expect(refusal({ rule: {}, free: JSON.stringify(Array(10_001).fill(0)) })?.detail.fields).toEqual([
      { field: "free", given: "a list of 10001 items", takes: "at most 10000" },
    ]);
    expect(refusal({ rule: {}, free: '{"__proto__":{}}' })?.detail.fields?.[0]?.field).toBe("free.__proto__");
  });
});

it("coercing what no option of a recursive union takes ends soon", () => {
  type Nested = string | readonly Nested[];
  const Nested: z.ZodType<Nested> = z.lazy(() => z.union([z.literal("end"), z.array(Nested)]));
  let value: unknown = "no end";
  for (let level = 0; level < 30; level += 1) value = [value];
  expect(coerce(Nested, value)).toEqual(value);
});
