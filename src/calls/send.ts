/** Sends the requests of a call and completes their responses: pages, order, secrets and waiting, step by step. */
import { explainConflict } from "../guard/index.js";
import { returnedSchemas } from "../language/choice.js";
import type { JobPolling, Order } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { readerOf } from "../language/effect.js";
import { asFailure, Failure } from "../language/failure.js";
import type { OnRequest } from "../language/wire.js";
import { invalidInput, type ValidatedArguments } from "../schema/arguments.js";
import type { SecretFile } from "../secrets/files.js";
import { shownOnceIn } from "../secrets/masking.js";
import type { Reply } from "../wire/index.js";
import type { Submission } from "./approve.js";
import type { Progress, ResolvedCall } from "./context.js";
import { errorBesideDraft, writeDraft } from "./draft.js";
import { createSecretFile, withSecretStored } from "./keep-secret.js";
import { liveAddress } from "./live-address.js";
import { withMaskedReplies, withSecretsMasked } from "./mask.js";
import { refusalOfTool } from "./offer.js";
import { itemNames, notesOnOrder } from "./order.js";
import { isOutcomeUnknown } from "./outcome.js";
import { readPages } from "./pages.js";
import { noProgress } from "./progress.js";
import { runChecks } from "./resolve.js";
import type { CallRun } from "./run.js";
import { withoutEcho, withoutSuspectedSecrets } from "./sanitize.js";
import { readState } from "./state.js";
import { awaitResult, followUpCalls } from "./wait.js";

/** Notes on secrets that only this response shows. */
function notesOnSecrets(declared: AnyOperation, { body }: Reply): string[] {
  if (declared.spec.secretTo) return [];
  return shownOnceIn(returnedSchemas(declared), body).map(
    (name) => `${name} is shown only in this response: store it now, because no other call returns it.`,
  );
}

/** The viewed part of a response, with the whole next to it; the response itself if the operation has no view. */
function applyDeclaredView(tool: string, { spec }: AnyOperation, { values }: ValidatedArguments, reply: Reply): Reply {
  const part = reply.body === undefined ? undefined : spec.view?.show(reply.body, values);
  if (part === undefined) return reply;
  if ("problem" in part) throw invalidInput(tool, [part.problem]);
  return { ...reply, body: part.value, whole: reply.body, notes: [...reply.notes, ...(part.notes ?? [])] };
}

/** A launch with the URI at which a client can read the job, or subscribe to it. */
function withAddress(
  { context, caller }: CallRun,
  { tool, declared, checked: { values } }: Pick<ResolvedCall, "tool" | "declared" | "checked">,
  awaits: JobPolling,
  launch: Reply,
): Reply {
  const names = awaits.follow(launch, values);
  if (names === undefined || caller.endsWithWorld === true) return launch;
  const offers = followUpCalls(awaits, names);
  if (caller.endsWithCall === true) return { ...launch, offers };
  const address = liveAddress(tool, declared, names, values, context.account.profile);
  const note = `The resource ${address} has its state; a client that subscribes to it is notified of changes.`;
  return { ...launch, notes: [...launch.notes, note], offers };
}

/** Why a launch cannot be followed here: the operation that shows it is left out. */
const refusalToFollow = (
  { caller }: CallRun,
  tool: string,
  reads: readonly (string | undefined)[],
): Failure | undefined =>
  reads.flatMap((one) => (one === undefined ? [] : (refusalOfTool(caller.offer, one, tool) ?? [])))[0];

/** The result of a launch: awaited if the call asks for it, else the launch with how to follow it. */
async function followLaunch(run: CallRun, call: ResolvedCall, awaits: JobPolling, launch: Reply, progress: Progress) {
  const { context, invoke, deadline } = run;
  const { tool, checked } = call;
  if (!checked.wait)
    return refusalToFollow(run, tool, [awaits.status]) ? launch : withAddress(run, call, awaits, launch);
  const refusal = refusalToFollow(run, tool, [awaits.status, awaits.result]);
  if (!refusal)
    return awaitResult(withMaskedReplies(context, invoke("wait")), awaits, launch, checked.values, {
      deadline,
      progress,
    });
  return { ...launch, notes: [...launch.notes, `It was launched, but cannot be awaited: ${refusal.message}`] };
}

/** Who hears of the requests of a call: the caller of each step, and its plan, if it has one, before each is sent. */
interface Listeners {
  readonly progress: Progress;
  readonly sending: (() => Promise<void>) | undefined;
}

/** Sends the request as it was resolved, or for another page. */
const requestSender =
  (
    { context: { client }, caller: { owner }, deadline, trail, waiting }: CallRun,
    { tool, service, declared, checked, request }: ResolvedCall,
    { sending }: Pick<Listeners, "sending">,
  ) =>
  async (args: ValidatedArguments): Promise<Reply> => {
    const resolved = args === checked ? request : await client.resolve(tool, declared, args);
    const onRequest: OnRequest = sending
      ? async (request) => {
          const ended = await trail.countRequest(request);
          await sending().catch((error: unknown) => {
            ended?.("fault");
            throw error;
          });
          return ended;
        }
      : trail.countRequest;
    return client.call(tool, service, declared, resolved, { owner, deadline, onWait: waiting, onRequest });
  };

/** The response to a request, over all requested pages. */
function fetchReply(run: CallRun, call: ResolvedCall, listeners: Listeners): Promise<Reply> {
  const { declared, checked } = call;
  const { paging } = declared.spec;
  const read = requestSender(run, call, listeners);
  return paging ? readPages(paging, checked, read, listeners.progress) : read(checked);
}

/** The same, with the order of a list before and after a change. */
async function fetchReplyInOrder(run: CallRun, call: ResolvedCall, listeners: Listeners, order: Order): Promise<Reply> {
  const { declared, checked } = call;
  const names = () =>
    itemNames(order, () => readState(run.context, readerOf(declared)?.by, checked.values, run.invoke("state")));
  const before = await names();
  const reply = await fetchReply(run, call, listeners);
  return { ...reply, notes: [...reply.notes, ...notesOnOrder(order, before, await names())] };
}

/** The error of a request: without what may be a secret, and with the present state if its version stamp was stale. */
async function explainRefusal(
  { context, invoke }: CallRun,
  { declared, checked }: ResolvedCall,
  error: unknown,
): Promise<unknown> {
  const maskedError = withoutSuspectedSecrets(error);
  const { lock } = declared.spec;
  if (!(maskedError instanceof Failure) || maskedError.code !== "conflict" || lock === undefined) return maskedError;
  const now = readState(context, lock.from, checked.values, invoke("state"));
  return explainConflict(maskedError, declared, lock, checked.values, await now.catch(() => undefined));
}

/** The response to one request, and what happened to its secret. */
interface RequestResult {
  readonly reply: Reply;
  readonly onSecret?: string | undefined;
}

/**
 * Sends one request: its pages, the order that it changes, its secret and its launch, in this order.
 * @param file The file for the secret, from `createSecretFile`.
 * @throws Failure; for a stale stamp, with the present state.
 */
async function sendRequest(
  run: CallRun,
  call: ResolvedCall,
  listeners: Listeners,
  file: SecretFile | undefined,
): Promise<RequestResult> {
  const { tool, declared, checked } = call;
  const { awaits, secretTo, shows } = declared.spec;
  let whole: Reply;
  try {
    const order = shows?.order;
    whole = await (order ? fetchReplyInOrder(run, call, listeners, order) : fetchReply(run, call, listeners));
  } catch (error) {
    await file?.discard();
    throw await explainRefusal(run, call, error);
  }
  const { reply, onSecret } = secretTo ? await withSecretStored(declared, secretTo, file, whole) : { reply: whole };
  const shown = applyDeclaredView(tool, declared, checked, withSecretsMasked(declared, reply));
  const noted = { ...shown, notes: [...checked.notes, ...notesOnSecrets(declared, shown), ...shown.notes] };
  const isAwaited = awaits?.status !== undefined;
  return { reply: isAwaited ? await followLaunch(run, call, awaits, noted, listeners.progress) : noted, onSecret };
}

/** How one request ended: with its result, or with its failure. */
export type SendResult = (RequestResult & { readonly failure?: undefined }) | { readonly failure: Failure };

/** Creates the files for the secrets of all responses, or none of them. */
async function createSecretFiles(
  { context, caller }: CallRun,
  all: readonly ResolvedCall[],
): Promise<(SecretFile | undefined)[]> {
  const files: (SecretFile | undefined)[] = [];
  try {
    for (const call of all) files.push(await createSecretFile(context, call, caller));
    return files;
  } catch (error) {
    for (const file of files) await file?.discard();
    throw error;
  }
}

/** Sends one request of a batch; a failure only ends this request. */
async function sendBatchRequest(
  run: CallRun,
  call: ResolvedCall,
  at: number,
  sending: Listeners["sending"],
  file: SecretFile | undefined,
): Promise<SendResult> {
  const { tool, declared } = call;
  try {
    // Each call was checked before any was sent: together they could do what none of them may do individually.
    const repeated = at === 0 ? [] : (declared.spec.checks ?? []).filter(({ isRepeated }) => isRepeated);
    if (repeated.length > 0)
      await runChecks(run.context, tool, call, run.invoke, repeated).catch(async (error: unknown) => {
        await file?.discard();
        throw error;
      });
    return await sendRequest(run, call, { progress: noProgress, sending }, file);
  } catch (error) {
    if (!(error instanceof Failure)) run.onFault(error);
    return { failure: asFailure(withoutEcho(error, call)) };
  }
}

/**
 * Writes the draft of a call, and sends its requests in order, each once.
 * @param sending Called directly before each is sent, for the plan of the call.
 * @returns the result of each request that was made; a batch stops after the first unknown outcome.
 * @throws Failure of a single request.
 */
export async function sendSubmission(
  run: CallRun,
  submission: Submission,
  sending?: () => Promise<void>,
): Promise<readonly SendResult[]> {
  const { all, isBatch, drafted } = submission;
  const { progress } = run.caller;
  if (drafted) await writeDraft(drafted, (call) => requestSender(run, call, { sending })(call.checked));
  const files = all[0].declared.spec.secretTo ? await createSecretFiles(run, all) : [];
  const sendResults: SendResult[] = [];
  try {
    for (const [at, call] of all.entries()) {
      const [file] = files.splice(at, 1, undefined);
      const sendResult: SendResult = await (isBatch
        ? sendBatchRequest(run, call, at, sending, file)
        : sendRequest(run, call, { progress, sending }, file));
      sendResults.push(sendResult);
      if (sendResult.failure && isOutcomeUnknown(sendResult.failure)) break;
      if (isBatch) await progress(at + 1, `${at + 1} of ${all.length} calls`, all.length);
    }
    return sendResults;
  } catch (error) {
    throw drafted ? errorBesideDraft(error, drafted) : error;
  } finally {
    // The files of requests that were not made.
    for (const file of files) await file?.discard();
  }
}
