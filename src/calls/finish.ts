/**
 * The outcome of a call for its caller: the result of one request or of a batch, and what the caller should know about
 * a change.
 */
import { storedDifference } from "../guard/index.js";
import type { DifferenceLine } from "../language/conduct.js";
import { lineTexts } from "../language/difference-lines.js";
import type { Failure } from "../language/failure.js";
import type { RowView } from "../rows/view/schema.js";
import type { Reply } from "../wire/index.js";
import type { ChangeFollowUp, Submission } from "./approve.js";
import type { ResolvedCall } from "./context.js";
import { withMaskedReplies } from "./mask.js";
import type { Outcome } from "./outcome.js";
import { previousOf } from "./previous.js";
import type { CallRun } from "./run.js";
import type { SendResult } from "./send.js";
import { countResults } from "./settle.js";

/** A reply as it is shown: in a view, if one was requested, or as a summary of rows in a file. */
async function presentReply(
  { context, caller, invoke, keep }: CallRun,
  { all: [call] }: Submission,
  view: RowView | undefined,
  reply: Reply,
): Promise<Reply> {
  const file = reply.rows && (await import("./row-file.js"));
  const { shows } = call.declared.spec;
  if (view === undefined) return file?.withSummary(reply, shows) ?? reply;
  const unviewed = file?.withoutView(reply, shows, caller.endsWithCall);
  if (unviewed) return unviewed;
  const { resultOfReply, withStoredResult, withView } = await import("./row-view.js");
  return withView(call, view, reply, withMaskedReplies(context, invoke("step"))).catch(async (error: unknown) => {
    throw await withStoredResult(error, resultOfReply(call, reply), keep);
  });
}

/** What the answer of a change has otherwise than it was approved; empty for a read. */
const alsoChangedIn = ({ declared, checked }: ResolvedCall, { body }: Reply): readonly DifferenceLine[] =>
  storedDifference(declared, checked, body);

function resultOf(reply: Reply, call: ResolvedCall | undefined) {
  const { status, body, notes, offers } = reply;
  const alsoChanged = call === undefined ? [] : lineTexts(alsoChangedIn(call, reply));
  return {
    status,
    ...(body === undefined ? {} : { data: body }),
    ...(alsoChanged.length === 0 ? {} : { alsoChanged }),
    ...(notes.length === 0 ? {} : { notes }),
    ...offers,
  };
}

function resultOfFailure({ code, message, detail }: Failure) {
  const { why, next, fields, status, upstream } = detail;
  const known = { why, next, fields, status, upstreamSaid: upstream };
  const presentDetails = Object.entries(known).filter(([, value]) => value !== undefined);
  return { error: code, message, ...Object.fromEntries(presentDetails) };
}

/** The outcome of a batch: a result for each request that was made. */
async function batchOutcome(
  run: CallRun,
  submission: Submission,
  sendResults: readonly SendResult[],
): Promise<Outcome> {
  const { tool, all } = submission;
  const { done, failed, unknown, notAttempted } = countResults(all.length, sendResults);
  const onSecrets = sendResults.flatMap((sendResult, at) =>
    sendResult.failure || sendResult.onSecret === undefined
      ? []
      : [`Call ${at + 1} of ${all.length}: ${sendResult.onSecret}`],
  );
  const next =
    unknown > 0
      ? "Find out what happened to the last call before you continue with the rest."
      : failed > 0
        ? "Correct the calls that failed, and make only those again."
        : undefined;
  const counts = { tool, calls: all.length, done, failed, unknown, notAttempted };
  const results = sendResults.map((sendResult, at) =>
    sendResult.failure ? resultOfFailure(sendResult.failure) : resultOf(sendResult.reply, all[at]),
  );
  const outcome: Extract<Outcome, { kind: "workflow" }> = {
    kind: "workflow",
    result: { ...counts, ...(next === undefined ? {} : { next }), results },
    ...(onSecrets.length === 0 ? {} : { notes: onSecrets }),
    ...(failed + unknown > 0 ? { hasFailed: true } : {}),
  };
  if (submission.view === undefined) return outcome;
  return (await import("./batch-view.js")).withBatchView(run, submission, submission.view, sendResults, outcome);
}

/** The outcome of a change, with what the caller should know about it. */
export function withFollowUp(outcome: Outcome, { undo, warnings }: ChangeFollowUp): Outcome {
  const { note, names = [], undoWith } = undo ?? {};
  const offered = undoWith === undefined ? {} : { undoWith };
  if (outcome.kind === "answer") {
    const repeated = warnings.map((warning) => `Warning in its preview: ${warning}`);
    const { reply } = outcome;
    const notes = [...reply.notes, ...repeated, ...(note === undefined ? [] : [note])];
    const offers = { ...reply.offers, ...offered };
    return { ...outcome, reply: { ...reply, notes, offers }, names, repeated };
  }
  if (outcome.kind !== "workflow") return outcome;
  return {
    ...outcome,
    result: {
      ...outcome.result,
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(note === undefined ? {} : { undo: note }),
      ...offered,
    },
    names,
  };
}

/**
 * The outcome of a call whose requests were made.
 * @throws Failure `invalid_input` if a view names columns that the rows do not have.
 */
export async function finishSubmission(
  run: CallRun,
  submission: Submission,
  sendResults: readonly SendResult[],
): Promise<Outcome> {
  const [sendResult] = sendResults;
  if (submission.isBatch || sendResult === undefined || sendResult.failure)
    return batchOutcome(run, submission, sendResults);
  const { reply, onSecret } = sendResult;
  const notedReply = onSecret === undefined ? reply : { ...reply, notes: [...reply.notes, onSecret] };
  const [call] = submission.all;
  const alsoChanged = alsoChangedIn(call, reply);
  return {
    kind: "answer",
    ...(alsoChanged.length === 0 ? {} : { alsoChanged }),
    reply:
      submission.view || notedReply.rows
        ? await presentReply(run, submission, submission.view, notedReply)
        : notedReply,
    declared: call.declared.spec,
    previous: previousOf(call),
  };
}
