/** How the emulated API refuses: thrown by a behaviour, written by the router in the family's own error shape. */

/** A refusal with its status, its body, the media type that its service uses for failures, and further headers. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    body: Readonly<Record<string, unknown>>,
    type = "application/problem+json",
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
    this.type = type;
    this.headers = headers;
  }
}
