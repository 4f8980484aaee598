/** Laws over the schemas of the list: every client takes them, and they take all that the whole schemas take. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callToolNames } from "../../src/engine/call-tools.js";
import { menuOf } from "../../src/engine/menu.js";
import { type AnyOperation, form, json, type Media, op } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { catalogueOf, catalogueText, wholeSchema } from "../../src/mcp/tool.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema, validateValues } from "../../src/schema/arguments.js";
import { listedSchema } from "../../src/schema/listed-schema.js";
import { allServices } from "../../src/tools/index.js";
import { purge } from "../../src/tools/purge/index.js";
import { resolveRequest } from "../../src/wire/request.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { valuesOf } from "../catalogue/schema-values.js";
import { checkFully } from "../lab/checked.js";
import { runs } from "../lab/depth.js";
import { holdsForEach, lawsOver } from "../lab/laws.js";
import { apis, servicesOfProject } from "../lab/project.js";
import {
  faults,
  type Listed,
  meaningOf,
  problemsOfListedSchema,
  withoutListsOfOne,
  writtenFor,
} from "./listed-schema.js";

const jsonBeside = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));
const services = apis === "today" ? await allServices() : await servicesOfProject();
const workflows = await allWorkflows();

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
const Lists: z.ZodType = z.array(z.lazy(() => Lists));
const Match = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("path"),
    paths: z.array(z.string().min(1)).min(1),
    isNegated: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal("status"), codes: z.array(z.int()), ttl: z.int().nullable() }),
]);
/** Shapes of a body that a document of tomorrow could have, each with an example. */
const shapes: Readonly<Record<string, readonly [shape: z.ZodType, example: unknown]>> = {
  union_of_objects: [
    z.union([z.strictObject({ a: z.string(), c: z.int() }), z.strictObject({ b: z.int(), c: z.int() })]),
    { b: 1, c: 2 },
  ],
  union_of_the_same_member: [
    z.union([z.strictObject({ a: z.int() }), z.strictObject({ a: z.array(z.int()) })]),
    { a: [1, 2] },
  ],
  discriminated_union: [Match, { type: "path", paths: ["/a"] }],
  list_of_discriminated_unions: [z.array(Match), [{ type: "status", codes: [404], ttl: 7 }]],
  intersection: [z.intersection(z.object({ a: z.int() }), z.looseObject({ b: z.string() })), { a: 1, b: "b" }],
  record: [z.record(z.string(), z.array(z.int())), { a: [1] }],
  record_of_nullable: [z.record(z.string(), z.int().nullable()), { a: "1" }],
  record_of_anything: [z.record(z.string(), z.unknown()), { a: 1 }],
  record_of_names: [z.partialRecord(z.enum(["a", "b"]), z.int()), { a: 1 }],
  tuple: [z.tuple([z.string(), z.int()]), ["a", "1"]],
  pair: [z.tuple([z.int(), z.int()]), [1, 2]],
  optional_members: [z.strictObject({ a: z.int().optional(), b: z.int().optional() }), { a: 1 }],
  nullable_text: [z.string().nullable(), "a"],
  nullable_name: [z.string().min(1).nullable(), "a"],
  nullable_number: [z.int().nullable(), "7"],
  nullable_flag: [z.boolean().nullable(), "true"],
  nullable_list: [z.array(z.string()).min(1).nullable(), ["a"]],
  nullable_object: [z.strictObject({ a: z.int() }).nullable(), { a: 1 }],
  nullable_value: [z.enum(["on", "off"]).nullable(), "on"],
  nullish: [z.strictObject({ a: z.int().nullish(), b: z.enum(["x"]).nullable().optional() }), { a: 1, b: "x" }],
  only_null: [z.null(), ""],
  literal: [z.literal("active"), "active"],
  literals: [z.literal([1, "all"]), "all"],
  numbers: [z.literal([1, 2, 3]), 2],
  empty_text_among_values: [z.enum(["", "a"]), "a"],
  text_or_number: [z.union([z.string().min(1), z.int()]), "a"],
  number_or_flag: [z.union([z.int(), z.boolean()]), "7"],
  list_or_word: [z.union([z.array(z.string().min(1)).min(1), z.literal("all")]), ["all"]],
  one_or_many: [z.union([z.strictObject({ a: z.int() }), z.array(z.strictObject({ a: z.int() })).min(2)]), [{ a: 1 }]],
  text_or_list_of_numbers: [z.union([z.string(), z.array(z.int())]), "[1,2]"],
  id_of_any_kind: [z.array(z.union([z.int(), z.string(), z.looseObject({})])), ["a"]],
  lists_of_lists: [z.array(z.array(z.array(z.int()))), [[[1]]]],
  list_of_anything: [z.array(z.unknown()), ["a"]],
  anything: [z.unknown(), "a"],
  tree: [Tree, { value: 1, children: [{ value: 2, children: [] }] }],
  endless_lists: [Lists, [[], []]],
  any_json: [z.json(), "a"],
  open_object: [z.looseObject({}), { a: 1 }],
  deep_object: [
    z.strictObject({
      a: z.looseObject({ b: z.strictObject({ c: z.strictObject({ d: z.int() }) }), e: z.int().optional() }),
    }),
    { a: { b: { c: { d: 1 } } } },
  ],
  default: [z.union([z.array(z.string()), z.literal("all")]).default("all"), ["a"]],
  default_number: [z.union([z.int(), z.literal("none")]).default(7), "none"],
};
const taking = (body: z.ZodType | readonly Media[], example: object) =>
  op("POST /made/up/{id}", {
    does: "Takes a made-up body.",
    path: { id: z.int() },
    body: body instanceof z.ZodType ? json(body) : body,
    returns: { 200: json(z.unknown()) },
    effect: "read",
    example: { id: 7, body: example },
  });
const members = <T>(value: T) => Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`member${at}`, value]));
const inventions = service("made", {
  name: "made-up",
  document: "A",
  title: "Made up",
  about: "Shapes of tomorrow.",
  standing: { state: "alive" },
  rules: {},
  operations: {
    made_variants_of_a_body_find: taking(
      [
        json({ kind: z.literal("a"), name: z.string().describe("What it is called"), size: z.int() }),
        form({
          kind: z.literal("b"),
          name: z.string(),
          size: z.string().optional(),
          tags: z.array(z.string()).optional(),
        }),
      ],
      { kind: "b", name: "n", size: "large" },
    ),
    made_wide_body_find: taking(
      z.strictObject(members(z.strictObject({ first: z.int(), second: z.string() }))),
      members({ first: 1, second: "a" }),
    ),
    ...(Object.fromEntries(
      Object.entries(shapes).map(([name, [it, example]]) => [
        `made_${name}_find`,
        taking(z.strictObject({ it }), { it: example }),
      ]),
    ) as Record<`made_${string}`, AnyOperation>),
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
    { whole: input, example, check: (args) => validateValues(name, input, args) },
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

it("what a client could refuse in a listed schema is found", () => {
  const refused = jsonBeside("refused-schemas.json") as readonly unknown[];
  for (const member of refused)
    for (const inner of [member, { type: "array", items: member }])
      expect(problemsOfListedSchema({ type: "object", properties: { inner } }), JSON.stringify(inner)).not.toEqual([]);
});

// What both settings share is tested only with the documents.
const names = new Set((await servicesOfProject()).flatMap(({ operations }) => Object.keys(operations)));
const entries = [...catalogue].filter(([name]) => apis === "documents" || names.has(name));

lawsOver(entries, (law, name, { tool }) => {
  const { whole, example, check } = schemas.get(name) as Arguments;
  const listed = tool.inputSchema;
  const read = (args: unknown) => validateValues(name, whole, args);
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

  law("a listed schema takes all that the whole one takes, meaning the same", () => {
    let count = 0;
    fc.assert(
      fc.property(valuesOf(whole), (any) => {
        // A time zone changes the meaning of the times next to it, which other tests cover.
        const { timeZone: _, ...value } = any as Readonly<Record<string, unknown>>;
        const direct = whole.safeParse(value);
        if (!direct.success) return;
        count += 1;
        const written = writtenFor(listed, value);
        expect(faults(listed, written)).toEqual([]);
        expect(meaningOf(read(written))).toEqual(meaningOf(direct.data));
        // What a client sends without regard to the schema is accepted unchanged, too, and one value as a list of one.
        expect(meaningOf(read(value))).toEqual(meaningOf(direct.data));
        expect(meaningOf(read(withoutListsOfOne(written)))).toEqual(meaningOf(direct.data));
        // No check of the operation depends on the type in which it was written.
        if (isTaken(value)) check(written as object);
      }),
      { numRuns: runs(12), seed: 7 },
    );
    expect(count).toBeGreaterThan(1);
  });
});

it("every surface but one has call tools, whose schemas every client takes", () => {
  for (const surface of ["all", "core", "catalogue"] as const) {
    const own = menuOf(catalogue, { surface }).listed.filter(({ tool }) => callToolNames.includes(tool.name));
    expect(own.length > 0).toBe(surface !== "all");
    for (const { tool } of own) expect([tool.name, problemsOfListedSchema(tool.inputSchema)]).toEqual([tool.name, []]);
  }
});

it("the list has the same text in every build", () => {
  expect(catalogueText(catalogueOf([...services, inventions], workflows, apis))).toBe(catalogueText(catalogue));
});

describe("what a shape is listed as", () => {
  const cut = { type: "object", description: "See operation_describe for the rest", additionalProperties: true };

  it("is as in the list of shapes", () =>
    holdsForEach(Object.entries(jsonBeside("listed-shapes.json") as object), (name, listed) => {
      expect(made(name)).toEqual(listed);
    }));

  it("of a body that is too long its required members, less of deep ones", () => {
    const names = Array.from({ length: 40 }, (_, at) => `optional_member_${at}`);
    const optional = Object.fromEntries(names.map((name) => [name, z.string().optional()]));
    const long = taking(z.strictObject({ id: z.int(), ...optional }), { id: 1 });
    const { properties } = listedSchema(wholeSchema(long)) as Record<string, Listed>;
    expect(properties?.["body"]).toEqual({ ...cut, properties: { id: { type: "integer" } }, required: ["id"] });
    const wide = listedOf("made_wide_body_find")["properties"] as { body: { properties: Record<string, Listed> } };
    expect(Object.keys(wide.body.properties)).toHaveLength(40);
    expect(wide.body.properties["member0"]).toEqual({ ...cut, properties: {} });
    expect(JSON.stringify(made("deep_object"))).toContain("See operation_describe for the rest");
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
});

it.runIf(apis === "documents")("a CP code is sent as it was given, as text or as a number", async () => {
  const { purge_submit: operation } = purge.operations;
  const target = { origin: "https://host.example", vendor: "akamai" };
  // Recorded requests have text here (public facts A, 4); a number is taken by the API, too.
  for (const objects of [["12345"], [12_345]]) {
    const args = { queueName: "default", body: { objects, type: "cpcode" } };
    const { body } = await resolveRequest(
      "purge_submit",
      operation,
      checkFully("purge_submit", operation, args),
      target,
    );
    expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({ objects, type: "cpcode" });
  }
});
