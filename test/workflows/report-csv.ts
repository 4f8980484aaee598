/** Reports in sectioned CSV, of any length, written from the document's description. */

const classes = ["0xx", "1xx", "2xx", "3xx", "4xx", "5xx", "6xx", "7xx", "8xx", "9xx"];

/** The cells of a row of the usual report: each row is five minutes after the one before. */
export const cellsAt = (row: number): string[] => [
  `${new Date(Date.UTC(2020, 0, 1) + row * 300_000).toISOString().slice(0, 19)}Z`,
  String(100_000 + (row % 977)),
  classes[row % classes.length] ?? "",
  String((row * 7_919) % 100_003),
  String((row * 15_485_863) % 10_000_000_019),
];

export const columns = ["startdatetime", "cpcode", "response_class", "edgeHits", "edgeBytes"];

/** A report with the given lines of data; `end` is what comes after them. */
export const reportCsv = (lines: readonly string[], names: readonly string[] = columns, end = "#DATA_END\n"): string =>
  [
    "#METADATA_START",
    "name,some-report",
    "version,1",
    "source,Traffic Data",
    `groupBy,${names[0]}`,
    "start,2020-01-01T00:00:00Z",
    "end,2026-01-01T00:00:00Z",
    "interval,FIVE_MINUTES,",
    "availableDataEnds,",
    "suggestedRetryTime,",
    `rowCount,${lines.length}`,
    "objectType,cpcode",
    "objectIds,all",
    "#METADATA_END",
    "",
    "#SUMMARYSTATISTICS_START",
    "edgeHitsTotal,7",
    "#SUMMARYSTATISTICS_END",
    "",
    "#COLUMNS_START",
    names.join(","),
    "#COLUMNS_END",
    "",
    "#DATA_START",
    ...lines,
    end,
  ].join("\n");

/** A report of so many usual rows. */
export const usualReport = (rows: number): string =>
  reportCsv(Array.from({ length: rows }, (_, row) => cellsAt(row).join(",")));
