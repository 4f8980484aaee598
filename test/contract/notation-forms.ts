/** What is taken, in one form whatever it is written in: the notation of a page, or JSON Schema. */
import { isDeepStrictEqual } from "node:util";
import type { Range, Written } from "./notation-reader.js";

/** One alternative of a value: a form of an object, a list, a value, or a type with its bounds. */
export type Taken =
  | { readonly object: Readonly<Record<string, TakenMember>> }
  | { readonly list: readonly Taken[]; readonly count: Range }
  | { readonly tuple: readonly (readonly Taken[])[] }
  | { readonly value: unknown }
  | { readonly type: string; readonly range: Range };

type TakenMember = readonly [isRequired: boolean, standard: unknown, taken: readonly Taken[]];

// A type that holds itself is compared down to this depth.
const deepest = 9;

const order = (one: unknown): string => JSON.stringify(one);

/** Two forms of an object that differ in the values of one member alone, as one. */
function merged(one: Taken, other: Taken): Taken | undefined {
  if (!("object" in one) || !("object" in other)) return isDeepStrictEqual(one, other) ? one : undefined;
  const names = [...new Set([...Object.keys(one.object), ...Object.keys(other.object)])];
  const unlike = names.filter((name) => !isDeepStrictEqual(one.object[name], other.object[name]));
  const [name = ""] = unlike;
  if (unlike.length === 0) return one;
  const [a, b] = [one.object[name], other.object[name]];
  const isValues = [a, b].every((member) => member?.[2].every((taken) => "value" in taken));
  if (unlike.length > 1 || !a || !b || !isValues || a[0] !== b[0] || !isDeepStrictEqual(a[1], b[1])) return undefined;
  return { object: { ...one.object, [name]: [a[0], a[1], together([...a[2], ...b[2]])] } };
}

/** Alternatives in one order, without those that another one covers. */
function together(all: readonly Taken[]): readonly Taken[] {
  const found: Taken[] = [];
  for (const one of all) {
    const at = found.findIndex((other) => merged(other, one));
    const both = found[at] && merged(found[at], one);
    if (both) found.splice(at, 1);
    found.push(both ?? one);
  }
  if (found.length < all.length) return together(found);
  return found.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

const sorted = (members: Readonly<Record<string, TakenMember>>) =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

/** What a page takes. */
export function takenByPage(written: Written, types: ReadonlyMap<string, Written>, depth = 0): readonly Taken[] {
  const inner = (one: Written, more = 0) => takenByPage(one, types, depth + more);
  if (depth > deepest) return [];
  if ("anyOf" in written) return together(written.anyOf.flatMap((one) => inner(one)));
  if ("both" in written) {
    const [one, other] = written.both.map((part) => inner(part));
    return together(
      (one ?? []).flatMap((a) =>
        (other ?? []).flatMap((b) =>
          "object" in a && "object" in b ? [{ object: sorted({ ...a.object, ...b.object }) }] : [],
        ),
      ),
    );
  }
  if ("members" in written) {
    const members = written.members.map(({ name, names, isRequired, standard, type }) => {
      return [name + (names ? order(inner(names)) : ""), [isRequired, standard, inner(type, 1)]] as const;
    });
    return [{ object: sorted(Object.fromEntries(members)) }];
  }
  if ("item" in written) return [{ list: inner(written.item), count: written.count }];
  if ("items" in written) return [{ tuple: written.items.map((one) => inner(one)) }];
  if ("value" in written) return [{ value: written.value }];
  if ("scalar" in written) return [{ type: written.scalar, range: written.range }];
  const type = types.get(written.name);
  if (!type) throw new Error(`The page has no type ${written.name}.`);
  return inner(type);
}

/** JSON Schema as the library writes it. */
export type Json = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const bound = (value: unknown): string =>
  typeof value !== "number" || Math.abs(value) === Number.MAX_SAFE_INTEGER ? "" : String(value);

/** The bounds that limit something; the whole number above a bound is the least. */
function boundsOf(schema: Json): Range {
  const { exclusiveMinimum: above } = schema;
  const most = bound(schema["maximum"] ?? schema["maxLength"]);
  if (typeof above !== "number") return [bound(schema["minimum"] ?? schema["minLength"]), most];
  return [schema["type"] === "integer" ? String(above + 1) : `>${above}`, most];
}

export function resolved(schema: Json, root: Json): Json {
  const { $ref, ...own } = schema;
  if (typeof $ref !== "string") return schema;
  const steps = $ref.split("/").slice(1);
  const target = steps.reduce<unknown>((at, step) => (at as Json)[step], root) as Json;
  return { ...resolved(target, root), ...own };
}

/** What a schema takes; what only the API sets is left out where a caller writes. */
export function takenBySchema(given: Json, root: Json, isInput: boolean, depth = 0): readonly Taken[] {
  const inner = (one: Json, more = 0) => takenBySchema(one, root, isInput, depth + more);
  if (depth > deepest) return [];
  const schema = resolved(given, root);
  const { type, anyOf, oneOf, items, prefixItems, additionalProperties: others } = schema;
  const union = listOf(anyOf ?? oneOf);
  if (union.length > 0) return together(union.flatMap((one) => inner(one)));
  if (Array.isArray(type)) return together(type.flatMap((one) => inner({ ...schema, type: one })));
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  if (Array.isArray(values)) return together(values.map((value) => ({ value })));
  if (Array.isArray(prefixItems)) return [{ tuple: listOf(prefixItems).map((one) => inner(one)) }];
  if (type === "array")
    return [{ list: inner((items ?? {}) as Json), count: [bound(schema["minItems"]), bound(schema["maxItems"])] }];
  if (type !== "object") return [{ type: String(type ?? "any"), range: boundsOf(schema) }];
  const required = (schema["required"] ?? []) as readonly string[];
  const members = Object.entries((schema["properties"] ?? {}) as Record<string, Json>)
    .filter(([, one]) => !isInput || resolved(one, root)["readOnly"] !== true)
    .map(([name, one]): [string, TakenMember] => {
      return [name, [required.includes(name), resolved(one, root)["default"], inner(one, 1)]];
    });
  const isOfKind = typeof others === "object" && others !== null && Object.keys(others).length > 0;
  if (isOfKind) {
    const names = (schema["propertyNames"] ?? {}) as Json;
    const limited = Object.keys(names).some((key) => key !== "type");
    members.push([`[name]${limited ? order(inner(names)) : ""}`, [true, undefined, inner(others as Json, 1)]]);
  }
  return members.length === 0
    ? [{ type: "object", range: ["", ""] }]
    : [{ object: sorted(Object.fromEntries(members)) }];
}
