/** Objects in request bodies that accept unknown fields: these are sent as given, with a note. */
import { onceFor } from "./once-for.js";
import { z } from "./z.js";

// One schema for all of them, which distinguishes them from free-form objects. It survives `extend`, `pick`, `omit` and
// `partial`.
const unnamed = z.unknown();

type NamedMembers<S extends z.ZodRawShape> = z.ZodObject<S, z.core.$strict>;

/** An object that accepts fields that no source documents. Its type has only the documented ones. */
export const openObject = <S extends z.ZodRawShape>(shape: S): NamedMembers<S> =>
  z.strictObject(shape).catchall(unnamed) as unknown as NamedMembers<S>;

/** Whether an object accepts unknown fields with a note. */
export const isOpenObject = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodObject && schema.def.catchall === unnamed;

/** An object that has at least one member: an item without any would put nothing in the place of what it replaces. */
export const nonEmpty = <S extends z.ZodObject>(schema: S): S =>
  schema.refine((one) => Object.keys(one).length > 0, "no empty object");

const reasons = new WeakMap<object, string>();

/**
 * An object in a body that rejects unknown fields.
 * @param because The possible harm, as the end of a sentence that begins with "because".
 */
export function closedObject<S extends z.ZodRawShape>(because: string, shape: S): NamedMembers<S> {
  const none = z.never();
  reasons.set(none, because);
  return z.strictObject(shape).catchall(none) as unknown as NamedMembers<S>;
}

/** Why an object rejects unknown fields; undefined if no reason is declared. */
export const whyClosed = onceFor((schema: z.ZodObject): string | undefined =>
  schema.def.catchall === undefined ? undefined : reasons.get(schema.def.catchall),
);
