/** The state that a call would change, and what is known of it: which members a write can set, and which are secret. */
import { omitted } from "../language/member.js";
import type { z } from "../language/z.js";
import { markAmong } from "../schema/marks.js";
import { isReadOnly } from "../schema/read-only.js";
import { declares, formsOf, isNamed, withEachAt } from "../schema/shape.js";

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
  const isWritten = (key: string, own: readonly z.ZodType[]) =>
    (!isNamed(forms) || besides.has(key) || forms.some((form) => declares(form, key))) && !isReadOnly(own);
  return withEachAt(forms, stored, (member, own, key) =>
    typeof key === "number" || isWritten(key, own) ? writablePart(own, member, besides) : omitted,
  );
}

const linkAmong = markAmong("link");

function unlinked(forms: readonly z.ZodType[], value: unknown): unknown {
  if (forms.length === 0) return value;
  return withEachAt(forms, value, (member, own, key) =>
    typeof key === "string" && linkAmong(own) ? omitted : unlinked(own, member),
  );
}

/** A value without the members that its schemas mark as links. */
export const withoutLinks = (schemas: readonly z.ZodType[], value: unknown): unknown =>
  unlinked(schemas.flatMap(formsOf), value);
