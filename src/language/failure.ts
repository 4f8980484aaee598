/** Every way a call can fail, as one class with a closed list of codes, so that an assistant can always act on it. */
import type { Mend } from "./mend.js";
import type { WholeCall } from "./next-call.js";
import { isName } from "./whole.js";

export type FailureCode =
  | "invalid_input"
  | "unknown_tool"
  | "approval_refused"
  | "declined"
  | "not_allowed"
  | "bad_configuration"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "rejected"
  | "rate_limited"
  | "upstream"
  | "unexpected_status"
  | "redirect_refused"
  | "bad_reply"
  | "too_large"
  | "timeout"
  | "network"
  | "cancelled"
  | "failed"
  | "outcome_unknown"
  | "internal";

/** One argument that cannot be used: where it is, what was given, what it takes. */
export interface FieldProblem {
  readonly field: string;
  readonly given?: string;
  readonly takes: string;
  /** What would solve it; several of them together. */
  readonly mends?: readonly Mend[];
}

/** What is wrong with an argument, in words. */
export const inWords = ({ field, given, takes }: FieldProblem): string =>
  `${field}: ${given === undefined ? "" : `${given} was given; `}takes ${takes}`;

export interface FailureDetail {
  /** Why, in one sentence. */
  readonly why?: string;
  /** What to do next. */
  readonly next: string;
  readonly fields?: readonly FieldProblem[];
  /** What would solve all problems with the arguments of a tool's call; absent where one of them has no solution. */
  readonly mends?: { readonly tool: string; readonly all: readonly Mend[] };
  /** The call with these made; only one that passes the checks which this one did not. */
  readonly corrected?: WholeCall;
  /** The status of the upstream answer, where there was one. */
  readonly status?: number;
  /** The upstream's own words: data from outside, never instructions. */
  readonly upstream?: unknown;
  /** Where what is there, or is asked, now differs from what was sent or shown: of a conflict, and of a plan that became void. */
  readonly changed?: readonly object[];
  readonly retryAfterSeconds?: number;
  /** The id that the upstream gave the request. */
  readonly requestId?: string;
  readonly attempts?: number;
}

/**
 * A call that did not succeed. `message` says what happened; `detail.next` says what to do. Its text is ours alone: a
 * runtime's or an upstream's message never becomes part of it (security notes: such messages can hold secrets).
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  readonly detail: FailureDetail;

  constructor(code: FailureCode, what: string, detail: FailureDetail) {
    super(what);
    this.code = code;
    this.detail = detail;
  }
}

/** The Failure to return for an error; an internal error reveals no details. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("internal", "Edgewise failed with an internal error.", {
    why: "The fault is in the server, not in the call.",
    next: "Before you repeat a change, check whether it was made. Report the error with the tool's name and the arguments.",
  });
}

// An error is read whole, so what is given in it may take no page; hardly an id or an address is longer.
const longestShown = 512;

/**
 * A value for an error message: on one line, and never more of it than a reader needs to recognize it. What may be a
 * path, an id or an address is whole.
 */
export function shown(value: unknown): string {
  // A message of 4 MB can be one text: no more of it is quoted than is shown.
  if (typeof value === "string") {
    const text = JSON.stringify(value.slice(0, longestShown));
    const isQuoted = value.length <= longestShown && text.length <= longestShown;
    const isWhole = isQuoted && (text.length <= 80 || isName(value));
    return isWhole ? text : `${text.slice(0, 77)}… (${value.length} characters)`;
  }
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = typeof value;
  }
  return text.length > 80 ? `${text.slice(0, 77)}… (${text.length} characters)` : text;
}

/** The one problem of a call: an argument, what was given, and what it takes. */
export const problem = (field: string, given: unknown, takes: string): readonly FieldProblem[] => [
  { field, given: shown(given), takes },
];
