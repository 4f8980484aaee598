/** What the statuses of HTTP mean where an operation declares nothing about them: a code, words, and what to do next. */
import type { FailureCode } from "../api/failure.js";

/** What a status below 500, or one that is known to have changed nothing, comes to. */
export const meanings: Readonly<
  Record<number, { readonly code: FailureCode; readonly what: string; readonly next: string }>
> = {
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
    what: "did not find what the call names",
    next: "Check the ids among the arguments; where there are none, the account or the host does not offer this operation.",
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
    what: "was refused: it is no longer offered by the upstream",
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
