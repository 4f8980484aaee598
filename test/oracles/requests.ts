/** What the vendor's definitions say that a request of today's APIs takes, as `extract.ts` reads them. */
import { readFileSync } from "node:fs";

/** A JSON Schema, as far as it is read here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly enum?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean | undefined;
  readonly explode?: boolean | undefined;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, Schema>>;
export interface Request {
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly required?: boolean | undefined; readonly content: Content } | undefined;
  /** What each status that is no refusal returns. */
  readonly returns: Readonly<Record<string, Content>>;
}

const { $defs, ...known } = JSON.parse(readFileSync("test/oracles/requests.json", "utf8")) as {
  readonly folders: readonly string[];
  readonly $defs: readonly Schema[];
  readonly requests: Readonly<Record<string, Request>>;
};
export const { folders, requests } = known;

/** A schema, where it is a reference the one that it names. */
export const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : ($defs[Number(schema.$ref.replace("#/$defs/", ""))] as Schema);

/** Each fact of a schema as a line: the place, a tab, and what is said of it. */
function* factsOf(schema: Schema, at: string): Generator<string> {
  const { type, properties, required = [], items, additionalProperties: others, ...more } = resolved(schema);
  const { oneOf, anyOf, allOf = [], enum: values, ...simple } = more;
  // A schema that allows null as well says it as another type.
  const isNullable = anyOf?.length === 2 && anyOf[1]?.type === "null";
  const named = type ?? (properties ? "object" : items ? "array" : []);
  for (const one of [named, isNullable ? "null" : []].flat()) yield `${at}\ttype ${one}`;
  if (values) yield `${at}\tenum ${JSON.stringify(values.filter((one) => one !== null))}`;
  for (const [name, value] of Object.entries(simple)) yield `${at}\t${name} ${JSON.stringify(value)}`;
  for (const [name, one] of Object.entries(properties ?? {})) {
    yield `${at}.${name}\tmember`;
    yield* factsOf(one, `${at}.${name}`);
  }
  for (const name of required) {
    const member = properties?.[name];
    // Some lists of required members stand apart from the members.
    const besides = member === undefined ? " apart" : resolved(member).readOnly ? " and read-only" : "";
    yield `${at}.${name}\trequired${besides}`;
  }
  if (items) yield* factsOf(items, `${at}[]`);
  if (others === false) yield `${at}\tclosed`;
  else if (others && others !== true) yield* factsOf(others, `${at}.*`);
  for (const one of [...allOf, ...(isNullable ? anyOf.slice(0, 1) : [])]) yield* factsOf(one, at);
  for (const [nth, one] of (isNullable ? [] : (oneOf ?? anyOf ?? [])).entries()) {
    yield `${at}|${nth}\talternative`;
    yield* factsOf(one, `${at}|${nth}`);
  }
}

/** Each fact of a request in the same way. */
export function* factsOfRequest({ parameters, body, returns }: Request): Generator<string> {
  for (const { name, in: place, required, explode, schema } of parameters) {
    yield `${place} ${name}\tparameter`;
    if (required) yield `${place} ${name}\trequired`;
    if (explode === false) yield `${place} ${name}\tjoined`;
    yield* factsOf(schema, `${place} ${name}`);
  }
  if (body?.required) yield "body\trequired";
  for (const [at, content] of Object.entries({ ...(body && { body: body.content }), ...returns })) {
    yield `${at}\tcontent`;
    for (const [type, schema] of Object.entries(content)) {
      yield `${at} ${type}\tmedium`;
      yield* factsOf(schema, `${at} ${type}`);
    }
  }
}
