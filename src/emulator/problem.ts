/** How the emulated API refuses: a refusal is thrown plainly, and its service's wording gives it the family's own shape. */
import type { World } from "./world.js";

type Headers = Readonly<Record<string, string>>;

/** A refusal as it is written: status, body, the media type that its service uses for failures, and further headers. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly type: string;
  readonly headers: Headers;

  constructor(
    status: number,
    body: Readonly<Record<string, unknown>>,
    type = "application/problem+json",
    headers: Headers = {},
  ) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
    this.type = type;
    this.headers = headers;
  }
}

interface More {
  /** The parameter, or the path of the member, that is not taken, and what it holds. */
  readonly field?: string;
  readonly value?: unknown;
  readonly headers?: Headers;
}

/** A refusal before its service has worded it. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly more: More;

  constructor(status: number, title: string, detail: string, more: More = {}) {
    super(`refused with ${status}`);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.more = more;
  }
}

/** What a wording may tell of the request. */
interface Refused {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
}

/** The body of a refusal in the shape of a service's failures, and the media type when it is not the usual one. */
export type Wording = (
  refusal: Refusal,
  request: Refused,
  world: World,
) => { readonly body: Readonly<Record<string, unknown>>; readonly type?: string };

/** The shape of the services whose own one is not known. */
export const usualWording: Wording = ({ status, title, detail }) => ({
  body: { type: `/error-types/${status}`, title, status, detail },
});
