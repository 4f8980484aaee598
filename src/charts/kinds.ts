/** The kinds of pictures; a heat map has a column for each day and a row for each hour of the day. */
export const kinds = ["line", "bar", "heatmap"] as const;
export type Kind = (typeof kinds)[number];
