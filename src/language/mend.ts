/** What would make an argument usable: the value or the name that was most likely meant, put in the place of the given one. */
import { parsedJson } from "./json.js";
import { isRecord } from "./member.js";
import { z } from "./z.js";

/** A change to the arguments of a call, at a path from their root. */
export type Mend = {
  readonly at: readonly PropertyKey[];
  /** Whether it chooses for the caller, and does not only write in another way what the caller chose. */
  readonly isGuess?: true;
} & (
  | { readonly value: unknown }
  /** The argument's own name. */
  | { readonly name: string }
  /** A name in a text, or in each text of a list. */
  | { readonly from: string; readonly to: string }
);

/** Reads what a caller wrote as an argument takes it; undefined for what it cannot read. */
type Spelling = (given: unknown) => unknown;
const spellings = z.registry<{ readonly as: Spelling }>();

/** Marks a schema with other ways in which its values are often written. What a way leads to has to fit the schema. */
export function spelled<S extends z.ZodType>(schema: S, as: Spelling): S {
  spellings.add(schema, { as });
  return schema;
}

/** Whether values of a schema are often written in other ways. */
export const isSpelled = (schema: z.ZodType): boolean => spellings.get(schema) !== undefined;

/** The value that a given one is another way to write, by its schema. */
export function respelled(schema: z.ZodType, given: unknown): unknown {
  const value = spellings.get(schema)?.as(given);
  return value !== undefined && value !== given && schema.safeParse(value).success ? value : undefined;
}

/** A value that was written as JSON text, so that there is a place in it; any other is what it is. */
const opened = (value: unknown): unknown => (typeof value === "string" ? parsedJson(value) : value);

/** A text with a name in the place of another, wherever that stands by itself. */
function replaced(value: unknown, from: string, to: string): unknown {
  const name = new RegExp(`(?<![\\w.])${from.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w.])`, "g");
  if (typeof value === "string") return value.replace(name, () => to);
  return Array.isArray(value) ? value.map((one) => replaced(one, from, to)) : value;
}

/** A record with one of its members under another name, in the same place. */
const renamed = (value: Readonly<Record<string, unknown>>, name: string, to: string): unknown =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key === name ? to : key, member]));

function insteadOf(value: unknown, mend: Mend): unknown {
  if ("value" in mend) return mend.value;
  return "from" in mend ? replaced(value, mend.from, mend.to) : undefined;
}

function mendedBy(root: unknown, mend: Mend, [key, ...rest] = mend.at): unknown {
  if (key === undefined) return insteadOf(root, mend);
  const value = opened(root);
  if (Array.isArray(value)) {
    const inner = typeof key === "number" ? mendedBy(value[key], mend, rest) : undefined;
    return inner === undefined ? undefined : value.with(Number(key), inner);
  }
  const name = String(key);
  if (!isRecord(value)) return undefined;
  if ("name" in mend && rest.length === 0) {
    const isFree = Object.hasOwn(value, name) && !Object.hasOwn(value, mend.name);
    return isFree ? renamed(value, name, mend.name) : undefined;
  }
  const inner = mendedBy(value[name], mend, rest);
  return inner === undefined ? undefined : { ...value, [name]: inner };
}

/**
 * Arguments with all mends made, those of values before those of names, whose paths are by the names that were given.
 * @returns undefined where one of them has no place in the arguments.
 */
export function mended(args: unknown, mends: readonly Mend[]): unknown {
  const isOfName = (mend: Mend) => "name" in mend;
  const ordered = [...mends.filter((mend) => !isOfName(mend)), ...mends.filter(isOfName)];
  return ordered.reduce<unknown>((at, mend) => (at === undefined ? undefined : mendedBy(at, mend)), args);
}
