/** Applies a view that has to be well-formed, as a call would. */
import type { FieldProblem } from "../../../src/language/failure.js";
import type { z } from "../../../src/language/z.js";
import type { Row } from "../../../src/rows/index.js";
import { RowView } from "../../../src/rows/view/schema.js";
import { applyView, type ViewOptions } from "../../../src/rows/view/viewed.js";

type Given = z.input<typeof RowView>;

function applied(rows: readonly Row[], view: Given, options?: ViewOptions) {
  const result = applyView(rows, RowView.parse(view), options);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result;
}
export const rowsOf = (rows: readonly Row[], view: Given, options?: ViewOptions): readonly Row[] =>
  applied(rows, view, options).rows;
export function problemsOf(rows: readonly Row[], view: Given, options?: ViewOptions): readonly FieldProblem[] {
  const result = applyView(rows, RowView.parse(view), options);
  return "problems" in result ? result.problems : [];
}
