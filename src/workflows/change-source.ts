/** What the sources of a timeline share: a change as an API tells it, and how a source reads. */
import type { NextCall } from "../api/next-call.js";
import { z } from "../api/z.js";
import type { Steps } from "./steps.js";

/** A change as an API tells it. */
export interface Change {
  /** ISO text or milliseconds since 1970, as the API has it. */
  readonly when: string | number | null | undefined;
  readonly who?: string | null | undefined;
  readonly what: string;
  /** The call that shows more. */
  readonly readMore: NextCall;
}

/** What narrows the reading, and what an API has to be given because it lists nothing by itself. */
interface Wanted {
  readonly openIdentityId?: string | undefined;
  readonly zones?: readonly string[] | undefined;
}

export type Source = (steps: Steps, wanted: Wanted) => Promise<{ changes: readonly Change[]; untold?: string }>;

/** How many things of one kind are read one by one. */
export const maxThings = 30;
const atOnce = 4;

/** Does the work for some items at a time, so that a large account is not asked for everything at once. */
export async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += atOnce)
    done.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))));
  return done;
}

/** A time, which each API writes in its own way. */
export const when = z.union([z.number(), z.string()]).nullish();
export const who = z.string().nullish();
/** A creation and the last change of a thing that says of itself when it was made and last changed. */
export function* lifeOf(
  name: string,
  made: readonly [z.output<typeof when>, z.output<typeof who>],
  last: readonly [z.output<typeof when>, z.output<typeof who>],
  readMore: Change["readMore"],
): Generator<Change> {
  yield { when: made[0], who: made[1], what: `${name} created`, readMore };
  if (last[0] !== made[0]) yield { when: last[0], who: last[1], what: `${name} last changed`, readMore };
}
