/** A call over the wire: built once, signed anew for each attempt, and retried only where a retry can do no harm. */
import type { CheckedArguments } from "../api/arguments.js";
import { type Deadline, pause } from "../api/deadline.js";
import type { AnyOperation } from "../api/define.js";
import { isRead } from "../api/effect.js";
import { Failure } from "../api/failure.js";
import type { CsvTable } from "../api/media.js";
import type { RowFiles } from "../api/row-file.js";
import { type Send, SendFailure, type WireResponse } from "../api/wire.js";
import { readBounded } from "./body.js";
import { readCsv } from "./csv-body.js";
import { redirected } from "./redirect.js";
import {
  failureOf,
  failureOfSending,
  type Reply,
  readReply,
  requestIdOf,
  retryAfterSeconds,
  unknownOutcome,
} from "./reply.js";
import { pathOf, type ResolvedRequest, resolveRequest, type Target } from "./request.js";

export { inPublishedPlaces } from "./published.js";
export type { Reply } from "./reply.js";
export type { ResolvedRequest } from "./request.js";

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
   * @returns Whether another attempt could carry others.
   */
  readonly refused?: (headers: Readonly<Record<string, string>>) => boolean;
  readonly maxResponseBytes: number;
  /** Where the rows of long CSV bodies go; without it, they are held in memory as every other body is. */
  readonly rowFiles?: RowFiles;
  readonly now?: () => number;
  /** Whether the emulator answers, to which the vendor's notices do not apply. */
  readonly isEmulated?: boolean;
}

export interface Client {
  readonly target: Target;
  resolve(tool: string, operation: AnyOperation, args: CheckedArguments): Promise<ResolvedRequest>;
  /**
   * Sends a resolved request and reads the response.
   * @param onRequest Called directly before each request leaves, those that are made again and those that follow a
   * redirect among them; where it throws, the request does not leave.
   * @throws Failure, always with what to do next.
   */
  call(
    tool: string,
    service: string,
    operation: AnyOperation,
    request: ResolvedRequest,
    deadline: Deadline,
    onRequest: () => void,
  ): Promise<Reply>;
}

const maxAttempts = 3;
const maxRedirects = 3;
const transient = new Set([429, 500, 502, 503, 504]);

// Whoever limits the rate counts in seconds, so that a sooner attempt would be refused, too.
const firstPauseMs = { usual: 125, rateLimited: 1_000 } as const;

/** How long to wait after an attempt, counted from 1: twice as long each time, and up to as much again at random. */
const backoffMs = (firstMs: number, attempt: number): number => firstMs * 2 ** (attempt - 1) * (1 + Math.random());

/** Creates the client that every call of a process goes through. */
export function createClient(options: ClientOptions): Client {
  const now = options.now ?? Date.now;
  const { target } = options;

  return {
    target,
    resolve: (tool, operation, args) => resolveRequest(tool, operation, args, target),

    async call(tool, service, operation, resolved, deadline, onRequest) {
      const isRepeatable = isRead(operation);
      const { signal } = deadline;
      let request = resolved;
      let redirects = 0;
      let isReadAgain = false;
      for (let attempt = 1; ; attempt += 1) {
        const hasRetryLeft = isRepeatable && attempt < maxAttempts;
        let pauseMs = backoffMs(firstPauseMs.usual, attempt);
        try {
          const authorization = await options.authorize(service, request);
          const headers = { ...request.headers, ...authorization };
          onRequest();
          const response = await options.send({ ...request, headers, signal, timeLeftMs: deadline.timeLeftMs() });
          if (operation.spec.returns[response.status] !== undefined) {
            const read = (table: CsvTable | undefined) =>
              table && options.rowFiles
                ? readCsv(response, table, options.rowFiles)
                : readBounded(response, options.maxResponseBytes).then((bytes) => ({ bytes }));
            const reply = await readReply(tool, operation, request, response, read, target);
            return { ...reply, ...requestIdOf(response.headers) };
          }
          const next = isRepeatable && redirects < maxRedirects ? redirected(request, response, target) : undefined;
          if (next) {
            request = next;
            redirects += 1;
            attempt -= 1;
            await discard(response);
            continue;
          }
          // A change is not made again, whatever its answer; the next call has the other credential.
          const hasOther = response.status === 401 && (options.refused?.(authorization) ?? false);
          if (hasOther && isRepeatable && !isReadAgain) {
            isReadAgain = true;
            attempt -= 1;
            await discard(response);
            continue;
          }
          const retryAfter = retryAfterSeconds(response.headers, now());
          if (retryAfter !== undefined) pauseMs = retryAfter * 1000;
          else if (response.status === 429) pauseMs = backoffMs(firstPauseMs.rateLimited, attempt);
          if (!hasRetryLeft || !transient.has(response.status) || pauseMs >= deadline.timeLeftMs())
            throw await failureOf(
              tool,
              operation,
              response,
              { path: pathOf(operation, resolved), isPublished: resolved.published !== undefined },
              attempt,
              now(),
              options.isEmulated ?? false,
            );
          await discard(response);
        } catch (error) {
          if (!(error instanceof SendFailure)) throw afterResponse(error, tool, operation);
          // What timed out once would time out again: only a broken connection is worth another attempt.
          const isBrokenConnection = error.reason === "reset" || error.reason === "connect";
          if (!hasRetryLeft || !isBrokenConnection || pauseMs >= deadline.timeLeftMs())
            throw failureOfSending(tool, operation, error, attempt);
        }
        await pause(pauseMs, deadline);
        if (signal?.aborted) throw failureOfSending(tool, operation, new SendFailure("aborted", false), attempt);
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
