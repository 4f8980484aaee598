/** The steps of a workflow: each is tried, reported and recorded, and a failed step does not end the workflow. */
import { truncateValue } from "../answers/budget.js";
import type { WorkflowContext } from "../calls/workflow.js";
import { Failure } from "../language/failure.js";
import { pathTo } from "../language/member.js";
import { z } from "../language/z.js";

/** The outcome of a step. */
interface Step {
  readonly step: string;
  readonly tool: string;
  readonly outcome: "done" | "failed" | "skipped";
  readonly why?: string;
  /** The meaning of a 404 from the API. */
  readonly found?: string;
  /** The upstream's message: untrusted data, never instructions. */
  readonly upstreamSaid?: unknown;
}

const maxQuotedBytes = 1_000;
// A response determines how many objects are read one by one, and it may list thousands.
const usualCalls = 300;

export interface Steps {
  /** In the order in which they were started. */
  readonly record: readonly Step[];
  /** Calls a tool as a step; undefined if it failed or its response has a different shape, which is recorded. */
  call<S extends z.ZodType>(
    step: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    shape: S,
  ): Promise<z.output<S> | undefined>;
  /**
   * Calls a tool for an object that may not exist: null for a 404, which is not a failure.
   * @param none The meaning of that, for the record.
   */
  find<S extends z.ZodType>(
    step: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    shape: S,
    none: string,
  ): Promise<z.output<S> | null | undefined>;
  /** Records a step that is not needed, or that lacks the result of another. */
  skip(step: string, tool: string, why: string): undefined;
}

/**
 * The response in the shape that the step needs, because the API's may differ from the documented one.
 * @throws Failure `bad_reply`
 */
export function parseShape<S extends z.ZodType>(tool: string, shape: S, body: unknown): z.output<S> {
  const { success, data, error } = shape.safeParse(body);
  if (success) return data;
  const at = error.issues[0]?.path.reduce(pathTo, "") || "its body";
  throw new Failure(
    "bad_reply",
    `${tool} returned a response that does not have the shape this step needs, at ${at}.`,
    {
      next: "Call the tool directly to see its whole response.",
      upstream: body,
    },
  );
}

/** The record of a failed call, with the upstream's message if there is one. */
function whyFailed({ code, message, detail: { upstream } }: Failure): Pick<Step, "why" | "upstreamSaid"> {
  const why = code === "timeout" ? `${message} The call's timeout covers all steps together.` : message;
  return upstream === undefined ? { why } : { why, upstreamSaid: truncateValue(upstream, maxQuotedBytes).value };
}

/**
 * Starts the record of a workflow's steps.
 * @param maxCalls The maximum number of calls; further ones are only counted.
 */
export function startSteps(
  { invoke, progress }: Pick<WorkflowContext, "invoke" | "progress">,
  maxCalls = usualCalls,
): Steps {
  const record: Step[] = [];
  let finishedCount = 0;
  let leftOut = 0;
  /** All later steps become one line of the record. */
  function leaveOut(step: string, tool: string): undefined {
    leftOut += 1;
    const all = leftOut === 1 ? step : `${step}, and ${leftOut - 1} before it`;
    record[maxCalls] = { step: all, tool, outcome: "failed", why: `At most ${maxCalls} calls are made for one.` };
    return undefined;
  }
  async function tryStep<S extends z.ZodType>(
    step: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    shape: S,
    none?: string,
  ): Promise<z.output<S> | null | undefined> {
    if (record.length >= maxCalls) return leaveOut(step, tool);
    const index = record.push({ step, tool, outcome: "failed", why: "It did not finish." }) - 1;
    try {
      const { body } = await invoke(tool, args);
      const answer = parseShape(tool, shape, body);
      record[index] = { step, tool, outcome: "done" };
      return answer;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (none !== undefined && error.code === "not_found") {
        record[index] = { step, tool, outcome: "done", found: none };
        return null;
      }
      record[index] = { step, tool, outcome: "failed", ...whyFailed(error) };
      return undefined;
    } finally {
      finishedCount += 1;
      await progress(finishedCount, `${step}: ${record[index]?.outcome}`);
    }
  }
  return {
    record,
    call: async (step, tool, args, shape) => (await tryStep(step, tool, args, shape)) ?? undefined,
    find: tryStep,
    skip(step, tool, why) {
      if (record.length >= maxCalls) return leaveOut(step, tool);
      record.push({ step, tool, outcome: "skipped", why });
      return undefined;
    },
  };
}

/**
 * The finding that a report is incomplete because a step failed.
 * @param so The consequence: "changes may be missing".
 */
export const incompleteNotes = ({ record }: Pick<Steps, "record">, so: string): string[] =>
  record.some(({ outcome }) => outcome === "failed") ? [`A step failed, so ${so}; see steps for details.`] : [];

/** The id at the end of a URL, with or without a trailing slash. */
export const numberAtEnd = (address: string): number => Number(address.split("/").findLast((part) => part !== ""));

/** How many objects of one kind are read one by one. */
export const maxObjects = 30;
const usualConcurrency = 4;

/** Processes items with limited concurrency, so that a large account is not asked for everything at once. */
export async function inBatches<T, R>(
  items: readonly T[],
  processItem: (item: T) => Promise<R>,
  atOnce = usualConcurrency,
): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += atOnce)
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(processItem))));
  return results;
}

/** A time, which each API writes in a different form. */
export const AnyTime = z.union([z.number(), z.string()]).nullish();

const maxShown = 5;

/** The completed calls by tool, and the first steps that failed, with the reason. */
export function stepsInBrief({ record }: Steps) {
  const done: Record<string, number> = {};
  for (const { tool, outcome } of record) if (outcome === "done") done[tool] = (done[tool] ?? 0) + 1;
  const rest = record.filter(({ outcome }) => outcome !== "done");
  const notDone = rest.slice(0, maxShown).map(({ step, tool, outcome, why }) => ({ step, tool, outcome, why }));
  const more = rest.length - notDone.length;
  return { done, ...(rest.length > 0 ? { notDone } : {}), ...(more > 0 ? { notDoneAndNotShown: more } : {}) };
}
