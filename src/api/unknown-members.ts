/** The members of a call's arguments that no source names: slips of known names, which are refused, and others, which pass. */
import { knownAs } from "./also-named.js";
import { fieldOf, isRecord, memberAt } from "./member.js";
import { slipsOf } from "./nearest.js";
import { onceFor } from "./once-for.js";
import { isOpenObject } from "./open-object.js";
import { containing, wrappedBy } from "./shape.js";
import { z } from "./z.js";

/** An object of the arguments with members that its schemas do not name. */
export interface Unknowns {
  readonly path: readonly PropertyKey[];
  readonly names: readonly string[];
  /** Those of them that are slips of names which the object could have and does not. */
  readonly slips: readonly string[];
  /** The schemas of the object. */
  readonly objects: readonly z.ZodObject[];
}

const holdsOpen = containing(isOpenObject);

/** The schemas that a value can be of one of, when all are one schema's options; those that it fits where it fits any. */
function fitting(options: readonly z.ZodType[], value: unknown): readonly z.ZodType[] {
  const fit = options.filter((option) => option.safeParse(value).success);
  return fit.length > 0 ? fit : options;
}

/** The option of a union that the value of its discriminator chooses; all where it chooses none. */
function chosen(union: z.ZodDiscriminatedUnion, value: Readonly<Record<string, unknown>>): readonly z.ZodType[] {
  const options = union.options as readonly z.ZodType[];
  const name = union.def.discriminator;
  const own = options.filter((option) =>
    partsOf(option).some(
      (part) =>
        part instanceof z.ZodObject && (part.shape[name] as z.ZodType | undefined)?.safeParse(value[name]).success,
    ),
  );
  return own.length > 0 ? own : options;
}

/** What a schema is once its wrappers are taken off; both sides of a conversion or an intersection. */
const partsOf = onceFor((schema: z.ZodType): readonly z.ZodType[] => {
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(partsOfType);
  if (schema instanceof z.ZodPipe && !(schema.in instanceof z.ZodTransform))
    return [schema.in, schema.out].flatMap(partsOfType);
  const wrapped = wrappedBy(schema);
  return wrapped ? partsOf(wrapped) : [schema];
});
const partsOfType = (schema: z.core.$ZodType): readonly z.ZodType[] => partsOf(schema as z.ZodType);

/** The schemas of an object, without the choices that its value has made. */
const schemasOf = (schemas: readonly z.ZodType[], value: Readonly<Record<string, unknown>>): readonly z.ZodType[] =>
  schemas.flatMap(partsOf).flatMap((part) => {
    if (!(part instanceof z.ZodUnion)) return [part];
    return schemasOf(
      part instanceof z.ZodDiscriminatedUnion
        ? chosen(part, value)
        : fitting(part.options as readonly z.ZodType[], value),
      value,
    );
  });

/** The schemas of the items of a list. */
const itemsOf = (schemas: readonly z.ZodType[]): readonly z.ZodType[] =>
  schemas.flatMap(partsOf).flatMap((part): readonly z.ZodType[] => {
    if (part instanceof z.ZodUnion) return itemsOf(part.options as readonly z.ZodType[]);
    if (part instanceof z.ZodTuple)
      return [...part.def.items, ...(part.def.rest ? [part.def.rest] : [])] as z.ZodType[];
    return part instanceof z.ZodArray ? [part.element as z.ZodType] : [];
  });

/** The schemas of a member, by the schemas of what it is in. */
const membersOf = (own: readonly z.ZodType[], name: string): readonly z.ZodType[] =>
  own.flatMap((one): readonly z.ZodType[] => {
    if (one instanceof z.ZodRecord) return [one.valueType as z.ZodType];
    const shape = one instanceof z.ZodObject ? (one.shape as Readonly<Record<string, z.ZodType>>) : {};
    return Object.hasOwn(shape, name) ? [shape[name] as z.ZodType] : [];
  });

const isNamed = (objects: readonly z.ZodObject[], name: string): boolean =>
  objects.some(({ shape }) => Object.hasOwn(shape, name));

/**
 * The objects in a value with members that their schemas do not name, where one of these is open and none is free-form. Of
 * a union the option counts that the value is of, so that a member is unknown where only another option has it.
 */
export function unknownMembers(schema: z.ZodType, root: unknown): readonly Unknowns[] {
  const found: Unknowns[] = [];
  // One path for all, copied where something is found: a large body has thousands of members, all of them known.
  const path: PropertyKey[] = [];
  const visit = (schemas: readonly z.ZodType[], value: unknown): void => {
    if (typeof value !== "object" || value === null || !schemas.some(holdsOpen)) return;
    const inside = (of: readonly z.ZodType[], key: PropertyKey, member: unknown) => {
      if (typeof member !== "object" || member === null) return;
      path.push(key);
      visit(of, member);
      path.pop();
    };
    if (Array.isArray(value)) {
      const items = itemsOf(schemas);
      for (const [at, item] of value.entries()) inside(items, at, item);
      return;
    }
    if (!isRecord(value)) return;
    const own = schemasOf(schemas, value);
    const objects = own.filter((one) => one instanceof z.ZodObject);
    const isNoted = objects.some(isOpenObject) && own.every(isBounded);
    const names = isNoted ? Object.keys(value).filter((name) => !isNamed(objects, name)) : [];
    if (names.length > 0) found.push({ path: [...path], names, objects, ...withSlips(names, objects, value) });
    for (const [name, member] of Object.entries(value)) inside(membersOf(own, name), name, member);
  };
  visit([schema], root);
  return found;
}

/** The schemas of the object at a path of a value, as the value has chosen them. */
export function objectsAt(schema: z.ZodType, root: unknown, path: readonly PropertyKey[]): readonly z.ZodObject[] {
  let [schemas, value]: [readonly z.ZodType[], unknown] = [[schema], root];
  for (const key of path) {
    if (typeof value !== "object" || value === null) return [];
    schemas = isRecord(value) ? membersOf(schemasOf(schemas, value), String(key)) : itemsOf(schemas);
    value = memberAt(value, [key]);
  }
  return isRecord(value) ? schemasOf(schemas, value).filter((one) => one instanceof z.ZodObject) : [];
}

/** Those of the unknown members that are still there in what was made of the value: a schema can leave some out. */
export const leftIn = (made: unknown, found: readonly Unknowns[]): readonly Unknowns[] =>
  found.flatMap(({ path, names, slips, objects }) => {
    const value = memberAt(made, path);
    const isLeft = (name: string) => isRecord(value) && Object.hasOwn(value, name);
    return names.some(isLeft) ? [{ path, names: names.filter(isLeft), slips: slips.filter(isLeft), objects }] : [];
  });

/** Whether an object's schema, which a value is of, does not take just any member. */
const isBounded = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject
    ? isOpenObject(schema) || schema.def.catchall === undefined || schema.def.catchall instanceof z.ZodNever
    : !(schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown || schema instanceof z.ZodAny);

/** What of an object's unknown members is meant as another one: where it has that one as well, each is what it is. */
function withSlips(names: readonly string[], objects: readonly z.ZodObject[], value: object): Pick<Unknowns, "slips"> {
  const all = objects.flatMap(({ shape }) => Object.keys(shape));
  const free = all.filter((name) => !Object.hasOwn(value, name));
  const near = new Set(slipsOf(names, free));
  const isElsewhere = (name: string) => free.includes(objects.map((one) => knownAs(name, one)).find(Boolean) ?? "");
  return { slips: names.filter((name) => near.has(name) || isElsewhere(name)) };
}

/** The names of all unknown members in a value. */
export const namesUnknown = (schema: z.ZodType, root: unknown): ReadonlySet<string> =>
  new Set(unknownMembers(schema, root).flatMap(({ names }) => names));

const maxNamed = 3;

/** What is said of unknown members that are sent: where the first of them are, and how many there are. */
export function noteOnUnknown(found: readonly Unknowns[]): string | undefined {
  const total = found.reduce((sum, { names }) => sum + names.length, 0);
  if (total === 0) return undefined;
  const first: string[] = [];
  for (const { path, names } of found)
    for (const name of names.slice(0, maxNamed - first.length)) first.push(fieldOf([...path, name]));
  const more = total - first.length;
  return `Not known here, sent as given: ${first.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
