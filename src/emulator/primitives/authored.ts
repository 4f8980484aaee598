/** Who wrote a stored object and when, which most objects of the emulated account have. */
import { userInUse } from "../services/account.js";
import type { World } from "../world.js";

export interface Authorship {
  readonly createdBy: string;
  readonly createdAtMs: number;
  modifiedBy: string;
  modifiedAtMs: number;
}

/** Written at an instant and not changed since. */
export const authorshipAt = (atMs: number, by: string = userInUse): Authorship => ({
  createdBy: by,
  createdAtMs: atMs,
  modifiedBy: by,
  modifiedAtMs: atMs,
});

/** The authorship of an object that is written now, in the place of a former one if there is one. */
export const authorshipNow = (world: World, former?: Authorship): Authorship => {
  const now = authorshipAt(world.now());
  return former ? { ...now, createdBy: former.createdBy, createdAtMs: former.createdAtMs } : now;
};

/** Marks an object as changed now, by the user in use. */
export function touch(world: World, object: Authorship): void {
  object.modifiedBy = userInUse;
  object.modifiedAtMs = world.now();
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** An authored object as most APIs show one. @param dateOf How the API writes an instant. */
export const withDates = <T extends Authorship>({ createdAtMs, modifiedAtMs, ...others }: T, dateOf = iso) => ({
  ...others,
  createdDate: dateOf(createdAtMs),
  modifiedDate: dateOf(modifiedAtMs),
});
