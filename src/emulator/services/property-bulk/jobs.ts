/** The bulk jobs of the emulated account: what each did to every property, and how far it seems by the clock. */
import { dayMs, hourMs } from "../../../time/durations.js";
import { notFound, orRefuse, RequestRefusal } from "../../reply.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";

/** A job: the request for each property, with its result or the reason why there is none. */
export interface BulkJob<Request, Result> {
  readonly id: number;
  readonly submittedAtMs: number;
  readonly entries: readonly { readonly request: Request; readonly result?: Result; readonly failure?: string }[];
}

const beginsAfterMs = 1_000;
const lastsMs = 4_000;

type Status = "PENDING" | "IN_PROGRESS" | "COMPLETE";
export const statusOf = ({ submittedAtMs }: { readonly submittedAtMs: number }, world: World): Status => {
  const elapsed = world.now() - submittedAtMs;
  if (elapsed < beginsAfterMs) return "PENDING";
  return elapsed < lastsMs ? "IN_PROGRESS" : "COMPLETE";
};
export const datesOf = ({ submittedAtMs }: { readonly submittedAtMs: number }, world: World) => ({
  submitted: instant(submittedAtMs),
  updated: instant(Math.min(world.now(), submittedAtMs + lastsMs)),
});

/** When the job of each kind that the account has from the start was submitted. */
export const firstJobAt = (world: World): number => world.startedAtMs - dayMs;

/** The jobs of one kind, by their numbers. */
export function jobs<J extends { readonly id: number }>(world: World, kind: string, first: (id: number) => J) {
  const all = world.state(`bulk ${kind}`, () => new Map([[1, first(1)]]));
  return {
    of: (id: number): J => orRefuse(all.get(id), () => notFound(`There is no bulk ${kind} job ${id}`)),
    add(make: (id: number) => J): J {
      const job = make(world.next(`bulk ${kind}`, 2));
      all.set(job.id, job);
      return job;
    },
  };
}

/**
 * Applies an action to each of several objects; the refusal of one is recorded as its failure and does not stop the
 * others.
 */
export const attemptEach = <Request, Result>(
  all: readonly Request[],
  make: (request: Request) => Result,
): BulkJob<Request, Result>["entries"] =>
  all.map((request) => {
    try {
      return { request, result: make(request) };
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error;
      return { request, failure: error.detail };
    }
  });

/** How long the API takes a fallback. */
export const fallbackMs = hourMs;
