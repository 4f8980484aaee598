/** What an answer is told of in sentences: those that its operation declares for members that have a value. */
import type { AnyOperation } from "../api/define.js";
import { memberAt } from "../api/member.js";
import { hasValue } from "./envelope.js";
import { quotedValue } from "./quotation.js";

// A list is told of by its first items; all of them are in the data.
const maxItemsTold = 20;

/** What a sentence is about: the body, or the items of a list in it. */
function subjectsOf(each: string | undefined, body: unknown): readonly unknown[] {
  if (each === undefined) return [body];
  const list = memberAt(body, each);
  return Array.isArray(list) ? list.slice(0, maxItemsTold) : [];
}

/** The sentences that an operation declares for members of its response, for those that have a value. */
export function notesOnMembers(operation: AnyOperation, body: unknown): string[] {
  return (operation.spec.tells ?? []).flatMap(({ each, when, says }) =>
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
