/** The state that a call would change, and what is known of it: which members a write can set, and which are secret. */
import { withEach } from "../api/member.js";
import { isReadOnly } from "../api/read-only.js";
import { declares, formsAt, isNamed } from "../api/shape.js";
import type { z } from "../api/z.js";

/** The state as an operation shows it. */
export interface State {
  readonly body: unknown;
  /** The schemas that the operation declares for its answer. */
  readonly schemas: readonly z.ZodType[];
  /** What the preview tells of besides, by name; undefined where nothing is there. */
  readonly beside?: Readonly<Record<string, State | undefined>>;
  /** What an approval is bound to besides the body, by name. */
  readonly bound?: Readonly<Record<string, unknown>>;
  /** The operations that could not show what the preview would tell of besides. */
  readonly unread?: readonly string[];
}

/**
 * The part of a value that a write can set. What the write does not take, or does not set, such as an id or the time of
 * the last change, is the API's own: a replacement that leaves it out does not remove it.
 * @param forms What the written value can be, from `formsOf`.
 * @param stored The value as it is stored, or as it is to be written.
 * @param besides The names of further members that the write sets, although nothing declares them.
 */
export function writablePart(forms: readonly z.ZodType[], stored: unknown, besides: ReadonlySet<string>): unknown {
  if (typeof stored !== "object" || stored === null) return stored;
  if (Array.isArray(stored)) return withEach(stored, (item, at) => writablePart(formsAt(forms, at), item, besides));
  const hasOwnOnly = isNamed(forms);
  const isWritten = (key: string) =>
    (!hasOwnOnly || besides.has(key) || forms.some((form) => declares(form, key))) && !isReadOnly(formsAt(forms, key));
  const members = Object.entries(stored);
  const own = members.filter(([key]) => isWritten(key));
  const written = own.length === members.length ? stored : Object.fromEntries(own);
  return withEach(written, (member, key) => writablePart(formsAt(forms, key), member, besides));
}
