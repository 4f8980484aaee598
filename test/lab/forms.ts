/** All forms of a schema, at any depth. */
import { contentsOf, formsOf } from "../../src/language/shape.js";
import type { z } from "../../src/language/z.js";

/** The forms in a schema; what stands at several places is found once. */
export function* formsIn(schema: z.ZodType, seen = new Set<z.ZodType>()): Generator<z.ZodType> {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const form of formsOf(schema)) {
    yield form;
    for (const inner of contentsOf(form)) yield* formsIn(inner, seen);
  }
}
