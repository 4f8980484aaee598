/** The times that the API gives as numbers, in ISO form beside the data, which is left unchanged. */
import type { Shows } from "../language/conduct.js";
import { mediaList, type Returns } from "../language/media.js";
import { unitMsOf } from "../schema/marks.js";
import { instantsIn, isoText, placeInList, valuesAt } from "../time/instant.js";
import { zonedText } from "../time/zone.js";
import type { Telling } from "./index.js";

/** What an operation declares about the bodies of its answers, by status. */
export interface Answers {
  readonly returns?: Returns;
}

/** The places of times that are numbers in the body of an answer, each with the milliseconds that it counts as one. */
function instantsOf({ returns = {} }: Answers, status: number) {
  const [media] = mediaList(returns[status]);
  const places = media ? instantsIn(media.schema) : [];
  return places.flatMap((place) => {
    const unitMs = unitMsOf(place.as);
    return unitMs === undefined ? [] : [{ ...place, unitMs }];
  });
}

/** How the rows of an answer are told, by all that its operation declares. */
export function tellingOf(declared: Answers & { readonly shows?: Shows }, status: number): Telling {
  const instants = instantsOf(declared, status).flatMap((place) => {
    const found = placeInList(place);
    return found ? [{ ...found, unitMs: place.unitMs }] : [];
  });
  return { ...declared.shows, ...(instants.length > 0 ? { instants } : {}) };
}

const maxTimes = 40;

/**
 * What the numbers mean that stand in an answer where its declaration has times: number to ISO time, each once, the
 * declaration's first members before the others.
 * @param zone Whose clocks the times are of; UTC by default.
 * @returns the times, as far as they are shown, and a note on the others.
 */
export function timesOf(
  declared: Answers,
  status: number,
  body: unknown,
  zone?: string,
): { readonly times?: Readonly<Record<string, string>>; readonly notes: readonly string[] } {
  const places = instantsOf(declared, status);
  const numbers = new Map(
    places.flatMap(({ path, unitMs }) =>
      // Zero stands for no time.
      [...valuesAt(body, path)].flatMap(([, value]) =>
        typeof value === "number" && value !== 0 ? [[value, value * unitMs] as const] : [],
      ),
    ),
  );
  const known = [...numbers].flatMap(([number, ms]) => {
    const text = zone === undefined ? isoText(ms) : zonedText(zone, ms);
    return text === undefined ? [] : [[String(number), text] as const];
  });
  if (known.length === 0) return { notes: [] };
  const more = known.length - maxTimes;
  const note = `times: ${maxTimes} of ${known.length} are shown; the others are counted from 1970, too.`;
  return { times: Object.fromEntries(known.slice(0, maxTimes)), notes: more > 0 ? [note] : [] };
}
