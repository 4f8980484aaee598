/** Tables that stand as text beside the tests: lines of cells, and paragraphs under headings. */
import { readFileSync } from "node:fs";

const textOf = (path: string): string => readFileSync(`test/${path}`, "utf8").trim();

/** The cells of a table in a folder of the tests, line by line, without its heading. */
export const tableOf = (path: string): readonly (readonly string[])[] =>
  textOf(path)
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));

/**
 * The rows of a kind, which its first cell says, in a table whose other cells are JSON.
 * @throws if there is no such row.
 */
export function rowsOf<Row extends readonly unknown[]>(path: string, wanted: string): readonly Row[] {
  const rows = tableOf(path).filter(([kind]) => kind === wanted);
  if (rows.length === 0) throw new Error(`${path} has no row ${wanted}.`);
  return rows.map(([, ...cells]) => cells.map((cell) => JSON.parse(cell)) as unknown as Row);
}

/** The paragraphs of a text, each with its first line, which may begin with `# `, and the others. */
export const paragraphsOf = (
  path: string,
): readonly { readonly heading: string; readonly lines: readonly string[] }[] =>
  textOf(path)
    .split("\n\n")
    .map((paragraph) => {
      const [heading = "", ...lines] = paragraph.split("\n");
      return { heading: heading.replace(/^# /, ""), lines };
    });

/** The lines of each paragraph by its heading. */
export const sectionsOf = (path: string): ReadonlyMap<string, readonly string[]> =>
  new Map(paragraphsOf(path).map(({ heading, lines }) => [heading, lines]));

/**
 * The exceptions to a law over the catalogue: of what, and what is different there; the table says why, too.
 * @throws if there is none, because no law needs to look for them then.
 */
export function exceptionsTo(law: string): readonly (readonly [of: string, what: string])[] {
  const rows = tableOf("catalogue/exceptions.tsv").filter(([name]) => name === law);
  if (rows.length === 0) throw new Error(`There is no exception to ${law}.`);
  return rows.map(([, of = "", what = ""]) => [of, what]);
}
