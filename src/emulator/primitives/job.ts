/** What takes a while: an activation, a deployment, or a request that is worked on in the background. */
import type { World } from "../world.js";

export interface Job {
  /** When it was begun. */
  readonly atMs: number;
  readonly lastsMs: number;
}

export const endOf = ({ atMs, lastsMs }: Job): number => atMs + lastsMs;
export const isOver = (world: World, job: Job): boolean => world.now() >= endOf(job);

/** How much of a job is done, from 0 to 1. */
export const progressOf = (world: World, { atMs, lastsMs }: Job): number => Math.min(1, (world.now() - atMs) / lastsMs);
