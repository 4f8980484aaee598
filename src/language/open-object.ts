/** Objects of request bodies whose names are known, but not all of them: other members are sent as given, with a note. */
import { onceFor } from "./once-for.js";
import { z } from "./z.js";

// One for all of them, by which they are told from free-form objects. It survives what makes one object of another:
// `extend`, `pick`, `omit` and `partial`.
const unnamed = z.unknown();

type Named<S extends z.ZodRawShape> = z.ZodObject<S, z.core.$strict>;

/**
 * An object that takes members which no source names. Its type has the named ones alone, because nothing here can know
 * what another one means.
 */
export const openObject = <S extends z.ZodRawShape>(shape: S): Named<S> =>
  z.strictObject(shape).catchall(unnamed) as unknown as Named<S>;

/** Whether an object takes other members than it names, and each of them is noted. */
export const isOpenObject = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodObject && schema.def.catchall === unnamed;

const reasons = new WeakMap<object, string>();

/**
 * An object of a body that refuses every member which it does not name.
 * @param because What such a member could do, as the end of a sentence that begins with "because".
 */
export function closedObject<S extends z.ZodRawShape>(because: string, shape: S): Named<S> {
  const none = z.never();
  reasons.set(none, because);
  return z.strictObject(shape).catchall(none) as unknown as Named<S>;
}

/** Why an object refuses what it does not name; undefined where no reason is declared. */
export const whyClosed = onceFor((schema: z.ZodObject): string | undefined =>
  schema.def.catchall === undefined ? undefined : reasons.get(schema.def.catchall),
);
