/** Schemas as tables: what a person reads of a declaration, and what no table may leave out. */
import { describe, expect, it } from "vitest";
import { answerTable, argumentsTable } from "../../../scripts/reference/schema-table.js";
import { z } from "../../../src/language/z.js";
import { jsonSchemaOf } from "../../../src/schema/json-schema.js";

const rowsOf = (table: string): string[] => table.split("\n").slice(2);
const ofArguments = (schema: z.ZodType): string[] => rowsOf(argumentsTable(jsonSchemaOf(schema, "input")));
const ofAnswer = (schema: z.ZodType): string[] => rowsOf(answerTable(jsonSchemaOf(schema, "output")));

describe("arguments", () => {
  it("arguments: type, required, values and default", () => {
    const schema = z.object({
      name: z.string().max(200).describe("Its name."),
      kind: z.enum(["a", "b"]).default("a"),
      count: z.int().min(1).max(5_000),
      ids: z.array(z.union([z.string().min(1), z.int().positive()])).min(1),
    });
    expect(ofArguments(schema)).toEqual([
      "| `name` | text | yes | Its name; at most 200 characters |  |",
      '| `kind` | text |  | `a`, `b` | `"a"` |',
      "| `count` | whole number | yes | 1 to 5,000 |  |",
      "| `ids` | list of texts or whole numbers | yes | at least 1 item; each: more than 0 |  |",
    ]);
  });

  it("arguments: members of lists, records and forms", () => {
    const schema = z.object({
      body: z.object({
        rows: z.array(z.object({ id: z.int() })),
        byName: z.record(z.string(), z.array(z.string())),
        rule: z.union([
          z.object({ type: z.literal("x"), id: z.int(), at: z.string() }),
          z.object({ type: z.literal("y"), id: z.int(), at: z.string().optional() }),
          z.object({ type: z.literal("z"), id: z.int(), at: z.string() }),
        ]),
        either: z.union([z.object({ a: z.int() }), z.object({ b: z.int() }), z.string()]),
      }),
    });
    expect(ofArguments(schema)).toEqual([
      "| `body` | object | yes |  |",
      "| `body.rows` | list of objects | yes |  |",
      "| `body.rows[].id` | whole number | yes |  |",
      "| `body.byName` | object | yes |  |",
      "| `body.byName.*` | list of texts |  |  |",
      "| `body.rule` | object | yes |  |",
      "| `body.rule.type` | text | yes | `x`, `y`, `z` |",
      "| `body.rule.id` | whole number | yes |  |",
      "| `body.rule.at` | text | yes | if `type` is `x`, `z` |",
      "| `body.rule.at` | text |  | if `type` is `y` |",
      "| `body.either` | object or text | yes |  |",
      "| `body.either.a` | whole number | yes | form 1 |",
      "| `body.either.b` | whole number | yes | form 2 |",
    ]);
  });

  it("leave a table whole, whatever is in their words", () => {
    const schema = z.object({
      a: z
        .string()
        .regex(/^(x|y)$/)
        .describe("One\nof <vendor>'s"),
    });
    expect(ofArguments(schema)).toEqual(["| `a` | text | yes | One of &lt;vendor>'s; matches `^(x\\|y)$` |"]);
  });
});

describe("answers", () => {
  it("that hold themselves end where they begin again", () => {
    const group = z.object({
      id: z.int(),
      get groups() {
        return z.array(group).optional();
      },
    });
    expect(ofAnswer(z.object({ top: group }))).toEqual([
      "| `top` | object |  |",
      "| `top.id` | whole number |  |",
      "| `top.groups` | list of objects, optional | its members are those of `top` |",
    ]);
    expect(ofAnswer(group).at(-1)).toBe(
      "| `groups` | list of objects, optional | its members are those of the whole |",
    );
  });
});
