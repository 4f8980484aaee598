/** Today's declarations against the vendor's definitions: routes, required arguments and media, by a reader of its own. */
import { expect, it } from "vitest";
import { argumentsSchema } from "../../src/arguments/index.js";
import { operationRows } from "../../src/commands/operations.js";
import type { CompiledOperation, Definition, Shape } from "../../src/definitions/definition.js";
import type { AnyOperation } from "../../src/language/define.js";
import { mediaList } from "../../src/language/media.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";
import { services as declaredRoots } from "../../src/tools/index.js";
import { holdsForEach } from "../lab/laws.js";
import { declared, definitions, eight, facts, services } from "./facts.js";

it("has a definition for each of the eight", () => {
  for (const [, base] of eight) expect(definitions.map((one) => one.base)).toContain(base);
});

it("declares each route once", () => {
  const routes = declared.map(([, route]) => route);
  expect(routes.filter((route, at) => routes.indexOf(route) !== at)).toEqual([]);
});

it("finds each service by the roots of its routes, which no other has", () => {
  // By the paths with their values, because a route may begin with an argument whose values have separate rows.
  for (const { service, path } of operationRows(services)) {
    const { roots } = declaredRoots[service as keyof typeof declaredRoots];
    expect([path, roots.filter((root) => path.startsWith(root)).length]).toEqual([path, 1]);
  }
});

/** The required members of a shape, those of every alternative if there are several. */
function requiredIn(shape: Shape | undefined): readonly string[] {
  if (shape?.oneOf) {
    const [first = [], ...others] = shape.oneOf.map(requiredIn);
    return first.filter((name) => others.every((other) => other.includes(name)));
  }
  return shape?.required ?? [];
}

/** The differences between a declaration and its definition. */
function differences(operation: AnyOperation, [definition, known]: readonly [Definition, CompiledOperation]): string[] {
  const { spec } = operation;
  const schema = jsonSchemaOf(argumentsSchema(operation), "input") as Record<string, never>;
  const taken = new Set(Object.keys(schema["properties"] ?? {}));
  // What has a default is always sent.
  const hasDefault = (name: string) => "default" in (schema["properties"]?.[name] ?? {});
  const needed = new Set<string>([...(schema["required"] ?? []), ...[...taken].filter(hasDefault)]);
  const found: string[] = [];
  for (const [name, { isRequired, wire = name }] of Object.entries(known.query ?? {})) {
    const isInRoute = operation.route.includes(`${wire}=`);
    if (isRequired && !isInRoute && !needed.has(wire)) found.push(`query ${wire} is required`);
    else if (!taken.has(wire) && !isInRoute) found.push(`query ${wire} is not taken`);
  }
  for (const name of Object.keys(spec.query ?? {}))
    if (!Object.entries(known.query ?? {}).some(([key, { wire = key }]) => wire === name))
      found.push(`query ${name} is not known`);
  const body = schema["properties"]?.["body"] as { required?: string[]; anyOf?: { required?: string[] }[] } | undefined;
  if (known.body !== undefined && body === undefined) found.push("a body is not taken");
  if (known.body === undefined && body !== undefined) found.push("a body is not known");
  if (known.body?.shape !== undefined && body !== undefined) {
    const required = new Set(body.required ?? body.anyOf?.flatMap((one) => one.required ?? []));
    for (const name of requiredIn(definition.shapes[known.body.shape]))
      if (!required.has(name)) found.push(`body.${name} is required`);
  }
  const sent = mediaList(spec.body).map(({ type }) => String(type));
  if (known.body && sent.length > 0 && !sent.some((type) => known.body?.type.startsWith(type)))
    found.push(`the body is ${known.body.type}`);
  for (const status of Object.keys(known.returns))
    if (status !== "default" && !Object.hasOwn(spec.returns, status)) found.push(`status ${status} is not declared`);
  return found;
}

/** Passwords come from files, so the arguments name those in place of a body. */
const differing: Readonly<Record<string, readonly string[]>> = {
  user_password_set: ["a body is not taken"],
  user_profile_password_update: ["a body is not taken"],
};

it("each operation differs from its definition only where that is listed", () =>
  holdsForEach(declared, (_, route, operation, tool) => {
    const known = facts.get(route);
    if (!known) throw new Error("It is in no definition.");
    expect(differences(operation, known)).toEqual(differing[tool] ?? []);
  }));

it("lists no difference of a tool that there is not", () => {
  const tools = new Set(declared.map(([, , , tool]) => tool));
  const listed = Object.keys(differing);
  expect(listed.filter((tool) => !tools.has(tool))).toEqual([]);
});
