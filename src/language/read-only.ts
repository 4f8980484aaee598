/** Read-only fields, which a write accepts as they were read and does not send: their declaration and removal. */
import { markAmong, markOf, markSchema } from "./marks.js";
import { fieldOf, omitted } from "./member.js";
import { onceFor } from "./once-for.js";
import { containing, eachAt, formsOf, withEachAt } from "./shape.js";
import { z } from "./z.js";

/** A field that the API sets, in a schema shared by a response and a write: it is accepted, and not sent. */
export const readOnly = <S extends z.ZodType>(schema: S): S => schema.meta({ ...schema.meta(), readOnly: true });

// Fields that are not sent can have any value.
const anything = readOnly(z.unknown().optional());

/**
 * The fields that a write sets, and those which a response has in addition: these are accepted and not sent.
 * @param of The response, or names of its fields.
 */
export function withReadOnlyMembers<S extends z.ZodRawShape>(shape: S, ...of: readonly (z.ZodObject | string)[]): S {
  const names = of.flatMap((one) => (typeof one === "string" ? [one] : Object.keys(one.shape)));
  const others = names.filter((name) => !Object.hasOwn(shape, name)).map((name) => [name, anything]);
  return { ...shape, ...Object.fromEntries(others) };
}

/**
 * A field that repeats the object of the write, such as the id in its path. It sets nothing, so it is neither listed
 * nor compared, but it is sent as given.
 */
export const repeated = <S extends z.ZodType>(schema: S): S => markSchema(readOnly(schema), { repeated: true });

/** Whether a field is accepted but not set, so that a write can repeat what was read. */
export const isReadOnly = onceFor((forms: readonly z.ZodType[]): boolean =>
  forms.some((form) => form.meta()?.readOnly === true),
);

const repeatedAmong = markAmong("repeated");

/** Whether a field is accepted and not sent. */
export const isUnsent = onceFor(
  (forms: readonly z.ZodType[]): boolean => isReadOnly(forms) && repeatedAmong(forms) === undefined,
);

// A large value without such fields is not searched for them.
const holdsUnsent = containing((form) => form.meta()?.readOnly === true && markOf(form, "repeated") === undefined);

/** A value without read-only fields. */
export interface SentPart {
  readonly value: unknown;
  /** The paths of the removed fields. */
  readonly leftOut: readonly (readonly PropertyKey[])[];
}

/**
 * The part of a validated value that is sent.
 * @param at The path of the value.
 */
export function sentPart(schema: z.ZodType, value: unknown, at: readonly PropertyKey[]): SentPart {
  const leftOut: (readonly PropertyKey[])[] = [];
  const walk = (forms: readonly z.ZodType[], part: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof part !== "object" || part === null || !forms.some(holdsUnsent)) return part;
    eachAt(forms, part, (_, own, key) => {
      if (typeof key === "string" && isUnsent(own)) leftOut.push([...path, key]);
    });
    return withEachAt(forms, part, (member, own, key) =>
      typeof key === "string" && isUnsent(own) ? omitted : walk(own, member, [...path, key]),
    );
  };
  return { value: walk(formsOf(schema), value, at), leftOut };
}

const maxNamed = 5;

/** A note on fields that were not sent, for one reason; fields of list items are named once. */
export function noteOnUnsent(leftOut: SentPart["leftOut"], because: string): readonly string[] {
  const fields = [...new Set(leftOut.map((path) => fieldOf(path).replaceAll(/\[\d+\]/g, "[]")))];
  if (fields.length === 0) return [];
  const more = fields.length > maxNamed ? ` and ${fields.length - maxNamed} more` : "";
  return [`Not sent, because ${because}: ${fields.slice(0, maxNamed).join(", ")}${more}.`];
}
