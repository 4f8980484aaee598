/**
 * The client of the API: it takes a resolved request and returns a decoded `Reply`. It hides signatures, rate limits,
 * queues, retries, redirects, media types and encodings. It promises that each attempt is signed anew, that a request is
 * sent again only if that can do no harm (a change never is), and that whatever goes wrong is a `Failure` with what to do
 * next.
 */
import type { AnswerMedia } from "../language/choice.js";
import type { AnyOperation } from "../language/define.js";
import { isRead } from "../language/effect.js";
import { Failure } from "../language/failure.js";
import type { CsvTable } from "../language/media.js";
import { onceFor } from "../language/once-for.js";
import { type OnRequest, type Send, type SendAttemptEnd, SendFailure, type WireResponse } from "../language/wire.js";
import type { RowFiles } from "../rows/row-file.js";
import type { ValidatedArguments } from "../schema/arguments.js";
import { type Deadline, pause } from "../time/durations.js";
import { readBounded } from "./body.js";
import { transcodeToUtf8 } from "./charset.js";
import { readCsv } from "./csv-body.js";
import { failureOf, failureOfSending, unknownOutcome } from "./failures.js";
import { createLimiters, type Limiter, type Limiters, type QueueContext } from "./limiter.js";
import { retryAfterSeconds } from "./rate-limit-headers.js";
import { type Reply, readReply } from "./reply.js";
import { accountSwitchQuery, pathArgumentsOf, type ResolvedRequest, resolveRequest, type Target } from "./request.js";
import { type SentChange, SentChanges } from "./sent-changes.js";
import { SharedReads } from "./shared-reads.js";

/** The request to send next; undefined if the response is not a redirect, or one that must not be followed. */
function redirectOf(
  request: ResolvedRequest,
  { status, headers }: WireResponse,
  target: Target,
): ResolvedRequest | undefined {
  const { location } = headers;
  if (status < 300 || status > 399 || location === undefined) return undefined;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const url = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
  if (!url || url.origin !== target.origin || url.username !== "") return undefined;
  const accounts = url.searchParams.getAll("accountSwitchKey");
  if (accounts.some((account) => account !== target.accountSwitchKey)) return undefined;
  // A Location need not repeat the key; without it the response would be about the credential's own account.
  const missing = accounts.length === 0 ? accountSwitchQuery(target) : [];
  url.search = [url.search.slice(1), ...missing].filter((part) => part !== "").join("&");
  return { ...request, url };
}

export type { Reply } from "./reply.js";
export type { ResolvedRequest } from "./request.js";
export type { SentChange } from "./sent-changes.js";

export interface ClientOptions {
  readonly send: Send;
  readonly target: Target;
  /** The headers that authorize a request; called for every attempt. */
  readonly authorize: (
    service: string,
    request: ResolvedRequest,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * Called with these headers after a 401.
   * @returns Whether another attempt could have different headers.
   */
  readonly refused?: (headers: Readonly<Record<string, string>>) => boolean;
  readonly maxResponseBytes: number;
  /** The destination of rows of long CSV bodies; without it, they are held in memory like any other body. */
  readonly rowFiles?: RowFiles;
  /** The limits that all clients of a profile share; separate ones by default. */
  readonly limiters?: Limiters;
  readonly now?: () => number;
  /** Whether the emulator responds, to which the vendor's notices do not apply. */
  readonly isEmulated?: boolean;
}

/** For whom a request is sent, and what comes directly before it. */
export interface SendContext extends QueueContext {
  /** Called directly before each request is sent, including retries and redirects; if it throws, it is not sent. */
  readonly onRequest: OnRequest;
  /** Whether a read must not be answered by one that is in progress already. */
  readonly isFresh?: boolean;
}

export interface Client {
  readonly target: Target;
  resolve(tool: string, operation: AnyOperation, args: ValidatedArguments): Promise<ResolvedRequest>;
  /**
   * Sends a resolved request and reads the response; identical reads of one owner that overlap are sent once.
   * @throws Failure, always with what to do next.
   */
  call(
    tool: string,
    service: string,
    operation: AnyOperation,
    request: ResolvedRequest,
    sending: SendContext,
  ): Promise<Reply>;
  /**
   * Refuses a call that would be refused because too many wait, or would wait too long, before anything is spent on it.
   * @throws Failure `rate_limited`
   */
  refuseIfOverloaded(tool: string, service: string, operation: AnyOperation, deadline: Deadline): void;
  /** The changes that were sent and ended at an instant or later; undefined if they were too many to be kept. */
  changesSince(ms: number): readonly SentChange[] | undefined;
}

const maxAttempts = 3;
const maxRedirects = 3;
const transient = new Set([429, 500, 502, 503, 504]);

// Rate limits count in seconds, so that an earlier attempt would also be refused.
const firstPauseMs = { usual: 125, rateLimited: 1_000 } as const;

/** The delay after an attempt, counted from 1: exponential backoff with jitter. */
const backoffMs = (firstMs: number, attempt: number): number => firstMs * 2 ** (attempt - 1) * (1 + Math.random());

/** A call in progress. */
interface WireCall {
  readonly client: ClientOptions;
  readonly tool: string;
  readonly service: string;
  readonly operation: AnyOperation;
  readonly resolved: ResolvedRequest;
  readonly limiter: Limiter;
  readonly sending: SendContext;
  readonly deadline: Deadline;
  readonly now: () => number;
  /** How often a request was replaced by another one, which does not count as an attempt. */
  redirects: number;
  isReadAgain: boolean;
}

/** The result of an attempt: the reply, the request to send instead, or the delay before the next attempt. */
type AttemptResult = { readonly reply: Reply } | { readonly instead: ResolvedRequest } | { readonly pauseMs: number };

/** Reads a response whose status the operation declares. */
function replyOf(call: WireCall, request: ResolvedRequest, response: WireResponse): Promise<Reply> {
  const { tool, operation } = call;
  const { rowFiles, maxResponseBytes, target } = call.client;
  const read = (table: CsvTable | undefined) =>
    table && rowFiles
      ? readCsv(response, table, rowFiles)
      : readBounded(response, maxResponseBytes).then((bytes) => ({ bytes }));
  return readReply(tool, operation, request, response, read, target);
}

/** The request to send instead of one: the target of a redirect, or the same with another credential. */
function replacementFor(
  call: WireCall,
  request: ResolvedRequest,
  response: WireResponse,
  authorization: Readonly<Record<string, string>>,
): ResolvedRequest | undefined {
  const isRepeatable = isRead(call.operation);
  const next =
    isRepeatable && call.redirects < maxRedirects ? redirectOf(request, response, call.client.target) : undefined;
  if (next) {
    call.redirects += 1;
    return next;
  }
  // A change is never repeated, whatever its response; the next call uses the other credential.
  const hasOther = response.status === 401 && (call.client.refused?.(authorization) ?? false);
  if (!hasOther || !isRepeatable || call.isReadAgain) return undefined;
  call.isReadAgain = true;
  return request;
}

const mayRetry = ({ operation, deadline }: WireCall, attempt: number, pauseMs: number): boolean =>
  isRead(operation) && attempt < maxAttempts && pauseMs < deadline.timeLeftMs();

/**
 * The delay after a response that the operation does not declare.
 * @param closedMs How long the limiter admits no request because of it.
 * @throws Failure if another attempt could do harm or would be useless.
 */
async function pauseAfter(
  call: WireCall,
  response: WireResponse,
  attempt: number,
  closedMs: number | undefined,
): Promise<number> {
  const { tool, operation, resolved, now } = call;
  const { isEmulated = false } = call.client;
  const { status, headers } = response;
  const retryAfter = retryAfterSeconds(headers, now());
  const firstMs = status === 429 ? firstPauseMs.rateLimited : firstPauseMs.usual;
  const statedMs = retryAfter === undefined ? closedMs : Math.max(retryAfter * 1000, closedMs ?? 0);
  const pauseMs = statedMs ?? backoffMs(firstMs, attempt);
  // The limiter makes all calls of a closed API wait, and tells their callers; this one may have to wait longer.
  if (transient.has(status) && mayRetry(call, attempt, pauseMs)) return pauseMs === closedMs ? 0 : pauseMs;
  throw await failureOf(tool, operation, response, pathArgumentsOf(operation, resolved), attempt, now(), isEmulated);
}

/** Signs and sends a request that was admitted, and reads the response. */
async function exchangeOnce(call: WireCall, request: ResolvedRequest, attempt: number): Promise<AttemptResult> {
  const { client, service, operation, limiter, sending, deadline } = call;
  // A signature is valid for seconds, so that it is made only now.
  const authorization = await client.authorize(service, request);
  const headers = { ...request.headers, ...authorization };
  const onEnd = await sending.onRequest({ service, route: operation.route, url: request.url, attempt });
  let end: SendAttemptEnd = "fault";
  try {
    const { signal } = deadline;
    const response = transcodeToUtf8(
      await client.send({ ...request, headers, signal, timeLeftMs: deadline.timeLeftMs() }),
    );
    end = response.status;
    const closedMs = limiter.observe(response);
    if (operation.spec.returns[response.status] !== undefined) return { reply: await replyOf(call, request, response) };
    const instead = replacementFor(call, request, response, authorization);
    const result = instead ? { instead } : { pauseMs: await pauseAfter(call, response, attempt, closedMs) };
    await discard(response);
    return result;
  } catch (error) {
    if (error instanceof SendFailure) end = error.reason;
    throw error;
  } finally {
    onEnd?.(end);
  }
}

/**
 * Sends a request once it is admitted.
 * @throws Failure if another attempt would not help.
 */
async function attemptOnce(call: WireCall, request: ResolvedRequest, attempt: number): Promise<AttemptResult> {
  const { tool, operation, limiter, sending, deadline } = call;
  let isAdmitted = false;
  try {
    const admission = limiter.enter(tool, sending);
    if (admission) {
      const goesOn = deadline.beginWait?.();
      await (goesOn ? admission.finally(goesOn) : admission);
    }
    isAdmitted = true;
    return await exchangeOnce(call, request, attempt);
  } catch (error) {
    if (!(error instanceof SendFailure)) throw afterResponse(error, tool, operation);
    // A timeout would occur again: only a broken connection is worth another attempt.
    const isBrokenConnection = error.reason === "reset" || error.reason === "connect";
    const pauseMs = backoffMs(firstPauseMs.usual, attempt);
    if (isBrokenConnection && mayRetry(call, attempt, pauseMs)) return { pauseMs };
    throw failureOfSending(tool, operation, error, attempt);
  } finally {
    if (isAdmitted) limiter.leave();
  }
}

/** Sends a request until it succeeds, or another attempt would not help. */
async function callWithRetries(call: WireCall): Promise<Reply> {
  const { tool, operation, deadline } = call;
  let request = call.resolved;
  for (let attempt = 1; ; ) {
    const result = await attemptOnce(call, request, attempt);
    if ("reply" in result) return result.reply;
    if ("instead" in result) {
      request = result.instead;
      continue;
    }
    if (result.pauseMs > 0) await pause(result.pauseMs, deadline);
    if (deadline.signal?.aborted) throw failureOfSending(tool, operation, new SendFailure("aborted", false), attempt);
    attempt += 1;
  }
}

const ofSameOwner = "Waiting for the response to the same request, which another call has made";

/** Whether the response to a read can be given to several calls: rows in a file belong to one of them. */
const isShareable = onceFor(
  ({ byStatus }: AnswerMedia) =>
    !Object.values(byStatus).some((media) => media.some(({ table }) => table !== undefined)),
);

/** Creates the client that every call of a process goes through. */
export function createClient(options: ClientOptions): Client {
  const { target, limiters = createLimiters(), now = Date.now } = options;
  const reads = new SharedReads();
  const changes = new SentChanges();
  return {
    target,
    changesSince: (ms) => changes.since(ms),
    resolve: (tool, operation, args) => resolveRequest(tool, operation, args, target),
    refuseIfOverloaded: (tool, service, operation, deadline) =>
      limiters.of(service, operation).refuseIfOverloaded(tool, deadline),

    async call(tool, service, operation, resolved, sending) {
      const { owner, deadline, onWait, isFresh = false, isSpare = false } = sending;
      const limiter = limiters.of(service, operation);
      const wireCall = { tool, service, operation, resolved, limiter, sending, deadline, now, client: options };
      const send = () => callWithRetries({ ...wireCall, redirects: 0, isReadAgain: false });
      if (!isRead(operation))
        return send().finally(() => {
          reads.forget();
          const [, api = ""] = resolved.url.pathname.split("/");
          changes.add({ api, path: pathArgumentsOf(operation, resolved), endedAtMs: now() });
        });
      // No call waits for background work, which itself waits for calls.
      if (isFresh || isSpare || !isShareable(resolved.answers)) return send();
      const key = SharedReads.keyOf(owner, tool, resolved);
      try {
        return await reads.reply(key, deadline, () => onWait?.(ofSameOwner), send);
      } catch (error) {
        throw error instanceof SendFailure ? failureOfSending(tool, operation, error, 0) : error;
      }
    },
  };
}

/** Discards a response whose body is not needed, and releases its socket. */
async function discard(response: WireResponse): Promise<void> {
  const chunks = response.body[Symbol.asyncIterator]();
  await chunks.next().catch(() => undefined);
  await chunks.return?.().catch(() => undefined);
}

/** A response to a change that is too large to read leaves open whether the change was made. */
function afterResponse(error: unknown, tool: string, operation: AnyOperation): unknown {
  const isLostResponse = error instanceof Failure && error.code === "too_large" && !isRead(operation);
  return isLostResponse ? unknownOutcome(tool, operation, "The response was too large to read.") : error;
}
