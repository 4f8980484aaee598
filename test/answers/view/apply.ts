/** Applies a view that has to be well-formed, as a call would. */
import type { Row } from "../../../src/answers/rows.js";
import { View } from "../../../src/answers/view/schema.js";
import { type ViewOptions, viewed } from "../../../src/answers/view/viewed.js";
import type { FieldProblem } from "../../../src/api/failure.js";
import type { z } from "../../../src/api/z.js";

type Given = z.input<typeof View>;

export function applied(rows: readonly Row[], view: Given, options?: ViewOptions) {
  const result = viewed(rows, View.parse(view), options);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result;
}
export const rowsOf = (rows: readonly Row[], view: Given, options?: ViewOptions): readonly Row[] =>
  applied(rows, view, options).rows;
export function problemsOf(rows: readonly Row[], view: Given, options?: ViewOptions): readonly FieldProblem[] {
  const result = viewed(rows, View.parse(view), options);
  return "problems" in result ? result.problems : [];
}
