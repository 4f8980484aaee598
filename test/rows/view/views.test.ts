/** Views of rows as texts: rows, a view of them, and what is shown with its notes, or where and why it is refused. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Row } from "../../../src/rows/index.js";
import { RowView } from "../../../src/rows/view/schema.js";
import { applyView } from "../../../src/rows/view/viewed.js";

/** So many rows of one hit, each a step after the one before. */
const series = (start: string, count: number, stepMs: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({
    startdatetime: new Date(Date.parse(start) + at * stepMs).toISOString().replace(".000Z", "Z"),
    hits: 1,
  }));

const rowIn = (text: string): Row[] => {
  const [, start, count, stepMs] = /^series (\S+) (\d+) (\d+)$/.exec(text) ?? [];
  return start === undefined ? [JSON.parse(text) as Row] : series(start, Number(count), Number(stepMs));
};

function linesOf(rows: readonly Row[], view: object, options: object): string[] {
  const result = applyView(rows, RowView.parse(view), options);
  if ("problems" in result) return result.problems.map(({ field, given, takes }) => `${field} ${given}: ${takes}`);
  return [...result.rows.map((row) => JSON.stringify(row)), ...result.notes];
}

/**
 * A text in which `- {…}` is a row, or `- series START COUNT STEP` are several, `< {…}` rows of the period before,
 * `with {…}` what a call adds to the views after it, and `> {…}` a view. Rows begin anew after a view.
 */
function replay(path: string): string {
  let rows: Row[] = [];
  let previous: Row[] = [];
  let more = {};
  let isOver = false;
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => !line.startsWith("    "))
    .flatMap((line) => {
      const [, mark, text = ""] = /^(#|-|<|with|>) (.*)$/.exec(line) ?? [];
      if (isOver && mark !== ">" && mark !== "with") [rows, previous, more, isOver] = [[], [], {}, false];
      if (mark === "-") rows.push(...rowIn(text));
      if (mark === "<") previous.push(...rowIn(text));
      if (mark === "with") more = JSON.parse(text) as object;
      if (mark !== ">") return [line];
      isOver = true;
      const options = { ...more, ...(previous.length > 0 ? { previous } : {}) };
      return [line, ...linesOf(rows, JSON.parse(text) as object, options).map((one) => `    ${one}`)];
    })
    .join("\n");
}

// `npx vitest run test/rows/view/views.test.ts -u` writes what is shown anew, and its difference is read.
it.each(readdirSync("test/rows/view/views"))("shows what is reviewed in %s", async (name) => {
  await expect(replay(`test/rows/view/views/${name}`)).toMatchFileSnapshot(`views/${name}`);
});
