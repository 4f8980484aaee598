/** The one seam: a signed request goes in, an answer comes out, whether from the network or from the emulator. */

export interface WireRequest {
  readonly method: string;
  /** Absolute URL, already encoded. */
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case; a repeated header is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as they arrive, content encoding already undone, so that a reader can stop at its bound. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request once. Throws `NotSent` when it is certain that no byte of the request left, and anything else when
 * it is not.
 */
export type Send = (request: WireRequest) => Promise<WireResponse>;

/** The request certainly did not reach the upstream: it may be tried again whatever it changes. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}
