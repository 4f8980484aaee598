/** Work on the rows of an answer that would otherwise be done by hand: selected, sorted, grouped, added up, compared. */
import { type FieldProblem, shown } from "../../language/failure.js";
import { isZone, zoneText } from "../../time/zone.js";
import type { Row } from "../index.js";
import { createClock } from "./clock.js";
import type { Starts } from "./group.js";
import { groupedRows } from "./groups.js";
import { recordsOf } from "./records.js";
import type { View } from "./schema.js";
import { createScope } from "./scope.js";
import { conditionOf } from "./where.js";

/** What a view needs beside the rows. */
export interface ViewOptions {
  /** The rows of the period before, for a comparison. */
  readonly previous?: readonly Row[];
  /** When the period of the rows begins and ends, and the one before; without it each begins with its first row. */
  readonly starts?: Starts | undefined;
  /** The member that is declared as the time of each row. */
  readonly time?: string | undefined;
  readonly nowMs?: number;
}

/** The rows of a view with what a reader has to know of them, or what is wrong with it. */
export type Viewed =
  | { readonly rows: readonly Row[]; readonly notes: readonly string[] }
  | { readonly problems: readonly FieldProblem[] };

/** Applies a view to rows. The rows themselves are not changed; those that are shown whole are the same objects. */
export function viewed(rows: readonly Row[], view: View, options: ViewOptions = {}): Viewed {
  const { previous, starts, time, nowMs = Date.now() } = options;
  const zone = view.time_zone ?? "UTC";
  if (!isZone(zone)) return { problems: [{ field: "time_zone", given: shown(zone), takes: zoneText }] };
  if (view.compare !== undefined && previous === undefined)
    return {
      problems: [
        {
          field: "compare",
          given: shown(view.compare),
          takes: "a call that has a period, so that there is one before it",
        },
      ],
    };
  const period = starts && { startMs: starts.currentMs, endMs: starts.endMs };
  const scope = createScope(rows, createClock(zone), nowMs, { time, period });
  const condition = conditionOf(scope, view.where);
  const kept = condition ? rows.filter(condition) : rows;
  const before = view.compare === undefined ? undefined : condition ? previous?.filter(condition) : previous;
  if (condition) scope.notes.push(`where keeps ${kept.length} of ${rows.length} rows.`);
  const isGrouped = view.group_by !== undefined || view.aggregate !== undefined;
  if (isGrouped && view.fields !== undefined)
    scope.notes.push("fields is for rows; with group_by or aggregate those name the columns.");
  const shape = isGrouped ? groupedRows : recordsOf;
  const result = shape(scope, view, kept, before, starts);
  const { problems, leftOut, notes } = scope;
  if (problems.length > 0) return { problems: [...problems, ...leftOut] };
  const without = leftOut.map(
    ({ field, given, takes }) => `${field}: ${given ?? "it"} is left out; it takes ${takes}.`,
  );
  return { rows: result, notes: [...without, ...notes] };
}
