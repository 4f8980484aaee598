/** A count with its noun. */
export const quantity = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
