/** Counts what has been done against the quotas of a policy: in memory, over sliding windows, and in one step for races. */
import { Failure } from "../api/failure.js";
import { matchesGlob } from "../api/glob.js";
import { type CallFacts, namesOf } from "./facts.js";
import type { Quota } from "./rule.js";

/** Ends a call's part in the quotas that count what happens at the same time; more than once does no harm. */
export type Release = () => void;

export interface Quotas {
  /**
   * Counts a call that is about to be sent, in every quota that it belongs to or in none. It counts even when the call
   * fails later, because nobody can know that a change which was sent has had no effect.
   * @throws Failure `not_allowed` when a quota has no room for it.
   */
  take(facts: Pick<CallFacts, "tool" | "through" | "count" | "calls">): Release;
}

const windowMs = { hour: 3_600_000, day: 86_400_000 } as const;
const nouns = { hour: "an hour", day: "a day", parallel: "at the same time" } as const;
/** A window is counted in this many slices, which bounds what is remembered of it. */
const slices = 60;

interface Counter {
  /** How much is counted now. */
  used(nowMs: number): number;
  /** When enough of it has passed to count so much more; undefined when that depends on other calls. */
  roomAtMs(amount: number, max: number): number | undefined;
  add(amount: number, nowMs: number): Release;
}

/** Counts what happens in the last hour or day. */
function slidingCounter(lengthMs: number): Counter {
  const sliceMs = lengthMs / slices;
  let counted: { readonly untilMs: number; amount: number }[] = [];
  return {
    used(nowMs) {
      counted = counted.filter(({ untilMs }) => untilMs > nowMs);
      return counted.reduce((sum, { amount }) => sum + amount, 0);
    },
    roomAtMs(amount, max) {
      let left = counted.reduce((sum, one) => sum + one.amount, 0);
      for (const one of counted) {
        left -= one.amount;
        if (left + amount <= max) return one.untilMs;
      }
      return undefined;
    },
    add(amount, nowMs) {
      // A slice lasts until its last moment has left the window, so that never more than allowed lies within one.
      const untilMs = (Math.floor(nowMs / sliceMs) + 1) * sliceMs + lengthMs;
      // Stryker disable next-line UnaryOperator: an entry of its own would count the same.
      const last = counted.at(-1);
      // Stryker disable next-line ConditionalExpression: an entry of its own would count the same.
      if (last?.untilMs === untilMs) last.amount += amount;
      else counted.push({ untilMs, amount });
      return () => undefined;
    },
  };
}

/** Counts what is going on. */
function parallelCounter(): Counter {
  let going = 0;
  return {
    used: () => going,
    roomAtMs: () => undefined,
    add(amount) {
      going += amount;
      let isOver = false;
      return () => {
        if (!isOver) going -= amount;
        isOver = true;
      };
    },
  };
}

function exceeded(tool: string, quota: Quota, amount: number, used: number, waitMs: number | undefined): Failure {
  const { id, counts, per, max } = quota;
  const seconds = waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1000));
  const next =
    amount > max
      ? "Make it smaller, or have whoever operates this server raise the quota."
      : seconds === undefined
        ? "Wait until the calls that are under way have ended."
        : `Wait ${seconds} s, or have whoever operates this server raise the quota.`;
  return new Failure(
    "not_allowed",
    `${tool} exceeds the quota ${JSON.stringify(id)} of ${max} ${counts} ${nouns[per]}.`,
    {
      why: `${used} ${used === 1 ? "is" : "are"} counted already and this call adds ${amount}. Nothing was sent.`,
      next,
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    },
  );
}

/** The counters of a process; a restart forgets what was counted. */
export function createQuotas(quotas: readonly Quota[], now: () => number = Date.now): Quotas {
  const counters = quotas.map((quota) => ({
    quota,
    counter: quota.per === "parallel" ? parallelCounter() : slidingCounter(windowMs[quota.per]),
  }));
  return {
    // Not asynchronous: between the check and the count no other call can get in.
    take(facts) {
      const { tool, count, calls } = facts;
      const nowMs = now();
      const own = counters
        .filter(({ quota }) => namesOf(facts).some((name) => quota.tools.some((pattern) => matchesGlob(pattern, name))))
        .map((one) => ({ ...one, amount: one.quota.counts === "calls" ? calls : count }));
      for (const { quota, counter, amount } of own) {
        const used = counter.used(nowMs);
        const roomAtMs = counter.roomAtMs(amount, quota.max);
        if (used + amount > quota.max)
          throw exceeded(tool, quota, amount, used, roomAtMs === undefined ? undefined : roomAtMs - nowMs);
      }
      const releases = own.map(({ counter, amount }) => counter.add(amount, nowMs));
      return () => {
        for (const release of releases) release();
      };
    },
  };
}
