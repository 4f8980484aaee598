/** The objects of a body by their places, and what becomes of members that they do not name. */
import { isOpenObject, whyClosed } from "../../src/language/open-object.js";
import { formsAt, formsOf, isOpen } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";

type Path = readonly PropertyKey[];

/** What becomes of a member that an object does not name: it passes with a note, is refused, or is one like all others. */
type Kind = "open" | "closed" | "free";

/** The kind of an object; undefined for one that is closed without a reason. */
export function kindOf(object: z.ZodObject): Kind | undefined {
  if (isOpenObject(object)) return "open";
  if (whyClosed(object) !== undefined) return "closed";
  return object.def.catchall === undefined || object.def.catchall instanceof z.ZodNever ? undefined : "free";
}

interface Place {
  readonly path: Path;
  readonly kind: Kind;
  /** The names that it can have, where its schema is the only one there. */
  readonly names: readonly string[];
}

/** The place of an object, where all objects that can be there are of one kind, and nothing else can. */
function placeAt(schema: z.ZodType, path: Path): Place[] {
  const forms = path.reduce(formsAt, formsOf(schema));
  const objects = forms.filter((form) => form instanceof z.ZodObject);
  if (objects.length === 0 || forms.some((form) => form instanceof z.ZodRecord || isOpen(form))) return [];
  const [kind, ...others] = new Set(objects.map(kindOf));
  const names = objects.length === 1 ? Object.keys(objects[0]?.shape ?? {}) : [];
  return kind === undefined || others.length > 0 ? [] : [{ path, kind, names }];
}

/** The places of the objects in a value. */
export function placesIn(schema: z.ZodType, value: unknown, path: Path = []): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  const inner = Object.entries(value).flatMap(([key, member]) =>
    placesIn(schema, member, [...path, isList ? Number(key) : key]),
  );
  return isList ? inner : [...placeAt(schema, path), ...inner];
}
