/** What the purges of the documents and of today share: how objects are named, and that they cannot be restored. */
import type { Guard } from "../../language/conduct.js";
import { listed } from "../../language/words.js";
import { z } from "../../language/z.js";

export const isNumber = (object: unknown): boolean => /^\d+$/.test(String(object));

const inWords = (object: unknown): string =>
  typeof object === "string" && !isNumber(object) ? JSON.stringify(object) : String(object);

/** Objects in a sentence, limited to the first ones. */
export const namedObjects = (noun: string, objects: readonly unknown[]): string =>
  `${noun}${objects.length === 1 ? "" : "s"} ${listed(objects, inWords)}`;

/** The target of a purge in a list of plans. */
export const targetOf = (noun: string, objects: readonly unknown[]): string =>
  objects.length === 1 ? String(objects[0]) : `${objects.length.toLocaleString("en-US")} ${noun}s`;

/** The warning on objects that are listed more than once; false if there are none. */
export function doublesIn(objects: readonly unknown[]): string | false {
  const doubles = objects.length - new Set(objects.map(String)).size;
  return doubles > 0 && `${doubles === 1 ? "1 object is" : `${doubles} objects are`} listed more than once.`;
}

export const goneForGood: NonNullable<Guard["undo"]> = {
  never: "Purged objects cannot be restored, but the edge fetches them from the origin again at the next request.",
};

/** The members that every answer of the purge service has. */
export const Answer = { supportId: z.string(), httpStatus: z.number(), detail: z.string().optional() };
