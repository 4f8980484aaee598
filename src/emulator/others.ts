/** The members of a body that its operation does not name: the API may know them, so they stay with what is written. */
import type { AnyOperation } from "../language/define.js";
import { mediaList } from "../language/media.js";
import { formsAt, formsOfAll } from "../language/shape.js";
import { z } from "../language/z.js";

/**
 * The undeclared members of an object in a body, to be returned when the object is read.
 * @param at The path of the object in the body.
 */
export function undeclaredMembers(
  { spec }: AnyOperation,
  value: object,
  at: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const forms = at.reduce(formsAt, formsOfAll(mediaList(spec.body).map(({ schema }) => schema)));
  const isNamed = (name: string) =>
    forms.some((form) => form instanceof z.ZodObject && Object.hasOwn(form.shape, name));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isNamed(name)));
}
