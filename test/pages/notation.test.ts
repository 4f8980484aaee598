/** Schemas in the notation of the pages, as they are read. */
import { expect, it } from "vitest";
import { z } from "../../src/language/z.js";
import { notationOf, partExamples } from "../../src/pages/notation.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";

const linesOf = (shape: z.core.$ZodShape): string[] =>
  notationOf(jsonSchemaOf(z.strictObject(shape), "input")).split("\n");

it.each<[string, z.ZodType]>([
  ["a: string(1..64)", z.string().min(1).max(64)],
  ["a?: integer(1..) = 10 — How many", z.int().positive().default(10).describe("How many.")],
  ["a: integer", z.int()],
  ["a: number(>0, ..1)", z.number().gt(0).max(1)],
  ["a: string(2)", z.string().length(2)],
  ['a: ("a"|"b")[1..]', z.array(z.enum(["a", "b"])).min(1)],
  ['a: "all"|string[]|null', z.union([z.literal("all"), z.array(z.string())]).nullable()],
  ["a: string(ipv4)", z.ipv4()],
  ["a: string(an id such as x_1)", z.string().regex(/^x_\d$/, "an id such as x_1")],
  ["a: string(/^x$/)", z.string().regex(/^x$/)],
  ["a: string(a word that is known)", z.string().refine(() => true, "a word that is known")],
  ["a: [integer, string]", z.tuple([z.int(), z.string()])],
  ["a: {[name]: boolean}", z.record(z.string(), z.boolean())],
  ["a: object", z.looseObject({})],
  ["a: any", z.unknown()],
  ["a: {b?: string}[] — at least one", z.array(z.object({ b: z.string().optional() })).describe("at least one")],
])("a member is written %s", (line, schema) => {
  expect(linesOf({ a: schema })).toEqual([line]);
});

it("notation: members of one type are in one line", () => {
  const id = z.int().meta({ readOnly: true });
  expect(linesOf({ a: z.string(), b: z.int(), c: z.string().optional(), id })).toEqual(["a, c?: string", "b: integer"]);
  expect(notationOf(jsonSchemaOf(z.object({ id }), "output"), true)).toBe("id: integer");
});

it("notation: the forms of an object have their common members once", () => {
  const common = { name: z.string(), id: z.int() };
  const a = z.discriminatedUnion("type", [
    z.object({ ...common, type: z.literal("x"), url: z.string() }),
    z.object({ ...common, type: z.literal("y"), url: z.string() }),
    z.object({ ...common, type: z.literal("z") }),
  ]);
  expect(linesOf({ a })).toEqual([
    "a: {name: string; id: integer} & (",
    '|{type: "x"|"y"; url: string}',
    '|{type: "z"}',
    ")",
  ]);
});

it("an object that holds itself has a name, its own or that of the member", () => {
  const group = z.object({
    id: z.int(),
    get groups() {
      return z.array(group).optional();
    },
  });
  expect(linesOf({ group })).toEqual(["group: Group", "Group = {id: integer; groups?: Group[]}"]);
  expect(notationOf(jsonSchemaOf(group, "output"))).toBe("id: integer\ngroups?: Group[]\nGroup = the whole");
  const Place = z.object({ x: z.int() }).meta({ id: "Place" });
  expect(linesOf({ a: Place, b: z.array(Place) })).toEqual(["a: Place", "b: Place[]", "Place = {x: integer}"]);
});

it("the examples of a part have its place, once each", () => {
  const part = z.object({ x: z.int() }).meta({ examples: [{ x: 1 }] });
  const schema = z.object({
    body: z.object({ a: z.array(part), b: part, c: z.record(z.string(), z.string().meta({ examples: ["y"] })) }),
  });
  expect(partExamples(jsonSchemaOf(schema, "input"))).toEqual([
    { at: "body.a[]", examples: [{ x: 1 }] },
    { at: "body.c.*", examples: ["y"] },
  ]);
});
