/** The forms in which `edgewise call` writes a result. */
export const outputs = ["table", "json", "csv", "ndjson"] as const;
