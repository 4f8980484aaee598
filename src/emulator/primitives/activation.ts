/** Versions that are brought to a place, such as a network, where each takes effect after a while and replaces the last. */
import type { World } from "../world.js";
import { isOver, type Job } from "./job.js";

/** Where an activation stands by the clock. */
export type ActivationState = "pending" | "active" | "deactivated";

/** @param inPlace The activations that replace one another, in the order in which they were begun. */
export function activationStateOf<A extends Job>(world: World, inPlace: readonly A[], activation: A): ActivationState {
  if (!isOver(world, activation)) return "pending";
  return inPlace.slice(inPlace.indexOf(activation) + 1).some((later) => isOver(world, later))
    ? "deactivated"
    : "active";
}
