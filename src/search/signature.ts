/** The arguments of a tool in one line, from its listed schema: the required ones with their types, the others by name. */
import { isRecord } from "../api/member.js";

type Schema = Readonly<Record<string, unknown>>;

const schemaAt = (schema: Schema, key: string): Schema => (isRecord(schema[key]) ? schema[key] : {});
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

// More values than this make a line that nobody reads; the page of the tool has them all.
const maxValues = 6;

/** A type as TypeScript would write it; of an object the members that it requires. */
function typeOf(schema: Schema): string {
  const { type, enum: values } = schema;
  if (Array.isArray(values) && values.length <= maxValues) return values.map((one) => JSON.stringify(one)).join("|");
  if (type === "array") {
    const item = typeOf(schemaAt(schema, "items"));
    return item.includes("|") ? `(${item})[]` : `${item}[]`;
  }
  if (type !== "object") return String(type ?? "any");
  const { required, optional } = signatureOf(schema);
  const rest = optional.length > 0 || schema["additionalProperties"] !== undefined ? ["…"] : [];
  return `{${[...required, ...rest].join(", ")}}`;
}

export interface Signature {
  /** Each as `name: type`. */
  readonly required: readonly string[];
  /** Names alone. */
  readonly optional: readonly string[];
}

/** What an object takes. */
export function signatureOf(schema: Schema): Signature {
  const members = schemaAt(schema, "properties");
  const required = textsOf(schema["required"]);
  return {
    required: required.map((name) => `${name}: ${typeOf(schemaAt(members, name))}`),
    optional: Object.keys(members).filter((name) => !required.includes(name)),
  };
}
