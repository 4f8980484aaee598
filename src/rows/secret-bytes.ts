/** The process's own secrets in bytes that arrive in parts: found wherever they are cut, at the cost of few looks. */
import type { ByteFilter } from "./row-file.js";

/** What is needed to find forms: the method of Wu and Manber, which skips what cannot be the end of a beginning. */
interface Index {
  /** How much of each form is compared before the whole: as much as the shortest has. */
  readonly length: number;
  readonly longest: number;
  /** For each two bytes, how far the end of a beginning may be moved on from them. */
  readonly skips: Uint8Array;
  /** The forms by the last two bytes of their beginnings. */
  readonly forms: ReadonlyMap<number, readonly Buffer[]>;
}

const pairAt = (bytes: Uint8Array, at: number): number => ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0);

function indexOf(texts: readonly string[]): Index {
  const all = texts.map((text) => Buffer.from(text));
  const length = Math.min(...all.map((form) => form.length), 255);
  const skips = new Uint8Array(65_536).fill(length - 1);
  const forms = new Map<number, Buffer[]>();
  for (const form of all) {
    for (let at = 1; at < length; at += 1) {
      const pair = pairAt(form, at);
      skips[pair] = Math.min(skips[pair] ?? 0, length - 1 - at);
    }
    const last = pairAt(form, length - 1);
    forms.set(last, [...(forms.get(last) ?? []), form]);
  }
  return { length, longest: Math.max(...all.map((form) => form.length)), skips, forms };
}

interface Found {
  readonly start: number;
  readonly end: number;
}

/** Adds the place of a form that stands in the bytes there. */
function addPlace(found: Found[], bytes: Buffer, start: number, form: Buffer): void {
  const end = start + form.length;
  if (end > bytes.length || bytes.compare(form, 0, form.length, start, end) !== 0) return;
  const last = found.at(-1);
  if (last && start < last.end) found[found.length - 1] = { start: last.start, end: Math.max(end, last.end) };
  else found.push({ start, end });
}

/** The places of forms in bytes, in their order; those that overlap are one. */
function placesIn(bytes: Buffer, { length, skips, forms }: Index): Found[] {
  const found: Found[] = [];
  for (let at = length - 1; at < bytes.length; ) {
    const pair = pairAt(bytes, at);
    const skip = skips[pair] ?? 0;
    at += skip || 1;
    if (skip > 0) continue;
    for (const form of forms.get(pair) ?? []) addPlace(found, bytes, at - length, form);
  }
  return found;
}

const mark = Buffer.from("[secret]");
const none = Buffer.alloc(0);

/**
 * Makes filters that put a mark in the place of each form of a secret.
 * @param texts The forms, from `secretForms`; each has at least eight characters.
 */
export function secretFilters(texts: readonly string[]): () => ByteFilter {
  if (texts.length === 0) return () => ({ push: (part) => part, end: () => none });
  const index = indexOf(texts);
  return () => {
    let rest: Buffer = none;
    /** The bytes in which no form can begin that is not yet whole, without the forms that do. */
    const pass = (bytes: Buffer, isLast: boolean): Uint8Array => {
      const sure = isLast ? bytes.length : Math.max(0, bytes.length - index.longest + 1);
      const places = placesIn(bytes, index).filter(({ start }) => start < sure);
      // Another form may overlap the one that ends later, so both wait.
      const end = places.find((place) => place.end > sure)?.start ?? sure;
      rest = bytes.subarray(end);
      const whole = places.filter((place) => place.end <= end);
      if (whole.length === 0) return bytes.subarray(0, end);
      const pieces: Buffer[] = [];
      let from = 0;
      for (const place of whole) {
        pieces.push(bytes.subarray(from, place.start), mark);
        from = place.end;
      }
      return Buffer.concat([...pieces, bytes.subarray(from, end)]);
    };
    return {
      push: (part) => pass(rest.length === 0 ? Buffer.from(part) : Buffer.concat([rest, part]), false),
      end: () => pass(rest, true),
    };
  };
}
