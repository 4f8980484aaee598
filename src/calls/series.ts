/** Several calls of one operation: checked before the first is sent, approved as one, and each with a result of its own. */
import type { Arguments } from "../api/conduct.js";
import { asFailure, Failure } from "../api/failure.js";
import type { Reply } from "../client/index.js";
import { type Composed, madeBy, type Settlement } from "../guard/index.js";
import { wasAsked } from "./caller.js";
import type { Prepared, Series } from "./context.js";
import { withoutEcho } from "./echo.js";
import { performFreely } from "./free.js";
import { performGuarded } from "./guarded.js";
import { fileFor } from "./keep-secret.js";
import type { Outcome } from "./outcome.js";
import { isFree, permit, together } from "./permit.js";
import { runChecks } from "./prepare.js";
import { prepareAll } from "./prepare-all.js";
import { guardedCall, type Run } from "./run.js";
import type { SecretFile } from "./secret-files.js";
import { send } from "./send.js";
import type { Answered } from "./series-view.js";

const resultOf = ({ status, body, notes, offers }: Reply) => ({
  status,
  ...(body === undefined ? {} : { data: body }),
  ...(notes.length === 0 ? {} : { notes }),
  ...offers,
});

function resultOfFailure({ code, message, detail }: Failure) {
  const { why, next, fields, status, upstream } = detail;
  const known = { why, next, fields, status, upstreamSaid: upstream };
  const told = Object.entries(known).filter(([, value]) => value !== undefined);
  return { error: code, message, ...Object.fromEntries(told) };
}

/** Whether nobody knows what became of a call; those after it wait until somebody does. */
const isUnknown = ({ code }: Failure): boolean => ["outcome_unknown", "cancelled", "internal"].includes(code);

/** What came of a series so far. */
interface Made {
  readonly results: readonly object[];
  readonly answered: readonly Answered[];
  /** What became of the secrets of the answers, each with the place of its call. */
  readonly onSecrets: readonly string[];
  /** The places of the calls that were refused. */
  readonly refused: readonly number[];
  /** What each answer named of what its call made, for the way back. */
  readonly made: readonly (Arguments | null)[];
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
}

/** Makes the files for the secrets of all answers, or none of them. */
async function filesFor({ context, caller }: Run, all: readonly Prepared[]): Promise<(SecretFile | undefined)[]> {
  const files: (SecretFile | undefined)[] = [];
  try {
    for (const prepared of all) files.push(await fileFor(context, prepared, caller));
    return files;
  } catch (error) {
    for (const file of files) await file?.discard();
    throw error;
  }
}

/** Sends the calls one after the other, until one has an outcome that nobody knows. */
async function sendEach(run: Run, all: readonly Prepared[], sending: () => Promise<void>): Promise<Made> {
  const files = await filesFor(run, all);
  try {
    return await sendWith(run, all, files, sending);
  } finally {
    // Of the calls that were not made.
    for (const file of files) await file?.discard();
  }
}

async function sendWith(
  run: Run,
  all: readonly Prepared[],
  files: (SecretFile | undefined)[],
  sending: () => Promise<void>,
): Promise<Made> {
  const { context, caller, invoke, onFault } = run;
  const results: object[] = [];
  const answered: Answered[] = [];
  const onSecrets: string[] = [];
  const refused: number[] = [];
  const made: (Arguments | null)[] = [];
  const counts = { done: 0, failed: 0, unknown: 0 };
  for (const [at, prepared] of all.entries()) {
    await sending();
    try {
      const { tool, declared, checked } = prepared;
      // Each call was checked when none was made: together they could do what none of them may do alone.
      if (at > 0) await runChecks(context, tool, declared, checked, invoke, declared.spec.safeguards);
      const [file] = files.splice(at, 1, undefined);
      const reply = await send(run, prepared, async () => undefined, file);
      results.push(resultOf(reply));
      answered.push({ at, prepared, reply });
      made[at] = madeBy(declared, reply) ?? null;
      if (reply.onSecret !== undefined) onSecrets.push(`Call ${at + 1} of ${all.length}: ${reply.onSecret}`);
      counts.done += 1;
    } catch (error) {
      if (!(error instanceof Failure)) onFault(error);
      const failure = asFailure(withoutEcho(error, prepared));
      results.push(resultOfFailure(failure));
      made[at] = null;
      if (isUnknown(failure)) {
        counts.unknown += 1;
        break;
      }
      counts.failed += 1;
      refused.push(at);
    }
    await caller.progress(at + 1, `${at + 1} of ${all.length} calls`, all.length);
  }
  return { results, answered, onSecrets, refused, made, ...counts };
}

function outcomeOf(tool: string, total: number, { results, onSecrets, done, failed, unknown }: Made): Outcome {
  const notAttempted = total - results.length;
  const next =
    unknown > 0
      ? "Find out what became of the last call before you go on with the rest."
      : failed > 0
        ? "Correct the calls that failed, and make only those again."
        : undefined;
  return {
    kind: "workflow",
    result: {
      tool,
      calls: total,
      done,
      failed,
      unknown,
      notAttempted,
      ...(next === undefined ? {} : { next }),
      results,
    },
    ...(onSecrets.length === 0 ? {} : { notes: onSecrets }),
    ...(failed + unknown > 0 ? { hasFailed: true } : {}),
  };
}

function settlementOf(total: number, { results, refused, made, done, failed, unknown }: Made): Settlement {
  const says = `of ${total} calls ${done} succeeded, ${failed} failed, ${unknown} ended unknown, and ${total - results.length} were not made`;
  const unmade = [...refused, ...Array.from({ length: total - results.length }, (_, at) => results.length + at)];
  return {
    state: unknown > 0 ? "unknown" : done > 0 ? "done" : "failed",
    says,
    ...(unmade.length === 0 ? {} : { unmade }),
    ...(made.every((one) => one === null) ? {} : { made }),
  };
}

/**
 * Makes the calls of a series: under one plan where the operation is guarded, where the calls were composed, or where the
 * policy wants it approved.
 * @param calledAs The tool that was called for all of them.
 */
export async function callSeries(run: Run, series: Series, calledAs: Composed): Promise<Outcome> {
  const composed: Composed = { ...calledAs, notes: series.notes ?? [], isGiven: series.isGiven };
  const { context, caller, trail } = run;
  const viewed =
    series.view === undefined
      ? undefined
      : await (await import("./series-view.js")).viewOfSeries(run, series, calledAs.tool);
  const all = await prepareAll(run, { ...series, ...viewed }, composed);
  const total = all.length;
  const sendAll = async (sending: () => Promise<void>) => {
    const made = await sendEach(run, all, sending);
    const outcome = outcomeOf(series.tool, total, made);
    return { outcome: viewed ? await viewed.shown(outcome, made) : outcome, settlement: settlementOf(total, made) };
  };
  if (series.isGiven && !wasAsked(caller)) {
    const permitted = together(await Promise.all(all.map((one) => permit(context, one, caller, trail))));
    if (isFree(permitted))
      return run.withStanding(
        await performFreely(run, permitted, () => sendAll(async () => undefined)),
        all[0],
        caller,
      );
  }
  const work = { call: guardedCall(run, all), prepared: all, confirm: composed.confirm, send: sendAll };
  return run.withStanding(await performGuarded(context, work, caller, trail), all[0], caller);
}
