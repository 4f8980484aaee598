/** From a response to a decoded reply or a Failure: its medium, its schema, and what each status means. */
import { typePattern } from "../api/choice.js";
import { CodecError } from "../api/codec-error.js";
import type { Answered } from "../api/conduct.js";
import type { AnyOperation, Media } from "../api/define.js";
import { isRead } from "../api/effect.js";
import { Failure } from "../api/failure.js";
import { adviceOnRoute, hintFor } from "../api/hint.js";
import { adviceOnIds } from "../api/known-ids.js";
import type { Offering } from "../api/next-call.js";
import { standingAdvice } from "../api/standing.js";
import type { SendFailure, WireResponse } from "../api/wire.js";
import { decode } from "../codec/index.js";
import { errorBody, essence, isJson, isXml } from "./body.js";
import { type Body, type CsvParts, csvOf, readSafely } from "./csv-body.js";
import { refuseFailure } from "./envelope.js";
import { gatewayRefusal } from "./gateway.js";
import { notesOnMembers } from "./member-notes.js";
import { quotedPath } from "./quotation.js";
import { type ResolvedRequest, type Target, translationFor } from "./request.js";
import { meanings } from "./statuses.js";

/** The result of a call that succeeded. */
export interface Reply extends Answered, CsvParts, Offering {
  /** The whole body, where `body` is the part of it that is shown. */
  readonly whole?: unknown;
  /** What a reader must know about the body, in plain sentences. */
  readonly notes: readonly string[];
  /** What became of the secret that the answer held, in a sentence. */
  readonly onSecret?: string;
  /** The id that the upstream gave the request, where it did. */
  readonly requestId?: string;
}

/** The id that an upstream gave a request, for its support and for the record; a bounded part of it. */
export function requestIdOf(headers: Readonly<Record<string, string>>): { readonly requestId?: string } {
  const requestId = (headers["x-request-id"] ?? headers["x-trace-id"])?.slice(0, 128);
  return requestId === undefined ? {} : { requestId };
}

/** The declared medium that matches a content type; undefined when none does. */
function mediumOf(media: readonly Media[], contentType: string, vendor: string): Media | undefined {
  const exact = media.find((one) => typePattern(one, vendor).test(contentType));
  if (exact) return exact;
  if (contentType === "") return media[0];
  if (isJson(contentType)) return media.find((one) => one.codec === "json");
  if (isXml(contentType)) return media.find((one) => one.codec === "xml");
  return undefined;
}

/** The headers that the operation declares as part of its answer, by the member that shows each. */
function answerHeaders({ spec }: AnyOperation, { headers }: WireResponse): Record<string, string> {
  const entries = Object.entries(spec.answerHeaders ?? {}).flatMap(([member, name]) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[member, value] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Reads and decodes a response whose status the operation declares.
 * @param read Reads the body, and where it is CSV with a table that one.
 */
export async function readReply(
  tool: string,
  operation: AnyOperation,
  { answers }: ResolvedRequest,
  response: WireResponse,
  read: (table: Media["table"]) => Promise<Body>,
  target: Target,
): Promise<Reply> {
  const declared = answers.byStatus[response.status] ?? [];
  const { toDocuments } = translationFor(operation, target);
  const location = toDocuments(response.headers["location"]);
  const meaning = operation.spec.means?.[response.status];
  const noteOnStatus = meaning === undefined ? [] : [meaning];
  const headers = answerHeaders(operation, response);
  const rest = { status: response.status, headers, ...(location === undefined ? {} : { location }) };
  const isHead = operation.route.startsWith("HEAD ");
  const isBodyless = isHead || declared.every((media) => media.codec === "empty");
  const type = essence(response.headers["content-type"]);
  const media = mediumOf(declared, type, target.vendor);
  const { bytes, rows, problem } = await readSafely(() => read(media?.table));
  if (bytes.byteLength === 0 && problem === undefined) {
    const notes =
      isBodyless || declared.some((media) => media.schema.safeParse(undefined).success)
        ? []
        : ["The response has no body, although the operation declares one."];
    return { ...rest, body: undefined, notes: [...noteOnStatus, ...notes] };
  }
  if (isBodyless)
    return {
      ...rest,
      body: undefined,
      notes: ["The response has a body, although the operation declares none; it was left out."],
    };
  try {
    if (problem) throw problem;
    if (!media) throw new CodecError("The content type is not one that the operation declares.");
    const body = toDocuments(await decode(media, bytes));
    const fits = media.schema.safeParse(body);
    const drift = fits.success ? [] : fits.error.issues.slice(0, 3).map(({ path }) => quotedPath(media.schema, path));
    refuseFailure(tool, operation, response.status, body);
    const notes =
      drift.length === 0
        ? []
        : [`The response differs from its declared schema at ${drift.join(", ")}; it is returned unchanged.`];
    const csv = await csvOf(media, { bytes, rows }, body);
    return { ...rest, body, ...csv, notes: [...noteOnStatus, ...notesOnMembers(operation, body), ...notes] };
  } catch (error) {
    await rows?.discard();
    if (!(error instanceof CodecError)) throw error;
    const what = media
      ? `${tool} succeeded with ${response.status}, but the response is not valid ${media.codec}.`
      : `${tool} received ${response.status} with a content type that it does not declare.`;
    if (isRead(operation))
      throw new Failure("bad_reply", what, {
        why: media
          ? error.message
          : "The response is not the API's own: a proxy or a wrong host can answer with a page or a message instead.",
        next: "Retry; if it persists, check the upstream host with `edgewise doctor`.",
        status: response.status,
      });
    // The change was made: calling that a failure would invite a second one.
    return {
      ...rest,
      body: undefined,
      notes: [`${what} The change was made; ${operation.spec.shownBy} shows the result.`],
    };
  }
}

/** How long to wait before a retry, in seconds, from any of the headers that the services use. */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const retryAfter = headers["retry-after"];
  if (retryAfter !== undefined) {
    const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - nowMs) / 1000;
    return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : undefined;
  }
  // X-RateLimit-Next names the instant of the next permitted request (public facts A, 0.3).
  const next = headers["x-ratelimit-next"] ?? headers["akamai-sync-ratelimit-next"];
  if (next === undefined) return undefined;
  const seconds = (Date.parse(next) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/**
 * The Failure for a response whose status the operation does not declare.
 * @param call.path The arguments in the call's path, which an operation's hint may be about.
 * @param call.isPublished Whether it was sent in the form of public facts.
 */
export async function failureOf(
  tool: string,
  operation: AnyOperation,
  response: WireResponse,
  { path, isPublished }: { readonly path: Readonly<Record<string, string>>; readonly isPublished: boolean },
  attempts: number,
  nowMs: number,
  isEmulated: boolean,
): Promise<Failure> {
  const { status, headers } = response;
  const upstream = await errorBody(response);
  const wait = retryAfterSeconds(headers, nowMs);
  const detail = {
    status,
    attempts,
    ...requestIdOf(headers),
    ...(upstream === undefined ? {} : { upstream }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  };
  const refusal = gatewayRefusal(status, upstream, { headers, nowMs });
  const standing = isEmulated ? undefined : operation.service?.standing;
  // What was switched off is refused by the gateway or is not there; any other status comes from what still runs.
  const advice = standing && (refusal || status === 404 || status === 410) ? standingAdvice(standing) : undefined;
  const onRoute = adviceOnRoute(tool, operation, status, isPublished);
  const withAdvice = (next: string): string => [next, onRoute, advice].filter((part) => part !== undefined).join(" ");
  if (refusal)
    return new Failure(refusal.code, `${tool} ${refusal.what} (${status}).`, {
      why: "The gateway checks each request before the API receives it.",
      next: withAdvice(refusal.next),
      ...detail,
    });
  const own = hintFor(operation.spec, status, path) ?? (status === 404 ? adviceOnIds(operation) : undefined);
  const waiting = wait === undefined ? "" : ` Retry after ${wait} s.`;
  const meaning = meanings[status];
  if (meaning)
    return new Failure(meaning.code, `${tool} ${meaning.what} (${status}).`, {
      next: withAdvice(`${own ?? meaning.next}${waiting}`),
      ...detail,
    });
  if (status >= 500) {
    if (!isRead(operation))
      return unknownOutcome(
        tool,
        operation,
        `The upstream failed with ${status} after it received the request.`,
        detail,
      );
    return new Failure("upstream", `${tool} failed: the upstream answered with ${status}, in ${attempts} attempt(s).`, {
      why: "The fault is on the API's side.",
      next: `${own ?? "Try again later."}${waiting}`,
      ...detail,
    });
  }
  if (status >= 300 && status < 400)
    return new Failure("redirect_refused", `${tool} was answered with a redirect (${status}) that is not followed.`, {
      why: "Redirects are followed only for reads, at most three times, within the same origin and account.",
      next: "Check the upstream host with `edgewise doctor`.",
      ...detail,
    });
  if (status >= 400)
    return new Failure("rejected", `${tool} was refused with ${status}.`, {
      next: withAdvice(own ?? "Read the upstream's detail."),
      ...detail,
    });
  const declared = Object.keys(operation.spec.returns).join(", ");
  return new Failure(
    "unexpected_status",
    `${tool} was answered with ${status}, which does not count as success; it takes ${declared}.`,
    {
      next: isRead(operation)
        ? "Retry; if it persists, the API has changed."
        : `Check with ${operation.spec.shownBy} whether the change was made.`,
      ...detail,
    },
  );
}

/** The Failure for a change that may or may not have been made. */
export function unknownOutcome(
  tool: string,
  operation: AnyOperation,
  why: string,
  detail: Partial<Failure["detail"]> = {},
): Failure {
  return new Failure("outcome_unknown", `It is not known whether ${tool} took effect.`, {
    why,
    next: `Do not repeat it blindly: check with ${operation.spec.shownBy} whether the change was made.`,
    ...detail,
  });
}

/** The Failure for a request that received no response. */
export function failureOfSending(
  tool: string,
  operation: AnyOperation,
  failure: SendFailure,
  attempts: number,
): Failure {
  const causes: Record<SendFailure["reason"], string> = {
    connect: "The connection could not be established.",
    name: "The host name could not be resolved.",
    tls: "The TLS handshake failed, or the upstream's certificate was not accepted.",
    first_byte: "The request timed out before the response began.",
    idle: "The response timed out: it stopped arriving before it was complete.",
    overdue: "The call exceeded its total timeout, retries and pauses included.",
    reset: "The connection broke before the response was complete.",
    aborted: "The call was cancelled.",
  };
  const why = causes[failure.reason];
  if (failure.isSent && !isRead(operation)) return unknownOutcome(tool, operation, why, { attempts });
  if (failure.reason === "aborted")
    return new Failure("cancelled", `${tool} was cancelled.`, {
      why,
      next: "Call again if it is still wanted.",
      attempts,
    });
  const isTimeout = failure.reason === "first_byte" || failure.reason === "idle" || failure.reason === "overdue";
  return new Failure(isTimeout ? "timeout" : "network", `${tool} received no response, in ${attempts} attempt(s).`, {
    why: failure.isSent ? why : `${why} Nothing was sent.`,
    next: "Retry; `edgewise doctor` checks whether the upstream can be reached.",
    attempts,
  });
}
