/** Today's declarations against the vendor's definitions: routes, required arguments and media, by a reader of its own. */
import { expect, it } from "vitest";
import { operationRows } from "../../src/commands/operations.js";
import type { AnyOperation } from "../../src/language/define.js";
import { mediaList } from "../../src/language/media.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";
import { services as declaredRoots } from "../../src/tools/index.js";
import { holdsForEach } from "../lab/laws.js";
import { declared, services } from "./facts.js";
import { type Request, requests, resolved, type Schema } from "./requests.js";

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

/** The members that a schema requires, of several alternatives those that each one does. */
function requiredIn(schema: Schema): readonly string[] {
  const { required = [], oneOf, anyOf, allOf = [] } = resolved(schema);
  const [first = [], ...others] = (oneOf ?? anyOf ?? []).map(requiredIn);
  const ofEach = first.filter((name) => others.every((other) => other.includes(name)));
  return [...required, ...ofEach, ...allOf.flatMap(requiredIn)];
}

/** The differences between a declaration and its definition. */
function differences(operation: AnyOperation, { parameters, body: defined, returns }: Request): string[] {
  const { spec } = operation;
  const schema = jsonSchemaOf(argumentsSchema(operation), "input") as Record<string, never>;
  const taken = new Set(Object.keys(schema["properties"] ?? {}));
  // What has a default is always sent.
  const hasDefault = (name: string) => "default" in (schema["properties"]?.[name] ?? {});
  const needed = new Set<string>([...(schema["required"] ?? []), ...[...taken].filter(hasDefault)]);
  const found: string[] = [];
  const query = parameters.filter((one) => one.in === "query").map(({ name }) => name);
  for (const { in: place, name, required } of parameters) {
    // The configuration sets the account, and the client what it accepts.
    if (place === "path" || name === "accountSwitchKey" || name === "Accept") continue;
    const isGiven = operation.route.includes(`${name}=`) || spec.headers?.[name] !== undefined;
    if (required && !isGiven && !needed.has(name)) found.push(`${place} ${name} is required`);
    else if (!isGiven && !taken.has(name)) found.push(`${place} ${name} is not taken`);
  }
  for (const name of Object.keys(spec.query ?? {})) if (!query.includes(name)) found.push(`query ${name} is not known`);
  const body = schema["properties"]?.["body"] as { required?: string[]; anyOf?: { required?: string[] }[] } | undefined;
  if (defined !== undefined && body === undefined) found.push("a body is not taken");
  if (defined === undefined && body !== undefined) found.push("a body is not known");
  if (defined !== undefined && body !== undefined) {
    const required = new Set(body.required ?? body.anyOf?.flatMap((one) => one.required ?? []));
    for (const name of Object.values(defined.content).flatMap(requiredIn))
      if (!required.has(name)) found.push(`body.${name} is required`);
  }
  const types = Object.keys(defined?.content ?? {});
  const sent = mediaList(spec.body).map(({ type }) => String(type));
  if (types.length > 0 && sent.length > 0 && !sent.some((type) => types.some((known) => known.startsWith(type))))
    found.push(`the body is ${types}`);
  for (const status of Object.keys(returns))
    if (!Object.hasOwn(spec.returns, status)) found.push(`status ${status} is not declared`);
  return found;
}

const differing: Readonly<Record<string, readonly string[]>> = {
  // The client follows a redirect.
  include_latest_version_get: ["status 302 is not declared"],
  property_latest_version_get: ["status 302 is not declared"],
  // Passwords come from files, so the arguments name those in place of a body.
  user_password_set: ["a body is not taken"],
  user_profile_password_update: ["a body is not taken"],
};

it("each operation differs from its definition only where that is listed", () =>
  holdsForEach(declared, (_, route, operation, tool) => {
    const known = requests[route];
    if (!known) throw new Error("It is in no definition.");
    expect(differences(operation, known)).toEqual(differing[tool] ?? []);
  }));

it("lists no difference of a tool that there is not", () => {
  const tools = new Set(declared.map(([, , , tool]) => tool));
  expect(Object.keys(differing).filter((tool) => !tools.has(tool))).toEqual([]);
});
