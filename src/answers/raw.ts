/** Raw text in an answer: only a bounded part of it is shown, and tab-separated lines also come as a table. */
import type { Shows } from "../api/conduct.js";
import { cutMark } from "../api/marks.js";
import { memberAt, withMember } from "../api/member.js";
import { type Cut, textTo } from "./budget.js";

/** Rows of values under their columns. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Raw text of which only a part is shown. */
interface RawCut extends Cut {
  readonly unit: "characters" | "lines";
}

interface PresentedRaw {
  readonly body: unknown;
  readonly cuts: readonly RawCut[];
  /** The table of the body's lines, with no more rows than can be shown; then the cut counts those that there are. */
  readonly table?: { readonly value: Table; readonly cuts: readonly Cut[] };
}

const maxCharacters = 4_000;

/** The first whole lines that are within the bound together; at least one. */
function firstLines(lines: readonly unknown[], maxLength: number): readonly unknown[] {
  let size = 0;
  const end = lines.findIndex((line) => {
    size += String(line).length;
    return size > maxLength;
  });
  return end < 0 ? lines : lines.slice(0, Math.max(1, end));
}

/**
 * Bounds the raw text of a body. The body itself is not changed.
 * @param maxTableBytes What the table has room for; rows far beyond it are not made.
 */
export function presentRaw(body: unknown, { raw = [], lines: from }: Shows, maxTableBytes: number): PresentedRaw {
  let shown = body;
  const cuts: RawCut[] = [];
  for (const path of raw) {
    const value = memberAt(body, path);
    if (typeof value !== "string" && !Array.isArray(value)) continue;
    const kept = typeof value === "string" ? textTo(value, maxCharacters) : firstLines(value, maxCharacters);
    if (kept.length === value.length) continue;
    const mark = cutMark(kept.length, value.length);
    shown = withMember(shown, path.split("."), typeof kept === "string" ? kept + mark : [...kept, mark]);
    const unit = typeof kept === "string" ? "characters" : "lines";
    cuts.push({ at: path, kept: kept.length, total: value.length, unit });
  }
  const labels = from && memberAt(body, from.labels);
  const lines = from && memberAt(body, from.lines);
  if (typeof labels !== "string" || !Array.isArray(lines)) return { body: shown, cuts };
  // Twice the room, so that a partial table never fits and is cut again, to the byte.
  const rows = firstLines(lines, 2 * maxTableBytes).map((line) => String(line).split("\t"));
  const value = { columns: labels.split("\t"), rows };
  const isPart = rows.length < lines.length;
  return {
    body: shown,
    cuts,
    table: { value, cuts: isPart ? [{ at: "rows", kept: rows.length, total: lines.length }] : [] },
  };
}
