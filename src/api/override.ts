/** The argument with which a caller insists on what a check refuses; it is not part of the request. */
import { z } from "./z.js";

/** The schema of `override`: the words that an operation declares, each with what it stands for. */
export function overrideArgument(overrides: Readonly<Record<string, string>>) {
  const text = Object.entries(overrides).map(([word, what]) => `${what} (${word})`);
  return z
    .array(z.enum(Object.keys(overrides)))
    .optional()
    .describe(`Go ahead although ${text.join(", or ")}`);
}
