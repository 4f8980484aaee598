/** Counts calls against the quotas of a policy: in memory, over sliding windows, and atomically. */
import { dayMs, hourMs } from "../language/durations.js";
import { Failure } from "../language/failure.js";
import { type CallFacts, namesOf } from "./facts.js";
import type { Quota } from "./file.js";
import { matchesGlob } from "./glob.js";

type Release = () => void;

/** A counted call. */
export interface Taken {
  /**
   * Counts a request that is about to be sent. The first one of each call was counted with the call, so that an
   * admitted call can be sent.
   * @throws Failure `not_allowed` if a quota has no room for it.
   */
  request(): void;
  /** Ends its share of the quotas on concurrency; can be repeated. */
  release(): void;
}

/** A call, and the tools within which it is made, to which its requests count as well. */
type Counted = Pick<CallFacts, "tool" | "through" | "count" | "calls" | "requests"> & {
  readonly within?: readonly string[];
};

export interface Quotas {
  /**
   * Counts a call that is about to be sent, in all of its quotas or in none. It counts even if the call fails later,
   * because a sent change may have had an effect.
   * @param parent The call within which it is made: for concurrency, the two count as one.
   * @throws Failure `not_allowed` if a quota has no room for it.
   */
  take(counted: Counted, parent?: Taken): Taken;
}

const windowMs = { hour: hourMs, day: dayMs } as const;
const nouns = { hour: "an hour", day: "a day", parallel: "at the same time" } as const;
/** A window is counted in this many slices, which limits the memory for it. */
const slices = 60;

interface Counter {
  /** The present count. */
  used(nowMs: number): number;
  /** When this much more can be counted; undefined if that depends on other calls. */
  roomAtMs(amount: number, max: number): number | undefined;
  add(amount: number, nowMs: number): Release;
}

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
      // A slice lasts until its last moment has left the window, so that the limit is never exceeded within one.
      const untilMs = (Math.floor(nowMs / sliceMs) + 1) * sliceMs + lengthMs;
      // Stryker disable next-line UnaryOperator: a separate entry would count the same.
      const last = counted.at(-1);
      // Stryker disable next-line ConditionalExpression: a separate entry would count the same.
      if (last?.untilMs === untilMs) last.amount += amount;
      else counted.push({ untilMs, amount });
      return () => undefined;
    },
  };
}

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

interface Excess {
  readonly amount: number;
  readonly used: number;
  readonly waitMs: number | undefined;
  /** Whether requests of the same call have already been sent. */
  readonly isUnderWay: boolean;
}

function exceeded(tool: string, quota: Quota, { amount, used, waitMs, isUnderWay }: Excess): Failure {
  const { id, counts, per, max } = quota;
  const seconds = waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1000));
  const next =
    amount > max
      ? "Make it smaller, or have the operator raise the quota."
      : seconds === undefined
        ? "Wait until the calls in progress have ended."
        : `Wait ${seconds} s, or have the operator raise the quota.`;
  return new Failure(
    "not_allowed",
    `${tool} exceeds the quota ${JSON.stringify(id)} of ${max} ${counts} ${nouns[per]}.`,
    {
      why: `${used} ${used === 1 ? "is" : "are"} counted already, and this call adds ${amount}. Nothing ${isUnderWay ? "more " : ""}was sent.`,
      next,
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    },
  );
}

/** The counters of a process; a restart resets them. */
export function createQuotas(quotas: readonly Quota[], now: () => number = Date.now): Quotas {
  const counters = quotas.map((quota) => ({
    quota,
    counter: quota.per === "parallel" ? parallelCounter() : slidingCounter(windowMs[quota.per]),
  }));
  type Own = (typeof counters)[number] & { readonly amount: number };
  /** The share of each call in quotas on concurrency, including that of the calls around it. */
  const heldBy = new WeakMap<Taken, ReadonlySet<Counter>>();

  // Synchronous, so that no other call can get in between the check and the count.
  const addAll = (tool: string, own: readonly Own[], isUnderWay: boolean): Release[] => {
    const nowMs = now();
    for (const { quota, counter, amount } of own) {
      const used = counter.used(nowMs);
      if (used + amount <= quota.max) continue;
      const roomAtMs = counter.roomAtMs(amount, quota.max);
      const waitMs = roomAtMs === undefined ? undefined : roomAtMs - nowMs;
      throw exceeded(tool, quota, { amount, used, waitMs, isUnderWay });
    }
    return own.map(({ counter, amount }) => counter.add(amount, nowMs));
  };

  return {
    take(counted, parent) {
      const { tool, count, calls, requests = calls, within = [] } = counted;
      const names = namesOf(counted);
      const held = (parent && heldBy.get(parent)) ?? new Set<Counter>();
      const matching = counters.filter(({ quota, counter }) => {
        const meant = quota.counts === "requests" ? [...names, ...within] : names;
        return !held.has(counter) && meant.some((name) => quota.tools.some((pattern) => matchesGlob(pattern, name)));
      });
      const amounts = { objects: count, calls, requests };
      const own = matching.map((one) => ({ ...one, amount: amounts[one.quota.counts] }));
      const releases = addAll(tool, own, false);
      const ofRequests = own.filter(({ quota }) => quota.counts === "requests").map((one) => ({ ...one, amount: 1 }));
      let sent = 0;
      const taken: Taken = {
        request() {
          sent += 1;
          if (sent > requests) addAll(tool, ofRequests, true);
        },
        release() {
          for (const release of releases) release();
        },
      };
      const parallel = own.filter(({ quota }) => quota.per === "parallel").map(({ counter }) => counter);
      heldBy.set(taken, new Set([...held, ...parallel]));
      return taken;
    },
  };
}
