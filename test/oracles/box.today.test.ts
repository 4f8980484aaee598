/** The box against the vendor's definitions: what the compiler loses of them is listed by kind, with how often and why. */
import { expect, it } from "vitest";
import type { CompiledMedia, CompiledOperation, Definition } from "../../src/definitions/definition.js";
import { paragraphsOf } from "../lab/tables.js";
import { facts } from "./facts.js";
import { type Request, requests, resolved, type Schema } from "./requests.js";

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
function* factsOfRequest({ parameters, body, returns }: Request): Generator<string> {
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

/** An operation of the box in the form of the definitions. */
function asWritten({ shapes }: Definition, { path, query, headers, body, returns }: CompiledOperation): Request {
  const parameters = Object.entries({ path, query, header: headers }).flatMap(([place, all = {}]) =>
    Object.entries(all).map(([name, { wire = name, isRequired: required, style, shape: schema }]) => {
      return { name: wire, in: place, required, explode: style === undefined, schema };
    }),
  );
  const contentOf = (media: CompiledMedia | null) => (media ? { [media.type]: shapes[media.shape ?? -1] ?? {} } : {});
  return {
    parameters,
    body: body && { required: body.isRequired, content: contentOf(body) },
    returns: Object.fromEntries(Object.entries(returns).map(([status, media]) => [status, contentOf(media)])),
  };
}

/** What the box does not have of a definition, and what it has besides. */
function* differences(route: string, request: Request): Generator<string> {
  const known = facts.get(route);
  const ours = new Set(known ? factsOfRequest(asWritten(...known)) : []);
  const theirs = new Set(factsOfRequest(request));
  for (const fact of theirs) if (!ours.has(fact)) yield `${route} ${fact.replace("\t", " lacks ")}`;
  for (const fact of ours) if (!theirs.has(fact)) yield `${route} ${fact.replace("\t", " adds ")}`;
}

it("each route of the definitions is in the box, but for the losses listed", () => {
  const lines = paragraphsOf("oracles/box-differing.txt").flatMap((one) => one.lines.map((line) => line.split("\t")));
  const kinds = lines.map(([, pattern = ""]) => [pattern, new RegExp(pattern)] as const);
  const met: Record<string, number> = {};
  for (const [route, request] of Object.entries(requests))
    for (const one of differences(route, request)) {
      const [kind] = kinds.find(([, pattern]) => pattern.test(one)) ?? [one];
      met[kind] = (met[kind] ?? 0) + 1;
    }
  expect(met).toEqual(Object.fromEntries(lines.map(([count, pattern]) => [pattern, Number(count)])));
});
