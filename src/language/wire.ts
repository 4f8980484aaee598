/** The interface to the upstream: a signed request goes in, an answer comes out, whether from the network or from the emulator; and what can fail on the way. */

export interface WireRequest {
  readonly method: string;
  /** Absolute URL, already encoded. */
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Aborts the request; absent when it cannot be cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** How long the answer may take, body included, before the attempt times out as `overdue`. */
  readonly timeLeftMs: number;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case; a repeated header is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as they arrive, content encoding already undone, so that a reader can stop at its bound. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends one request once. Throws `SendFailure` when no answer came. */
export type Send = (request: WireRequest) => Promise<WireResponse>;

export type SendFailureReason = "connect" | "name" | "tls" | "first_byte" | "idle" | "overdue" | "reset" | "aborted";

/** No answer came; `isSent` is false only when it is certain that no byte of the request left. */
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
