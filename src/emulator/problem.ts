/** How the emulated API refuses: a refusal is thrown plainly, and its service's wording gives it the family's own shape. */
import type { World } from "./world.js";

type Headers = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;

/** What a refusal may tell beside its status and its sentence. */
interface More {
  /** The parameter, or the path of the member, that is refused, and what it holds. */
  readonly field?: string;
  readonly value?: unknown;
  /** The family's own code of the failure, where the status does not tell it. */
  readonly code?: string | number;
  /** Members of the body beside those that the family's wording gives it. */
  readonly members?: Members;
  readonly headers?: Headers;
}

/** A refusal before it is worded: the one thing that behaviours, and the emulator itself, throw to refuse a request. */
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
interface RefusedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
}

/** The body of a refusal in the shape of a service's failures, and the media type when it is not the usual one. */
export type Wording = (
  refusal: Refusal,
  request: RefusedRequest,
  world: World,
) => { readonly body: Members; readonly type?: string };

/** The wording of a service whose problem types stand under a path and are told apart by the status, as far as is known. */
export const problemDetails =
  (typesPath: string): Wording =>
  ({ status, title, detail }) => ({ body: { type: `${typesPath}/${status}`, title, status, detail } });

/** The shape of the services whose own one is not known. */
export const usualWording: Wording = problemDetails("/error-types");
