/**
 * Sentences made from responses: failures reported with a success status, notes on fields, and names and values, quoted
 * and truncated.
 */
import type { Envelope } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { isRead } from "../language/effect.js";
import { Failure } from "../language/failure.js";
import { memberAt } from "../language/member.js";
import { declares, formsAt, formsOf } from "../language/shape.js";
import { z } from "../language/z.js";

const maxLength = 60;
// The leading characters and escapes of a JSON text that are complete.
const units = /^(?:\\u[\da-f]{4}|\\[^u]|[^\\])*/;

/** A text in quotation marks, at most 60 characters long including both. */
function quoted(text: string): string {
  const whole = JSON.stringify(text);
  if (whole.length <= maxLength) return whole;
  const [start = ""] = units.exec(whole.slice(0, maxLength - 2)) ?? [];
  return `${start.toWellFormed()}…"`;
}

const time = /^\d{4}-\d\d-\d\d(T[\d:.]{4,15}(Z|[+-][\d:]{4,5})?)?$/;

/** A value from the upstream: numbers, booleans and times as they are, everything else in quotation marks. */
export function quotedValue(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string" && time.test(value)) return value;
  return quoted(typeof value === "string" ? value : JSON.stringify(value));
}

/** The schemas of a declared member or list item; none if it is undeclared. */
const declaredAt = (forms: readonly z.ZodType[], key: PropertyKey): readonly z.ZodType[] =>
  formsAt(
    forms.filter((form) => (typeof key === "number" ? form instanceof z.ZodArray : declares(form, key))),
    key,
  );

/** A path into a body from the upstream, in quotation marks unless every member is declared. */
export function quotedPath(schema: z.ZodType, path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the body";
  const known = path.reduce(declaredAt, formsOf(schema));
  const text = path.map(String).join(".");
  return known.length > 0 ? text : quoted(text);
}

/** Whether a field of a response has a value. */
export const hasValue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);

const saysFailure = ({ at, unless }: Envelope, body: unknown): boolean =>
  ![undefined, null, unless].includes(memberAt(body, at));

/**
 * Finds a failure reported with a success status.
 * @throws Failure `rejected` if the body reports that the call has failed, whatever its status.
 */
export function refuseFailure(tool: string, operation: AnyOperation, status: number, body: unknown): void {
  const envelope = operation.service?.envelope;
  if (!envelope || !saysFailure(envelope, body)) return;
  const words = envelope.message === undefined ? undefined : memberAt(body, envelope.message);
  throw new Failure("rejected", `${tool} was refused: the upstream reports a failure with status ${status}.`, {
    why: isRead(operation)
      ? "The API reports a failure in the body of a success response."
      : "The API reports a failure in the body of a success response; the change was not made.",
    next: "Read the upstream's detail and correct the arguments.",
    status,
    upstream: hasValue(words) ? words : memberAt(body, envelope.at),
  });
}

// Only the first items of a list get a sentence; all of them are in the data.
const maxItemsListed = 20;

/** The objects of a sentence: the body, or the items of a list in it. */
function subjectsOf(each: string | undefined, body: unknown): readonly unknown[] {
  if (each === undefined) return [body];
  const list = memberAt(body, each);
  return Array.isArray(list) ? list.slice(0, maxItemsListed) : [];
}

/** The sentences that an operation declares for fields of its response that have a value. */
export function notesOnMembers(operation: AnyOperation, body: unknown): string[] {
  return (operation.spec.memberNotes ?? []).flatMap(({ each, when, says }) =>
    subjectsOf(each, body)
      .filter((subject) => hasValue(memberAt(subject, when)))
      .map((subject) =>
        says.replace(/\{([^{}]+)\}/g, (_, path: string) => {
          const steps = path.split(/(?<!\\)\./).map((step) => step.replaceAll("\\.", "."));
          const value = memberAt(subject, steps);
          return hasValue(value) ? quotedValue(value) : "unknown";
        }),
      ),
  );
}
