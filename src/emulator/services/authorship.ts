/** Who wrote a stored object and when, which most objects of the emulated account have. */
import type { World } from "../world.js";
import { userInUse } from "./account.js";

export interface Authored {
  readonly createdBy: string;
  readonly createdAtMs: number;
  modifiedBy: string;
  modifiedAtMs: number;
}

/** Written at an instant and not changed since. */
export const authored = (atMs: number, by: string = userInUse): Authored => ({
  createdBy: by,
  createdAtMs: atMs,
  modifiedBy: by,
  modifiedAtMs: atMs,
});

/** Marks an object as changed now, by the user in use. */
export function touch(world: World, one: Authored): void {
  one.modifiedBy = userInUse;
  one.modifiedAtMs = world.now();
}
