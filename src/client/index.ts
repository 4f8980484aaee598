/** A call over the wire: built once, signed anew for each attempt, tried again only where that cannot do harm. */
import type { CheckedArguments } from "../api/arguments.js";
import type { AnyOperation } from "../api/define.js";
import { isRead } from "../api/effect.js";
import { Failure } from "../api/failure.js";
import { type Send, SendFailure, type WireResponse } from "../api/wire.js";
import {
  failureOf,
  failureOfSending,
  type Reply,
  readBounded,
  readReply,
  retryAfterSeconds,
  unknownOutcome,
} from "./reply.js";
import { pathOf, type ResolvedRequest, resolveRequest, type Target } from "./request.js";

export type { Reply } from "./reply.js";
export type { ResolvedRequest } from "./request.js";

/**
 * Calls an operation by its tool's name, with its arguments checked as an assistant's are; for work made of several
 * calls. Never makes a call that needs an approval.
 * @throws Failure, always with what to do next.
 */
export type Invoke = (tool: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<Reply>;

export interface ClientOptions {
  readonly send: Send;
  readonly target: Target;
  /** The headers that authorize a request; called for every attempt. */
  readonly authorize: (service: string, request: ResolvedRequest) => Readonly<Record<string, string>>;
  /** For one call with all its attempts and waits, in milliseconds. */
  readonly totalMs: number;
  readonly maxResponseBytes: number;
  readonly now?: () => number;
}

export interface Client {
  readonly target: Target;
  resolve(tool: string, operation: AnyOperation, args: CheckedArguments): Promise<ResolvedRequest>;
  /**
   * Sends a resolved request and reads its answer.
   * @throws Failure, always with what to do next.
   */
  call(
    tool: string,
    service: string,
    operation: AnyOperation,
    request: ResolvedRequest,
    signal?: AbortSignal,
  ): Promise<Reply>;
}

const maxAttempts = 3;
const maxRedirects = 3;
const transient = new Set([429, 500, 502, 503, 504]);

/** A wait that ends early when the signal aborts. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted) done();
  });

/** Makes the client that every call of a process goes through. */
export function createClient(options: ClientOptions): Client {
  const now = options.now ?? Date.now;
  const { target } = options;

  /** A same-origin redirect of a read, as the request it asks for; undefined when it must not be followed. */
  const redirected = (request: ResolvedRequest, response: WireResponse): ResolvedRequest | undefined => {
    const location = response.headers["location"];
    if (response.status < 300 || response.status > 399 || location === undefined) return undefined;
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    const url = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
    return url && url.origin === target.origin && url.username === "" ? { ...request, url } : undefined;
  };

  return {
    target,
    resolve: (tool, operation, args) => resolveRequest(tool, operation, args, target),

    async call(tool, service, operation, resolved, signal) {
      const mayRepeat = isRead(operation);
      const deadline = now() + options.totalMs;
      let request = resolved;
      let redirects = 0;
      for (let attempt = 1; ; attempt += 1) {
        const mayRetry = mayRepeat && attempt < maxAttempts;
        let waitMs = 250 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
        try {
          const headers = { ...request.headers, ...options.authorize(service, request) };
          const response = await options.send({ ...request, headers, signal, timeLeftMs: deadline - now() });
          if (operation.spec.returns[response.status] !== undefined) {
            const bytes = await readBounded(response, options.maxResponseBytes);
            return await readReply(tool, operation, response, bytes, target.vendor);
          }
          const next = mayRepeat && redirects < maxRedirects ? redirected(request, response) : undefined;
          if (next) {
            request = next;
            redirects += 1;
            attempt -= 1;
            await discard(response);
            continue;
          }
          const asked = retryAfterSeconds(response.headers, now());
          if (asked !== undefined) waitMs = asked * 1000;
          if (!mayRetry || !transient.has(response.status) || now() + waitMs >= deadline)
            throw await failureOf(tool, operation, response, pathOf(operation, resolved), attempt, now());
          await discard(response);
        } catch (error) {
          if (!(error instanceof SendFailure)) throw afterSending(error, tool, operation);
          // A wait that ran out once would run out again; only broken connections are worth another attempt.
          const isWorthRepeating = error.reason === "reset" || error.reason === "connect";
          if (!mayRetry || !isWorthRepeating || now() + waitMs >= deadline)
            throw failureOfSending(tool, operation, error, attempt);
        }
        await pause(waitMs, signal);
        if (signal?.aborted) throw failureOfSending(tool, operation, new SendFailure("aborted", false), attempt);
      }
    },
  };
}

/** Lets go of an answer whose body nobody wants, and of its socket. */
async function discard(response: WireResponse): Promise<void> {
  const chunks = response.body[Symbol.asyncIterator]();
  await chunks.next().catch(() => undefined);
  await chunks.return?.().catch(() => undefined);
}

/** An answer over the bound to a change means that the change was made and only its account is lost. */
function afterSending(error: unknown, tool: string, operation: AnyOperation): unknown {
  const isLostAccount = error instanceof Failure && error.code === "too_large" && !isRead(operation);
  return isLostAccount ? unknownOutcome(tool, operation, "The answer was too large to read.") : error;
}
