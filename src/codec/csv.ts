/** The sectioned CSV of a report, read into the same value as its JSON (document A, "Report result"). */
import { parse } from "csv-parse/sync";
import { CodecError } from "./error.js";

const sections = ["METADATA", "SUMMARYSTATISTICS", "COLUMNS", "DATA"] as const;
type Section = (typeof sections)[number];

function rowsOf(text: string): string[][] {
  try {
    return parse(text, { relax_column_count: true, skip_empty_lines: true, max_record_size: 1_048_576 }) as string[][];
  } catch {
    throw new CodecError("A line of the report's CSV cannot be read.");
  }
}

/** Cuts the text into its sections, which stand in a fixed order. */
function cut(text: string): Readonly<Record<Section, string[][]>> {
  const found = {} as Record<Section, string[][]>;
  let rest = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  for (const section of sections) {
    const [before = "", after] = split(rest, `#${section}_START`);
    if (after === undefined || before.trim() !== "")
      throw new CodecError(`The report's CSV lacks its section ${section}, or has it out of order.`);
    const [content = "", tail] = split(after, `#${section}_END`);
    if (tail === undefined) throw new CodecError(`The report's CSV breaks off in its section ${section}.`);
    found[section] = rowsOf(content.replace(/^\n/, ""));
    rest = tail;
  }
  if (rest.trim() !== "") throw new CodecError("The report's CSV goes on after its data.");
  return found;
}

/** Cuts a text at the first line that is exactly the mark. */
function split(text: string, mark: string): [string, string?] {
  const at = text.startsWith(`${mark}\n`) || text === mark ? 0 : text.indexOf(`\n${mark}`) + 1;
  const isFound = at > 0 || text.startsWith(mark);
  const end = at + mark.length;
  if (!isFound || (end < text.length && text[end] !== "\n")) return [text];
  return [text.slice(0, at), text.slice(end)];
}

const listKeys = new Set(["groupBy", "objectIds"]);
const singleKeys = [
  "name",
  "version",
  "source",
  "start",
  "end",
  "interval",
  "availableDataEnds",
  "suggestedRetryTime",
  "rowCount",
  "objectType",
];

function metadataOf(rows: readonly string[][], columns: readonly string[]): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  const filters: { name: string; values: string[] }[] = [];
  for (const [key = "", ...cells] of rows) {
    const values = cells.flatMap((cell) => cell.split(",")).filter((value, index) => value !== "" || index === 0);
    if (listKeys.has(key)) metadata[key] = values.filter((value) => value !== "");
    else if (singleKeys.includes(key)) metadata[key] = values[0] ?? "";
    else filters.push({ name: key, values: values.filter((value) => value !== "") });
  }
  const groupBy = (metadata["groupBy"] ?? []) as readonly string[];
  for (const key of ["availableDataEnds", "suggestedRetryTime"]) metadata[key] = metadata[key] || null;
  if (metadata["interval"] === "") delete metadata["interval"];
  const rowCount = Number(metadata["rowCount"]);
  if (!Number.isSafeInteger(rowCount)) throw new CodecError("The report's CSV does not count its rows.");
  return {
    ...metadata,
    rowCount,
    filters,
    columns: columns.map((label) => ({ name: groupBy.includes(label) ? "groupBy" : label, label })),
  };
}

/**
 * Reads a report.
 * @throws CodecError when a section is missing, out of order or cut short, or a row has another width than the header.
 */
export function decodeReportCsv(bytes: Uint8Array): unknown {
  const found = cut(new TextDecoder().decode(bytes));
  const [columns = []] = found.COLUMNS;
  if (columns.length === 0 || columns.includes("__proto__") || new Set(columns).size !== columns.length)
    throw new CodecError("The report's CSV has no usable header line.");
  const data = found.DATA.map((row) => {
    if (row.length !== columns.length)
      throw new CodecError("A row of the report's CSV has another width than the header.");
    return Object.fromEntries(columns.map((name, index) => [name, row[index] ?? ""]));
  });
  const statistics = found.SUMMARYSTATISTICS.map(([name = "", value = ""]) => [name, { value, details: {} }] as const);
  return { metadata: metadataOf(found.METADATA, columns), data, summaryStatistics: Object.fromEntries(statistics) };
}
