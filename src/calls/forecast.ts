/**
 * Forecasts for previews: what they read is read within two seconds and the API's limits, and kept for five minutes. It
 * never fails a preview: what cannot be read is unknown.
 */
import { Failure } from "../language/failure.js";
import type { ChangeScope, Forecast } from "../language/forecast.js";
import { forecastOf } from "../site/forecast.js";
import type { SiteReads } from "../site/reads.js";
import { canonical } from "../text/canonical.js";
import { type Deadline, deadlineIn, minuteMs, waitFor } from "../time/durations.js";
import type { CallContext, Invoke } from "./context.js";
import { createInvoke, invokeReadsOnly, withMemory } from "./invoke.js";
import type { CallRun } from "./run.js";
import { withoutSecrets } from "./sanitize.js";

const timeoutMs = 2_000;
const keptMs = 5 * minuteMs;
const maxKept = 200;

interface KeptRead {
  readonly result: Promise<unknown>;
  readonly endMs: number;
}

type Reduction = (body: unknown) => unknown;

/** What was read for earlier forecasts, by what it was reduced to and for whom: another client may not see the same. */
class KeptReads {
  readonly #byReduction = new Map<Reduction, Map<string, KeptRead>>();

  async recall<T>(key: string, reduce: (body: unknown) => T, read: () => Promise<unknown>): Promise<T> {
    const reads = this.#byReduction.get(reduce) ?? new Map<string, KeptRead>();
    this.#byReduction.set(reduce, reads);
    const found = reads.get(key);
    if (found && found.endMs > performance.now()) return found.result as Promise<T>;
    const result = read().then(reduce);
    reads.delete(key);
    reads.set(key, { result, endMs: performance.now() + keptMs });
    const [oldest] = reads.keys();
    if (reads.size > maxKept && oldest !== undefined) reads.delete(oldest);
    result.catch(() => {
      if (reads.get(key)?.result === result) reads.delete(key);
    });
    return result;
  }
}

/** A deadline at which nothing may wait. */
const atOnce: Deadline = { signal: undefined, timeLeftMs: () => 0 };

/** Reads that need not wait for the API's limit, and end with the deadline, although the request may go on. */
function readsWithin(context: CallContext, deadline: Deadline, invoke: Invoke): Invoke {
  return async (tool, args) => {
    const found = await context.operationOf(tool);
    if (found === undefined)
      throw new Failure("unknown_tool", `There is no tool ${tool} here.`, { next: "Use another tool." });
    context.client.refuseIfOverloaded(tool, found.service, found.declared, atOnce);
    const over = new AbortController();
    const overdue = waitFor(Math.max(0, deadline.timeLeftMs()), over.signal).then(() => {
      throw new Failure("timeout", `${tool} took too long.`, { next: "Try again." });
    });
    overdue.catch(() => {});
    try {
      return await Promise.race([invoke(tool, args), overdue]);
    } finally {
      over.abort();
    }
  };
}

/** Creates the forecasts of an account, with what they have read. */
export function createForecasts(): (run: CallRun, scopes: readonly ChangeScope[]) => Promise<Forecast | undefined> {
  const kept = new KeptReads();
  return async (run, scopes) => {
    const { context, caller } = run;
    const deadline = deadlineIn(timeoutMs, caller.signal);
    const invoke = withMemory(createInvoke({ ...run, deadline, waiting: undefined }), caller.offer, run.known);
    const read = readsWithin(context, deadline, invokeReadsOnly(context, invoke("forecast")));
    const bodyOf: SiteReads["read"] = async (tool, args) => (await read(tool, args)).body;
    try {
      const forecast = await forecastOf(scopes, {
        nowMs: Date.now(),
        isToday: context.apis === "today",
        read: bodyOf,
        recall: (tool, args, reduce) =>
          kept.recall(canonical([caller.owner, tool, args]), reduce, () => bodyOf(tool, args)),
      });
      return withoutSecrets(forecast, context.secrets);
    } catch (error) {
      run.onFault(error);
      return undefined;
    }
  };
}
