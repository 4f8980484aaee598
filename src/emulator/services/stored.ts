/** What stored objects have in common: how they are kept and found, who wrote them and when, where an activation stands. */
import { notFound, orRefuse, type Refusal } from "../reply.js";
import type { World } from "../world.js";
import { userInUse } from "./account.js";

/** Objects by their ids, in their order. */
export const byId = <I, T extends { readonly id: I }>(all: readonly (T & { readonly id: I })[]): Map<I, T> =>
  new Map(all.map((one) => [one.id, one]));

/**
 * The first object that has the wanted members; refuses if there is none, with 404 if a message is given.
 * @param wanted The members by which it is looked for.
 */
export function foundIn<T extends object>(
  all: Iterable<T>,
  wanted: { readonly [K in keyof T]?: unknown },
  missing: string | (() => Refusal),
): T {
  const members = Object.entries(wanted) as [keyof T, unknown][];
  const found = [...all].find((one) => members.every(([name, value]) => one[name] === value));
  return orRefuse(found, typeof missing === "string" ? () => notFound(missing) : missing);
}

/** Who wrote a stored object and when, which most objects of the emulated account have. */
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

/** Where an activation stands by the clock: pending for a while, then active until a later one in its place is. */
export type Standing = "pending" | "active" | "deactivated";

/** @param inPlace The activations that replace one another, in the order in which they were begun. */
export function standing<A extends { readonly atMs: number }>(
  world: World,
  inPlace: readonly A[],
  one: A,
  lastsMs: number,
): Standing {
  const isOver = ({ atMs }: A) => world.now() >= atMs + lastsMs;
  if (!isOver(one)) return "pending";
  return inPlace.slice(inPlace.indexOf(one) + 1).some(isOver) ? "deactivated" : "active";
}
