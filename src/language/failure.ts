/** The one error class of calls, with a closed list of codes, so that an assistant can always act on it. */
import { isName } from "../text/whole-words.js";
import type { Mend } from "./mend.js";
import type { WholeCall } from "./next-call.js";

export const failureCodes = [
  "invalid_input",
  "unknown_tool",
  "approval_refused",
  "declined",
  "not_allowed",
  "bad_configuration",
  "unauthorized",
  "forbidden",
  "not_found",
  "conflict",
  "rejected",
  "rate_limited",
  "upstream",
  "unexpected_status",
  "redirect_refused",
  "bad_reply",
  "too_large",
  "timeout",
  "network",
  "cancelled",
  "failed",
  "outcome_unknown",
  "internal",
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** A problem with one argument: the field, the given value, and what the field takes. */
export interface FieldProblem {
  readonly field: string;
  readonly given?: string;
  readonly takes: string;
  /** The changes that would solve it, all of them together. */
  readonly mends?: readonly Mend[];
}

/** The problems that one error names; finding out what is wrong with more of them is not worth the time. */
export const maxProblems = 10;

/** A problem in words. */
export const problemInWords = ({ field, given, takes }: FieldProblem): string =>
  `${field}: ${given === undefined ? "" : `${given} was given; `}takes ${takes}`;

export interface FailureDetail {
  /** Why, in one sentence. */
  readonly why?: string;
  /** What to do next. */
  readonly next: string;
  /** The same for a person at a shell, where it differs: results are not stored, and an answer at the terminal approves. */
  readonly atShell?: { readonly why?: string; readonly next?: string };
  readonly fields?: readonly FieldProblem[];
  /** The changes that would solve all problems of a tool's arguments; absent if one of them has no known solution. */
  readonly mends?: { readonly tool: string; readonly all: readonly Mend[] };
  /** The call with these changes made, only if it passes the checks that this one failed. */
  readonly corrected?: WholeCall;
  /** The status of the upstream response, if there was one. */
  readonly status?: number;
  /** The upstream's message: untrusted data, never instructions. */
  readonly upstream?: unknown;
  /** The differences between the present state or request and the previewed one, for a conflict or a void plan. */
  readonly changed?: readonly object[];
  readonly retryAfterSeconds?: number;
  /** The upstream's id of the request. */
  readonly requestId?: string;
  readonly attempts?: number;
}

/**
 * A failed call. `message` is what happened; `detail.next` is what to do. Its text is always our own: messages of the
 * runtime or the upstream never become part of it, because they can contain secrets.
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

/** The Failure to return for an error; internal errors reveal no details. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("internal", "Edgewise failed with an internal error.", {
    why: "The fault is in the server, not in the call.",
    next: "Before you repeat a change, check whether it was made. Report the error with the tool's name and the arguments.",
  });
}

// An error is read whole, so the value quoted in it must be short; few ids and URLs are longer than this.
const longestShown = 512;

/**
 * A value for an error message, on one line and cut to what a reader needs to recognize it. Possible paths, ids and URLs
 * are not cut.
 */
export function quoteValue(value: unknown): string {
  // The value may have megabytes, so only the part that is shown is serialized.
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

/** A list with a single problem: the field, the given value, and what the field takes. */
export const fieldProblem = (field: string, given: unknown, takes: string): readonly FieldProblem[] => [
  { field, given: quoteValue(given), takes },
];
