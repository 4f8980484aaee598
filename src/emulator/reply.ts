/** What a behaviour answers: a reply, or a thrown `RequestRefusal`, of which the service's error format makes a body. */
import type { World } from "./world.js";

type Headers = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;

/** Makes answers of a status, each with a body and perhaps with headers. */
export const replyWith =
  <S extends number>(status: S) =>
  <B>(body: B, headers?: Headers) =>
    ({ status, body, ...(headers && { headers }) }) as const;
export const ok = replyWith(200);
export const created = replyWith(201);
export const accepted = replyWith(202);
/** 204, which has no body. */
export const noContent = (headers?: Headers) => replyWith(204)(undefined, headers);

/** Optional details of a refusal. */
interface RefusalExtras {
  /** The refused parameter, or the path of the refused member, and its value. */
  readonly field?: string;
  readonly value?: unknown;
  /** The service's own error code, where the status does not determine it. */
  readonly code?: string | number;
  /** Members of the body in addition to those of the error format. */
  readonly members?: Members;
  readonly headers?: Headers;
}

/** The error that behaviours and the emulator itself throw to refuse a request. */
export class RequestRefusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly extras: RefusalExtras;

  constructor(status: number, title: string, detail: string, extras: RefusalExtras = {}) {
    super(`refused with ${status}`);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.extras = extras;
  }
}

const refusalWith =
  (status: number, title: string) =>
  (detail: string, extras: RefusalExtras = {}): RequestRefusal =>
    new RequestRefusal(status, title, detail, extras);
export const badRequest = refusalWith(400, "Bad Request");
export const forbidden = refusalWith(403, "Forbidden");
export const notFound = refusalWith(404, "Not Found");
export const conflict = refusalWith(409, "Conflict");

/** The value; throws the refusal if it is undefined. */
export function orRefuse<T>(found: T | undefined, refusal: () => RequestRefusal): T {
  if (found === undefined) throw refusal();
  return found;
}
/** The value; refuses with 404 if it is undefined. */
export const orNotFound = <T>(found: T | undefined, detail: string, extras: RefusalExtras = {}): T =>
  orRefuse(found, () => notFound(detail, extras));

/** The parts of the request that an error format can use. */
interface RefusedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
}

/**
 * Formats a refusal as a service's error body, with the media type if it is not the usual one. One with a root element is
 * XML.
 */
export type ErrorFormat = (
  refusal: RequestRefusal,
  request: RefusedRequest,
  world: World,
) => { readonly body: Members; readonly type?: string; readonly root?: string };

/** The format of a service whose problem types, as far as is known, are a path with the status. */
export const problemDetails =
  (typesPath: string): ErrorFormat =>
  ({ status, title, detail }) => ({ body: { type: `${typesPath}/${status}`, title, status, detail } });

/** The format of the services whose own format is not known. */
export const usualErrorFormat: ErrorFormat = problemDetails("/error-types");
