/** Answers of the emulator grown to many bytes, by more rows or by longer texts, in their own medium and shape. */
import { xmlText } from "../../../src/emulator/answer.js";
import type { Media } from "../../../src/language/define.js";
import { isRecord } from "../../../src/language/member.js";
import { decode } from "../../../src/wire/codec/index.js";

const chunkBytes = 65_536;
// Ten megabytes of short values take a second to read; what that costs is measured by the benchmarks.
const longTextLength = 20_000;

/** How an answer grows. */
export interface Growth {
  /** Whether there are more rows than before, or the same with longer texts. */
  readonly by: "rows" | "texts";
  /** About how many bytes it comes to. */
  readonly bytes: number;
}

type Path = readonly PropertyKey[];
interface Place {
  readonly path: Path;
  readonly value: readonly unknown[] | string;
  readonly size: number;
}

/** The lists of a value, without those in their items, and the texts that are in no list. */
function* placesIn(value: unknown, path: Path = []): Generator<Place> {
  if (Array.isArray(value)) {
    if (value.length > 0) yield { path, value, size: JSON.stringify(value).length };
  } else if (typeof value === "string") yield { path, value, size: value.length };
  else if (isRecord(value)) for (const [name, one] of Object.entries(value)) yield* placesIn(one, [...path, name]);
}

/** The texts of a value, also those in the first item of a list. */
function* textsIn(value: unknown, path: Path = []): Generator<Place> {
  for (const place of placesIn(value)) {
    if (typeof place.value === "string") yield { ...place, path: [...path, ...place.path] };
    else yield* textsIn(place.value[0], [...path, ...place.path, 0]);
  }
}
const longest = (places: Iterable<Place>): Place | undefined => [...places].sort((a, b) => b.size - a.size)[0];

function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((one, at) => (at === name ? replaced(one, rest, by) : one));
  const holder = value as Readonly<Record<PropertyKey, unknown>>;
  return { ...holder, [name]: replaced(holder[name], rest, by) };
}

const repeatedTo = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length));

/** An item of a list with its longest text lengthened; a number gets some digits, so that there are not millions of them. */
function widened(item: unknown): unknown {
  if (Number.isInteger(item)) return Number(String(item).padEnd(8, "0"));
  const text = longest([...placesIn(item)].filter(({ value }) => typeof value === "string"));
  return text ? replaced(item, text.path, repeatedTo(`${String(text.value)} `, longTextLength)) : item;
}

/** The chunks of a large body; the same one may stand in it many times. */
export type Chunks = readonly Uint8Array[];

/** A text whose part between two places stands in it until it has so many bytes, with something between. */
function repeated(bytes: number, text: string, from: number, to: number, between = ""): Chunks {
  const [head, tail] = [Buffer.from(text.slice(0, to)), Buffer.from(text.slice(to))];
  const part = Buffer.from(between + text.slice(from, to));
  const perChunk = Math.max(1, Math.floor(chunkBytes / part.length));
  const chunk = Buffer.alloc(perChunk * part.length, part);
  const times = Math.max(0, Math.ceil((bytes - head.length - tail.length) / chunk.length));
  return [head, ...new Array<Uint8Array>(times).fill(chunk), tail];
}

const mark = "BORDER";
// What a border leaves behind where it is taken out: a comma belongs to it in JSON, its element in XML.
const borders = { json: new RegExp(`,?"${mark}",?`, "g"), xml: new RegExp(`<([^<>]+)>${mark}</\\1>`, "g") };

/** A value as it is written, with its longest list repeated, or its longest text where it has no list or is to keep its rows. */
function grownValue(value: unknown, growth: Growth, codec: "json" | "xml", write: (value: unknown) => string): Chunks {
  const list =
    growth.by === "rows" ? longest([...placesIn(value)].filter((one) => typeof one.value !== "string")) : undefined;
  if (list && typeof list.value !== "string") {
    const written = write(replaced(value, list.path, [mark, ...list.value.map(widened), mark]));
    const [first, last] = [...written.matchAll(borders[codec])];
    if (!first || !last)
      throw new Error(`The list at ${list.path.join(".")} is written in a way that is not known here.`);
    const items = written.slice(first.index + first[0].length, last.index);
    const head = written.slice(0, first.index) + items;
    const whole = head + written.slice(last.index + last[0].length);
    return repeated(growth.bytes, whole, head.length - items.length, head.length, codec === "json" ? "," : "");
  }
  const text = longest(textsIn(value));
  if (text === undefined) return grownValue(isRecord(value) ? { ...value, more: "a" } : "a", growth, codec, write);
  const [before = "", inner = "", after = ""] = write(
    replaced(value, text.path, `${mark}${String(text.value)} ${mark}`),
  ).split(mark);
  return repeated(growth.bytes, before + inner + after, before.length, before.length + inner.length);
}

// A report's CSV has its rows between two of its markers.
const rowsOfCsv = /(?<=^#DATA_START\n)[^#]+(?=^#DATA_END$)/m;

/**
 * A body of its own medium and shape, and of about as many bytes as it grows to.
 * @param media The medium that was declared for it; undefined where none was, so that nobody waits for this body.
 * @param bytes What the emulator answered.
 */
export async function grown(media: Media | undefined, bytes: Uint8Array, growth: Growth): Promise<Chunks> {
  if (media === undefined || media.codec === "empty") return repeated(growth.bytes, "a", 0, 1);
  const text = new TextDecoder().decode(bytes);
  if (media.codec === "csv") {
    const rows = rowsOfCsv.exec(text);
    if (!rows) throw new Error(`This CSV has no rows: ${text.slice(0, 500)}`);
    const wide = rows[0].replaceAll(/\d+$/gm, (digits) => digits.padStart(longTextLength, "0"));
    const whole = text.slice(0, rows.index) + wide + text.slice(rows.index + rows[0].length);
    return repeated(growth.bytes, whole, rows.index, rows.index + wide.length);
  }
  const value = bytes.length === 0 ? "a" : await decode(media, bytes);
  return media.codec === "xml"
    ? grownValue(value, growth, "xml", (one) => xmlText(media.root ?? "root", one))
    : grownValue(value, growth, "json", JSON.stringify);
}
