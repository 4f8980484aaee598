/** What a check has found: one line of the page, with what to do where something is to be done. */
import { Failure } from "../../language/failure.js";

/** `not set` is what is not there and need not be: it is neither good nor a fault. */
type State = "ok" | "warning" | "FAIL" | "not set";

export interface Finding {
  readonly state: State;
  /** What the line is about, in a word or two. */
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
 * What a check finds, in which a failure of the configuration is a finding as well.
 * @throws whatever else is thrown: a mistake of the program's is no finding.
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
