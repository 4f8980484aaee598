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
import type { CallContext, DeclaredOperation, Invoke } from "./context.js";
import { createInvoke, invokeReadsOnly, withMemory } from "./invoke.js";
import type { CallRun } from "./run.js";
import { withoutSecrets } from "./sanitize.js";

const timeoutMs = 2_000;
const keptMs = 5 * minuteMs;
const maxKept = 200;

interface KeptRead {
  readonly result: Promise<unknown>;
  /** When it began, in milliseconds since 1970. */
  readonly atMs: number;
  /** Until when another forecast may use it: at first while it can still wait its whole time for it. */
  endMs: number;
}

type Reduction = (body: unknown) => unknown;

/** What was read for earlier forecasts, by what it was reduced to and for whom: another client may not see the same. */
class KeptReads {
  readonly #byReduction = new Map<Reduction, Map<string, KeptRead>>();

  /** @param isOld Whether a change may have made what was read at a time wrong. */
  async recall<T>(
    key: string,
    reduce: (body: unknown) => T,
    read: () => Promise<unknown>,
    isOld: (atMs: number) => boolean,
  ): Promise<T> {
    const reads = this.#byReduction.get(reduce) ?? new Map<string, KeptRead>();
    this.#byReduction.set(reduce, reads);
    const found = reads.get(key);
    if (found && found.endMs > performance.now() && !isOld(found.atMs)) return found.result as Promise<T>;
    const result = read().then(reduce);
    const kept: KeptRead = { result, atMs: Date.now(), endMs: performance.now() + timeoutMs };
    reads.delete(key);
    reads.set(key, kept);
    const [oldest] = reads.keys();
    if (reads.size > maxKept && oldest !== undefined) reads.delete(oldest);
    result.then(
      () => {
        kept.endMs = performance.now() + keptMs;
      },
      () => {
        if (reads.get(key) === kept) reads.delete(key);
      },
    );
    return result;
  }
}

/** A deadline at which nothing may wait. */
const atOnce: Deadline = { signal: undefined, timeLeftMs: () => 0 };

/** What comes by a deadline; what is late may go on. */
async function within<T>(tool: string, deadline: Deadline, result: Promise<T>): Promise<T> {
  const over = new AbortController();
  const ends = [over.signal, deadline.signal].filter((signal) => signal !== undefined);
  const overdue = waitFor(Math.max(0, deadline.timeLeftMs()), AbortSignal.any(ends)).then(() => {
    throw new Failure("timeout", `${tool} took too long.`, { next: "Try again." });
  });
  overdue.catch(() => {});
  try {
    return await Promise.race([result, overdue]);
  } finally {
    over.abort();
  }
}

async function operationOf(context: CallContext, tool: string): Promise<DeclaredOperation> {
  const found = await context.operationOf(tool);
  if (found === undefined)
    throw new Failure("unknown_tool", `There is no tool ${tool} here.`, { next: "Use another tool." });
  return found;
}

/** Reads that need not wait for the API's limit. */
function readsAtOnce(context: CallContext, invoke: Invoke): Invoke {
  return async (tool, args) => {
    const { service, declared } = await operationOf(context, tool);
    context.client.refuseIfOverloaded(tool, service, declared, atOnce);
    return invoke(tool, args);
  };
}

/** Creates the forecasts of an account, with what they have read. */
export function createForecasts(): (run: CallRun, scopes: readonly ChangeScope[]) => Promise<Forecast | undefined> {
  const kept = new KeptReads();
  return async (run, scopes) => {
    const { context, caller } = run;
    const deadline = deadlineIn(timeoutMs, caller.signal);
    const readsUntil = (end: Deadline): SiteReads["read"] => {
      const invoke = withMemory(createInvoke({ ...run, deadline: end, waiting: undefined }), caller.offer, run.known);
      const read = readsAtOnce(context, invokeReadsOnly(context, invoke("forecast")));
      return async (tool, args) => (await within(tool, end, read(tool, args))).body;
    };
    // Who joins a read may wait as long for it as who began it, and does not depend on whether that one goes away.
    const shared = readsUntil(deadlineIn(2 * timeoutMs));
    const isOld = async (tool: string) => {
      const [, api] = (await operationOf(context, tool)).declared.route.split("/");
      return (atMs: number) => context.client.changesSince(atMs)?.some((change) => change.api === api) !== false;
    };
    try {
      const forecast = await forecastOf(scopes, {
        nowMs: Date.now(),
        isToday: context.apis === "today",
        read: readsUntil(deadline),
        recall: async (tool, args, reduce) => {
          const key = canonical([caller.owner, tool, args]);
          return within(
            tool,
            deadline,
            kept.recall(key, reduce, () => shared(tool, args), await isOld(tool)),
          );
        },
      });
      return withoutSecrets(forecast, context.secrets);
    } catch (error) {
      run.onFault(error);
      return undefined;
    }
  };
}
