/** Made-up values of a schema: what it takes, as far as a pool of texts that its patterns know goes. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { unwrapSchema } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";

/** Texts that together suit every pattern of the declarations. A new pattern that none of them suits is told. */
const texts = JSON.parse(readFileSync("test/catalogue/schema-values.json", "utf8")) as readonly string[];

const maxNesting = 4;
const anything = fc.oneof(fc.constantFrom("a", 7, true), fc.constant({ a: 1 }), fc.constant([1, "a"]));

function textsOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const known = texts.filter((text) => schema.safeParse(text).success);
  if (known.length === 0)
    throw new Error(`None of the texts suits ${JSON.stringify(z.toJSONSchema(schema, { io: "input" }))}.`);
  return fc.constantFrom(...known);
}

function numbersOf(schema: z.ZodNumber): fc.Arbitrary<unknown> {
  const candidates = [0, 1, 2, 7, 100, 200, 2026, 12_345, 0.5, -1, 1_779_000_000_000, schema.minValue, schema.maxValue];
  return fc.constantFrom(...candidates.filter((number) => schema.safeParse(number).success));
}

/** An arbitrary of the values that a schema takes; a check on a whole object may still refuse one. */
export function valuesOf(schema: z.ZodType, nesting = 0): fc.Arbitrary<unknown> {
  const inner = (one: unknown) => valuesOf(one as z.ZodType, nesting + 1);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return nesting > maxNesting ? fc.constant(undefined) : fc.option(inner(schema.unwrap()), { nil: undefined });
  if (schema instanceof z.ZodNullable) return fc.option(inner(schema.unwrap()), { nil: null });
  if (schema instanceof z.ZodLazy) return inner(schema.unwrap());
  if (schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform) return inner(schema.out);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...(schema.options as unknown[]));
  if (schema instanceof z.ZodNull) return fc.constant(null);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return numbersOf(schema);
  if (schema instanceof z.ZodUnknown) return anything;
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as readonly z.ZodType[];
    const shallow = options.filter((one) => !/^(array|object|record|lazy|union)$/.test(unwrapSchema(one).type));
    return fc.oneof(...(nesting > maxNesting && shallow.length > 0 ? shallow : options).map(inner));
  }
  if (schema instanceof z.ZodArray) {
    // A list of what is endless has an end, as long as the list may be empty.
    if (nesting > maxNesting && schema.safeParse([]).success) return fc.constant([]);
    return fc
      .array(inner(schema.element), { maxLength: 3 })
      .filter((list) => list.length > 0 || schema.safeParse(list).success);
  }
  if (schema instanceof z.ZodTuple) return fc.tuple(...schema.def.items.map(inner));
  if (schema instanceof z.ZodRecord)
    return nesting > maxNesting
      ? fc.constant({})
      : fc.dictionary(fc.constantFrom("a", "b", "c"), inner(schema.valueType), { maxKeys: 2 });
  if (schema instanceof z.ZodIntersection)
    return fc
      .tuple(inner(schema.def.left), inner(schema.def.right))
      .map(([left, right]) => ({ ...(left as object), ...(right as object) }));
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape as Record<string, z.ZodType>).map(
      ([name, one]) => [name, inner(one)] as const,
    );
    const isEmptyTaken = schema.safeParse({}).success;
    return fc.record(Object.fromEntries(members)).map((value) => {
      const present = Object.entries(value).filter(([, member]) => member !== undefined);
      // An object that has to have a member, and need not have any of those that are named.
      return present.length === 0 && !isEmptyTaken ? { a: "a" } : Object.fromEntries(present);
    });
  }
  return textsOf(schema);
}
