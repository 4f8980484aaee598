/** Keeps an answer within what an assistant can hold: lists are cut at whole records, and every cut is told. */

/** What was left out of an answer. */
export interface Cut {
  readonly at: string;
  readonly kept: number;
  readonly total: number;
}

interface Found {
  readonly at: string;
  readonly length: number;
  readonly size: number;
  cutTo(count: number): void;
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const cutter = (place: Record<string, unknown>, key: string, value: string | readonly unknown[]) => (count: number) => {
  place[key] = value.slice(0, count);
};

/** The largest list or text inside a value, with a way to shorten it in place. */
function largest(holder: Record<string, unknown> | unknown[], at: string): Found | undefined {
  let best: Found | undefined;
  for (const [key, value] of Object.entries(holder)) {
    const here = at === "" ? key : `${at}.${key}`;
    const place = holder as Record<string, unknown>;
    let found: Found | undefined;
    if (typeof value === "string") {
      found = {
        at: here,
        length: value.length,
        size: value.length,
        cutTo: cutter(place, key, value),
      };
    } else if (typeof value === "object" && value !== null) {
      found = largest(value as Record<string, unknown>, here);
      const size = Array.isArray(value) ? sizeOf(value) : 0;
      // The outermost list that makes up most of the size is the one whose records a reader counts.
      if (Array.isArray(value) && value.length > 1 && size >= (found?.size ?? 0))
        found = { at: here, length: value.length, size, cutTo: cutter(place, key, value) };
    }
    if (found && found.size > (best?.size ?? 0)) best = found;
  }
  return best;
}

/** Whether a flat value is certainly within the bound, told without writing it out; most answers are. */
function isSmall(value: unknown, maxBytes: number): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "string" || value.length * 6 < maxBytes;
  let size = 2;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === "object" && inner !== null) return false;
    size += 6 * key.length + (typeof inner === "string" ? 6 * inner.length : 24) + 4;
  }
  return size <= maxBytes;
}

/**
 * Bounds the JSON size of a value. The value itself is not changed.
 * @returns the value, shortened where it had to be, and what was cut.
 */
export function bounded<T>(value: T, maxBytes: number): { readonly value: T; readonly cuts: readonly Cut[] } {
  if (isSmall(value, maxBytes) || sizeOf(value) <= maxBytes) return { value, cuts: [] };
  const holder = { value: structuredClone(value) };
  const cuts = new Map<string, Cut>();
  for (let round = 0; round < 32; round += 1) {
    const size = sizeOf(holder.value);
    if (size <= maxBytes) break;
    const found = largest(holder, "");
    if (!found || found.length <= 1) break;
    const share = Math.max(0, found.size - (size - maxBytes)) / found.size;
    const kept = Math.max(1, Math.floor(found.length * share * 0.95));
    found.cutTo(kept);
    const at = found.at.replace(/^value\.?/, "") || "the answer";
    cuts.set(at, { at, kept, total: cuts.get(at)?.total ?? found.length });
  }
  return { value: holder.value, cuts: [...cuts.values()] };
}
