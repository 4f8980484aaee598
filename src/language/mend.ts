/** Corrections of arguments: the given value or name is replaced by the one that was most likely meant. */
import { parsedJson } from "../text/parsed-json.js";
import { isRecord } from "./member.js";
import { z } from "./z.js";

/** A change to the arguments of a call, at a path from their root. */
export type Mend = {
  readonly at: readonly PropertyKey[];
  /** Whether it makes a choice for the caller instead of only normalizing the caller's value. */
  readonly isGuess?: true;
} & (
  | { readonly value: unknown }
  /** The name of the argument. */
  | { readonly name: string }
  /** A name within a text, or within each text of a list. */
  | { readonly from: string; readonly to: string }
);

/** Normalizes a caller's value to the form of the argument; undefined if it cannot. */
type Spelling = (given: unknown) => unknown;
const spellings = z.registry<{ readonly as: Spelling }>();

/** Marks a schema with other notations in which its values are often written. The normalized value has to match the schema. */
export function withSpelling<S extends z.ZodType>(schema: S, as: Spelling): S {
  spellings.add(schema, { as });
  return schema;
}

/** Whether a schema is marked with other notations. */
export const hasSpelling = (schema: z.ZodType): boolean => spellings.get(schema) !== undefined;

/** The normalized form of a value, by its schema. */
export function respell(schema: z.ZodType, given: unknown): unknown {
  const value = spellings.get(schema)?.as(given);
  return value !== undefined && value !== given && schema.safeParse(value).success ? value : undefined;
}

/** A value, parsed if it was written as JSON text, so that paths into it exist. */
const parseIfText = (value: unknown): unknown => (typeof value === "string" ? parsedJson(value) : value);

/** A text with every whole-word occurrence of a name replaced. */
function replaceName(value: unknown, from: string, to: string): unknown {
  const name = new RegExp(`(?<![\\w.])${from.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w.])`, "g");
  if (typeof value === "string") return value.replace(name, () => to);
  return Array.isArray(value) ? value.map((one) => replaceName(one, from, to)) : value;
}

/** A record with one member renamed, in the same position. */
const renameMember = (value: Readonly<Record<string, unknown>>, name: string, to: string): unknown =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key === name ? to : key, member]));

function insteadOf(value: unknown, mend: Mend): unknown {
  if ("value" in mend) return mend.value;
  return "from" in mend ? replaceName(value, mend.from, mend.to) : undefined;
}

function applyMend(root: unknown, mend: Mend, [key, ...rest] = mend.at): unknown {
  if (key === undefined) return insteadOf(root, mend);
  const value = parseIfText(root);
  if (Array.isArray(value)) {
    const inner = typeof key === "number" ? applyMend(value[key], mend, rest) : undefined;
    return inner === undefined ? undefined : value.with(Number(key), inner);
  }
  const name = String(key);
  if (!isRecord(value)) return undefined;
  if ("name" in mend && rest.length === 0) {
    const isFree = Object.hasOwn(value, name) && !Object.hasOwn(value, mend.name);
    return isFree ? renameMember(value, name, mend.name) : undefined;
  }
  const inner = applyMend(value[name], mend, rest);
  return inner === undefined ? undefined : { ...value, [name]: inner };
}

/**
 * The arguments with all corrections applied: values before names, because their paths use the given names.
 * @returns undefined if the path of one of them does not exist in the arguments.
 */
export function applyMends(args: unknown, mends: readonly Mend[]): unknown {
  const isOfName = (mend: Mend) => "name" in mend;
  const ordered = [...mends.filter((mend) => !isOfName(mend)), ...mends.filter(isOfName)];
  return ordered.reduce<unknown>((at, mend) => (at === undefined ? undefined : applyMend(at, mend)), args);
}
