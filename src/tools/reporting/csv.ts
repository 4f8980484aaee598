/** The sectioned CSV of a report, read into the same value as its JSON (document A, "Report result"). */
import type { CsvRows, CsvTable } from "../../language/media.js";
import { CodecError } from "../../language/wire.js";

const sections = ["METADATA", "SUMMARYSTATISTICS", "COLUMNS", "DATA"] as const;
type Section = (typeof sections)[number];
type Row = CsvRows[number];

const isEmptyLine = (row: Row): boolean => row.length === 1 && row[0] === "";
const isMarker = (row: Row | undefined, marker: string): boolean => row?.length === 1 && row[0] === marker;

/** Splits the lines into their sections, which come in a fixed order. */
function splitSections(rows: readonly Row[]): Readonly<Record<Section, Row[]>> {
  const rowsBySection = {} as Record<Section, Row[]>;
  let at = 0;
  const skipEmptyLines = () => {
    for (let row = rows[at]; row && isEmptyLine(row); row = rows[at]) at += 1;
  };
  for (const section of sections) {
    skipEmptyLines();
    if (!isMarker(rows[at], `#${section}_START`))
      throw new CodecError(`The report's CSV lacks section ${section} or has it out of order.`);
    const end = rows.findIndex((row, index) => index > at && isMarker(row, `#${section}_END`));
    if (end < 0) throw new CodecError(`The report's CSV ends inside section ${section}.`);
    rowsBySection[section] = rows.slice(at + 1, end);
    at = end + 1;
  }
  skipEmptyLines();
  if (at < rows.length) throw new CodecError("The report's CSV has content after its data.");
  return rowsBySection;
}

const namesOf = (lines: readonly Row[]): string[] => lines.map(([name = ""]) => name);
/** Refuses names that would overwrite each other or the prototype. */
function checkNames(names: readonly string[], section: Section): void {
  if (names.includes("") || names.includes("__proto__") || new Set(names).size !== names.length)
    throw new CodecError(`The report's CSV has an unusable or repeated name in section ${section}.`);
}

/** The cells of one value: the vendor ends the line of the interval with a comma (public facts A, 1). */
const single = (cells: Row): string => cells.join(",").replace(/(?<!,),+$/, "");
/** The cells of a list: the vendor joins it by commas, without quotes. */
const list = (cells: Row): string[] => cells.flatMap((cell) => cell.split(",")).filter((value) => value !== "");
const listKeys: readonly string[] = ["groupBy", "objectIds"];
const neededKeys = ["name", "version", "start", "end", "rowCount", "objectIds"];

function metadataOf(rows: readonly Row[], columns: Row): Record<string, unknown> {
  const lines = rows.filter((row) => !isEmptyLine(row));
  // Every line after the objects is a filter, even one with the name of an earlier line.
  const count = lines.findIndex(([key]) => key === "objectIds") + 1;
  const keyLines = lines.slice(0, count);
  checkNames(namesOf(keyLines), "METADATA");
  const metadata = Object.fromEntries(
    keyLines.map(([key = "", ...cells]) => [key, listKeys.includes(key) ? list(cells) : single(cells)] as const),
  );
  const { groupBy = [], interval, rowCount, ...rest } = metadata;
  const missing = neededKeys.filter((key) => metadata[key] === undefined || metadata[key] === "");
  if (missing.length > 0) throw new CodecError(`The report's CSV lacks ${missing.join(", ")} in section METADATA.`);
  if (!/^\d{1,15}$/.test(String(rowCount))) throw new CodecError("The report's CSV has no valid rowCount.");
  return {
    ...rest,
    groupBy,
    ...(interval ? { interval } : {}),
    availableDataEnds: rest["availableDataEnds"] || null,
    suggestedRetryTime: rest["suggestedRetryTime"] || null,
    rowCount: Number(rowCount),
    filters: lines.slice(count).map(([name = "", ...cells]) => ({ name, values: list(cells) })),
    columns: columns.map((label) => ({ name: groupBy.includes(label) ? "groupBy" : label, label })),
  };
}

/** The one line of the header. */
function headerOf(lines: readonly Row[]): Row {
  const [columns, ...more] = lines.filter((row) => !isEmptyLine(row));
  if (!columns || more.length > 0) throw new CodecError("The report's CSV does not have one header line.");
  checkNames(columns, "COLUMNS");
  return columns;
}

/** The table of a report: its data section, under the header from the section before it. */
export const reportTable: CsvTable = {
  begin: "#DATA_START",
  end: "#DATA_END",
  columns: (before) => {
    const [start, end] = ["#COLUMNS_START", "#COLUMNS_END"].map((marker) =>
      before.findIndex((row) => isMarker(row, marker)),
    ) as [number, number];
    return headerOf(start < 0 || end < start ? [] : before.slice(start + 1, end));
  },
  at: "data",
};

/**
 * Reads a report from the rows of its CSV.
 * @throws CodecError when a section is missing, out of order or cut short, or a row differs in width from the header.
 */
export function reportOf(all: CsvRows): unknown {
  const rowsBySection = splitSections(all);
  const columns = headerOf(rowsBySection.COLUMNS);
  // An empty line is a row only if rows have a single value.
  const rows = rowsBySection.DATA.filter((row) => columns.length === 1 || !isEmptyLine(row));
  if (rows.some((row) => row.length !== columns.length))
    throw new CodecError("A row of the report's CSV differs in width from the header.");
  const statistics = rowsBySection.SUMMARYSTATISTICS.filter((row) => !isEmptyLine(row));
  if (statistics.some((row) => row.length !== 2))
    throw new CodecError("A line of the report's CSV summary is not a name and a value.");
  checkNames(namesOf(statistics), "SUMMARYSTATISTICS");
  return {
    metadata: metadataOf(rowsBySection.METADATA, columns),
    data: rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))),
    summaryStatistics: Object.fromEntries(statistics.map(([name, value]) => [name, { value, details: {} }])),
  };
}
