/** What a write takes back as it was read and does not set: how it is declared, and how it is kept from the wire. */
import { fieldOf, omitted } from "../language/member.js";
import { onceFor } from "../language/once-for.js";
import { z } from "../language/z.js";
import { markAmong, marked, markOf } from "./marks.js";
import { containing, eachAt, formsOf, withEachAt } from "./shape.js";

/** A member that the API sets, where an answer and a write share its schema: it is taken back, and is not sent. */
export const readOnly = <S extends z.ZodType>(schema: S): S => schema.meta({ ...schema.meta(), readOnly: true });

// What is not sent is not looked at either, so it can have any value.
const anything = readOnly(z.unknown().optional());

/**
 * The members that a write sets, and those which an answer has besides: it takes these back and does not send them.
 * @param of The answer, or names of its members.
 */
export function asRead<S extends z.ZodRawShape>(written: S, ...of: readonly (z.ZodObject | string)[]): S {
  const names = of.flatMap((one) => (typeof one === "string" ? [one] : Object.keys(one.shape)));
  const others = names.filter((name) => !Object.hasOwn(written, name)).map((name) => [name, anything]);
  return { ...written, ...Object.fromEntries(others) };
}

/**
 * A member that names again what the write is about, such as the id in its path. It sets nothing, so it is neither listed
 * nor compared, and it is sent as it is given.
 */
export const repeated = <S extends z.ZodType>(schema: S): S => marked(readOnly(schema), { repeated: true });

/** Whether a member is taken but not set, because a write may repeat what was read. */
export const isReadOnly = onceFor((forms: readonly z.ZodType[]): boolean =>
  forms.some((form) => form.meta()?.readOnly === true),
);

const repeatedAmong = markAmong("repeated");

/** Whether a member is taken back and not sent. */
export const isUnsent = onceFor(
  (forms: readonly z.ZodType[]): boolean => isReadOnly(forms) && repeatedAmong(forms) === undefined,
);

// A large value without such members is not searched for them.
const holdsUnsent = containing((form) => form.meta()?.readOnly === true && markOf(form, "repeated") === undefined);

/** A value without the members that are not sent. */
export interface Sent {
  readonly value: unknown;
  /** Where those stand that it had. */
  readonly leftOut: readonly (readonly PropertyKey[])[];
}

/**
 * The part of a checked value that is sent.
 * @param at Where the value stands.
 */
export function sentPart(schema: z.ZodType, value: unknown, at: readonly PropertyKey[]): Sent {
  const leftOut: (readonly PropertyKey[])[] = [];
  const walk = (forms: readonly z.ZodType[], one: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof one !== "object" || one === null || !forms.some(holdsUnsent)) return one;
    eachAt(forms, one, (_, own, key) => {
      if (typeof key === "string" && isUnsent(own)) leftOut.push([...path, key]);
    });
    return withEachAt(forms, one, (member, own, key) =>
      typeof key === "string" && isUnsent(own) ? omitted : walk(own, member, [...path, key]),
    );
  };
  return { value: walk(formsOf(schema), value, at), leftOut };
}

const maxNamed = 5;

/** A note on what was not sent; the members of a list's items are named once. */
export function noteOnUnsent(leftOut: Sent["leftOut"]): readonly string[] {
  const fields = [...new Set(leftOut.map((path) => fieldOf(path).replaceAll(/\[\d+\]/g, "[]")))];
  if (fields.length === 0) return [];
  const more = fields.length > maxNamed ? ` and ${fields.length - maxNamed} more` : "";
  return [`Not sent, because the API sets them itself: ${fields.slice(0, maxNamed).join(", ")}${more}.`];
}
