/** The argument `view` of operations that answer with rows: what is to be done with them before they are shown. */
import { returnedSchemas } from "./choice.js";
import type { AnyOperation } from "./define.js";
import { isRead } from "./effect.js";
import { onceFor } from "./once-for.js";
import { contentsOf, formsOf } from "./shape.js";
import { z } from "./z.js";

/**
 * As it is listed with every such operation, so in few tokens: the instructions say what it holds. It is JSON text, which
 * every client can send; an object is taken as well.
 */
export const ViewArgument = z.preprocess(
  (given) => (typeof given === "object" ? JSON.stringify(given) : given),
  z.string().max(4_000),
);

// Deeper lists are details of one object.
const maxDepth = 3;

function hasRecords(schema: z.ZodType, depth: number): boolean {
  return formsOf(schema).some(
    (form) =>
      (form instanceof z.ZodArray &&
        contentsOf(form).some((item) => formsOf(item).some((one) => one instanceof z.ZodObject))) ||
      (depth < maxDepth &&
        form instanceof z.ZodObject &&
        contentsOf(form).some((inner) => hasRecords(inner, depth + 1))),
  );
}

/** Whether an operation is a list or a report: a read whose declared answer has a list of records, rows of cells, or lines under labels. */
export const answersRows = onceFor(
  (operation: AnyOperation): boolean =>
    isRead(operation) &&
    (operation.spec.shows?.columns !== undefined ||
      operation.spec.shows?.lines !== undefined ||
      returnedSchemas(operation).some((schema) => hasRecords(schema, 0))),
);
