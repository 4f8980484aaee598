/** Everything that can be wrong with the arguments of an operation, one thing at a time, found in its schema. */
import type { AnyOperation } from "../../src/language/define.js";
import { mediaList } from "../../src/language/media.js";
import { formsOf, unwrapSchema } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { secretFileArguments } from "../../src/secrets/files.js";

/** What is wrong, the arguments, and the field that the refusal has to name. */
export type Wrong = readonly [what: string, args: Record<string, unknown>, field: string];

/** Whether a body refuses members that it does not name; an open and a free-form one send them as given. */
const takesNoOther = (body: z.ZodType): boolean =>
  !formsOf(body).some(
    (form) =>
      form instanceof z.ZodRecord ||
      (form instanceof z.ZodObject && form.def.catchall && !(form.def.catchall instanceof z.ZodNever)),
  );
// One character more than any text may have.
const tooLong = "x".repeat(256 * 1024 + 1);
const items = Array(10_001).fill("x");

/** What a schema of one value refuses: another type, and what is beyond its bounds. */
function* refused(schema: z.ZodType): Generator<readonly [string, unknown]> {
  const kind = unwrapSchema(schema);
  const isUnion = kind instanceof z.ZodUnion;
  const isObject = kind instanceof z.ZodObject || kind instanceof z.ZodRecord;
  if (kind instanceof z.ZodUnknown) return;
  yield isObject ? ["text", "text"] : ["an object", { a: 1 }];
  if (kind instanceof z.ZodString || kind instanceof z.ZodEnum) yield ["a number", 7];
  const isClosed = kind instanceof z.ZodEnum || kind instanceof z.ZodLiteral || kind instanceof z.ZodNumber || isUnion;
  // One value is a list of one.
  if (isClosed && !schema.safeParse(["no such value"]).success) yield ["an unknown word", "no such value"];
  if (kind instanceof z.ZodString) yield ["a text too long", tooLong];
  if (kind instanceof z.ZodArray) yield ["10,001 items", items];
  if (kind instanceof z.ZodNumber) {
    const { minValue, maxValue } = kind;
    if (kind.isInt) yield ["half a number", Math.max(0, minValue ?? 0) + 0.5];
    if (minValue !== null && Number.isSafeInteger(minValue - 1)) yield ["too small", minValue - 1];
    if (maxValue !== null && Number.isSafeInteger(maxValue + 1)) yield ["too large", maxValue + 1];
  }
}

/** The arguments of an example with one thing wrong. */
export function* wrong(operation: AnyOperation): Generator<Wrong> {
  const { spec } = operation;
  const good = resolvedExample(spec.example, Date.now());
  const { shape } = argumentsSchema(operation) as z.ZodObject<Record<string, z.ZodType>>;
  yield ["an unknown name", { ...good, nonsense: 1 }, "nonsense"];
  yield ["nested 100 deep", { ...good, nonsense: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) }, "nonsense"];
  for (const [key, schema] of Object.entries(shape)) {
    const { [key]: _, ...rest } = good;
    if (!schema.safeParse(undefined).success) yield [`${key} missing`, rest, key];
    for (const [what, bad] of refused(schema)) yield [`${key}: ${what}`, { ...good, [key]: bad }, key];
  }
  for (const key of Object.keys(spec.path ?? {}))
    for (const bad of [
      "..",
      "%2e%2e",
      "a/b",
      "x\u0000",
      "a?b",
      "a#b",
      ...(shape[key]?.safeParse(undefined).success ? [] : [""]),
    ])
      yield [`${key} = ${JSON.stringify(bad)}`, { ...good, [key]: bad }, key];
  const media = mediaList(spec.body)[0]?.schema;
  if (!media) return;
  // A body that is filled in whole can be left out of an example.
  const body = (good["body"] ?? {}) as Record<string, unknown>;
  if (!media.safeParse([]).success) yield ["a body that is a list", { ...good, body: [] }, "body"];
  if (takesNoOther(media)) yield ["an unknown name in the body", { ...good, body: { ...body, nonsense_: 1 } }, "body"];
  yield ["10,001 items in the body", { ...good, body: { ...body, nonsense: items } }, "nonsense"];
  const fields = unwrapSchema(media) instanceof z.ZodObject ? (unwrapSchema(media) as z.ZodObject).shape : {};
  // What comes from a file is no argument.
  const hidden = new Set(Object.values(secretFileArguments({ spec })));
  for (const [key, schema] of Object.entries(fields as Record<string, z.ZodType>)) {
    if (hidden.has(key)) continue;
    const { [key]: _, ...rest } = body;
    if (!schema.safeParse(undefined).success) yield [`body.${key} missing`, { ...good, body: rest }, `body.${key}`];
    for (const [what, bad] of refused(schema))
      yield [`body.${key}: ${what}`, { ...good, body: { ...body, [key]: bad } }, `body.${key}`];
  }
}
