/** Counts calls against the quotas of a policy, over sliding windows and atomically, and the counters of a process. */
import { Failure } from "../language/failure.js";
import { onceFor } from "../language/once-for.js";
import type { Transaction } from "../language/transaction.js";
import { matchesGlob } from "../text/glob.js";
import { dayMs, hourMs } from "../time/durations.js";
import { type CallFacts, toolNamesOf } from "./facts.js";
import type { Quota } from "./file.js";

/** A counted call. */
export interface QuotaShare {
  /**
   * Counts a request that is about to be sent; absent if no quota counts those of this call. The first one of each call
   * was counted with the call, so that an admitted call can be sent.
   * @throws Failure `not_allowed` if a quota has no room for it.
   */
  readonly request?: () => Promise<void>;
  /** Ends its share of the quotas on concurrency; can be repeated. Absent if it was counted in none. */
  readonly release?: () => Promise<void>;
}

/** A call, and the tools within which it is made, to which its requests count as well. */
type CountedCall = Pick<CallFacts, "tool" | "through" | "count" | "calls" | "requests"> & {
  readonly within?: readonly string[];
};

export interface Quotas {
  /**
   * Counts a call that is about to be sent, in all of its quotas or in none. It counts even if the call fails later,
   * because a sent change may have had an effect.
   * @param parent The call within which it is made: for concurrency, the two count as one.
   * @param transaction The transaction with which the count stands or falls.
   * @throws Failure `not_allowed` if a quota has no room for it.
   */
  take(counted: CountedCall, parent?: QuotaShare, transaction?: Transaction): Promise<QuotaShare>;
}

/** An amount to count in a quota. */
export interface QuotaCount {
  readonly quota: Quota;
  readonly amount: number;
}

/** A quota without room for an amount. */
export interface FullQuota extends QuotaCount {
  /** The present count. */
  readonly used: number;
  /** The time until there is room; undefined if that depends on other calls. */
  readonly waitMs: number | undefined;
}

/** The counts of all quotas, shared by those who share the storage. */
export interface QuotaCounters {
  /**
   * Counts all amounts, or none if one of them has no room; no other call can get in between.
   * @returns the first quota without room, or the function that ends their shares of the quotas on concurrency, which
   * can be repeated.
   */
  add(counts: readonly QuotaCount[], transaction?: Transaction): Promise<FullQuota | (() => Promise<void>)>;
}

export const windowMs = { hour: hourMs, day: dayMs } as const;
const nouns = { hour: "an hour", day: "a day", parallel: "at the same time" } as const;
/** A window is counted in this many slices, which limits the memory for it. */
const slices = 60;

/** Until when a slice counts: its last moment has then left the window, so that the limit is never exceeded in one. */
export function sliceEndMs(lengthMs: number, nowMs: number): number {
  const sliceMs = lengthMs / slices;
  return (Math.floor(nowMs / sliceMs) + 1) * sliceMs + lengthMs;
}

interface Counter {
  /** The present count. */
  used(nowMs: number): number;
  /** When this much more can be counted; undefined if that depends on other calls. */
  roomAtMs(amount: number, max: number): number | undefined;
  add(amount: number, nowMs: number): () => void;
}

function slidingCounter(lengthMs: number): Counter {
  let counted: { readonly untilMs: number; amount: number }[] = [];
  return {
    used(nowMs) {
      counted = counted.filter(({ untilMs }) => untilMs > nowMs);
      return counted.reduce((sum, { amount }) => sum + amount, 0);
    },
    roomAtMs(amount, max) {
      let left = counted.reduce((sum, slice) => sum + slice.amount, 0);
      for (const slice of counted) {
        left -= slice.amount;
        if (left + amount <= max) return slice.untilMs;
      }
      return undefined;
    },
    add(amount, nowMs) {
      const untilMs = sliceEndMs(lengthMs, nowMs);
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

/** @param isUnderWay Whether requests of the same call have already been sent. */
function quotaFailure(tool: string, { quota, amount, used, waitMs }: FullQuota, isUnderWay: boolean): Failure {
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
export function memoryQuotaCounters(now: () => number = Date.now): QuotaCounters {
  const counters = onceFor(({ per }: Quota) =>
    per === "parallel" ? parallelCounter() : slidingCounter(windowMs[per]),
  );
  return {
    // The check and the count are one step, without an await between them.
    async add(counts) {
      const nowMs = now();
      for (const { quota, amount } of counts) {
        const used = counters(quota).used(nowMs);
        if (used + amount <= quota.max) continue;
        const roomAtMs = counters(quota).roomAtMs(amount, quota.max);
        return { quota, amount, used, waitMs: roomAtMs === undefined ? undefined : roomAtMs - nowMs };
      }
      const releases = counts.map(({ quota, amount }) => counters(quota).add(amount, nowMs));
      return async () => {
        for (const release of releases) release();
      };
    },
  };
}

export function createQuotas(quotas: readonly Quota[], counters: QuotaCounters): Quotas {
  /** The share of each call in quotas on concurrency, including that of the calls around it. */
  const heldBy = new WeakMap<QuotaShare, ReadonlySet<Quota>>();

  const addAll = async (
    tool: string,
    counts: readonly QuotaCount[],
    { isUnderWay, transaction }: { readonly isUnderWay: boolean; readonly transaction?: Transaction | undefined },
  ): Promise<() => Promise<void>> => {
    const added = await counters.add(counts, transaction);
    if (typeof added === "function") return added;
    throw quotaFailure(tool, added, isUnderWay);
  };

  return {
    async take(counted, parent, transaction) {
      const { tool, count, calls, requests = calls, within = [] } = counted;
      const names = toolNamesOf(counted);
      const held = (parent && heldBy.get(parent)) ?? new Set<Quota>();
      const matching = quotas.filter((quota) => {
        const meant = quota.counts === "requests" ? [...names, ...within] : names;
        return !held.has(quota) && meant.some((name) => quota.tools.some((pattern) => matchesGlob(pattern, name)));
      });
      if (matching.length === 0) {
        const uncounted: QuotaShare = {};
        heldBy.set(uncounted, held);
        return uncounted;
      }
      const amounts = { objects: count, calls, requests };
      const release = await addAll(
        tool,
        matching.map((quota) => ({ quota, amount: amounts[quota.counts] })),
        { isUnderWay: false, transaction },
      );
      const ofRequests = matching.filter(({ counts }) => counts === "requests").map((quota) => ({ quota, amount: 1 }));
      let requestCount = 0;
      const request = async (): Promise<void> => {
        requestCount += 1;
        if (requestCount > requests) await addAll(tool, ofRequests, { isUnderWay: true });
      };
      const share: QuotaShare = { release, ...(ofRequests.length === 0 ? {} : { request }) };
      heldBy.set(share, new Set([...held, ...matching.filter(({ per }) => per === "parallel")]));
      return share;
    },
  };
}
