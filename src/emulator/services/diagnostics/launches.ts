/** Launched diagnostics: requests that take a while and are polled by their id. */
import { isOver, type Job } from "../../primitives/job.js";
import { foundIn } from "../../primitives/store.js";
import { accepted, ok, replying } from "../../reply.js";
import type { World } from "../../world.js";
import { refusal } from "./world.js";

/** How long a launched diagnostic takes, and the seconds after which it is polled again. */
export const lastsMs = 2_000;
export const retryAfter = 1;

/** A request that is worked on, with the number of times that its state was read. */
export interface Polled extends Job {
  polls: number;
}
/** Ready after its time, or after two polls: a frozen clock would never get there. */
export const isReady = (world: World, one: Polled): boolean => isOver(world, one) || one.polls >= 2;
export const noLaunch = (id: string | number) => refusal(404, `There is no request ${id}`, "requestId");

const paths = {
  cdn: ["is-cdn-ip-requests", "is-cdn-ip"],
  estats: ["estats-requests", "estats"],
  error: ["translate-error-requests", "translated-error"],
  url: ["url-debug-requests", "debugged-url"],
} as const;
type Kind = keyof typeof paths;
interface Launch extends Polled {
  readonly id: string;
  readonly kind: Kind;
  readonly result: () => unknown;
}
interface OfRequest {
  readonly path: { readonly requestId: string };
}
const idOf = (kind: Kind, number: number): string => Buffer.from(`${kind}-${number}`).toString("base64url");
const linkOf = (kind: Kind, id: string): string => `/diagnostic-tools/v2/${paths[kind][0]}/${id}`;

/**
 * The launched requests of the former API.
 * @param seeds The results of the requests that are finished from the start, which have the number 1.
 */
export function launchesOf<S extends Readonly<Record<Kind, (world: World) => unknown>>>(seeds: S) {
  const launches = (world: World): Launch[] =>
    world.state("diagnostic launches", () =>
      (Object.keys(paths) as Kind[]).map((kind) => {
        const result = () => seeds[kind](world);
        return { id: idOf(kind, 1), kind, atMs: world.startedAtMs - lastsMs, lastsMs, result, polls: 0 };
      }),
    );
  const find = (world: World, kind: Kind, id: string) => foundIn(launches(world), { id, kind }, () => noLaunch(id));
  return {
    /** Launches a request, whose result is computed when it is read. */
    launch<K extends Kind>(world: World, kind: K, result: () => ReturnType<S[K]>) {
      const id = idOf(kind, world.next(`diagnostic ${kind}`, 2));
      launches(world).push({ id, kind, atMs: world.now(), lastsMs, result, polls: 0 });
      return accepted({ requestId: id, link: linkOf(kind, id), retryAfter });
    },
    /** Answers whether a request is ready: 303 with the address of its result. */
    status:
      (kind: Kind) =>
      ({ path: { requestId } }: OfRequest, world: World) => {
        const found = find(world, kind, requestId);
        found.polls += 1;
        const link = linkOf(kind, requestId);
        return isReady(world, found)
          ? replying(303)(undefined, { location: `${link}/${paths[kind][1]}` })
          : ok({ requestId, link, retryAfter });
      },
    /** The result of a request; refuses it before the request is ready. */
    result:
      <K extends Kind>(kind: K) =>
      ({ path: { requestId } }: OfRequest, world: World) => {
        const found = find(world, kind, requestId);
        if (!isReady(world, found)) throw refusal(404, `The request ${requestId} is not ready`, "requestId");
        return ok(found.result() as ReturnType<S[K]>);
      },
  };
}
