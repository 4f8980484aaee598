/** Writes a PNG of few colors: the charts have large plain areas, and a palette takes half of what the engine writes. */
import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const maxColors = 256;

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

const distance = (a: number, b: number): number =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;

/** How many colors are kept because many pixels have them; the others stand for a range of colors each. */
const frequent = 160;
const rangeOf = (color: number): number => color & 0xf0f0f0;

/**
 * The colors that most pixels have, then one for each range of colors that has none yet, such as those of a scale. The
 * pixels of other colors are on the edges of lines and letters, where the nearest will do.
 */
function paletteOf(colors: Uint32Array): { readonly palette: readonly number[]; indexOf(color: number): number } {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || a - b).map(([color]) => color);
  const palette = sorted.slice(0, sorted.length > maxColors ? frequent : maxColors);
  const ranges = new Set(palette.map(rangeOf));
  for (const color of sorted.slice(palette.length)) {
    if (palette.length === maxColors) break;
    if (ranges.has(rangeOf(color))) continue;
    ranges.add(rangeOf(color));
    palette.push(color);
  }
  const places = new Map(palette.map((color, index) => [color, index]));
  const indexOf = (color: number): number => {
    const place = places.get(color);
    if (place !== undefined) return place;
    let nearest = 0;
    for (let index = 1; index < palette.length; index += 1)
      if (distance(color, palette[index] ?? 0) < distance(color, palette[nearest] ?? 0)) nearest = index;
    places.set(color, nearest);
    return nearest;
  };
  return { palette, indexOf };
}

/** A PNG of opaque pixels, given as four bytes each (PNG specification, color type 3). */
export function palettePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const colors = new Uint32Array(width * height);
  for (let index = 0; index < colors.length; index += 1) {
    const at = index * 4;
    colors[index] = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
  }
  const { palette, indexOf } = paletteOf(colors);
  // Each line begins with its filter, which is none: neighbors in a palette are not near each other.
  const lines = new Uint8Array((width + 1) * height);
  for (const [index, color] of colors.entries()) lines[index + Math.floor(index / width) + 1] = indexOf(color);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
