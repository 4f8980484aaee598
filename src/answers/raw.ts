/** Raw text in an answer: only a bounded part of it is shown, and tab-separated lines also come as a table. */
import type { Shows } from "../api/conduct.js";
import { memberAt, withMember } from "../api/member.js";
import { textTo } from "./budget.js";

/** Rows of values under their columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const maxCharacters = 4_000;

/** The first whole lines that are within the bound together; at least one. */
function firstLines(lines: readonly unknown[]): readonly unknown[] {
  let size = 0;
  const end = lines.findIndex((line) => {
    size += String(line).length;
    return size > maxCharacters;
  });
  return end < 0 ? lines : lines.slice(0, Math.max(1, end));
}

/**
 * Bounds the raw text of a body. The body itself is not changed.
 * @returns the body, the table of its lines if it has some, and a note for each text that was cut.
 */
export function presentRaw(
  body: unknown,
  { raw = [], lines: from }: Shows,
): { readonly body: unknown; readonly table?: Table; readonly notes: readonly string[] } {
  let shown = body;
  const notes: string[] = [];
  for (const path of raw) {
    const value = memberAt(body, path);
    if (typeof value !== "string" && !Array.isArray(value)) continue;
    const isText = typeof value === "string";
    const kept = isText ? textTo(value, maxCharacters) : firstLines(value);
    if (kept.length === value.length) continue;
    shown = withMember(shown, path.split("."), kept);
    notes.push(`${path}: ${kept.length} of ${value.length} ${isText ? "characters" : "lines"} of raw text are shown.`);
  }
  const labels = from && memberAt(body, from.labels);
  const lines = from && memberAt(body, from.lines);
  if (typeof labels !== "string" || !Array.isArray(lines)) return { body: shown, notes };
  const rows = lines.map((line) => String(line).split("\t"));
  return { body: shown, table: { columns: labels.split("\t"), rows }, notes };
}
