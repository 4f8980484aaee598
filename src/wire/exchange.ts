/** One request and its response on a connection of undici's: when it started, when it ended, and what has arrived of it. */
import type { Dispatcher } from "undici";
import { SendFailure, type SendFailureReason } from "../language/wire.js";

/** The timeouts of one attempt, in milliseconds. */
export interface SendLimits {
  readonly connectMs: number;
  /** From sending the request to the response's headers. */
  readonly firstByteMs: number;
  /** Between two chunks of the response's body. */
  readonly idleMs: number;
}

export interface Head {
  readonly status: number;
  /** Names in lower case; a repeated header is joined by `, `. */
  readonly headers: Record<string, string>;
}

// What has arrived and was not read yet; beyond that, the connection is not read from.
const waitingBytes = 262_144;

const notSent: Readonly<Record<string, SendFailureReason>> = {
  ECONNREFUSED: "connect",
  EHOSTUNREACH: "connect",
  ENETUNREACH: "connect",
  UND_ERR_CONNECT_TIMEOUT: "connect",
  ENOTFOUND: "name",
  EAI_AGAIN: "name",
};

/** Decides from an error's code alone whether the request can have been sent; its message is never used. */
export function classified(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error;
  const { code = "" } = error as { code?: string };
  const reason = notSent[code];
  if (reason) return new SendFailure(reason, false);
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code))
    return new SendFailure("tls", false);
  return new SendFailure("reset", true);
}

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(", ") : value;
  return joined;
}

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: SendFailure): void;
}

/**
 * Takes what undici dispatches and gives it to a reader: the head once, then the chunks in their order. It takes the
 * place of undici's streams, which are among the most expensive parts of a short call. A reader that falls behind stops
 * the connection; one that leaves, a timeout and the caller's signal abort it.
 */
export class Exchange implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array> {
  /** The response's status and headers. Rejects with a SendFailure when none comes. */
  readonly head: Promise<Head>;
  readonly #limits: SendLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #overall: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #hasEnded = false;
  #failure: SendFailure | undefined;
  #waitsForHead: Waiting<Head> | undefined;
  #waitsForChunk: Waiting<IteratorResult<Uint8Array>> | undefined;

  constructor(limits: SendLimits, timeLeftMs: number, signal: AbortSignal | undefined) {
    this.#limits = limits;
    this.#signal = signal;
    this.head = new Promise((resolve, reject) => {
      this.#waitsForHead = { resolve, reject };
    });
    this.#overall = this.#startTimer(timeLeftMs, "overdue");
    this.#timer = this.#startTimer(limits.connectMs + limits.firstByteMs, "first_byte");
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: NodeJS.Dict<string | string[]>): void {
    // An interim response, after which the real one comes.
    if (status < 200) return;
    clearTimeout(this.#timer);
    this.#waitsForHead?.resolve({ status, headers: flat(headers) });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    const waits = this.#waitsForChunk;
    if (waits) {
      clearTimeout(this.#timer);
      this.#waitsForChunk = undefined;
      waits.resolve({ done: false, value: chunk });
      return;
    }
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes > waitingBytes) controller.pause();
  }

  onResponseEnd(): void {
    this.#hasEnded = true;
    this.#finish();
    this.#waitsForChunk?.resolve({ done: true, value: undefined });
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(classified(error));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const value = this.#chunks.shift();
    if (value) {
      this.#bytes -= value.byteLength;
      if (this.#bytes === 0) this.#controller?.resume();
      return { done: false, value };
    }
    if (this.#failure) throw this.#failure;
    if (this.#hasEnded) return { done: true, value: undefined };
    // Time that the reader takes is not the upstream's: only while somebody waits for a chunk, it may not take too long.
    this.#timer = this.#startTimer(this.#limits.idleMs, "idle");
    return new Promise((resolve, reject) => {
      this.#waitsForChunk = { resolve, reject };
    });
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#end("aborted");
    return { done: true, value: undefined };
  }

  // Unreferenced, so that a timer that is no longer needed does not keep the process alive.
  #startTimer(ms: number, reason: SendFailureReason): NodeJS.Timeout {
    return setTimeout(() => this.#end(reason), ms).unref();
  }

  readonly #onAbort = (): void => this.#end("aborted");

  /** Ends it from this side. What waits for a connection has sent nothing. */
  #end(reason: SendFailureReason): void {
    if (this.#hasEnded || this.#failure) return;
    const failure = new SendFailure(reason, this.#controller !== undefined);
    this.#fail(failure);
    this.#controller?.abort(failure);
  }

  #fail(failure: SendFailure): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.#finish();
    this.#waitsForHead?.reject(failure);
    this.#waitsForChunk?.reject(failure);
  }

  #finish(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#overall);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
