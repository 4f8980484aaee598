/** The envelope of an answer: a failure in it that came with a success status. */
import type { Envelope } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { isRead } from "../api/effect.js";
import { Failure } from "../api/failure.js";
import { hintFor } from "../api/hint.js";
import { memberAt } from "../api/member.js";

/** Whether a member of an answer has a value. */
export const hasValue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);

function saysFailure({ at, unless, isEmptyOne }: NonNullable<Envelope["failure"]>, body: unknown): boolean {
  const value = memberAt(body, at);
  return (
    (isEmptyOne ? value !== undefined : hasValue(value)) && (unless === undefined ? value !== false : value !== unless)
  );
}

/**
 * Finds a failure that came with a success status.
 * @throws Failure `rejected` when the body reports that the call has failed, whatever its status.
 */
export function refuseFailure(tool: string, operation: AnyOperation, status: number, body: unknown): void {
  const { failure } = operation.spec.envelope ?? {};
  if (!failure || !saysFailure(failure, body)) return;
  const words = failure.message === undefined ? undefined : memberAt(body, failure.message);
  throw new Failure("rejected", `${tool} was refused: the upstream reports a failure with status ${status}.`, {
    why: isRead(operation)
      ? "The API reports a failure in the body of a success response."
      : "The API reports a failure in the body of a success response; the change was not made.",
    next: hintFor(operation.spec, status) ?? "Read the upstream's detail and correct the arguments.",
    status,
    upstream: hasValue(words) ? words : memberAt(body, failure.at),
  });
}
