/** Today's launched diagnostics: requests that are read by their number until their result is there. */
import { accepted, ok, Refusal } from "../../reply.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { isReady } from "./launches.js";
import { refusal } from "./world.js";

export type Kind =
  | "url-health-check"
  | "content-problems"
  | "connectivity-problems"
  | "error-translator"
  | "grep"
  | "metadata-tracer";

/** What is launched: the request, what is known of it at once, and its result, which is computed when it is read. */
export interface Launchable {
  readonly kind: Kind;
  readonly request: Readonly<Record<string, unknown>>;
  readonly pending: Readonly<Record<string, unknown>>;
  readonly result: () => Readonly<Record<string, unknown>>;
}
interface Launch extends Launchable {
  readonly number: number;
  readonly createdAtMs: number;
  readonly readyAtMs: number;
  polls: number;
}

const retryAfter = 1;
const lastsMs = 2_000;

/** The world as a request sees it: its clock stops when the request is complete, however late the result is read. */
const until = (world: World, completeAtMs: number): World => ({
  ...world,
  now: () => Math.min(world.now(), completeAtMs),
});
type Launching = (world: World) => Launchable;
type Seed = (world: World) => readonly Launchable[];

/** The launched requests by number; a finished one of each kind exists from the start. */
const launches = (world: World, seed: Seed): Map<number, Launch> =>
  world.state("edge diagnostics", () => {
    const seeds = seed(until(world, world.startedAtMs)).map((one, at) => ({ ...one, number: at + 1, polls: 0 }));
    return new Map(
      seeds.map((one) => [
        one.number,
        { ...one, createdAtMs: world.startedAtMs - lastsMs, readyAtMs: world.startedAtMs },
      ]),
    );
  });

const known = ({ request, createdAtMs, number }: Launch) => ({
  request,
  requestId: number,
  createdBy: userInUse,
  createdTime: instant(createdAtMs),
});
const running = (one: Launch) => ({
  ...known(one),
  executionStatus: "IN_PROGRESS",
  ...one.pending,
  link: `/edge-diagnostics/v1/${one.kind}/requests/${one.number}`,
  retryAfter,
});

/** Launches a request. */
export function launchToday(world: World, seed: Seed, launching: Launching) {
  const all = launches(world, seed);
  const createdAtMs = world.now();
  const readyAtMs = createdAtMs + lastsMs;
  const launchable = launching(until(world, readyAtMs));
  const number = world.next("edge diagnostics", all.size + 1);
  const one = { ...launchable, number, createdAtMs, readyAtMs, polls: 0 };
  all.set(number, one);
  return accepted(running(one));
}

/** The state of a request, with its result as soon as it is ready. */
export function launchedToday(world: World, seed: Seed, kind: Kind, number: number) {
  const one = launches(world, seed).get(number);
  if (one?.kind !== kind) throw refusal(404, `There is no request ${number}`, "requestId");
  one.polls += 1;
  if (!isReady(world, one)) return ok(running(one));
  const done = { ...known(one), ...one.pending };
  try {
    return ok({ ...done, executionStatus: "SUCCESS", ...one.result() });
  } catch (error) {
    // It was accepted, and could not run: the host is not served any more, for example.
    if (!(error instanceof Refusal)) throw error;
    return ok({ ...done, executionStatus: "FAILURE" });
  }
}
