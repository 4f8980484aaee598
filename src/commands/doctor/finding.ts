/** A finding: one line of the page, with what to do if necessary. */
import { Failure } from "../../language/failure.js";

/** `not set` is for optional settings that are absent, which is neither good nor bad. */
type State = "ok" | "warning" | "FAIL" | "not set";

export interface Finding {
  readonly state: State;
  /** The subject of the line, in a word or two. */
  readonly subject: string;
  readonly what: string;
  readonly next?: string;
}

const finding =
  (state: State) =>
  (subject: string, what: string, next?: string): Finding => ({
    state,
    subject,
    what,
    ...(next === undefined ? {} : { next }),
  });

export const forRealCalls =
  "For real calls, put an API client's host and three tokens into ~/.edgerc, under [default].";

export const ok = finding("ok");
export const notSet = finding("not set");
export const warning = finding("warning") as (subject: string, what: string, next: string) => Finding;
export const fail = finding("FAIL") as (subject: string, what: string, next: string) => Finding;

/**
 * The findings of a check, where a configuration failure is also a finding.
 * @throws any other error, because a bug is not a finding.
 */
export async function checked(
  subject: string,
  check: () => Promise<Finding | readonly Finding[]> | Finding,
): Promise<readonly Finding[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { message, detail } = error;
    return [fail(subject, detail.why ? `${message} ${detail.why}` : message, detail.next)];
  }
}
