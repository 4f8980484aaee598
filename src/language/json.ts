/** Reads a text that should be JSON, and may be anything. */

/** The value that a text is the JSON of; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
