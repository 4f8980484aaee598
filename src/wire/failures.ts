/**
 * The failures of calls over the wire: by status, from the gateway or the operation, or because no response arrived.
 */
import type { AnyOperation } from "../language/define.js";
import { howToCheck, isRead } from "../language/effect.js";
import { Failure, type FailureCode, type FailureDetail } from "../language/failure.js";
import { adviceOnToday, hintFor } from "../language/hint.js";
import type { SendFailure, WireResponse } from "../language/wire.js";
import { errorBody } from "./body.js";
import { type GatewayRefusal, gatewayRefusal } from "./gateway.js";
import { adviceOnIds } from "./known-ids.js";
import { retryAfterSeconds } from "./rate-limit-headers.js";

interface StatusMeaning {
  readonly code: FailureCode;
  readonly what: string;
  readonly next: string;
}
const anyRefusal: StatusMeaning = { code: "rejected", what: "was refused", next: "Read the upstream's detail." };
/** The failure for a status that is known to have changed nothing. */
const meanings: Readonly<Record<number, StatusMeaning>> = {
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
    what: "was refused: the credential lacks a permission",
    next: "Check the API client's grants, and the account switch key if one is set.",
  },
  404: {
    code: "not_found",
    what: "found no object with the given ids",
    next: "Check the ids among the arguments; if there are none, the account or the host does not offer this operation.",
  },
  409: {
    code: "conflict",
    what: "was refused: it conflicts with the current state",
    next: "Read the current state, then decide again.",
  },
  412: {
    code: "conflict",
    what: "was refused: the state has changed",
    next: "Read the current state, then decide again.",
  },
  410: {
    code: "rejected",
    what: "was refused: the upstream no longer offers it",
    next: "Do not call it again.",
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
    next: "Read the current state, then decide again.",
  },
  429: { code: "rate_limited", what: "was refused: too many requests", next: "Wait before you call again." },
  // RFC 4918, 11.5: the method could not be performed, so a change is known not to have been made.
  507: {
    code: "rejected",
    what: "was refused: the upstream has no room for it",
    next: "Wait until there is room, then call again.",
  },
};

const aboutPage =
  "The response is a web page, which the API does not send: the edge in front of it, a proxy or a wrong host has answered.";
/** What a page in place of the API's answer means: nothing about permissions, nor whether the object exists. */
const meaningsOfPage: Readonly<Record<number, StatusMeaning>> = {
  403: {
    code: "forbidden",
    what: "was denied before it reached the API",
    next: "This is not about grants: check that host is the API client's own (`edgewise doctor`), that the client is active, and that its access is not restricted to other IP addresses; give the page's reference number to the vendor's support.",
  },
  404: {
    code: "upstream",
    what: "did not reach the API, so that it is not known whether the object exists",
    next: "Check that host is the API client's own (`edgewise doctor`), and what a proxy in between does.",
  },
};

/**
 * The statuses that say that a request was not carried out (RFC 9110, 4918, 6585, 7725, 8470); after any other one a change
 * may have been made. 406 is not among them, because it can follow the work whose result it does not show, nor is 408, which
 * proxies also send for an upstream that took too long.
 */
const refusals: ReadonlySet<number> = new Set([
  ...Object.keys(meanings).map(Number),
  ...[402, 405, 407, 411, 414, 415, 416, 417, 421, 423, 424, 425, 426, 431, 451],
]);

/** The meaning of a status, if it is that of a request that was not carried out; a read was not, by any client error. */
function meaningFor(operation: AnyOperation, status: number, isPage: boolean): StatusMeaning | undefined {
  const isRefusal = refusals.has(status) || (isRead(operation) && status >= 400 && status < 500);
  return (isPage ? meaningsOfPage[status] : undefined) ?? meanings[status] ?? (isRefusal ? anyRefusal : undefined);
}

/** Why a status leaves open whether a change was made. */
function whyUnknown(status: number): string {
  if (status >= 500) return `The upstream failed with ${status} after it received the request.`;
  if (status >= 400) return `The upstream answered with ${status}, which does not say that nothing was done.`;
  if (status >= 300)
    return `The upstream answered with a redirect (${status}), which is not followed for a change; it may have made the change before that.`;
  return `The upstream answered with ${status}, which is neither a declared success nor a refusal.`;
}

/** The upstream's id of the request, for support and the audit log, truncated. */
export function requestIdOf(headers: Readonly<Record<string, string>>): { readonly requestId?: string } {
  const requestId = (headers["x-request-id"] ?? headers["x-trace-id"])?.slice(0, 128);
  return requestId === undefined ? {} : { requestId };
}

/** What the operation declares about a failure, or about ids that were not found. */
const declaredAdvice = (operation: AnyOperation, status: number, path: Readonly<Record<string, string>>) =>
  hintFor(operation.spec, status, path) ?? (status === 404 ? adviceOnIds(operation) : undefined);

/** The facts about a failed response. */
type ResponseFacts = Omit<FailureDetail, "next"> & { readonly status: number; readonly attempts: number };

/**
 * The Failure of a read for a status that is neither declared nor of a refused request: an upstream error, a redirect, or a
 * different success.
 * @param later What to do if the upstream has failed.
 */
function failureOfOtherStatus(tool: string, operation: AnyOperation, later: string, detail: ResponseFacts): Failure {
  const { status, attempts } = detail;
  if (status >= 500)
    return new Failure(
      "upstream",
      `${tool} failed: the upstream responded with ${status}, in ${attempts} attempt(s).`,
      {
        why: "The fault is on the API's side.",
        next: later,
        ...detail,
      },
    );
  if (status >= 300)
    return new Failure("redirect_refused", `${tool} received a redirect (${status}) that is not followed.`, {
      why: "Redirects are followed only for reads, at most three times, within the same origin and account.",
      next: "Check the upstream host with `edgewise doctor`.",
      ...detail,
    });
  const declared = Object.keys(operation.spec.returns).join(", ");
  const what = `${tool} received ${status}, which does not count as success; it takes ${declared}.`;
  return new Failure("unexpected_status", what, { next: "Retry; if it persists, the API has changed.", ...detail });
}

/** The Failure for a refusal by the gateway; of a copy of a change, which leaves open what became of the first one. */
function failureOfGateway(
  tool: string,
  operation: AnyOperation,
  refusal: GatewayRefusal,
  detail: ResponseFacts,
): Failure {
  const { code, what, next, isOfCopy } = refusal;
  if (isOfCopy && !isRead(operation))
    return unknownOutcome(tool, operation, "The upstream had already received a copy of the request.", {
      ...detail,
      next: `Do not simply repeat it: ${howToCheck(operation)}. ${next}`,
    });
  const why = "The gateway checks each request before the API receives it.";
  return new Failure(code, `${tool} ${what} (${detail.status}).`, { why, next, ...detail });
}

/**
 * The Failure for a response whose status the operation does not declare.
 * @param path The path arguments, on which an operation's hint may depend.
 */
export async function failureOf(
  tool: string,
  operation: AnyOperation,
  response: WireResponse,
  path: Readonly<Record<string, string>>,
  attempts: number,
  nowMs: number,
  isEmulated: boolean,
): Promise<Failure> {
  const { status, headers } = response;
  const { detail: bodyDetail, isPage } = await errorBody(response);
  const wait = retryAfterSeconds(headers, nowMs);
  const detail = {
    status,
    attempts,
    ...requestIdOf(headers),
    ...bodyDetail,
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  };
  const page = isPage ? { why: aboutPage } : {};
  const refusal = gatewayRefusal(status, bodyDetail.upstream, { headers, nowMs });
  const standing = isEmulated ? undefined : operation.service?.standing;
  // A retired API is refused by the gateway or not found; any other status comes from a running one, and so does the 404 of a
  // service that says in its own words that it has no object with this id.
  const isOfId = status === 404 && Object.keys(path).length > 0 && !isPage && bodyDetail.upstream !== undefined;
  const perhapsGone = standing && !isOfId && (refusal || [404, 405, 410].includes(status)) ? standing : undefined;
  const advice = perhapsGone && adviceOnToday(perhapsGone);
  const withAdvice = (next: string): string => [next, advice].filter((part) => part !== undefined).join(" ");
  if (refusal) return failureOfGateway(tool, operation, { ...refusal, next: withAdvice(refusal.next) }, detail);
  const declaredNext = isPage ? undefined : declaredAdvice(operation, status, path);
  const waiting =
    wait === undefined ? "" : ` Retry after ${wait} s, at ${new Date(nowMs + wait * 1000).toISOString()}.`;
  const meaning = meaningFor(operation, status, isPage);
  if (meaning)
    return new Failure(meaning.code, `${tool} ${meaning.what} (${status}).`, {
      next: withAdvice(`${declaredNext ?? meaning.next}${waiting}`),
      ...page,
      ...detail,
    });
  return isRead(operation)
    ? failureOfOtherStatus(tool, operation, `${declaredNext ?? "Try again later."}${waiting}`, { ...page, ...detail })
    : unknownOutcome(tool, operation, whyUnknown(status), detail);
}

/** The Failure for a change that may or may not have been made. */
export function unknownOutcome(
  tool: string,
  operation: AnyOperation,
  why: string,
  detail: Partial<Failure["detail"]> = {},
): Failure {
  return new Failure("outcome_unknown", `It is unknown whether ${tool} took effect.`, {
    why,
    next: `Do not simply repeat it: ${howToCheck(operation)}.`,
    ...detail,
  });
}

/** What to do where repeating the call is of no use. */
const nextAfter: Readonly<Partial<Record<SendFailure["reason"], string>>> = {
  name: "Check the host in the credential or in --upstream, and DNS; `edgewise doctor` names the host.",
  proxy: "Check the address and the password in that variable, or name the host in NO_PROXY to connect directly.",
};

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
    proxy: "The proxy that HTTPS_PROXY or HTTP_PROXY names cannot be reached, or does not connect to the host.",
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
    next: nextAfter[failure.reason] ?? "Retry; `edgewise doctor` checks whether the upstream can be reached.",
    attempts,
  });
}
