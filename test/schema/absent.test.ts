/** Null and empty text mean an absent value wherever the schema does not take them, and no other value does. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json, op } from "../../src/language/define.js";
import { isRecord } from "../../src/language/member.js";
import { unwrapSchema } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema, validateArguments, validateValues } from "../../src/schema/arguments.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { runs } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { apis, servicesOfProject } from "../lab/project.js";

const operations = (await servicesOfProject()).flatMap(({ operations }) => Object.entries(operations));

/** A value with null or empty text at random places of members that it leaves out and that take neither. */
function withNothings(schema: z.ZodType, value: unknown): fc.Arbitrary<unknown> {
  const kind = unwrapSchema(schema);
  if (kind instanceof z.ZodArray && Array.isArray(value))
    return fc.tuple(...value.map((item) => withNothings(kind.element as z.ZodType, item)));
  if (!(kind instanceof z.ZodObject) || !isRecord(value)) return fc.constant(value);
  const left = Object.entries(kind.shape as Readonly<Record<string, z.ZodType>>).flatMap(([name, member]) => {
    const nothings = [null, ""].filter((one) => !member.safeParse(one).success);
    const isOptional = nothings.length > 0 && member.safeParse(undefined).success;
    return isOptional && value[name] === undefined ? [[name, fc.constantFrom(...nothings)] as const] : [];
  });
  const members = Object.entries(value).map(([name, one]) => [name, withNothings(kind.shape[name] ?? z.any(), one)]);
  return fc
    .tuple(fc.record(Object.fromEntries(members)), fc.record(Object.fromEntries(left), { requiredKeys: [] }))
    .map(([own, more]) => ({ ...own, ...more }));
}

const now = Date.parse("2026-05-20T12:30:00Z");
const isSame = (schema: z.ZodType, args: object, read: (args: unknown) => unknown) => {
  const plain = read(args);
  fc.assert(
    fc.property(withNothings(schema, args), (written) => {
      expect(read(written)).toEqual(plain);
    }),
    { numRuns: runs(4) },
  );
};

it("null or empty text is like a member left out, in every operation", () =>
  holdsForEach(operations, (name, operation) => {
    const args = resolvedExample(operation.spec.example, now);
    isSame(argumentsSchema(operation), args, (one) => validateArguments(name, operation, one, now).values);
  }));

it("null or empty text is like a member left out, in every workflow", async () =>
  holdsForEach(await allWorkflows(apis), (name, { input, example }) =>
    isSame(input, example, (one) => validateValues(name, input, one)),
  ));

describe("null and empty text", () => {
  const made = op("POST /things/{id}", {
    does: "Makes a thing.",
    path: { id: z.string() },
    query: { search: z.string().optional(), sort: z.enum(["up", "down"]).default("up") },
    body: json({
      name: z.string(),
      comment: z.string().optional(),
      code: z.string().min(1).optional(),
      until: z.int().nullable().optional(),
      free: z.unknown().optional(),
      parts: z.array(z.strictObject({ size: z.int(), code: z.enum(["a"]).optional() })).optional(),
      by: z.record(z.string(), z.int()).optional(),
    }),
    returns: { 200: json(z.unknown()) },
    effect: "read",
    example: { id: "1", body: { name: "a" } },
  });
  const read = (args: object) => validateArguments("x", made, { id: "1", body: { name: "a" }, ...args });
  const takes = (args: object) => {
    try {
      return read(args).values;
    } catch (error) {
      return (error as { detail: { fields?: { field: string; takes: string }[] } }).detail.fields;
    }
  };

  it("in a query are left out, and a default applies", () => {
    const { query, notes } = read({ search: "", sort: null });
    expect([query, notes]).toEqual([{ sort: "up" }, []]);
  });

  it("in a body are sent where they are values, and noted where not", () => {
    const parts = [{ size: 1, code: null }];
    const { body, notes, absent } = read({ body: { name: "", comment: "", code: "", until: null, free: null, parts } });
    expect(body).toEqual({ name: "", comment: "", until: null, free: null, parts: [{ size: 1 }] });
    expect(absent).toBe("Not sent, because null or empty text is no value there: body.code, body.parts[].code.");
    expect(notes).toEqual([absent]);
  });

  it("in a body that is text are read as in its JSON", () => {
    expect(read({ body: '{"name":"a","code":null}' }).absent).toContain("body.code");
  });

  it.each([
    ["an argument", { id: null }, "id", "text; it is required"],
    ["a body", { body: null }, "body", "an object; it is required"],
    ["a member", { body: { name: null } }, "body.name", "text; it is required"],
    [
      "a member of an item",
      { body: { name: "a", parts: [{ size: "" }] } },
      "body.parts[0].size",
      "a number; it is required",
    ],
  ])("of %s that is required are missing, by name", (_, args, field, needs) => {
    expect(takes(args)).toEqual([{ field, takes: needs }]);
  });

  it.each([
    ["an item", { name: "a", parts: [null] }, "body.parts[0]"],
    ["a member of a free name", { name: "a", by: { a: null } }, "body.by.a"],
  ])("of %s are refused", (_, body, field) => {
    expect(takes({ body })).toMatchObject([{ field }]);
  });
});
