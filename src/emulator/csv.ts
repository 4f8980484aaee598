/** A report's value written as the sectioned CSV of document A, "Report result". */

const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n ]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const line = (...cells: readonly unknown[]): string => cells.map(cell).join(",");
const section = (name: string, lines: readonly string[]): string =>
  [`#${name}_START`, ...lines, `#${name}_END`, ""].join("\n");

interface Report {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly data: readonly Readonly<Record<string, string>>[];
  readonly summaryStatistics: Readonly<Record<string, { readonly value: string }>>;
}

/** Writes the four sections in their order. */
export function reportCsv(value: unknown): string {
  const { metadata, data, summaryStatistics } = value as Report;
  const columns = (metadata["columns"] as readonly { readonly name: string; readonly label: string }[]).map(
    ({ name, label }) => (name === "groupBy" ? label : name),
  );
  const lists = (key: string) => (metadata[key] as readonly string[]).join(",");
  const one = (key: string) => line(key, metadata[key]);
  const about = [
    one("name"),
    one("version"),
    line("source", "Traffic Data"),
    `groupBy,${lists("groupBy")}`,
    one("start"),
    one("end"),
    // The vendor's own sample has a comma at the end of this line (public facts A, 1).
    ...(metadata["interval"] === undefined ? [] : [`${one("interval")},`]),
    one("availableDataEnds"),
    one("suggestedRetryTime"),
    one("rowCount"),
    one("objectType"),
    `objectIds,${lists("objectIds")}`,
    ...(metadata["filters"] as readonly { readonly name: string; readonly values: readonly string[] }[]).map(
      ({ name, values }) => line(name, ...values),
    ),
  ];
  return [
    section("METADATA", about),
    section(
      "SUMMARYSTATISTICS",
      Object.entries(summaryStatistics).map(([name, { value: statistic }]) => line(name, statistic)),
    ),
    section("COLUMNS", [line(...columns)]),
    section(
      "DATA",
      data.map((row) => line(...columns.map((name) => row[name]))),
    ),
  ].join("\n");
}
