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

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/** The beginning of a text, without half a character at its end: what reads UTF-8 would refuse the whole answer. */
export const textTo = (text: string, count: number): string => text.slice(0, count).replace(/[\ud800-\udbff]$/, "");

const cutter = (place: Record<string, unknown>, key: string, value: string | readonly unknown[]) => (count: number) => {
  place[key] = typeof value === "string" ? textTo(value, count) : value.slice(0, count);
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
        size: sizeOf(value),
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

/** The innermost record that makes up most of a value's size, for one that has it in no single list or text. */
function widest(holder: Record<string, unknown> | unknown[], at: string): Found | undefined {
  let best: Found | undefined;
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value !== "object" || value === null) continue;
    const size = sizeOf(value);
    if (size <= (best?.size ?? 0)) continue;
    const here = at === "" ? key : `${at}.${key}`;
    const inner = widest(value as Record<string, unknown>, here);
    const members = Object.entries(value);
    const cutTo = (count: number) => {
      (holder as Record<string, unknown>)[key] = Object.fromEntries(members.slice(0, count));
    };
    const isPassed = Array.isArray(value) || members.length < 2 || (inner !== undefined && inner.size > size / 2);
    best = isPassed ? (inner ?? best) : { at: here, length: members.length, size, cutTo };
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
 * Bounds the JSON size of a value, in bytes. The value itself is not changed.
 * @returns the value, shortened where it had to be, and what was cut.
 */
export function bounded<T>(value: T, maxBytes: number): { readonly value: T; readonly cuts: readonly Cut[] } {
  if (isSmall(value, maxBytes) || sizeOf(value) <= maxBytes) return { value, cuts: [] };
  const holder = { value: structuredClone(value) };
  const cuts = new Map<string, Cut>();
  for (let round = 0; round < 32; round += 1) {
    const size = sizeOf(holder.value);
    if (size <= maxBytes) break;
    const listed = largest(holder, "");
    // Lists and texts that are small beside what is too much would all be hollowed out, and in vain.
    const isWorthCutting = listed && listed.length > 1 && listed.size * 32 >= size - maxBytes;
    const found = isWorthCutting ? listed : widest(holder, "");
    if (!found || found.length <= 1) break;
    const share = Math.max(0, found.size - (size - maxBytes)) / found.size;
    const kept = Math.max(1, Math.floor(found.length * share * 0.95));
    found.cutTo(kept);
    const at = found.at.replace(/^value\.?/, "") || "the answer";
    cuts.set(at, { at, kept, total: cuts.get(at)?.total ?? found.length });
  }
  return { value: holder.value, cuts: [...cuts.values()] };
}
