/** Rows of bare cells under a list of columns, as an assistant reads them: each cell named by its column. */
import type { Shows } from "../language/conduct.js";
import { memberAt, withMember } from "../language/member.js";
import { isoText } from "../time/instant.js";
import { epochMs } from "./cell-type.js";

/** The columns' titles, each told apart from an equal one before it. */
function titlesOf(columns: readonly unknown[], name: string): string[] {
  const counts = new Map<string, number>();
  return columns.map((column, at) => {
    const given = memberAt(column, name);
    const title = typeof given === "string" && given !== "" ? given : `column ${at + 1}`;
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    return count === 1 ? title : `${title} (${count})`;
  });
}

const isoOf = (cell: unknown): unknown => {
  const ms = typeof cell === "string" ? epochMs(cell) : undefined;
  return ms === undefined ? cell : isoText(ms);
};

/**
 * A body with the cells of its rows named, and those under the column of times as ISO times; undefined where it has no such
 * rows. A cell beyond the columns is named by its place.
 */
export function namedRows(body: unknown, { columns: from }: Shows): unknown {
  if (from === undefined) return undefined;
  const columns = memberAt(body, from.columns);
  const rows = memberAt(body, from.rows);
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return undefined;
  const titles = titlesOf(columns, from.name);
  const cellsOf = (row: readonly unknown[]) =>
    row.map((cell, at) => {
      const title = titles[at] ?? `column ${at + 1}`;
      return [title, title === from.time ? isoOf(cell) : cell] as const;
    });
  const named = rows.map((row: readonly unknown[]) => Object.fromEntries(cellsOf(row)));
  return withMember(body, from.rows.split("."), named);
}
