/** A finding: one line of the page, with what to do if necessary. */
import { Failure } from "../../language/failure.js";

/** `not set` is for optional settings that are absent, which is neither good nor bad. */
type FindingState = "ok" | "warning" | "FAIL" | "not set";

export interface DoctorFinding {
  readonly state: FindingState;
  /** The subject of the line, in a word or two. */
  readonly subject: string;
  readonly what: string;
  readonly next?: string;
}

const finding =
  (state: FindingState) =>
  (subject: string, what: string, next?: string): DoctorFinding => ({
    state,
    subject,
    what,
    ...(next === undefined ? {} : { next }),
  });

export const forRealCalls =
  "For real calls, put an API client's host and three tokens into ~/.edgerc, under [default].";

export const pass = finding("ok");
export const notSet = finding("not set");
export const warning = finding("warning") as (subject: string, what: string, next: string) => DoctorFinding;
export const fail = finding("FAIL") as (subject: string, what: string, next: string) => DoctorFinding;

/**
 * The findings of a check, where a configuration failure is also a finding.
 * @throws any other error, because a bug is not a finding.
 */
export async function findingsOf(
  subject: string,
  check: () => Promise<DoctorFinding | readonly DoctorFinding[]> | DoctorFinding,
): Promise<readonly DoctorFinding[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { message, detail } = error;
    return [fail(subject, detail.why ? `${message} ${detail.why}` : message, detail.next)];
  }
}
