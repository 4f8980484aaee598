/** What the CSV of an answer loses. */
import { parse } from "csv-parse/sync";
import { expect } from "vitest";
import { cellTable, resultRows } from "../../src/commands/output.js";
import type { AnswerDisplay } from "../../src/language/conduct.js";
import { isRecord, memberAt } from "../../src/language/member.js";
import { columnsOf, rowTexts } from "../../src/rows/row-text.js";

/** The plain values of a body, each with its path; what is empty is nothing to lose. */
function* leavesOf(value: unknown, path = ""): Generator<readonly [path: string, leaf: unknown]> {
  if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, path);
  else if (isRecord(value))
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, path === "" ? name : `${path}.${name}`);
  else if (value !== null && value !== undefined && value !== "") yield [path, value];
}

/** The leaves of a body that are neither in its CSV nor below what is named as left out. */
export function lostOf(body: unknown, shows: AnswerDisplay): string[] {
  const found = resultRows(body, shows);
  const { columns, rows, left } = cellTable(found);
  expect(columns).toEqual(columnsOf(rows));
  const text = [...rowTexts.csv.head(columns), ...rows.map((row) => rowTexts.csv.row(columns.map((one) => row[one])))];
  const cells = columns.length === 0 ? [] : (parse(text.join("\n"), { relax_column_count: true }) as string[][]).flat();
  const known = new Set([...cells, ...cells.flatMap((cell) => cell.split("; "))]);
  // A column that is named by the answer itself has other cells, such as times in place of seconds.
  const { columns: head, rows: cellsAt } = shows.columns ?? {};
  const isLine = head !== undefined && typeof memberAt(body, head) === "string";
  const renamed = [cellsAt, isLine ? head : undefined].filter((one) => one !== undefined);
  // An item that is no object has the column "value", or one for each of its own items.
  const ofItems = /(?:^|\.)(?:value|column \d+)$/;
  const items = left.filter((one) => ofItems.test(one)).map((one) => one.replace(ofItems, ""));
  return [...leavesOf(body)]
    .filter(([path]) => !items.some((item) => item === "" || path === item || path.startsWith(`${item}.`)))
    .filter(([path]) => ![...left, ...renamed].some((left) => path === left || path.startsWith(`${left}.`)))
    .filter(([, leaf]) => !known.has(String(leaf)))
    .map(([path, leaf]) => `${path}: ${leaf}`);
}
