/** The units that the vendor's reports declare, as a reader sees them; a count has none. */
export const unitNames = { COUNT_PER_SECOND: "per second", BYTE: "bytes", RATIO: "%" } as const;
