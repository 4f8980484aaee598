/** An outcome as a tool result, for an assistant or a user at a shell. */
import type { FinalOutcome } from "../calls/index.js";
import { shownPreview } from "../guard/index.js";
import type { DifferenceLine } from "../language/conduct.js";
import { limitLines, lineTexts } from "../language/difference-lines.js";
import { rowsDeclarationOf } from "../rows/index.js";
import type { KeepResult } from "../rows/result-store.js";
import { csvResult } from "./csv-result.js";
import {
  failureResult,
  type Presentation,
  previewResult,
  successResult,
  type ToolResult,
  workflowResult,
} from "./result.js";

// The answer has all of them.
const maxAlsoChanged = 5;

/** A note on what the API has stored otherwise than it was approved; none if nothing is. */
const alsoChangedNotes = (lines: readonly DifferenceLine[]): readonly string[] =>
  lines.length === 0 ? [] : [`The API also changed: ${lineTexts(limitLines(lines, "", maxAlsoChanged)).join("; ")}`];

/**
 * The result of every outcome except a question, which has to be elicited first.
 * @param keep Stores a result that is shown only in part; absent if it could not be read later.
 */
export function resultOf(outcome: FinalOutcome, presentation: Presentation, keep?: KeepResult): ToolResult {
  switch (outcome.kind) {
    case "answer": {
      const { declared, previous, alsoChanged = [] } = outcome;
      const reply = { ...outcome.reply, notes: [...alsoChangedNotes(alsoChanged), ...outcome.reply.notes] };
      // Few results are stored, and only those need it.
      const keepWithContext =
        keep && ((whole: unknown) => keep(whole, { shows: rowsDeclarationOf(declared, reply.status), previous }));
      return reply.csv
        ? csvResult({ ...reply, csv: reply.csv }, presentation, declared.shows, keepWithContext)
        : successResult(reply, presentation, declared, keepWithContext);
    }
    case "workflow":
      return workflowResult(outcome.result, presentation, keep, outcome);
    case "preview":
      return previewResult(
        (maxChars) => shownPreview(outcome.preview, maxChars),
        { ...outcome.plan, why: outcome.why, notes: outcome.notes },
        presentation,
      );
    case "failure":
      return failureResult(outcome.failure, presentation);
  }
}
