/** The interface to the upstream, which is the network or the emulator: signed requests, responses, and failures. */

export interface WireRequest {
  readonly method: string;
  /** Absolute URL, already encoded. */
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Aborts the request; absent when it cannot be cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** The time in which the response, body included, has to arrive before the attempt fails as `overdue`. */
  readonly timeLeftMs: number;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case; the values of a repeated header are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decompressed bytes as they arrive, so that a reader can stop at its limit. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends a request once. Throws `SendFailure` if no response arrived. */
export type Send = (request: WireRequest) => Promise<WireResponse>;

export type SendFailureReason =
  | "connect"
  | "name"
  | "proxy"
  | "tls"
  | "first_byte"
  | "idle"
  | "overdue"
  | "reset"
  | "aborted";

/** No response arrived; `isSent` is false only if it is certain that no byte of the request was sent. */
export class SendFailure extends Error {
  override readonly name = "SendFailure";

  constructor(
    readonly reason: SendFailureReason,
    readonly isSent: boolean,
  ) {
    super(reason);
  }
}

/** A request that is about to be sent, for those who count and trace it. */
export interface SendAttempt {
  readonly service: string;
  /** Method and path as the operation declares them, without the values of this call. */
  readonly route: string;
  readonly url: URL;
  /** Counted from 1. */
  readonly attempt: number;
}

/** How a request ended: the status of the response, why none arrived, or a fault of this program. */
export type SendAttemptEnd = number | SendFailureReason | "fault";

/**
 * Called directly before a request is sent; if it throws, the request is not sent.
 * @returns what to call once the response was read, or none will arrive; undefined if no one asks.
 */
export type OnRequest = (sending: SendAttempt) => Promise<((end: SendAttemptEnd) => void) | undefined>;

export class CodecError extends Error {
  override readonly name = "CodecError";
}
