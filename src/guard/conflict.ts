/** What to say when a change was refused because its version stamp is out of date: what is there now, and what differs. */
import type { AnyOperation } from "../api/define.js";
import { Failure, shown } from "../api/failure.js";
import { memberAt } from "../api/member.js";
import { type Difference, differences } from "./difference.js";

type Members = Readonly<Record<string, unknown>>;

const maxNames = 12;

/** Names in a sentence, the first of them where they are many. */
function named(names: readonly string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * A refusal for a stale stamp with the differences between the present state and what was sent; `from` is there now,
 * `to` was sent, and members that were not sent are left out. Where the present state shows no other stamp, nothing can be
 * said of it, and the refusal stays as it is.
 * @param present What the operation that reads the stamp answers now.
 */
export function explained(conflict: Failure, operation: AnyOperation, body: unknown, present: unknown): Failure {
  const { field, from: reads } = operation.spec.lock as { readonly field: string; readonly from: string };
  const [, ...path] = field.split(".");
  const [sentStamp, stamp] = [memberAt(body, path), memberAt(present, path)];
  if (stamp === undefined || stamp === null || stamp === sentStamp) return conflict;
  const changed = Object.entries((body ?? {}) as Members)
    .flatMap(([key, sent]): Difference[] => differences((present as Members | undefined)?.[key], sent, key))
    .filter(({ at }) => at !== path.join("."));
  const where = named([...new Set(changed.map(({ at }) => at))]);
  return new Failure(conflict.code, conflict.message, {
    ...conflict.detail,
    why: `${field} is ${shown(stamp)} now, and ${shown(sentStamp)} was sent: somebody else made a change since it was read. ${where === "" ? "What was sent agrees with the present state otherwise." : `What was sent differs from the present state in ${where}.`}`,
    next: `Read it again with ${reads}, decide on what is there now, and send that with its own stamp.`,
    changed,
  });
}
