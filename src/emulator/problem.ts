/** How the emulated API refuses: thrown by a behaviour, written by the router in the family's own error shape. */

/** A refusal with its status, its body and the media type that its service uses for failures. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly type: string;

  constructor(status: number, body: Readonly<Record<string, unknown>>, type = "application/problem+json") {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
    this.type = type;
  }
}
