/** One request and its response on an undici connection: its start, its end, and the received data. */
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

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case; the values of a repeated header are joined by `, `. */
  readonly headers: Record<string, string>;
}

// The maximum of unread data; beyond that, reading from the connection pauses.
const waitingBytes = 262_144;

const unsentReasons: Readonly<Record<string, SendFailureReason>> = {
  ECONNREFUSED: "connect",
  EHOSTUNREACH: "connect",
  ENETUNREACH: "connect",
  UND_ERR_CONNECT_TIMEOUT: "connect",
  ENOTFOUND: "name",
  EAI_AGAIN: "name",
};

/** Determines from an error's code whether the request can have been sent; its message is never used. */
export function sendFailureOf(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error;
  const { code = "" } = error as { code?: string };
  const reason = unsentReasons[code];
  if (reason) return new SendFailure(reason, false);
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code))
    return new SendFailure("tls", false);
  return new SendFailure("reset", true);
}

function joinHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(", ") : value;
  return joined;
}

interface PendingRead<T> {
  resolve(value: T): void;
  reject(error: SendFailure): void;
}

/**
 * Receives what undici dispatches and passes it to a reader: the head once, then the chunks in order. It replaces
 * undici's streams, which are among the most expensive parts of a short call. A slow reader pauses the connection; a
 * reader that leaves, a timeout or the caller's signal aborts it.
 */
export class Exchange implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array> {
  /** The response's status and headers. Rejects with a SendFailure if none arrives. */
  readonly head: Promise<ResponseHead>;
  readonly #limits: SendLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #overall: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #hasEnded = false;
  #failure: SendFailure | undefined;
  #pendingHead: PendingRead<ResponseHead> | undefined;
  #pendingChunk: PendingRead<IteratorResult<Uint8Array>> | undefined;

  constructor(limits: SendLimits, timeLeftMs: number, signal: AbortSignal | undefined) {
    this.#limits = limits;
    this.#signal = signal;
    this.head = new Promise((resolve, reject) => {
      this.#pendingHead = { resolve, reject };
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
    // An interim response, followed by the final one.
    if (status < 200) return;
    clearTimeout(this.#timer);
    this.#pendingHead?.resolve({ status, headers: joinHeaders(headers) });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    const waits = this.#pendingChunk;
    if (waits) {
      clearTimeout(this.#timer);
      this.#pendingChunk = undefined;
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
    this.#pendingChunk?.resolve({ done: true, value: undefined });
  }

  onResponseError(_: unknown, error: Error): void {
    const failure = sendFailureOf(error);
    // An open connection can end with the codes of one that was never there: some of the request may have left by then.
    const isSent = failure.isSent || this.#controller !== undefined;
    this.#fail(isSent && !failure.isSent ? new SendFailure("reset", true) : failure);
  }

  /** Whether a connection for it is open, so that some of it may have been sent. */
  get hasStarted(): boolean {
    return this.#controller !== undefined;
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
    // The reader's time is not the upstream's: the timeout only runs while a reader waits for a chunk.
    this.#timer = this.#startTimer(this.#limits.idleMs, "idle");
    return new Promise((resolve, reject) => {
      this.#pendingChunk = { resolve, reject };
    });
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#end("aborted");
    return { done: true, value: undefined };
  }

  // Unreferenced, so that an unneeded timer does not keep the process alive.
  #startTimer(ms: number, reason: SendFailureReason): NodeJS.Timeout {
    return setTimeout(() => this.#end(reason), ms).unref();
  }

  readonly #onAbort = (): void => this.#end("aborted");

  /** Ends it from this side. A request that waits for a connection was not sent. */
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
    this.#pendingHead?.reject(failure);
    this.#pendingChunk?.reject(failure);
  }

  #finish(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#overall);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
