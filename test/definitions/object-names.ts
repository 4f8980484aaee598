/** The names that every object has, and definitions with each of them wherever a definition has names. */

export const objectNames = Object.getOwnPropertyNames(Object.prototype);

/** An object with one member, which can have any name. */
export const own = (name: string, value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries([[name, value]]);

const ok = (schema: object) => ({ responses: { 200: { content: { "application/json": { schema } } } } });

/** A definition with one name as base, path, key, argument, schema, member and value. */
function definitionWith(name: string): object {
  const schema = { $ref: `#/components/schemas/${name}` };
  const body = { requestBody: { content: { "application/json": { schema } } } };
  const parameters = [
    { name, in: "query", schema: { type: "string", enum: [name] } },
    { name, in: "header", schema: { type: "string" } },
  ];
  const get = { ...ok(schema), parameters, operationId: name, tags: [name] };
  return {
    openapi: "3.0.0",
    info: { title: name, version: name },
    servers: [{ url: `https://{hostname}/${name}/v1` }],
    paths: {
      [`/${name}`]: { get, post: { ...ok(schema), ...body } },
      [`/${name}s/{id}`]: { get: ok(schema), put: { ...ok(schema), ...body }, delete: ok(schema) },
      [`/keys/{${name}}`]: { get: ok(schema) },
      ...own(name, { $ref: `#/${name}` }),
    },
    components: {
      schemas: own(name, {
        type: "object",
        properties: { ...own(name, { type: "string", enum: [name] }), plain: { type: name, format: name } },
        required: [name],
      }),
    },
  };
}

/** The files of these definitions. */
export const hostileDefinitions = (): Readonly<Record<string, object>> =>
  Object.fromEntries(objectNames.map((name, at) => [`${at}.json`, definitionWith(name)]));
