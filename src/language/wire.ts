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

export type SendFailureReason = "connect" | "name" | "tls" | "first_byte" | "idle" | "overdue" | "reset" | "aborted";

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

export class CodecError extends Error {
  override readonly name = "CodecError";
}
