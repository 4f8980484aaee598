/** Rows of bare cells under a list of columns, as an assistant reads them: each cell named by its column. */
import type { Shows } from "../api/conduct.js";
import { memberAt, withMember } from "../api/member.js";

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

/**
 * The body with the cells of its rows named; as it is where it has no such rows. A cell beyond the columns is named by its
 * place. The body itself is not changed.
 */
export function withNamedCells(body: unknown, { columns: from }: Shows): unknown {
  if (from === undefined) return body;
  const columns = memberAt(body, from.columns);
  const rows = memberAt(body, from.rows);
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return body;
  const titles = titlesOf(columns, from.name);
  const named = rows.map((row: readonly unknown[]) =>
    Object.fromEntries(row.map((cell, at) => [titles[at] ?? `column ${at + 1}`, cell])),
  );
  return withMember(body, from.rows.split("."), named);
}
