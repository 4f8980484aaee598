/** From an upstream answer to a decoded reply or a Failure: bounded reading, media, shape, and what each status means. */
import { mediaList } from "../api/arguments.js";
import type { AnyOperation, Media } from "../api/define.js";
import { isRead } from "../api/effect.js";
import { Failure, type FailureCode } from "../api/failure.js";
import { hintFor } from "../api/hint.js";
import { memberAt } from "../api/member.js";
import type { SendFailure, WireResponse } from "../api/wire.js";
import { CodecError, decode } from "../codec/index.js";

/** What a call came back with. */
export interface Reply {
  readonly status: number;
  /** The decoded body; undefined when the answer has none. */
  readonly body: unknown;
  readonly location?: string;
  /** What a reader has to know about the body, in plain sentences. */
  readonly notes: readonly string[];
}

const essence = (contentType: string | undefined): string =>
  (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
const isJson = (type: string): boolean => type === "application/json" || /^[a-z]+\/[a-z0-9.+-]+\+json$/.test(type);

/**
 * Reads a body up to a bound.
 * @throws Failure `too_large` when it goes on beyond `maxBytes`; SendFailure when it breaks off.
 */
export async function readBounded(response: WireResponse, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(response.headers["content-length"]);
  const tooLarge = () =>
    new Failure("too_large", `The answer is over the limit of ${maxBytes} bytes.`, {
      why: "Reading stops at the bound so that one answer cannot exhaust the memory.",
      next: "Ask for less (a shorter period, fewer objects, a page), or raise --max-response-bytes.",
      status: response.status,
    });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes || (declared > maxBytes && response.headers["content-encoding"] === undefined))
      throw tooLarge();
    chunks.push(chunk);
  }
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

/** The declared medium that an answer's content type names; undefined when none does. */
function mediumOf(media: readonly Media[], contentType: string, vendor: string): Media | undefined {
  const exact = media.find((one) => one.type.replaceAll("<vendor>", vendor) === contentType);
  if (exact) return exact;
  if (contentType === "") return media[0];
  if (isJson(contentType)) return media.find((one) => one.codec === "json");
  if (/^(text|application)\/xml$|\+xml$/.test(contentType)) return media.find((one) => one.codec === "xml");
  return undefined;
}

/** The sentences that an operation declares for members of its answer, for those that are filled. */
function told(operation: AnyOperation, body: unknown): string[] {
  const tells = (operation.spec.tells ?? []) as readonly { readonly when: string; readonly says: string }[];
  const isFilled = (value: unknown) => value !== undefined && value !== null && value !== "";
  return tells
    .filter(({ when }) => isFilled(memberAt(body, when)))
    .map(({ says }) => says.replace(/\{([\w.]+)\}/g, (_, path: string) => String(memberAt(body, path) ?? "unknown")));
}

/** Decodes an answer whose status the operation declares. */
export async function readReply(
  tool: string,
  operation: AnyOperation,
  response: WireResponse,
  bytes: Uint8Array,
  vendor: string,
): Promise<Reply> {
  const declared = mediaList((operation.spec.returns as Record<number, Media | readonly Media[]>)[response.status]);
  const location = response.headers["location"];
  const meaning = (operation.spec.means as Readonly<Record<number, string>> | undefined)?.[response.status];
  const meant = meaning === undefined ? [] : [meaning];
  const rest = { status: response.status, ...(location === undefined ? {} : { location }) };
  const isBodyless = declared.every((media) => media.codec === "empty");
  if (bytes.byteLength === 0) {
    const notes =
      isBodyless || declared.some((media) => media.schema.safeParse(undefined).success)
        ? []
        : ["The answer has no body, although one is declared."];
    return { ...rest, body: undefined, notes: [...meant, ...notes] };
  }
  if (isBodyless)
    return { ...rest, body: undefined, notes: ["The answer has a body although none is declared; it was left out."] };
  const type = essence(response.headers["content-type"]);
  const media = mediumOf(declared, type, vendor);
  try {
    if (!media) throw new CodecError("The content type is not one that the operation declares.");
    const body = await decode(media, bytes);
    const fits = media.schema.safeParse(body);
    const drift = fits.success
      ? []
      : fits.error.issues.slice(0, 3).map((issue) => `${issue.path.join(".") || "the body"}`);
    const notes =
      drift.length === 0
        ? []
        : [`The answer differs from its declared shape at ${drift.join(", ")}; it is passed on as it came.`];
    return { ...rest, body, notes: [...meant, ...told(operation, body), ...notes] };
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    const what = media
      ? `${tool} succeeded with ${response.status}, but the answer is not readable ${media.codec}.`
      : `${tool} got ${response.status} with a body of another kind than it declares.`;
    if (isRead(operation))
      throw new Failure("bad_reply", what, {
        why: media
          ? error.message
          : "A page or a message stands where the API's answer should be; a proxy or a wrong host does that.",
        next: "Try again; if it stays, check the upstream host with `edgewise doctor`.",
        status: response.status,
      });
    // The change was made: calling that a failure would invite a second one.
    return { ...rest, body: undefined, notes: [`${what} The change was made; ${operation.spec.shownBy} shows it.`] };
  }
}

const meanings: Readonly<Record<number, { readonly code: FailureCode; readonly what: string; readonly next: string }>> =
  {
    400: {
      code: "rejected",
      what: "was refused as a bad request",
      next: "Read the upstream's detail and correct the arguments.",
    },
    401: {
      code: "unauthorized",
      what: "was refused: the credential was not accepted",
      next: "Run `edgewise doctor`: it checks the credential and the clock.",
    },
    403: {
      code: "forbidden",
      what: "was refused: the credential lacks the right",
      next: "Check the API client's grants, and the account switch key if one is set.",
    },
    404: {
      code: "not_found",
      what: "found nothing under these ids",
      next: "Check the ids with the service's list operations.",
    },
    409: {
      code: "conflict",
      what: "was refused: it conflicts with the present state",
      next: "Read the present state and decide again.",
    },
    412: {
      code: "conflict",
      what: "was refused: the state has changed",
      next: "Read the present state and decide again.",
    },
    413: { code: "rejected", what: "was refused: the request is too large", next: "Split it into several calls." },
    422: {
      code: "rejected",
      what: "was refused: a value is not acceptable",
      next: "Read the upstream's detail and correct the arguments.",
    },
    428: {
      code: "conflict",
      what: "was refused: it needs a precondition",
      next: "Read the present state and decide again.",
    },
    429: { code: "rate_limited", what: "was refused: too many requests", next: "Wait before the next call." },
  };

/** How long the upstream asks to wait, in seconds, from any of the headers its services use. */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const asked = headers["retry-after"];
  if (asked !== undefined) {
    const seconds = /^\d+$/.test(asked.trim()) ? Number(asked) : (Date.parse(asked) - nowMs) / 1000;
    return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : undefined;
  }
  // X-RateLimit-Next names the instant of the next permitted request (public facts A, 0.3).
  const next = headers["x-ratelimit-next"] ?? headers["akamai-sync-ratelimit-next"];
  if (next === undefined) return undefined;
  const seconds = (Date.parse(next) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** The upstream's own account of a failure, decoded when it is JSON and left out when it is a page. */
async function upstreamWords(response: WireResponse): Promise<unknown> {
  try {
    const type = essence(response.headers["content-type"]);
    const bytes = await readBounded(response, 64 * 1024);
    if (bytes.byteLength === 0 || type.includes("html")) return undefined;
    const text = new TextDecoder().decode(bytes);
    return isJson(type) ? (JSON.parse(text) as unknown) : text.slice(0, 2_000);
  } catch {
    // What cannot be read adds nothing to the status, which is already known.
    return undefined;
  }
}

/**
 * The Failure for an answer whose status the operation does not declare.
 * @param path The call's path arguments, which an operation's hint may be about.
 */
export async function failureOf(
  tool: string,
  operation: AnyOperation,
  response: WireResponse,
  path: Readonly<Record<string, string>>,
  attempts: number,
  nowMs: number,
): Promise<Failure> {
  const { status, headers } = response;
  const upstream = await upstreamWords(response);
  const wait = retryAfterSeconds(headers, nowMs);
  const detail = {
    status,
    attempts,
    ...(upstream === undefined ? {} : { upstream }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  };
  const own = hintFor(operation.spec, status, path);
  const waiting = wait === undefined ? "" : ` Ask again in ${wait} s.`;
  const meaning = meanings[status];
  if (meaning)
    return new Failure(meaning.code, `${tool} ${meaning.what} (${status}).`, {
      next: `${own ?? meaning.next}${waiting}`,
      ...detail,
    });
  if (status >= 500) {
    if (!isRead(operation))
      return unknownOutcome(tool, operation, `The upstream failed with ${status} after it had the request.`, detail);
    return new Failure("upstream", `${tool} failed upstream with ${status}, ${attempts} time(s).`, {
      why: "The fault is on the API's side.",
      next: `${own ?? "Try again later."}${waiting}`,
      ...detail,
    });
  }
  if (status >= 300 && status < 400)
    return new Failure("redirect_refused", `${tool} was answered with a redirect (${status}) that is not followed.`, {
      why: "Redirects leave the origin the credential belongs to, or repeat a change elsewhere.",
      next: "Check the upstream host with `edgewise doctor`.",
      ...detail,
    });
  if (status >= 400)
    return new Failure("rejected", `${tool} was refused with ${status}.`, {
      next: own ?? "Read the upstream's detail.",
      ...detail,
    });
  const declared = Object.keys(operation.spec.returns).join(", ");
  return new Failure(
    "unexpected_status",
    `${tool} was answered with ${status}, which does not count as success; it takes ${declared}.`,
    {
      next: isRead(operation)
        ? "Try again; if it stays, the API has changed."
        : `Look whether the change was made with ${operation.spec.shownBy}.`,
      ...detail,
    },
  );
}

/** The Failure for a change of which nobody can say whether it was made. */
export function unknownOutcome(
  tool: string,
  operation: AnyOperation,
  why: string,
  detail: Partial<Failure["detail"]> = {},
): Failure {
  return new Failure("outcome_unknown", `It is not known whether ${tool} took effect.`, {
    why,
    next: `Do not repeat it blindly: look with ${operation.spec.shownBy} whether the change was made.`,
    ...detail,
  });
}

/** The Failure for an attempt that no answer came to. */
export function failureOfSending(
  tool: string,
  operation: AnyOperation,
  failure: SendFailure,
  attempts: number,
): Failure {
  const causes: Record<SendFailure["reason"], string> = {
    connect: "No connection could be made.",
    name: "The host name could not be resolved.",
    tls: "The upstream's certificate or TLS was not acceptable.",
    first_byte: "No answer began within the time limit.",
    idle: "The answer stopped arriving.",
    overdue: "The total time limit of the call, with its attempts and waits, ran out.",
    reset: "The connection broke before the answer was whole.",
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
  return new Failure(isTimeout ? "timeout" : "network", `${tool} got no answer, in ${attempts} attempt(s).`, {
    why: failure.isSent ? why : `${why} Nothing was sent.`,
    next: "Try again; `edgewise doctor` tells whether the upstream can be reached.",
    attempts,
  });
}
