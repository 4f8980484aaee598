/** Where an activation stands by the clock: pending for a while, then active until a later one in its place is. */
import type { World } from "../world.js";

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
