/** One text for one JSON value, whatever the order of its keys, so that values can be hashed and compared. */
export function canonical(value: unknown): string {
  const sorted = (_: string, inner: unknown): unknown =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  return JSON.stringify(value, sorted) ?? "";
}
