/** The structure of schemas, through wrappers, choices and conversions. */
import { withEach } from "./member.js";
import { onceFor } from "./once-for.js";
import { isOpenObject } from "./open-object.js";
import { z } from "./z.js";

/** The schema inside optional, nullable and default. */
export const unwrapSchema = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrapSchema(schema.unwrap() as z.ZodType)
    : schema;

/** The schema inside any wrapper, one level deep; undefined if it is not a wrapper. */
export function wrappedSchema(schema: z.ZodType): z.ZodType | undefined {
  // Its `unwrap` creates a new schema each time, so that a recursive one would never end.
  if (schema instanceof z.ZodLazy) return schema._zod.innerType as z.ZodType;
  // A preprocessed value is validated by what follows.
  if (schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform) return schema.out as z.ZodType;
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch;
  return isWrapper ? (schema.unwrap() as z.ZodType) : undefined;
}

/** The inner schemas of a wrapper, choice or conversion. */
function innerOf(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options as readonly z.ZodType[];
  if (schema instanceof z.ZodIntersection) return [schema.def.left as z.ZodType, schema.def.right as z.ZodType];
  if (schema instanceof z.ZodPipe) return [schema.in as z.ZodType, schema.out as z.ZodType];
  const wrapped = wrappedSchema(schema);
  return wrapped ? [wrapped] : [];
}

/** Further members of an object with a schema. */
const othersOf = (schema: z.ZodObject): z.ZodType | undefined => schema.def.catchall as z.ZodType | undefined;

const membersOf = (schema: z.ZodObject) => schema.shape as Readonly<Record<string, z.ZodType>>;

/** The schemas of everything that a value can contain. */
export function contentsOf(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) {
    const others = othersOf(schema);
    return [...Object.values(membersOf(schema)), ...(others ? [others] : [])];
  }
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  if (schema instanceof z.ZodTuple) {
    const { items, rest } = schema.def;
    return [...items, ...(rest ? [rest] : [])].map((item) => item as z.ZodType);
  }
  return [];
}

/** The forms of a schema: itself, the content of its wrappers, and the options of its unions. */
export const formsOf = onceFor((schema: z.ZodType): readonly z.ZodType[] => {
  const forms = new Set<z.ZodType>();
  const add = (form: z.ZodType) => {
    if (forms.has(form)) return;
    forms.add(form);
    innerOf(form).forEach(add);
  };
  add(schema);
  return [...forms];
});

/** The distinct forms of several schemas. */
export const formsOfAll = (schemas: readonly z.ZodType[]): readonly z.ZodType[] => joinForms(schemas.map(formsOf));

/** A combined list of forms; if only one list contributes, that list itself, so that caches by identity work. */
function joinForms(lists: readonly (readonly z.ZodType[])[]): readonly z.ZodType[] {
  const different = [...new Set(lists)].filter(({ length }) => length > 0);
  const [first = [], ...more] = different;
  return more.length === 0 ? first : [...new Set(different.flat())];
}

/** A test of whether a schema, or anything that its values can contain, matches a condition. */
export const containing = (isOfKind: (form: z.ZodType) => boolean): ((schema: z.ZodType) => boolean) =>
  onceFor((schema) => {
    const seen = new Set<z.ZodType>();
    const isHolder = (candidate: z.ZodType): boolean => {
      if (seen.has(candidate)) return false;
      seen.add(candidate);
      return formsOf(candidate).some((form) => isOfKind(form) || contentsOf(form).some(isHolder));
    };
    return isHolder(schema);
  });

/** Represents all members that no schema distinguishes. */
const anyMember = Symbol("any member");

/** What distinguishes the members of forms, and the cached forms of members. */
const membersBy = onceFor((forms: readonly z.ZodType[]) => ({
  names: new Set(forms.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : []))),
  hasPlaces: forms.some((form) => form instanceof z.ZodTuple),
  known: new Map<PropertyKey, readonly z.ZodType[]>(),
}));

/**
 * The forms of a member's schemas, by all forms of the value around it. They are cached for all similar members,
 * because a large value has thousands of them.
 */
export function formsAt(forms: readonly z.ZodType[], key: PropertyKey): readonly z.ZodType[] {
  const { names, hasPlaces, known } = membersBy(forms);
  const isApart = hasPlaces || (names.size > 0 && names.has(String(key)));
  const alike = isApart ? key : anyMember;
  const found = known.get(alike) ?? formsOfMember(forms, key);
  known.set(alike, found);
  return found;
}

/** The forms of a member by one form of its parent. */
function formsInOne(form: z.ZodType, key: PropertyKey, isDeclared: boolean): readonly z.ZodType[] {
  if (form instanceof z.ZodObject) {
    // A member that one form declares is not undeclared because another form is open.
    const others = isDeclared && isOpenObject(form) ? undefined : othersOf(form);
    const member = Object.hasOwn(form.shape, key) ? membersOf(form)[String(key)] : others;
    return member ? formsOf(member) : [];
  }
  if (form instanceof z.ZodTuple) {
    const item = form.def.items[Number(key)] ?? form.def.rest;
    return item ? formsOf(item as z.ZodType) : [];
  }
  return formsOfAll(contentsOf(form));
}

function formsOfMember(forms: readonly z.ZodType[], key: PropertyKey): readonly z.ZodType[] {
  const isDeclared = forms.some((form) => declares(form, key));
  return joinForms(forms.map((form) => formsInOne(form, key, isDeclared)));
}

/** Visits each member of a list or record, with the forms of its schemas; a scalar has none. */
export function eachAt(
  forms: readonly z.ZodType[],
  value: unknown,
  look: (member: unknown, own: readonly z.ZodType[], key: string | number) => void,
): void {
  if (Array.isArray(value)) for (const [at, item] of value.entries()) look(item, formsAt(forms, at), at);
  else if (typeof value === "object" && value !== null)
    for (const [key, member] of Object.entries(value)) look(member, formsAt(forms, key), key);
}

/** A list or record with each member replaced, like `withEach`; scalars are unchanged. */
export const withEachAt = (
  forms: readonly z.ZodType[],
  value: unknown,
  change: (member: unknown, own: readonly z.ZodType[], key: string | number) => unknown,
): unknown =>
  typeof value === "object" && value !== null
    ? withEach(value, (member, key) => change(member, formsAt(forms, key), key))
    : value;

/** Whether a schema accepts anything. */
export const isOpen = (schema: z.ZodType): boolean => schema instanceof z.ZodUnknown || schema instanceof z.ZodAny;

/**
 * Whether the schemas of an object name all members that a write is known to set. An open object accepts others as
 * well, but undeclared stored members are considered the API's own.
 */
export const isNamed = onceFor((forms: readonly z.ZodType[]): boolean => {
  const takers = forms.filter((form) => form instanceof z.ZodObject || form instanceof z.ZodRecord || isOpen(form));
  const isBounded = (form: z.ZodType): boolean => {
    if (isOpenObject(form)) return true;
    const others = form instanceof z.ZodObject ? othersOf(form) : form;
    return others === undefined || others instanceof z.ZodNever;
  };
  return takers.length > 0 && takers.every(isBounded);
});

/** Whether a schema declares a member by name. */
export const declares = (schema: z.ZodType, key: PropertyKey): boolean =>
  schema instanceof z.ZodObject && Object.hasOwn(schema.shape, key);
