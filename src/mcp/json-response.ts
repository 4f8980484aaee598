/** A JSON answer as text, which the build makes the SDK return in the place of `Response.json`: that wraps it in a stream. */

/** What the SDK's HTTP transport answers a message with, where it needs no stream. */
export class JsonResponse {
  private constructor(
    readonly status: number,
    readonly text: string,
  ) {}

  /** Takes what `Response.json` takes; the transport sets no header but the content type. */
  static json(message: unknown, { status = 200 }: ResponseInit = {}): JsonResponse {
    return new JsonResponse(status, JSON.stringify(message));
  }
}
