/** The outcome of a call whose kind a test knows; each throws, with what it was, where it is of another kind. */
import type { Outcome } from "../../src/calls/index.js";
import { Failure } from "../../src/language/failure.js";

function ofKind<K extends Outcome["kind"]>(outcome: Outcome, ...kinds: readonly K[]): Extract<Outcome, { kind: K }> {
  if (!(kinds as readonly string[]).includes(outcome.kind)) throw new Error(JSON.stringify(outcome).slice(0, 1_500));
  return outcome as Extract<Outcome, { kind: K }>;
}

export const failureOf = (outcome: Outcome): Failure => ofKind(outcome, "failure").failure;
export const answerOf = (outcome: Outcome) => ofKind(outcome, "answer").reply;
export const previewOf = (outcome: Outcome) => ofKind(outcome, "preview").preview;
/** The plan of a preview, or of a question to the user. */
export const planOf = (outcome: Outcome) => ofKind(outcome, "preview", "question").plan;

/** The failure that some work ends with. */
export async function failureFrom(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}
