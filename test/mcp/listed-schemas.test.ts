/** Laws over the schemas of the list: every client takes them, and they take all that the whole schemas take. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentsSchema, checkArguments, checkValues } from "../../src/arguments/index.js";
import { type AnyOperation, form, json, op } from "../../src/language/define.js";
import { resolvedExample } from "../../src/language/example.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { callToolNames } from "../../src/mcp/call-tools.js";
import { listedSchema } from "../../src/mcp/listed-schema.js";
import { menuOf } from "../../src/mcp/menu.js";
import { catalogueOf, catalogueText, wholeSchema } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { purge } from "../../src/tools/purge/index.js";
import { resolveRequest } from "../../src/wire/request.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { valuesOf } from "../catalogue/schema-values.js";
import { checkFully } from "../lab/checked.js";
import { runs } from "../lab/depth.js";
import { lawsOver } from "../lab/laws.js";
import { apis, servicesOfProject } from "../lab/project.js";
import {
  faults,
  type Listed,
  meaningOf,
  problemsOfListedSchema,
  withoutListsOfOne,
  writtenFor,
} from "./listed-schema.js";

const services = apis === "today" ? await allServices() : await servicesOfProject();
const workflows = await allWorkflows();

/** A tool of its own for the body of a request that no document has. */
const madeUp = (name: string, body: z.ZodType, example: unknown) => ({
  name,
  operation: op("POST /made/up", {
    does: "Takes a shape that a document of tomorrow could have.",
    body: json(z.strictObject({ it: body })),
    returns: { 200: json(z.unknown()) },
    effect: "read",
    example: { body: { it: example } },
  }),
});

interface Tree {
  readonly value: number;
  readonly children: readonly Tree[];
}
const Tree: z.ZodType<Tree> = z.strictObject({
  value: z.int(),
  get children() {
    return z.array(Tree);
  },
});
const Wide = z.strictObject({ first: z.int(), second: z.string() });
const Lists: z.ZodType = z.array(z.lazy(() => Lists));
const Match = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("path"),
    paths: z.array(z.string().min(1)).min(1),
    isNegated: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal("status"), codes: z.array(z.int()), ttl: z.int().nullable() }),
]);
const madeUps = [
  madeUp(
    "union_of_objects",
    z.union([z.strictObject({ a: z.string(), c: z.int() }), z.strictObject({ b: z.int(), c: z.int() })]),
    { b: 1, c: 2 },
  ),
  madeUp(
    "union_of_the_same_member",
    z.union([z.strictObject({ a: z.int() }), z.strictObject({ a: z.array(z.int()) })]),
    { a: [1, 2] },
  ),
  madeUp("discriminated_union", Match, { type: "path", paths: ["/a"] }),
  madeUp("list_of_discriminated_unions", z.array(Match), [{ type: "status", codes: [404], ttl: 7 }]),
  madeUp("intersection", z.intersection(z.object({ a: z.int() }), z.looseObject({ b: z.string() })), { a: 1, b: "b" }),
  madeUp("record", z.record(z.string(), z.array(z.int())), { a: [1] }),
  madeUp("record_of_nullable", z.record(z.string(), z.int().nullable()), { a: "1" }),
  madeUp("record_of_anything", z.record(z.string(), z.unknown()), { a: 1 }),
  madeUp("record_of_names", z.partialRecord(z.enum(["a", "b"]), z.int()), { a: 1 }),
  madeUp("tuple", z.tuple([z.string(), z.int()]), ["a", "1"]),
  madeUp("pair", z.tuple([z.int(), z.int()]), [1, 2]),
  madeUp("optional_members", z.strictObject({ a: z.int().optional(), b: z.int().optional() }), { a: 1 }),
  madeUp("nullable_text", z.string().nullable(), "a"),
  madeUp("nullable_name", z.string().min(1).nullable(), "a"),
  madeUp("nullable_number", z.int().nullable(), "7"),
  madeUp("nullable_flag", z.boolean().nullable(), "true"),
  madeUp("nullable_list", z.array(z.string()).min(1).nullable(), ["a"]),
  madeUp("nullable_object", z.strictObject({ a: z.int() }).nullable(), { a: 1 }),
  madeUp("nullable_value", z.enum(["on", "off"]).nullable(), "on"),
  madeUp(
    "nullable_that_can_be_left_out",
    z.strictObject({ a: z.int().nullish(), b: z.enum(["x"]).nullable().optional() }),
    { a: 1, b: "x" },
  ),
  madeUp("only_null", z.null(), ""),
  madeUp("literal", z.literal("active"), "active"),
  madeUp("literals", z.literal([1, "all"]), "all"),
  madeUp("numbers", z.literal([1, 2, 3]), 2),
  madeUp("empty_text_among_values", z.enum(["", "a"]), "a"),
  madeUp("text_or_number", z.union([z.string().min(1), z.int()]), "a"),
  madeUp("number_or_flag", z.union([z.int(), z.boolean()]), "7"),
  madeUp("list_or_word", z.union([z.array(z.string().min(1)).min(1), z.literal("all")]), ["all"]),
  madeUp("one_or_many", z.union([z.strictObject({ a: z.int() }), z.array(z.strictObject({ a: z.int() })).min(2)]), [
    { a: 1 },
  ]),
  madeUp("text_or_list_of_numbers", z.union([z.string(), z.array(z.int())]), "[1,2]"),
  madeUp("id_of_any_kind", z.array(z.union([z.int(), z.string(), z.looseObject({})])), ["a"]),
  madeUp("lists_of_lists", z.array(z.array(z.array(z.int()))), [[[1]]]),
  madeUp("list_of_anything", z.array(z.unknown()), ["a"]),
  madeUp("anything", z.unknown(), "a"),
  madeUp("tree", Tree, { value: 1, children: [{ value: 2, children: [] }] }),
  madeUp("endless_lists", Lists, [[], []]),
  madeUp("any_json", z.json(), "a"),
  madeUp("open_object", z.looseObject({}), { a: 1 }),
  madeUp(
    "deep_object",
    z.strictObject({
      a: z.looseObject({ b: z.strictObject({ c: z.strictObject({ d: z.int() }) }), e: z.int().optional() }),
    }),
    { a: { b: { c: { d: 1 } } } },
  ),
  madeUp("default", z.union([z.array(z.string()), z.literal("all")]).default("all"), ["a"]),
  madeUp("default_number", z.union([z.int(), z.literal("none")]).default(7), "none"),
];
const inventions = service("made", {
  name: "made-up",
  document: "A",
  title: "Made up",
  about: "Shapes of tomorrow.",
  standing: { state: "alive" },
  rules: {},
  operations: {
    made_variants_of_a_body_find: op("POST /made/up/{id}", {
      does: "Takes one of two bodies.",
      path: { id: z.int() },
      body: [
        json({ kind: z.literal("a"), name: z.string().describe("What it is called"), size: z.int() }),
        form({
          kind: z.literal("b"),
          name: z.string(),
          size: z.string().optional(),
          tags: z.array(z.string()).optional(),
        }),
      ],
      returns: { 200: json(z.unknown()) },
      effect: "read",
      example: { id: 7, body: { kind: "b", name: "n", size: "large" } },
    }),
    made_wide_body_find: op("POST /made/wide", {
      does: "Takes a body of forty objects.",
      body: json(z.strictObject(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`member${at}`, Wide])))),
      returns: { 200: json(z.unknown()) },
      effect: "read",
      example: {
        body: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`member${at}`, { first: 1, second: "a" }])),
      },
    }),
    ...(Object.fromEntries(madeUps.map(({ name, operation }) => [`made_${name}_find`, operation])) as Record<
      `made_${string}`,
      AnyOperation
    >),
  },
});

const catalogue = catalogueOf([...services, inventions], workflows, apis);
/** How a tool's arguments are declared. */
interface Arguments {
  readonly whole: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
  /** Checks them by the operation's own checks, too. */
  readonly check: (args: object) => unknown;
}
const schemas = new Map<string, Arguments>([
  ...workflows.map(([name, { input, example }]): [string, Arguments] => [
    name,
    { whole: input, example, check: (args) => checkValues(name, input, args) },
  ]),
  ...[...services, inventions].flatMap(({ operations }) =>
    Object.entries(operations).map(([name, operation]): [string, Arguments] => {
      const example = resolvedExample(operation.spec.example, Date.now());
      return [name, { whole: argumentsSchema(operation), example, check: (args) => checkFully(name, operation, args) }];
    }),
  ),
]);
const listedOf = (name: string): Listed => catalogue.get(name)?.tool.inputSchema ?? {};
const made = (name: string): Listed => {
  const { body } = listedOf(`made_${name}_find`)["properties"] as { body: { properties: { it: Listed } } };
  return body.properties.it;
};

describe("a listed schema that a client could refuse is told", () => {
  const root = (member: object) => ({ type: "object", properties: { member } });
  it.each([
    ["a list without items", { type: "array" }],
    ["a list of what has no type", { type: "array", items: {} }],
    ["no type", { description: "Anything" }],
    ["a list of types", { type: ["string", "null"] }],
    ["a constant", { type: "string", const: "a" }],
    ["a union", { anyOf: [{ type: "string" }] }],
    ["a format", { type: "string", format: "ipv4" }],
    ["a number among the values", { type: "integer", enum: [1] }],
    ["an empty text among the values", { type: "string", enum: [""] }],
    ["an object without members", { type: "object" }],
    ["an object whose members are not known", { type: "object", properties: {} }],
    ["a required member that is not there", { type: "object", properties: { a: { type: "string" } }, required: ["b"] }],
    ["members of no schema", { type: "object", properties: {}, additionalProperties: false }],
    ["a default of another type", { type: "integer", default: "7" }],
    ["a schema that is no object", true],
    ["an empty description", { type: "string", description: " " }],
    ["keywords in another order", { description: "a", type: "string" }],
  ])("%s", (_, member) => {
    expect(problemsOfListedSchema(root(member as object))).not.toEqual([]);
    expect(problemsOfListedSchema(root({ type: "array", items: member }))).not.toEqual([]);
  });
});

// What both settings share is held with the documents.
const names = new Set((await servicesOfProject()).flatMap(({ operations }) => Object.keys(operations)));
const entries = [...catalogue].filter(([name]) => apis === "documents" || names.has(name));

lawsOver(entries, (law, name, { tool }) => {
  const { whole, example, check } = schemas.get(name) as Arguments;
  const listed = tool.inputSchema;
  const read = (args: unknown) => checkValues(name, whole, args);
  const isTaken = (args: object): boolean => {
    try {
      check(args);
      return true;
    } catch {
      return false;
    }
  };

  law("a tool has a name and a schema that every client takes", () => {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(listed["type"]).toBe("object");
    expect(problemsOfListedSchema(listed)).toEqual([]);
  });

  law("a listed schema takes what the example of its tool needs", () => {
    expect(faults(listed, example)).toEqual([]);
    expect(() => read(example)).not.toThrow();
  });

  law("the listed schema takes all that is taken, with the same meaning", () => {
    let count = 0;
    fc.assert(
      fc.property(valuesOf(whole), (any) => {
        // A time zone changes what the times beside it mean; what it does to them has tests of its own.
        const { timeZone: _, ...value } = any as Readonly<Record<string, unknown>>;
        const direct = whole.safeParse(value);
        if (!direct.success) return;
        count += 1;
        const written = writtenFor(listed, value);
        expect(faults(listed, written)).toEqual([]);
        expect(meaningOf(read(written))).toEqual(meaningOf(direct.data));
        // What a client sends that minds no schema is taken as it was, too, and one value as a list of one.
        expect(meaningOf(read(value))).toEqual(meaningOf(direct.data));
        expect(meaningOf(read(withoutListsOfOne(written)))).toEqual(meaningOf(direct.data));
        // No check of the operation minds in which type it was written.
        if (isTaken(value)) check(written as object);
      }),
      { numRuns: runs(12), seed: 7 },
    );
    expect(count).toBeGreaterThan(1);
  });
});

describe.each(["all", "core", "catalogue"] as const)("the menu %s", (surface) => {
  it("a menu has names and schemas that every client takes", () => {
    const { listed } = menuOf(catalogue, { surface });
    expect(listed.some(({ tool }) => callToolNames.includes(tool.name))).toBe(surface !== "all");
    for (const { tool } of listed) {
      expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect([tool.name, problemsOfListedSchema(tool.inputSchema)]).toEqual([tool.name, []]);
    }
  });
});

it("lists the same text in every build", () => {
  expect(catalogueText(catalogueOf([...services, inventions], workflows, apis))).toBe(catalogueText(catalogue));
});

describe("what a shape is listed as", () => {
  it.each<[string, Listed]>([
    [
      "union_of_objects",
      {
        type: "object",
        description: "See operation_describe for the rest",
        properties: { c: { type: "integer" } },
        required: ["c"],
        additionalProperties: true,
      },
    ],
    [
      "optional_members",
      {
        type: "object",
        description: "See operation_describe for the rest",
        properties: { a: { type: "integer" } },
        additionalProperties: true,
      },
    ],
    ["pair", { type: "array", items: { type: "integer" } }],
    ["literal", { type: "string", enum: ["active"] }],
    ["literals", { type: "string", enum: ["1", "all"] }],
    ["numbers", { type: "number", description: "One of 1, 2, 3" }],
    ["text_or_number", { type: "string" }],
    ["list_or_word", { type: "array", items: { type: "string" } }],
    ["nullable_text", { type: "string", description: "Empty for null" }],
    ["nullable_number", { type: "string", description: "Empty for null" }],
    ["nullable_object", { type: "object", description: "Empty for null", properties: { a: { type: "integer" } } }],
    ["record", { type: "object", properties: {}, additionalProperties: { type: "array", items: { type: "integer" } } }],
    ["list_of_anything", { type: "array", items: { type: "string", description: "Objects and lists as JSON text" } }],
    ["default", { type: "array", default: ["all"], items: { type: "string" } }],
  ])("%s", (name, listed) => {
    expect(made(name)).toEqual(listed);
  });

  it("shows the required members alone of a body whose top level is too long", () => {
    const members = Array.from({ length: 40 }, (_, at) => [`optional_member_${at}`, z.string().optional()]);
    const body = z.strictObject({ id: z.int(), ...Object.fromEntries(members) });
    const { operation } = madeUp("long", body, { id: 1 });
    const long = { ...operation, spec: { ...operation.spec, body: json(body) } };
    const { properties } = listedSchema(wholeSchema(long)) as { properties: Record<string, unknown> };
    expect(properties["body"]).toEqual({
      type: "object",
      description: "See operation_describe for the rest",
      properties: { id: { type: "integer" } },
      required: ["id"],
      additionalProperties: true,
    });
  });

  it("merges the variants of a body, and requires what all of them require", () => {
    expect(listedOf("made_variants_of_a_body_find")["properties"]).toMatchObject({
      body: {
        type: "object",
        properties: {
          kind: { type: "string", enum: ["a", "b"] },
          name: { type: "string", description: "What it is called" },
          size: { type: "string" },
          tags: { type: "array", items: { type: "string" } },
        },
        required: ["kind", "name"],
      },
    });
  });

  it("keeps a discriminator's values, and requires what all variants require", () => {
    expect(made("discriminated_union")).toMatchObject({
      properties: { type: { type: "string", enum: ["path", "status"] } },
      required: ["type"],
    });
  });

  it("a listed body shows all members, and less of deep ones where large", () => {
    const { body } = listedOf("made_wide_body_find")["properties"] as { body: { properties: Record<string, Listed> } };
    expect(Object.keys(body.properties)).toHaveLength(40);
    expect(body.properties["member0"]).toEqual({
      type: "object",
      description: "See operation_describe for the rest",
      properties: {},
      additionalProperties: true,
    });
    expect(JSON.stringify(made("deep_object"))).toContain("See operation_describe for the rest");
  });
});

it.runIf(apis === "documents")("a CP code is sent as it was given, as text or as a number", async () => {
  const { purge_submit: operation } = purge.operations;
  const sent = async (objects: readonly unknown[]) => {
    const args = { queueName: "default", body: { objects, type: "cpcode" } };
    const checked = checkArguments("purge_submit", operation, args);
    const { body } = await resolveRequest("purge_submit", operation, checked, {
      origin: "https://host.example",
      vendor: "akamai",
    });
    return new TextDecoder().decode(body);
  };
  const args = { queueName: "default", body: { objects: ["12345"], type: "cpcode" } };
  expect(faults(listedOf("purge_submit"), args)).toEqual([]);
  // Recorded requests have text here (public facts A, 4); a number is taken by the API, too.
  expect(await sent(["12345"])).toBe('{"objects":["12345"],"action":"remove","type":"cpcode","domain":"production"}');
  expect(await sent([12_345])).toBe('{"objects":[12345],"action":"remove","type":"cpcode","domain":"production"}');
});
