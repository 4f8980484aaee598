/** The arguments of a tool in one line, from its listed schema: the required ones with types, values and origins, the others by name. */
import { isRecord } from "../language/member.js";

type Schema = Readonly<Record<string, unknown>>;

/** The tool that shows the value of an argument, by the argument's path; undefined where it is no id or no tool shows it. */
export type OriginOf = (path: string) => string | undefined;

const schemaAt = (schema: Schema, key: string): Schema => (isRecord(schema[key]) ? schema[key] : {});
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

// More characters of values make a line that nobody reads; the page of the tool has them all.
const mostOfValues = 72;

/** As many of the only values as fit, and whether there are more. */
function valuesIn(values: readonly unknown[]): string {
  const texts = values.map((one) => JSON.stringify(one));
  const fitting = texts.filter((_, at) => texts.slice(0, at + 1).join("|").length <= mostOfValues);
  return [...fitting, ...(fitting.length < texts.length ? ["…"] : [])].join("|");
}

/** A type as TypeScript would write it. */
function typeOf(schema: Schema, path: string, originOf: OriginOf, isFull: boolean): string {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return valuesIn(values);
  if (type === "array") {
    const item = typeOf(schemaAt(schema, "items"), path, originOf, isFull);
    return item.includes("|") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (type !== "object") return String(type ?? "any");
  const { required, optional } = signatureOf(schema, originOf, `${path}.`, false);
  const isOpen = schema["additionalProperties"] !== undefined;
  const rest = isFull ? [...optional.map((name) => `${name}?`), ...(isOpen ? ["…"] : [])] : [];
  const isCut = !isFull && (optional.length > 0 || isOpen);
  return `{${[...required, ...rest, ...(isCut ? ["…"] : [])].join(", ")}}`;
}

export interface Signature {
  /** Each as `name: type`, and an id as `name ← tool`. */
  readonly required: readonly string[];
  /** Names alone. */
  readonly optional: readonly string[];
}

/**
 * What an object takes. Of an argument that is an object, all members are shown, and of those that are objects the required
 * ones.
 * @param before The path of the object with a dot; empty for the arguments of a tool.
 * @param isFull Whether objects in it are shown with their optional members.
 */
export function signatureOf(schema: Schema, originOf: OriginOf, before = "", isFull = true): Signature {
  const members = schemaAt(schema, "properties");
  const required = textsOf(schema["required"]);
  const written = (name: string): string => {
    const origin = originOf(before + name);
    if (origin === undefined) return `${name}: ${typeOf(schemaAt(members, name), before + name, originOf, isFull)}`;
    return `${name}${schemaAt(members, name)["type"] === "array" ? "[]" : ""} ← ${origin}`;
  };
  return {
    required: required.map(written),
    optional: Object.keys(members).filter((name) => !required.includes(name)),
  };
}
