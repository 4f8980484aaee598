/** Launched diagnostics of both generations: requests that take a while and are polled by their id. */
import { isOver, type Job } from "../../primitives/job.js";
import { orRefuse } from "../../reply.js";
import type { World } from "../../world.js";
import { refusal } from "./world.js";

/** How long a launched diagnostic takes, and the seconds after which it is polled again. */
export const lastsMs = 2_000;
export const retryAfter = 1;

/** A request that is worked on, with the number of times that its state was read. */
interface Polled extends Job {
  polls: number;
}
/** Ready after its time, or after two polls: a frozen clock would never get there. */
export const isReady = (world: World, one: Polled): boolean => isOver(world, one) || one.polls >= 2;

/**
 * The launched requests of one generation of the API.
 * @param seeds Those that are finished from the start.
 */
export function launchesOf<L extends { readonly kind: string; readonly id: string | number }>(
  generation: string,
  seeds: (world: World) => readonly L[],
) {
  const launchAt = (atMs: number, request: L): L & Polled => ({ ...request, atMs, lastsMs, polls: 0 });
  const all = (world: World): (L & Polled)[] =>
    world.state(`${generation} launches`, () =>
      seeds(world).map((request) => launchAt(world.startedAtMs - lastsMs, request)),
    );
  return {
    add(world: World, request: L): L & Polled {
      const launch = launchAt(world.now(), request);
      all(world).push(launch);
      return launch;
    },
    find: (world: World, kind: L["kind"], id: L["id"]): L & Polled =>
      orRefuse(
        all(world).find((request) => request.kind === kind && request.id === id),
        () => refusal(404, `There is no request ${id}`, "requestId"),
      ),
  };
}
