/** The times that the API gives as numbers, in ISO form beside the data, which is left unchanged. */

import { unwrappedSchema } from "../api/choice.js";
import type { Envelope } from "../api/conduct.js";
import { instantsIn, isoText, unitMsOf, valuesAt } from "../api/instant.js";
import { mediaList, type Returns } from "../api/media.js";

/** What an operation declares about the bodies of its answers, by status. */
export interface Answers {
  readonly returns?: Returns;
  readonly envelope?: Envelope | undefined;
}

const maxTimes = 40;

/**
 * What the numbers mean that stand in an answer where its declaration has times: number to ISO time, each once, the
 * declaration's first members before the others.
 * @returns the times, as far as they are shown, and a note on the others.
 */
export function timesOf(
  { returns = {}, envelope }: Answers,
  status: number,
  body: unknown,
): { readonly times?: Readonly<Record<string, string>>; readonly notes: readonly string[] } {
  const [media] = mediaList(returns[status]);
  const places = media ? instantsIn(unwrappedSchema(media.schema, envelope)) : [];
  const numbers = new Map(
    places.flatMap(({ path, as }) => {
      const unitMs = unitMsOf(as);
      if (unitMs === undefined) return [];
      // Zero stands for no time.
      return [...valuesAt(body, path)].flatMap(([, value]) =>
        typeof value === "number" && value !== 0 ? [[value, value * unitMs] as const] : [],
      );
    }),
  );
  const known = [...numbers].flatMap(([number, ms]) => {
    const text = isoText(ms);
    return text === undefined ? [] : [[String(number), text] as const];
  });
  if (known.length === 0) return { notes: [] };
  const more = known.length - maxTimes;
  const note = `times: ${maxTimes} of ${known.length} are shown; the others are counted from 1970, too.`;
  return { times: Object.fromEntries(known.slice(0, maxTimes)), notes: more > 0 ? [note] : [] };
}
