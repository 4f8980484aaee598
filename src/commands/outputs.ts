/** The forms in which `edgewise call` writes a result. */
export const outputs = ["table", "json", "csv", "ndjson"] as const;
/** How much of a preview a terminal shows at once: what has room and every change, or all of it. */
export const previews = ["short", "full"] as const;
