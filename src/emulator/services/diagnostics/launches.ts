/** Launched diagnostics: requests that take a while and are polled by their id. */
import { accepted, ok, replying } from "../../reply.js";
import type { World } from "../../world.js";
import { refusal } from "./world.js";

const idOf = (kind: Kind, number: number): string => Buffer.from(`${kind}-${number}`).toString("base64url");
const paths = {
  cdn: ["is-cdn-ip-requests", "is-cdn-ip"],
  estats: ["estats-requests", "estats"],
  error: ["translate-error-requests", "translated-error"],
  url: ["url-debug-requests", "debugged-url"],
} as const;
export type Kind = keyof typeof paths;

interface Launch {
  readonly kind: Kind;
  readonly readyAtMs: number;
  readonly result: () => unknown;
  polls: number;
}

const retryAfter = 1;
const linkOf = (kind: Kind, id: string): string => `/diagnostic-tools/v2/${paths[kind][0]}/${id}`;

/** The launched requests; those of the seed exist from the start, with number 1, and are ready. */
const launches = (world: World): Map<string, Launch> => world.state("diagnostic launches", () => new Map());

/** Adds a finished request of each kind, unless there are requests already. */
export function seedLaunches(world: World, results: Readonly<Record<Kind, () => unknown>>): void {
  const all = launches(world);
  if (all.size > 0) return;
  for (const [kind, result] of Object.entries(results) as [Kind, () => unknown][])
    all.set(idOf(kind, 1), { kind, readyAtMs: 0, result, polls: 0 });
}

/** Launches a request, whose result is computed when it is read. */
export function launch(world: World, kind: Kind, result: () => unknown) {
  const all = launches(world);
  const id = idOf(kind, world.next(`diagnostic ${kind}`, 2));
  all.set(id, { kind, readyAtMs: world.now() + 2_000, result, polls: 0 });
  return accepted({ requestId: id, link: linkOf(kind, id), retryAfter });
}

function launchOf(world: World, kind: Kind, id: string): Launch {
  const found = launches(world).get(id);
  if (found?.kind !== kind) throw refusal(404, `There is no request ${id}`, "requestId");
  return found;
}

/** Ready after its time, or after two polls: a frozen clock would never get there. */
export const isReady = (world: World, { readyAtMs, polls }: Pick<Launch, "readyAtMs" | "polls">): boolean =>
  world.now() >= readyAtMs || polls >= 2;

/** Answers whether a request is ready: 303 with the address of its result. */
export function poll(world: World, kind: Kind, id: string) {
  const found = launchOf(world, kind, id);
  found.polls += 1;
  const link = linkOf(kind, id);
  return isReady(world, found)
    ? replying(303)(undefined, { location: `${link}/${paths[kind][1]}` })
    : ok({ requestId: id, link, retryAfter });
}

/** The result of a request; refuses it before the request is ready. */
export function resultOf<T>(world: World, kind: Kind, id: string): { readonly status: 200; readonly body: T } {
  const found = launchOf(world, kind, id);
  if (!isReady(world, found)) throw refusal(404, `The request ${id} is not ready`, "requestId");
  return ok(found.result() as T);
}
