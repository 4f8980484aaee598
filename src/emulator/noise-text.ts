/** Texts that the world's noise makes up: ids and secrets that are the same in every run. */
import type { World } from "./world.js";

type Words = readonly (string | number)[];

/** Letters of an alphabet. */
export const noiseText = (world: World, alphabet: string, length: number, ...words: Words): string =>
  Array.from({ length }, (_, at) => alphabet[Math.floor(world.noise(...words, at) * alphabet.length)]).join("");

export const hexDigits = "0123456789abcdef";

/** One number of so many hexadecimal digits. */
export const noiseNumber = (world: World, length: number, ...words: Words): string =>
  Math.floor(world.noise(...words) * 16 ** length)
    .toString(16)
    .padStart(length, "0");
