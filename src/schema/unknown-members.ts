/**
 * Undocumented members in a call's arguments: misspellings of known names, which are rejected, and others, which are
 * accepted.
 */
import { markOf } from "../language/marks.js";
import { fieldOf, isRecord, memberAt } from "../language/member.js";
import { onceFor } from "../language/once-for.js";
import { isOpenObject } from "../language/open-object.js";
import { containing, unwrapSchema, wrappedSchema } from "../language/shape.js";
import { z } from "../language/z.js";
import { misspelledIn } from "../text/nearest.js";

/** A name independent of notation: `If-Match`, `if_match` and `ifMatch` are equal. */
const plainName = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase();

const byPlainName = onceFor((object: z.ZodObject): ReadonlyMap<string, string> => {
  const members = Object.entries(object.shape).flatMap(([name, member]) =>
    [name, ...(markOf(unwrapSchema(member as z.ZodType), "alsoNamed") ?? [])].map(
      (one) => [plainName(one), name] as const,
    ),
  );
  // If two members match a name, the first one is meant.
  return new Map(members.toReversed());
});

/** The member of an object that the given name means; undefined if there is none. */
export const knownNameOf = (given: string, object: z.ZodObject): string | undefined =>
  byPlainName(object).get(plainName(given));

type Members = Readonly<Record<string, unknown>>;

/** An object of the arguments with undocumented members. */
export interface UnknownMembers {
  readonly path: readonly PropertyKey[];
  readonly names: readonly string[];
  /** The schemas of the object. */
  readonly objects: readonly z.ZodObject[];
  readonly value: Members;
}

const holdsOpen = containing(isOpenObject);

type Schemas = readonly z.ZodType[];

/** A schema without its wrappers, cached, because looking up a schema's class is slow. */
interface SchemaPart {
  readonly object?: z.ZodObject;
  readonly members?: ReadonlyMap<string, Schemas>;
  /** The schema of all members, if they are not distinguished. */
  readonly values?: Schemas;
  readonly items: Schemas;
  /** Of a union: the options that a value can match. */
  readonly choose?: (value: Members) => Schemas;
  readonly isOpen: boolean;
  /** Whether it accepts any member, so that none is unknown. */
  readonly isFree: boolean;
}

const isOfObjects = (schema: z.ZodType): boolean =>
  partsOf(schema).some(({ object, values, choose, isFree }) => object ?? values ?? choose ?? isFree);

/** Selects the options of a union that match a value; if none does, those that are objects. */
function chooseFitting(union: z.ZodUnion): SchemaPart["choose"] {
  const options = (union.options as Schemas).filter(isOfObjects);
  if (options.length < 2) return () => options;
  return (value) => {
    const fit = options.filter((option) => option.validate(value));
    return fit.length > 0 ? fit : options;
  };
}

/** Selects the option named by the discriminator; if there is none, all of them. */
function chooseByDiscriminator(union: z.ZodDiscriminatedUnion): SchemaPart["choose"] {
  const options = union.options as Schemas;
  const name = union.def.discriminator;
  const literals = (option: z.ZodType) =>
    partsOf(option)
      .flatMap(({ members }) => members?.get(name) ?? [])
      .flatMap((member) => (member instanceof z.ZodLiteral ? [...member.values] : []));
  const byValue = new Map<unknown, Schemas>(
    options.flatMap((option) => literals(option).map((value) => [value, [option]] as const)),
  );
  return (value) => byValue.get(value[name]) ?? options;
}

function partOf(schema: z.ZodType): SchemaPart {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
    const others = schema.def.catchall;
    const isOpen = isOpenObject(schema);
    return {
      object: schema,
      members: new Map(shape.map(([name, member]) => [name, [member]])),
      items: [],
      isOpen,
      isFree: !isOpen && others !== undefined && !(others instanceof z.ZodNever),
    };
  }
  const none = { items: [], isOpen: false, isFree: false };
  if (schema instanceof z.ZodDiscriminatedUnion)
    return { ...none, ...optionsOf(schema, chooseByDiscriminator(schema)) };
  if (schema instanceof z.ZodUnion) return { ...none, ...optionsOf(schema, chooseFitting(schema)) };
  if (schema instanceof z.ZodArray) return { ...none, items: [schema.element as z.ZodType] };
  if (schema instanceof z.ZodTuple)
    return { ...none, items: [...schema.def.items, ...(schema.def.rest ? [schema.def.rest] : [])] as z.ZodType[] };
  if (schema instanceof z.ZodRecord) return { ...none, values: [schema.valueType as z.ZodType], isFree: true };
  return { ...none, isFree: schema instanceof z.ZodUnknown || schema instanceof z.ZodAny };
}

/** A union selects among its options for an object, and combines their items for a list. */
const optionsOf = (union: z.ZodUnion | z.ZodDiscriminatedUnion, choose: SchemaPart["choose"]) => ({
  ...(choose ? { choose } : {}),
  items: (union.options as Schemas).flatMap((option) => partsOf(option).flatMap(({ items }) => items)),
});

/** The schema inside of wrappers; both sides of a conversion or an intersection. */
const partsOf = onceFor((schema: z.ZodType): readonly SchemaPart[] => {
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(partsOfType);
  if (schema instanceof z.ZodPipe && !(schema.in instanceof z.ZodTransform))
    return [schema.in, schema.out].flatMap(partsOfType);
  const wrapped = wrappedSchema(schema);
  return wrapped ? partsOf(wrapped) : [partOf(schema)];
});
const partsOfType = (schema: z.core.$ZodType): readonly SchemaPart[] => partsOf(schema as z.ZodType);

/** The properties of an object by its schemas, independent of its value. */
function chosenParts(schemas: Schemas, value: Members): readonly SchemaPart[] {
  const [first, ...more] = schemas;
  const parts = first !== undefined && more.length === 0 ? partsOf(first) : schemas.flatMap(partsOf);
  if (parts.every(({ choose }) => choose === undefined)) return parts;
  return parts.flatMap((part) => (part.choose ? chosenParts(part.choose(value), value) : [part]));
}

/** The schemas of a member, given the object around it. */
function membersOf(parts: readonly SchemaPart[], name: string): Schemas {
  const of = ({ members, values }: SchemaPart) => members?.get(name) ?? values ?? [];
  const [first, ...more] = parts;
  return first !== undefined && more.length === 0 ? of(first) : parts.flatMap(of);
}

const itemsOf = (schemas: Schemas): Schemas =>
  schemas.flatMap((schema) => partsOf(schema).flatMap(({ items }) => items));
const objectsOf = (parts: readonly SchemaPart[]): readonly z.ZodObject[] => parts.flatMap(({ object }) => object ?? []);

/** An object with undocumented members, if one of its schemas is open and none is free-form. */
function unknownsIn(
  parts: readonly SchemaPart[],
  value: Members,
  path: readonly PropertyKey[],
): readonly UnknownMembers[] {
  if (!parts.some(({ isOpen }) => isOpen) || parts.some(({ isFree }) => isFree)) return [];
  const names = Object.keys(value).filter((name) => parts.every(({ members }) => members?.has(name) !== true));
  if (names.length === 0) return [];
  return [{ path: [...path], names, objects: objectsOf(parts), value }];
}

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * The objects in a value with undocumented members, if one of their schemas is open and none is free-form. For a union,
 * only the matching option counts, so that members of other options are unknown.
 */
export function unknownMembers(schema: z.ZodType, root: unknown): readonly UnknownMembers[] {
  const unknowns: UnknownMembers[] = [];
  // A single mutable path, copied when something is found: a large body has thousands of members, all of them known.
  const path: PropertyKey[] = [];
  const inside = (schemas: Schemas, key: PropertyKey, member: object) => {
    path.push(key);
    visit(schemas, member);
    path.pop();
  };
  const visitItems = (items: Schemas, list: readonly unknown[]): void => {
    for (const [at, item] of list.entries()) if (isHolder(item)) inside(items, at, item);
  };
  const visitMembers = (parts: readonly SchemaPart[], value: Members): void => {
    unknowns.push(...unknownsIn(parts, value, path));
    for (const [name, member] of Object.entries(value))
      if (isHolder(member)) inside(membersOf(parts, name), name, member);
  };
  const visit = (schemas: Schemas, value: object): void => {
    if (!schemas.some(holdsOpen)) return;
    if (isRecord(value)) visitMembers(chosenParts(schemas, value), value);
    else visitItems(itemsOf(schemas), value as readonly unknown[]);
  };
  if (isHolder(root)) visit([schema], root);
  return unknowns;
}

/** The schemas of the object at a path of a value, with unions resolved by the value. */
export function objectsAt(schema: z.ZodType, root: unknown, path: readonly PropertyKey[]): readonly z.ZodObject[] {
  let [schemas, value]: [Schemas, unknown] = [[schema], root];
  for (const key of path) {
    schemas = isRecord(value) ? membersOf(chosenParts(schemas, value), String(key)) : itemsOf(schemas);
    value = memberAt(value, [key]);
  }
  return isRecord(value) ? objectsOf(chosenParts(schemas, value)) : [];
}

/** The unknown members that remain in the converted value, because a schema can leave some out. */
export const remainingUnknowns = (converted: unknown, unknowns: readonly UnknownMembers[]): readonly UnknownMembers[] =>
  unknowns.flatMap((entry) => {
    const value = memberAt(converted, entry.path);
    const names = entry.names.filter((name) => isRecord(value) && Object.hasOwn(value, name));
    return names.length > 0 ? [{ ...entry, names }] : [];
  });

/** The known names that an unknown one may mean. */
function meantNames(name: string, object: z.ZodObject): readonly string[] {
  const known = knownNameOf(name, object);
  return [...misspelledIn(name, Object.keys(object.shape)), ...(known === undefined ? [] : [known])];
}

/**
 * Creates the function that finds the misspellings among an object's unknown members: not those that occur together with
 * the known name. It compares each name once, because a list can have the same one in every item.
 */
export function createSlipFinder(): (found: UnknownMembers) => readonly string[] {
  const compared = onceFor((_: z.ZodObject) => new Map<string, readonly string[]>());
  const meant = (name: string, object: z.ZodObject): readonly string[] => {
    const ofObject = compared(object);
    const found = ofObject.get(name) ?? meantNames(name, object);
    ofObject.set(name, found);
    return found;
  };
  return ({ names, objects, value }) =>
    names.filter((name) => objects.some((object) => meant(name, object).some((known) => !Object.hasOwn(value, known))));
}

/** The names of all unknown members in a value. */
export const unknownNames = (schema: z.ZodType, root: unknown): ReadonlySet<string> =>
  new Set(unknownMembers(schema, root).flatMap(({ names }) => names));

const maxNamed = 3;

/** The sentence about undocumented fields that are sent: the first ones, and the number of the others. */
export function noteOnUnknown(unknowns: readonly UnknownMembers[]): string | undefined {
  const total = unknowns.reduce((sum, { names }) => sum + names.length, 0);
  if (total === 0) return undefined;
  const first: string[] = [];
  for (const { path, names } of unknowns)
    for (const name of names.slice(0, maxNamed - first.length)) first.push(fieldOf([...path, name]));
  const more = total - first.length;
  return `Undocumented, sent as given: ${first.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
