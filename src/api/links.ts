/** Links in answers: where else something can be read, and nothing of what it is. */
import { withEach } from "./member.js";
import { formsAt, formsOf } from "./shape.js";
import { z } from "./z.js";

/** Keyed by schema; a schema made from a marked one is marked, too. */
const marks = z.registry<{ readonly isLink: true }>();

/** Marks a schema whose values are links, which a preview of what is there now leaves out. */
export function links<S extends z.ZodType>(schema: S): S {
  // A clone: the mark must not reach another use of the same schema.
  const marked = schema.clone();
  marks.add(marked, { isLink: true });
  return marked;
}

const areLinks = (forms: readonly z.ZodType[]): boolean => forms.some((form) => marks.has(form));

function without(forms: readonly z.ZodType[], value: unknown): unknown {
  if (typeof value !== "object" || value === null || forms.length === 0) return value;
  if (Array.isArray(value)) return withEach(value, (item, at) => without(formsAt(forms, at), item));
  const members = Object.entries(value);
  const kept = members.filter(([key]) => !areLinks(formsAt(forms, key)));
  const rest = kept.length === members.length ? value : Object.fromEntries(kept);
  return withEach(rest, (member, key) => without(formsAt(forms, key), member));
}

/** A value without the members that its schemas mark as links. */
export const withoutLinks = (schemas: readonly z.ZodType[], value: unknown): unknown =>
  without(schemas.flatMap(formsOf), value);
